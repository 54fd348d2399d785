"""The laws of the errors of math.yaml's functions, for thwrap's own ops."""

import pytest

import thwrap as th
from wrapgen.testing.declared import FLOATS, Case, out_of_place, ulp_of
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
