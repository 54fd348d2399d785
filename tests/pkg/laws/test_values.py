"""Values, shapes and dtypes of results, of every form with a `reference:` for every dtype."""

from __future__ import annotations

import itertools

import oracle
import pytest
from calling import call_form, results_of
from declared import DTYPES, Case, out_of_place
from drawing import Call, calls, first_call
from layouts import sliced

REFERENCED = [case for case in out_of_place() if case.op.reference]


def compare(call: Call, got: object) -> None:
    """The results of a call with what the oracle says."""
    case = call.case
    names = oracle.environment(case, call.values)
    expected = oracle.reference(case, names)
    if case.op.returns in ("bool", "long", "double"):
        assert type(got) is {"bool": bool, "long": int, "double": float}[case.op.returns], f"{call}"
        assert got == expected[0], f"{call}: expected {expected[0]}, got {got}"
        return
    compute = oracle.computing_dtype(case, call.values)
    dtypes = oracle.result_dtypes(case, call.values)
    for result, value, dtype in zip(results_of(got), expected, dtypes, strict=True):
        allowed = oracle.tolerance(case, names, value, compute or dtype, dtype)
        oracle.check(case, result, value, dtype, allowed, call)


@pytest.mark.parametrize("case", REFERENCED, ids=lambda case: case.id)
def test_values(case: Case) -> None:
    """As NumPy computes them in wider numbers; what NumPy refuses is refused."""
    for dtype in case.dtypes if case.operands else DTYPES[:1]:
        for call in calls(case, dtype):
            try:
                oracle.reference(case, oracle.environment(case, call.values))
            except oracle.Unanswered:
                with pytest.raises((ValueError, IndexError)):
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


LIMITED = [case for case in out_of_place() if case.operands and set(case.dtypes) != set(DTYPES)]


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
    import thwrap as th

    for source in ("int32", "float32") if case.operands else DTYPES[:1]:
        for dtype in DTYPES:
            call = first_call(case, source).but(dtype=getattr(th, dtype))
            if case.operands and dtype not in case.dtypes:
                with pytest.raises(TypeError):
                    call_form(call)
            else:
                compare(call, call_form(call))
