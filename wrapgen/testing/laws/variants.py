"""Function, method, keywords, out= and the in-place form of an operation are one operation."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

import thwrap as th
from wrapgen.plugins.outputs import OUT
from wrapgen.testing import oracle
from wrapgen.testing.calling import (
    as_function,
    as_method,
    by_keyword,
    contents,
    invoke,
    refused,
    results_of,
    tensors_in,
    write_in_place,
)
from wrapgen.testing.declared import CATEGORIES, DTYPES, Case, aliases, base_of, cases, in_place
from wrapgen.testing.drawing import Call, first_call, tensor
from wrapgen.testing.layouts import sliced, transposed

KNOWN = [case for case in cases() if "anything" not in case.tolerances]


def dtypes_of(case: Case) -> tuple[str, ...]:
    return case.dtypes if case.operands else DTYPES[6:7]


def run(way: Any, call: Call, **extra: Any) -> Any:
    th.manual_seed(7)
    return way(call.case, call.made(), **extra)


def plain(call: Call) -> Any:
    """What the call gives, the first way."""
    return contents(run(invoke, call))


BOTH = [case for case in KNOWN if case.has_function and case.has_method]


@pytest.mark.parametrize("case", BOTH, ids=lambda case: case.id)
def test_method_is_function(case: Case) -> None:
    for dtype in dtypes_of(case):
        call = first_call(case, dtype)
        assert contents(run(as_method, call)) == contents(run(as_function, call)), f"{call}"


@pytest.mark.parametrize("case", KNOWN, ids=lambda case: case.id)
def test_keywords(case: Case) -> None:
    """All arguments by keyword, and those with a second name by that."""
    call = first_call(case, dtypes_of(case)[-1])
    assert contents(run(by_keyword, call)) == plain(call), f"{call}"
    for param in case.form.body.params:
        name = param.arg.name
        if param.alias and (case.has_function or name != "self") and name in call.values:
            assert contents(run(by_keyword, call, names={name: param.alias})) == plain(call), (
                param.alias
            )
            if name != "self":
                with pytest.raises(TypeError, match=f"'{param.name}'.*'{param.alias}'"):
                    run(by_keyword, call, **{param.alias: call.values[name]})


@pytest.mark.parametrize(("case", "original"), aliases(), ids=lambda case: case.id)
def test_aliases(case: Case, original: Case) -> None:
    """Another name gives the same results, and errors under its own name."""
    assert [(p.name, p.alias, p.default) for p in case.form.body.params] == [
        (p.name, p.alias, p.default) for p in original.form.body.params
    ]
    way = write_in_place
    for dtype in dtypes_of(original):
        call = first_call(original, dtype)
        assert contents(run(way, Call(case, call.values))) == contents(run(way, call)), f"{call}"


def filled(shape: Any, dtype: str) -> th.Tensor:
    return tensor(numpy.ones(shape, dtype))


def results_array(call: Call) -> list[numpy.ndarray]:
    return [result.numpy() for result in results_of(run(invoke, call))]


def with_out(call: Call, outs: list[th.Tensor]) -> None:
    """Calls with out=, which is what comes back."""
    got = run(invoke, call, out=outs[0] if len(outs) == 1 else tuple(outs))
    assert all(one is out for one, out in zip(results_of(got), outs, strict=True)), f"{call}"


WITH_OUT = [case for case in KNOWN if case.takes_out]


@pytest.mark.parametrize("case", WITH_OUT, ids=lambda case: case.id)
def test_out(case: Case) -> None:
    """Of the right shape, strided, transposed, or empty and resized: what would have been returned, and gaps stay."""
    for dtype in dtypes_of(case):
        call = first_call(case, dtype)
        expected = results_array(call)
        for make in (tensor, sliced, transposed):
            outs = [make(numpy.zeros_like(array)) for array in expected]
            with_out(call, outs)
            for out, array in zip(outs, expected, strict=True):
                assert out.numpy().tobytes() == array.tobytes(), f"{call} with out={make.__name__}"
                if make is sliced and array.ndim:
                    around = numpy.asarray(memoryview(out.storage())).view(array.dtype)
                    assert (around == 1).sum() >= around.size - array.size, (
                        f"{call}: wrote beside out"
                    )
        outs = [filled(0, array.dtype.name) for array in expected]
        with_out(call, outs)
        assert [out.numpy().tobytes() for out in outs] == [array.tobytes() for array in expected], (
            f"{call}"
        )


@pytest.mark.parametrize("case", WITH_OUT, ids=lambda case: case.id)
def test_out_of_another_shape(case: Case) -> None:
    """Resized with a warning."""
    call = first_call(case, dtypes_of(case)[-1])
    expected = results_array(call)
    outs = [filled((7, 3), array.dtype.name) for array in expected]
    with pytest.warns(UserWarning, match="resize"):
        with_out(call, outs)
    assert [out.numpy().tobytes() for out in outs] == [array.tobytes() for array in expected], (
        f"{call}"
    )


def goes_into(case: Case, dtype: str, other: str) -> bool:
    """A category is kept in a higher one; truth values that are uint8 are bool too."""
    truth = other == "bool" and case.result_word(case.outputs[0]) == "truth"
    return truth or CATEGORIES[dtype] <= CATEGORIES[other]


@pytest.mark.parametrize("case", WITH_OUT, ids=lambda case: case.id)
def test_out_of_another_dtype(case: Case) -> None:
    """The result is converted where its category allows, else refused and out left alone."""
    for dtype in dtypes_of(case):
        call = first_call(case, dtype)
        expected = results_array(call)
        for other in ("int64", "float64", "bool"):
            outs = [filled(array.shape, other) for array in expected]
            given = call.made()
            if case.op[OUT]:
                _made_in_the_dtype_of(outs[0], call)
            elif all(goes_into(case, array.dtype.name, other) for array in expected):
                with_out(call, outs)
                for out, array in zip(outs, expected, strict=True):
                    assert out.numpy().tobytes() == oracle.converted(array, other).tobytes(), (
                        f"{call} into {other}"
                    )
            else:
                with refused(TypeError, [*tensors_in(given), *outs], "cannot be cast"):
                    invoke(case, given, out=outs[0] if len(outs) == 1 else tuple(outs))


def _made_in_the_dtype_of(out: th.Tensor, call: Call) -> None:
    """What functions make is made in the dtype of out."""
    try:
        expected = contents(run(invoke, call, dtype=out.dtype))
    except (TypeError, ValueError) as error:
        with refused(type(error), [out]):
            with_out(call, [out])
    else:
        with_out(call, [out])
        assert contents(out) == expected, f"{call} into {out.dtype}"


@pytest.mark.parametrize("case", WITH_OUT, ids=lambda case: case.id)
def test_expanded_out_is_refused(case: Case) -> None:
    call = first_call(case, dtypes_of(case)[-1])
    outs = [filled((), array.dtype.name).expand(array.shape) for array in results_array(call)]
    if outs[0].numel() > 1:
        with refused(RuntimeError, outs, "overlaps itself"):
            with_out(call, outs)


@pytest.mark.parametrize("case", in_place(), ids=lambda case: case.id)
def test_in_place(case: Case) -> None:
    """self becomes what the operation would have returned, in self's dtype; strided too, where gaps stay."""
    base = base_of(case)
    assert base is not None
    for dtype in case.dtypes:
        call = first_call(case, dtype)
        expected = oracle.converted(run(invoke, Call(base, call.values)).numpy(), dtype)
        for make in (tensor, sliced, transposed):
            given = call.made() | {"self": make(call.values["self"])}
            th.manual_seed(7)
            assert write_in_place(case, given) is given["self"], f"{call}"
            assert given["self"].numpy().tobytes() == expected.tobytes(), (
                f"{call}: {make.__name__} self"
            )
            if make is sliced and expected.ndim:
                around = numpy.asarray(memoryview(given["self"].storage())).view(dtype)
                assert (around == 1).sum() >= around.size - expected.size, (
                    f"{call}: wrote beside self"
                )
        if case.has_function and case.has_method:
            assert contents(run(as_function, call)) == [
                (dtype, expected.shape, expected.tobytes())
            ], f"{call}"


@pytest.mark.parametrize("case", in_place(), ids=lambda case: case.id)
def test_in_place_refuses_expanded_self(case: Case) -> None:
    call = first_call(case, case.dtypes[-1])
    given = call.made()
    shape = call.values["self"].shape
    given["self"] = tensor(call.values["self"].take([0], axis=0)).expand(shape)
    with refused(RuntimeError, tensors_in(given), "overlaps itself"):
        write_in_place(case, given)


COMBINING = [
    case
    for case in in_place()
    if len(case.operands) > 1 and case.promote in ("arithmetic", "comparison")
]


@pytest.mark.parametrize("case", COMBINING, ids=lambda case: case.id)
def test_in_place_results_must_fit(case: Case) -> None:
    """A result of a higher category or another shape is refused, and self is as it was; a wider one is converted."""
    base = base_of(case)
    assert base is not None
    other = case.operands[1].name
    if {"int32", "float32"} <= set(case.dtypes) and case.promote == "arithmetic":
        given = first_call(case, "int32").made()
        given[other] = given[other].to(th.float32)
        with refused(TypeError, tensors_in(given), "cannot be cast"):
            write_in_place(case, given)
    narrow, wide = ("float32", "float64") if "float64" in case.dtypes else ("int16", "int64")
    call = first_call(case, narrow)
    call = call.but(**{other: call.values[other].astype(wide)})
    expected = oracle.converted(run(invoke, Call(base, call.values)).numpy(), narrow)
    assert contents(run(write_in_place, call)) == [(narrow, expected.shape, expected.tobytes())], (
        f"{call}"
    )
    if first_call(case, narrow, (3, 1)).values["self"].shape != (3, 1):
        return  # its sample says which shapes go together
    larger = first_call(case, narrow, (3, 1)).made() | {
        other: first_call(case, narrow, (3, 5)).made()[other]
    }
    with refused(ValueError, tensors_in(larger), r"\(3, 5\).*\(3, 1\)"):
        write_in_place(case, larger)


DECLARED_IN_PLACE = [case for case in cases() if case.op.inplace == "self"]


@pytest.mark.parametrize("case", DECLARED_IN_PLACE, ids=lambda case: case.id)
def test_in_place_by_name_returns_self(case: Case) -> None:
    given = first_call(case, dtypes_of(case)[-1]).made()
    assert write_in_place(case, given) is given["self"]
