"""Values, shapes and dtypes of results, of every form with a `reference:` for every dtype."""

from __future__ import annotations

import itertools
import math
from typing import Any

import pytest

import thwrap as th
from wrapgen.testing import oracle
from wrapgen.testing.calling import call_form, refusals, results_of
from wrapgen.testing.declared import DTYPES, FLOATS, Case, out_of_place
from wrapgen.testing.drawing import Call, calls, first_call
from wrapgen.testing.layouts import sliced

# What Python shows of results that are no tensors.
NUMBERS = {"bool": bool, "long": int, "double": float}

REFERENCED = [case for case in out_of_place() if case.op.reference]


def compare(call: Call, got: Any) -> None:
    """The results of a call with what the oracle says."""
    case = call.case
    names = oracle.environment(case, call.values)
    expected = oracle.reference(case, names)
    compute = oracle.computing_dtype(case, call.values)
    if case.op.returns in NUMBERS:
        assert type(got) is NUMBERS[case.op.returns], f"{call}: got {got!r}"
        allowed = oracle.tolerance(case, names, expected[0], compute, "float64")
        near = abs(got - expected[0]) <= allowed or (got != got and math.isnan(expected[0]))
        assert got == expected[0] or near, f"{call}: expected {expected[0]}, got {got}"
        return
    dtypes = oracle.result_dtypes(case, call.values)
    rows = zip(results_of(got), expected, dtypes, strict=True)
    for number, (result, value, dtype) in enumerate(rows):
        working = compute or dtype
        allowed = oracle.tolerance(case, names, value, working, dtype, number)
        try:
            oracle.check(case, result, value, dtype, allowed, call)
        except AssertionError as error:
            hint = _is_rounded(case, result, value, dtype, working, number, names)
            raise AssertionError(f"{error}{hint}") from None


def _is_rounded(
    case: Case,
    result: Any,
    value: Any,
    dtype: str,
    compute: str,
    number: int,
    names: dict[str, Any],
) -> str:
    """What to say where a function does arithmetic, which its entry does not tell."""
    if case.op.tolerance is not None or case.is_kernel or {dtype, compute} - set(FLOATS):
        return ""
    try:
        allowed = oracle.sum_error(case, names, value, compute, number)
        oracle.check(case, result, value, dtype, allowed, "")
    except AssertionError:
        return ""
    return "; that is near enough for a sum: if the op rounds, say `tolerance: sum`"


@pytest.mark.parametrize("case", REFERENCED, ids=lambda case: case.id)
def test_values(case: Case) -> None:
    """As NumPy computes them in wider numbers; what NumPy refuses is refused."""
    for dtype in case.dtypes if case.operands else DTYPES[:1]:
        for call in calls(case, dtype):
            try:
                oracle.reference(case, oracle.environment(case, call.values))
            except oracle.Unanswered:
                with pytest.raises(refusals(case)):
                    call_form(call)
                continue
            compare(call, call_form(call))


MIXED = [case for case in REFERENCED if case.is_kernel and len(case.operands) > 1]
PAIRS = list(
    itertools.permutations(("bool", "uint8", "int8", "int64", "float16", "float32", "float64"), 2)
)


@pytest.mark.parametrize("case", MIXED, ids=lambda case: case.id)
def test_mixed_dtypes(case: Case) -> None:
    """Operands of different dtypes are converted to the common one, block by block; strided and 0-d ones too."""
    names = [arg.name for arg in case.operands]
    for first, second in PAIRS:
        common = oracle.PROMOTED[first, second]
        if not {first, second, common} <= set(case.dtypes):
            continue
        shape = (40, 67) if "16" in first else (3, 5)
        calls_ = [first_call(case, dtype, shape) for dtype in (first, second)]
        values = {name: calls_[i % 2].values[name] for i, name in enumerate(names)}
        call = calls_[0].but(**values)
        compare(call, call_form(call))
        compare(call, call_form(call, sliced))
        last = values[names[-1]]
        compare(single := call.but(**{names[-1]: last[0, 0:1].reshape(())}), call_form(single))


LIMITED = [
    case
    for case in out_of_place()
    if case.operands and case.promote != "number" and set(case.dtypes) != set(DTYPES)
]


@pytest.mark.parametrize("case", LIMITED, ids=lambda case: case.id)
def test_other_dtypes_are_refused(case: Case) -> None:
    """A dtype that is not among `types` and not promoted is a TypeError that names it."""
    for dtype in DTYPES:
        if dtype not in case.dtypes:
            with pytest.raises(TypeError, match=dtype):
                call_form(first_call(case, dtype))


DTYPED = [case for case in REFERENCED if any(arg.name == "dtype" for arg in case.args)]


@pytest.mark.parametrize("case", DTYPED, ids=lambda case: case.id)
def test_dtype_argument(case: Case) -> None:
    """`dtype=` is the dtype of computation and result: operands are converted first."""
    for source in ("int32", "float32") if case.operands else DTYPES[:1]:
        for dtype in DTYPES:
            call = first_call(case, source).but(dtype=getattr(th, dtype))
            if case.operands and dtype not in case.dtypes:
                with pytest.raises(TypeError):
                    call_form(call)
            else:
                compare(call, call_form(call))
