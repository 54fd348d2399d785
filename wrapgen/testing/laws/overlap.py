"""Results and operands that share memory."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

import thwrap as th
from wrapgen.testing.calling import (
    contents,
    invoke,
    refused,
    results_of,
    tensors_in,
    write_in_place,
)
from wrapgen.testing.declared import Case, in_place, out_of_place
from wrapgen.testing.drawing import Call, first_call, tensor
from wrapgen.testing.oracle import result_dtypes

WITH_OUT = [case for case in out_of_place() if case.takes_out and case.operands and case.tensors]


def matching(case: Case) -> Call | None:
    """A call whose first result has the dtype of its first operand."""
    if not case.operands[0].type.tensor:
        return None
    calls = (first_call(case, dtype) for dtype in reversed(case.dtypes))
    fits = (call for call in calls if result_dtypes(case, call.values)[0] == dtype_of(call))
    return next(fits, None)


def dtype_of(call: Call) -> str:
    return str(call.values[call.case.operands[0].name].dtype.name)


def matched(case: Case) -> tuple[Call, list[numpy.ndarray]]:
    """The call, and its results."""
    call = matching(case)
    assert call is not None
    th.manual_seed(7)
    return call, [result.numpy() for result in results_of(invoke(case, call.made()))]


OVERLAPPING = [case for case in WITH_OUT if matching(case)]


def one_memory(
    array: numpy.ndarray, result: numpy.ndarray, step: int
) -> tuple[th.Tensor, th.Tensor]:
    """The array as a tensor, and an out tensor that begins `step` elements later in its memory."""
    flat = tensor(numpy.concatenate([array.ravel(), numpy.zeros(result.size + step, array.dtype)]))
    return flat[: array.size].view(array.shape), flat[step : step + result.size].view(result.shape)


def out_of(results: list[numpy.ndarray], first: th.Tensor) -> Any:
    return (first, *(tensor(array) for array in results[1:])) if len(results) > 1 else first


@pytest.mark.parametrize("case", OVERLAPPING, ids=lambda case: case.id)
def test_partial_overlap_is_refused(case: Case) -> None:
    """out= that shares some of an operand's memory is an error, and nothing is written."""
    call, results = matched(case)
    name = case.operands[0].name
    if results[0].size == 0:
        return
    operand, out = one_memory(call.values[name], results[0], 1)
    given = call.made() | {name: operand}
    with refused(RuntimeError, tensors_in(given), "overlaps"):
        invoke(case, given, out=out_of(results, out))


@pytest.mark.parametrize("case", OVERLAPPING, ids=lambda case: case.id)
def test_out_is_the_operand(case: Case) -> None:
    """out= that is an operand itself, or exactly its memory, gets the right result."""
    call, results = matched(case)
    name = case.operands[0].name
    if call.values[name].shape != results[0].shape:
        return
    for another in (False, True):
        given = call.made()
        out = given[name].view(given[name].shape) if another else given[name]
        th.manual_seed(7)
        got = results_of(invoke(case, given, out=out_of(results, out)))
        assert got[0] is out
        assert out.numpy().tobytes() == results[0].tobytes(), f"{call}"


@pytest.mark.parametrize("case", OVERLAPPING, ids=lambda case: case.id)
def test_resized_out_does_not_run_into_an_operand(case: Case) -> None:
    """An out tensor that would have to grow over an operand's memory is refused, or moves elsewhere."""
    call, results = matched(case)
    name = case.operands[0].name
    if results[0].size < 2:
        return
    array = call.values[name]
    flat = tensor(numpy.concatenate([numpy.zeros(1, array.dtype), array.ravel()]))
    given = call.made() | {name: flat[1:].view(array.shape)}
    before = contents(given[name])
    th.manual_seed(7)
    out = flat[:0]
    refusal = ""
    try:
        invoke(case, given, out=out_of(results, out))
    except RuntimeError as error:
        refusal = str(error)
    if refusal:
        assert "overlap" in refusal
        assert contents(given[name]) == before
    else:
        assert out.numpy().tobytes() == results[0].tobytes(), f"{call}"


SEVERAL = [case for case in in_place() if len(case.operands) > 1]


@pytest.mark.parametrize("case", SEVERAL, ids=lambda case: case.id)
def test_in_place_overlap(case: Case) -> None:
    """In place, an operand that shares part of self's memory is refused; self itself as operand is not."""
    call = first_call(case, case.dtypes[-1])
    other = case.operands[1].name
    array = call.values[other]
    if array.ndim == 0:
        return
    operand, self = one_memory(array, call.values["self"], 1)
    given = call.made() | {other: operand, "self": self}
    with refused(RuntimeError, tensors_in(given), "overlaps"):
        write_in_place(case, given)
    if not case.is_kernel:
        return
    same = call.but(**{other: call.values["self"]})
    given = same.made()
    given[other] = given["self"]
    expected = contents(write_in_place(case, same.made()))
    assert contents(write_in_place(case, given)) == expected, f"{call}"
