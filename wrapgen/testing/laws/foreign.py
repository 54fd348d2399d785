"""Arrays of NumPy are operands as tensors are: the same values, read and written where they lie."""

from __future__ import annotations

import sys
from typing import Any

import numpy
import pytest

import thwrap as th
from wrapgen.testing import oracle
from wrapgen.testing.calling import as_function, contents, refusals, results_of
from wrapgen.testing.declared import FLOATS, Case, cases
from wrapgen.testing.drawing import Call, calls, first_call
from wrapgen.testing.subject import current

FOREIGN = [
    case
    for case in cases()
    if case.has_function and case.tensors and {"layout", "anything"}.isdisjoint(case.tolerances)
]


def own(array: numpy.ndarray) -> numpy.ndarray:
    return numpy.array(array, order="C")


def transposed(array: numpy.ndarray) -> numpy.ndarray:
    return numpy.array(array, order="F")


def sliced(array: numpy.ndarray) -> numpy.ndarray:
    around = numpy.ones([2 * size + 1 for size in array.shape], array.dtype)
    view = around[tuple(slice(1, 1 + 2 * size, 2) for size in array.shape)]
    view = view if array.ndim else own(array)
    view[...] = array
    return view


LAYOUTS = {"contiguous": own, "transposed": transposed, "sliced": sliced}


def run(call: Call, given: dict[str, Any] | None = None, **extra: Any) -> Any:
    th.manual_seed(7)
    return as_function(call.case, call.made() if given is None else given, **extra)


def same(case: Case, got: Any, expected: Any) -> bool:
    """Bit for bit, but for sums whose order is not fixed."""
    if not oracle.depends_on_layout(case):
        return contents(got) == contents(expected)
    return all(
        numpy.allclose(numpy.asarray(one), numpy.asarray(other), 1e-2, 1e-2, equal_nan=True)
        if other.dtype.name in FLOATS
        else contents(one) == contents(other)
        for one, other in zip(results_of(got), results_of(expected), strict=True)
    )


@pytest.mark.parametrize("case", FOREIGN, ids=lambda case: case.id)
def test_arrays_are_operands(case: Case) -> None:
    """Contiguous, transposed and strided ones give what tensors give; what is read stays as it is."""
    for dtype in case.dtypes:
        for call in calls(case, dtype, ((2, 3, 4), (0, 3), (37,))):
            try:
                expected = run(call)
            except refusals(case):
                continue
            for name, layout in LAYOUTS.items():
                given = call.made(layout)
                got = run(call, given)
                assert same(case, got, expected), f"{call}: {name} arrays give another result"
                read = {n: value for n, value in given.items() if isinstance(value, numpy.ndarray)}
                for argument, array in read.items():
                    kept = array.tobytes() == call.values[argument].tobytes()
                    written = case.op.inplace and argument == "self"
                    assert kept or written, f"{call}: {argument} is changed"


RETURNING = [case for case in FOREIGN if case.outputs and not case.op.inplace]


@pytest.mark.parametrize("case", RETURNING, ids=lambda case: case.id)
def test_kinds_of_results(case: Case) -> None:
    """Tensors, or arrays where only arrays came in and the package asks for it."""
    call = first_call(case, case.dtypes[-1] if case.operands else "float32")
    kinds = (numpy.ndarray, numpy.generic) if current().results_like else (th.Tensor,)
    given = call.made(own)
    assert all(isinstance(result, kinds) for result in results_of(run(call, given))), f"{call}"
    for arg in case.tensors:
        if isinstance(given.get(arg.name), numpy.ndarray):
            mixed = {**given, arg.name: th.from_numpy(given[arg.name])}
            got = run(call, mixed)
            assert all(isinstance(result, th.Tensor) for result in results_of(got)), f"{call}"


@pytest.mark.parametrize("case", FOREIGN, ids=lambda case: case.id)
def test_arrays_are_let_go(case: Case) -> None:
    """A call keeps none of the arrays it was given."""
    given = first_call(case, case.dtypes[-1] if case.operands else "float32").made(own)
    arrays = [value for value in given.values() if isinstance(value, numpy.ndarray)]
    before = [sys.getrefcount(array) for array in arrays]
    as_function(case, given)
    assert [sys.getrefcount(array) for array in arrays] == before, f"{case.id}: arrays are kept"


def widest(case: Case) -> str:
    return max(case.dtypes, key=lambda dtype: numpy.dtype(dtype).itemsize)


def is_large(case: Case) -> bool:
    """Blocks of its operands' size are kept for reuse, and so counted, when they are freed."""
    arrays = first_call(case, widest(case), LARGE).arrays()
    return bool(arrays) and min(array.nbytes for array in arrays) > COUNTED


LARGE, COUNTED = (10, 10_000), 1 << 16
READING = [case for case in FOREIGN if case.operands and is_large(case)]


@pytest.mark.parametrize("case", READING, ids=lambda case: case.id)
def test_contiguous_arrays_are_not_copied(case: Case) -> None:
    """A call with arrays needs no more memory than the call with tensors."""
    call = first_call(case, widest(case), LARGE)

    def needed(given: dict[str, Any]) -> int:
        """All that was allocated and freed during a call."""
        th.empty_cache()
        run(call, given)
        return int(th.memory_stats()["cached_bytes"])

    of_tensors, of_arrays = needed(call.made()), needed(call.made(own))
    assert of_arrays <= of_tensors, f"{call}: {of_arrays - of_tensors} bytes are copied"


WITH_OUT = [case for case in FOREIGN if case.takes_out]
# Elements before and behind an out array that must stay as they are.
PAD = 16


def padded(array: numpy.ndarray) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Memory of ones with an array of zeros amid, and that array."""
    around = numpy.ones(array.size + 2 * PAD, array.dtype)
    out = around[PAD : PAD + array.size].reshape(array.shape)
    out[...] = 0
    return around, out


@pytest.mark.parametrize("case", WITH_OUT, ids=lambda case: case.id)
def test_out_is_an_array(case: Case) -> None:
    """It is written where it lies, nothing beside it is, and it is what comes back."""
    for dtype in case.dtypes if case.operands else ("float32",):
        call = first_call(case, dtype)
        expected = [numpy.asarray(result) for result in results_of(run(call))]
        outs = [numpy.zeros_like(array, order="C") for array in expected]
        memory, amid = zip(*(padded(array) for array in expected), strict=True)
        for given in (tuple(outs), amid):
            got = run(call, out=given[0] if len(given) == 1 else given)
            pairs = zip(results_of(got), given, expected, strict=True)
            for result, out, array in pairs:
                assert result is out, f"{call}: another array comes back"
                assert same(case, out, array), f"{call}: out= gets another result"
        for around in memory:
            pads = numpy.concatenate([around[:PAD], around[-PAD:]])
            assert (pads == 1).all(), f"{call}: wrote beside out"
