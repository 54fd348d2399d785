"""The laws of the errors of math.yaml's functions, for thwrap's own ops."""

import numpy
import pytest

import thwrap as th
from wrapgen.testing import isas, oracle
from wrapgen.testing.calling import call_form
from wrapgen.testing.declared import FLOATS, Case, out_of_place, ulp_of
from wrapgen.testing.drawing import Call
from wrapgen.testing.laws.ulp import *  # noqa: F403
from wrapgen.testing.laws.ulp import SINGLE

INEXACT = [
    case
    for case in out_of_place()
    if case.is_kernel and set(case.dtypes) & set(FLOATS) and any(map(ulp_of, case.math_calls))
]


@pytest.mark.parametrize("case", INEXACT, ids=lambda case: case.id)
def test_docstrings_state_the_errors(case: Case) -> None:
    """The numbers that are measured above, of the result or of the functions that it is made of."""
    doc = getattr(th, case.op.python_name).__doc__
    for name in filter(ulp_of, case.math_calls):
        bound = f"rror at most {ulp_of(name):g} ulp"
        assert (f"E{bound}." if case in SINGLE else f"`{name}` (e{bound})") in doc


# Where functions overflow, vanish or begin to be computed in another way, in one dtype or the other.
TURNS = (1, 8, 10.05, 15, 20, 27.2, 40, 50, 85, 88.7, 89.4, 104, 120, 149, 700, 709.8, 710.5, 745.1)
FAR_TURNS = (1000, 1074, 1e4, 2.0**20, 2.0**23, 2.0**40)
SINGLE_OF_ONE = [case for case in SINGLE if len(case.tensors) == 1 and len(case.op.args) == 2]


@pytest.mark.parametrize("case", SINGLE_OF_ONE, ids=lambda case: case.id)
def test_errors_where_ways_part(case: Case) -> None:
    """Next to these numbers, sorted, so that vectors are of one way or of both, and in any order."""
    rng = numpy.random.default_rng(0)
    for dtype in set(case.dtypes) & {"float32", "float64"}:
        near = [turn * rng.uniform(0.98, 1.02, 200) for turn in (*TURNS, *FAR_TURNS)]
        edges = [sign * off for sign in (1, -1) for off in (0, 1, 0.5, numpy.inf, numpy.nan)]
        values = numpy.concatenate([-near[0], *near, *[-each for each in near], edges]).astype(
            dtype
        )
        for given in (numpy.sort(values), rng.permutation(values)):
            call = Call(case, {case.tensors[0].name: given})
            names = oracle.environment(case, call.values)
            (expected,) = oracle.reference(case, names)
            (result,) = oracle.result_dtypes(case, call.values)
            allowed = oracle.tolerance(case, names, expected, dtype, result)
            for isa in isas.available():
                th._C._set_isa(isa)
                oracle.check(case, call_form(call), expected, result, allowed, f"{dtype} {isa}")
