"""Results depend on values alone: not on strides, the number of threads or the instruction set."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

import thwrap as th
from wrapgen import tables
from wrapgen.model import Arg
from wrapgen.testing import isas, oracle
from wrapgen.testing.calling import call_form, contents, invoke, refusals, results_of
from wrapgen.testing.declared import FLOATS, Case, cases, fixed, ulp_of
from wrapgen.testing.drawing import Call, Make, calls, first_call
from wrapgen.testing.layouts import LAYOUTS, expanded, repeated
from wrapgen.testing.subject import current

# Not views that exist for some layouts only, nor what tells of the layout or writes where it likes.
DETERMINED = [case for case in cases() if {"layout", "anything"}.isdisjoint(case.tolerances)]
WITH_TENSORS = [case for case in DETERMINED if case.tensors]
# Elements enough for several threads; the second is for what takes the diagonal of matrices.
LARGE = ((150, 401), (401,))


def seeded(call: Call, make: Make | None = None) -> Any:
    """Calls with the same random numbers every time."""
    th.manual_seed(7)
    return call_form(call, make)


def assert_same(call: Call, got: Any, expected: Any, what: str) -> None:
    """Bit for bit, but for sums whose order is not fixed."""
    if not oracle.depends_on_layout(call.case):
        assert contents(got) == contents(expected), f"{call}: {what} gives another result"
        return
    for one, other in zip(results_of(got), results_of(expected), strict=True):
        assert (one.dtype, one.shape) == (other.dtype, other.shape), f"{call}: {what}"
        near = 1e-2 if one.dtype is th.float16 else 1e-5
        numpy.testing.assert_allclose(
            one.numpy(), other.numpy(), rtol=near, atol=near, err_msg=what
        )


@pytest.mark.parametrize("case", WITH_TENSORS, ids=lambda case: case.id)
def test_layouts(case: Case) -> None:
    """Transposed, strided and unaligned operands, in place too, give what contiguous ones give."""
    for dtype in case.dtypes:
        for call in calls(case, dtype, ((2, 3, 4), (0, 3), (37,))):
            try:
                expected = seeded(call)
            except refusals(case):
                continue  # which calls are refused is for other laws
            for name, make in LAYOUTS.items():
                assert_same(call, seeded(call, make), expected, name)


NOT_IN_PLACE = [case for case in WITH_TENSORS if not case.op.inplace]


@pytest.mark.parametrize("case", NOT_IN_PLACE, ids=lambda case: case.id)
def test_expanded_operands(case: Case) -> None:
    """A tensor with stride 0 gives what its copy gives."""
    for dtype in case.dtypes:
        call = first_call(case, dtype)
        for arg in case.tensors:
            array = call.values[arg.name]
            if array.ndim == 0:
                continue
            for dim in {0, array.ndim - 1}:
                copied = call.but(**{arg.name: repeated(array, dim)})
                given = call.made() | {arg.name: expanded(array, dim)}
                try:
                    expected = seeded(copied)
                except refusals(case):
                    continue  # matrices of equal rows
                th.manual_seed(7)
                assert_same(call, invoke(case, given), expected, f"expanded {arg.name}")


def large(case: Case, dtype: str, shape: tuple[int, ...] = LARGE[0]) -> Call | None:
    """A call on enough elements for several threads, where the sample does not fix the shapes."""
    call = first_call(case, dtype, shape)
    free = any(array.ndim and array.shape == shape[-array.ndim :] for array in call.arrays())
    return call if free else None


PARALLEL = [case for case in WITH_TENSORS if large(case, case.dtypes[-1])]


@pytest.mark.parametrize("case", PARALLEL, ids=lambda case: case.id)
def test_threads(case: Case) -> None:
    """One thread or two: the same bits."""
    for dtype in set(case.dtypes) & {"float16", "float32", "int64", "bool"}:
        for shape in LARGE:
            call = large(case, dtype, shape)
            assert call is not None
            results = []
            for threads in (1, 2):
                th.set_num_threads(threads)
                results.append(contents(seeded(call)))
            assert results[0] == results[1], f"{call}: two threads give another result than one"


def vector_ulps(case: Case) -> float:
    """How far the vector functions of a kernel may be apart, in units in the last place."""
    steps = [declared for name in case.math_calls if (declared := _vector_ulp(name))]
    return 2 * sum(steps)


def _vector_ulp(name: str) -> float:
    return ulp_of(name) if tables.math()[name].vector else 0


@pytest.mark.parametrize("case", DETERMINED, ids=lambda case: case.id)
def test_instruction_sets(case: Case) -> None:
    """Every instruction set gives the same bits, or where vector functions are called is within their errors."""
    for dtype in case.dtypes if case.operands else ("float32",):
        call = first_call(case, dtype, (3, 67))
        results = {}
        for isa in isas.available():
            th._C._set_isa(isa)
            results[isa] = seeded(call)
        base = results.pop("base")
        for isa, got in results.items():
            if contents(got) == contents(base):
                continue
            if vector_ulps(case) or "vectors" in case.tolerances:
                for number, pair in enumerate(zip(results_of(got), results_of(base), strict=True)):
                    assert_near(call, *pair, number, isa)
            elif "any_order" in case.tolerances:
                assert_same(call, got, base, isa)
            else:
                pytest.fail(f"{call}: {isa} gives another result than base")


def assert_near(call: Call, got: th.Tensor, base: th.Tensor, number: int, isa: str) -> None:
    """A result is as near as the vector functions are, or as steps between them make of it."""
    what, ulps, dtype = f"{call}: {isa}", vector_ulps(call.case), base.dtype.name
    if dtype not in FLOATS:
        assert contents(got) == contents(base), f"{what} gives another result than base"
        return
    first, second = (value.numpy().astype("longdouble") for value in (got, base))
    allowed = ulps * oracle.spacing(second, dtype)
    if call.case.op.reference and ("vectors" in call.case.tolerances or not current().strict):
        names = oracle.environment(call.case, call.values)
        compute = oracle.computing_dtype(call.case, call.values)
        allowed += 2 * oracle.tolerance(call.case, names, second, compute, dtype, number)
    same = (
        (first == second)
        | (numpy.abs(first - second) <= allowed)
        | ((first != first) & (second != second))
    )
    assert same.all(), (
        f"{what} is too far from base: more than {ulps} ulp and what steps make of it"
    )


FIXED = [(case, arg) for case in cases() for arg in case.tensors if fixed(arg)]


@pytest.mark.parametrize(("case", "arg"), FIXED, ids=lambda value: getattr(value, "id", value.name))
def test_fixed_dtypes_are_required(case: Case, arg: Arg) -> None:
    """An index of int16, a mask that is not bool: TypeErrors that name the argument."""
    call = first_call(case, "float32")
    wrong = call.but(**{arg.name: call.values[arg.name].astype("int16")})
    with pytest.raises(TypeError, match=arg.name):
        call_form(wrong)
