"""Memory: operations give back what they took, and stop cleanly where there is none."""

from __future__ import annotations

import contextlib
import ctypes
import statistics
from collections.abc import Callable
from typing import Any

import numpy
import pytest

import thwrap as th
from wrapgen.testing.calling import contents, invoke, refusals, refused, tensors_in
from wrapgen.testing.declared import DTYPES, Case, cases
from wrapgen.testing.drawing import Call, calls, first_call, tensor

LIVE = ("live_tensors", "live_storages", "live_blocks", "live_bytes")
# A call makes fewer allocations than this.
MOST = 60
# Calls that are made while memory is watched.
REPEATED = 200
# And how often that is done before memory that grew is said to stay.
ROUNDS = 50
FAIL = th._C.lib.THMemory_failAllocation


def live() -> list[int]:
    stats = th.memory_stats()
    return [stats[name] for name in LIVE]


def run(call: Call) -> None:
    """A call, its errors included; results are dropped."""
    with contextlib.suppress(TypeError, *refusals(call.case)):
        invoke(call.case, call.made())


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.id)
def test_nothing_stays(case: Case) -> None:
    """Calls of every dtype, refused ones too, leave no tensor, storage or block behind."""
    every = [call for dtype in DTYPES for call in calls(case, dtype, ((3, 5), (0, 2)))]
    run(every[0])
    before = live()
    for call in every:
        run(call)
    after = live()
    left = [f"{now - was} {name}" for name, was, now in zip(LIVE, before, after, strict=True)]
    assert after == before, f"{case.id}: {len(every)} calls leave {', '.join(left)} behind"


class MallInfo(ctypes.Structure):
    """struct mallinfo2 of malloc.h."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in (
            "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost"
        ).split()
    ]


def counter() -> Callable[[], int] | None:
    """Says how many bytes malloc has given out and not got back; None where nobody counts."""
    libc = ctypes.CDLL(None)
    if hasattr(libc, "__sanitizer_get_current_allocated_bytes"):
        function = libc.__sanitizer_get_current_allocated_bytes
        function.restype = ctypes.c_size_t
        return lambda: int(function())
    if not hasattr(libc, "mallinfo2"):
        return None
    libc.mallinfo2.restype = MallInfo

    def given_out() -> int:
        info = libc.mallinfo2()
        return int(info.uordblks + info.hblkhd)

    return given_out


ALLOCATED = counter()
OWN_CODE = [case for case in cases() if not case.is_kernel]


@pytest.mark.skipif(ALLOCATED is None, reason="the C library does not count what malloc gives")
@pytest.mark.parametrize("case", OWN_CODE, ids=lambda case: case.id)
def test_malloc_is_freed(case: Case) -> None:
    """What C functions take from malloc they give back too."""
    call = first_call(case, case.dtypes[-1] if case.operands else "float32")
    given = call.made()

    def grown() -> int:
        before = ALLOCATED()  # type: ignore[misc]
        for _ in range(REPEATED):
            with contextlib.suppress(TypeError, *refusals(case)):
                invoke(case, given)
        return ALLOCATED() - before  # type: ignore[misc]

    # What calls keep is there every time; what another thread of Python takes meanwhile is not.
    least = 16 * REPEATED  # the smallest block for each call
    sizes = [grown()]
    while sizes[-1] >= least and len(sizes) < ROUNDS:
        sizes.append(grown())
    usual = statistics.median(sizes) / REPEATED
    assert sizes[-1] < least, f"{call}: {usual:.0f} bytes stay with each call"


@pytest.mark.parametrize("shape", [(3, 5), (300, 250)], ids=["few", "many"])
@pytest.mark.parametrize("case", cases(), ids=lambda case: case.id)
def test_allocation_failures(case: Case, shape: tuple[int, ...]) -> None:
    """Whichever allocation fails: a MemoryError, operands as they were, nothing left behind; then the call works."""
    call = first_call(case, case.dtypes[-1] if case.operands else "float32", shape)
    th.manual_seed(7)
    expected = contents(invoke(case, call.made()))
    _fail_in_turn(case, call, list)
    if case.takes_out:
        shapes = [(dtype, shape) for dtype, shape, _ in expected]
        _fail_in_turn(case, call, lambda: [_ones(dtype, shape) for dtype, shape in shapes])
        _fail_in_turn(case, call, lambda: [_ones(dtype, (0,)) for dtype, _ in shapes])
    th.manual_seed(7)
    got = contents(invoke(case, call.made()))
    assert "anything" in case.tolerances or got == expected, f"{call}"


def _ones(dtype: str, shape: Any) -> th.Tensor:
    return tensor(numpy.ones(shape, dtype))


def _fail_in_turn(case: Case, call: Call, make_outs: Callable[[], list[th.Tensor]]) -> None:
    for count in range(MOST):
        given, outs = call.made(), make_outs()
        th.manual_seed(7)
        extra = {"out": outs[0] if len(outs) == 1 else tuple(outs)} if outs else {}
        full = [out for out in outs if out.numel()]  # an empty one may be resized already
        kept = [] if case.stops_midway else full
        before = live()
        try:
            with refused(MemoryError, [*tensors_in(given), *kept]):
                FAIL(count)
                invoke(case, given, **extra)
        except pytest.fail.Exception:  # it did not raise
            break
        finally:
            FAIL(-1)
        if len(full) == len(outs):
            assert live() == before, f"{call}: failure {count} leaves something behind"
    else:
        raise AssertionError(f"{call}: does not succeed with {MOST} allocations")
