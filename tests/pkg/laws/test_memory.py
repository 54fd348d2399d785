"""Memory: operations give back what they took, and stop cleanly where there is none."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import numpy
import pytest
from calling import contents, invoke, refused, tensors_in
from declared import DTYPES, Case, cases
from drawing import Call, calls, first_call, tensor

import thwrap as th

LIVE = ("live_tensors", "live_storages", "live_blocks", "live_bytes")
# A call makes fewer allocations than this.
MOST = 60
# What they give is not determined.
UNDETERMINED = frozenset("empty empty_like new_empty resize_ resize_as_".split())
FAIL = th._C.lib.THMemory_failAllocation


def live() -> list[int]:
    stats = th.memory_stats()
    return [stats[name] for name in LIVE]


def run(call: Call) -> None:
    """A call, its errors included; results are dropped."""
    with contextlib.suppress(ValueError, TypeError, IndexError):
        invoke(call.case, call.made())


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.id)
def test_nothing_stays(case: Case) -> None:
    """Calls of every dtype, refused ones too, leave no tensor, storage or block behind."""
    every = [call for dtype in DTYPES for call in calls(case, dtype, ((3, 5), (0, 2)))]
    run(every[0])
    before = live()
    for call in every:
        run(call)
    assert live() == before


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.id)
def test_allocation_failures(case: Case) -> None:
    """Whichever allocation fails: a MemoryError, operands as they were, nothing left behind; then the call works."""
    call = first_call(case, case.dtypes[-1] if case.operands else "float32")
    th.manual_seed(7)
    expected = contents(invoke(case, call.made()))
    _fail_in_turn(case, call, list)
    if case.takes_out:
        shapes = [(dtype, shape) for dtype, shape, _ in expected]
        _fail_in_turn(case, call, lambda: [_ones(dtype, shape) for dtype, shape in shapes])
        _fail_in_turn(case, call, lambda: [_ones(dtype, (0,)) for dtype, _ in shapes])
    th.manual_seed(7)
    got = contents(invoke(case, call.made()))
    assert case.op.name in UNDETERMINED or got == expected, f"{call}"


def _ones(dtype: str, shape: Any) -> th.Tensor:
    return tensor(numpy.ones(shape, dtype))


def _fail_in_turn(case: Case, call: Call, make_outs: Callable[[], list[th.Tensor]]) -> None:
    for count in range(MOST):
        given, outs = call.made(), make_outs()
        th.manual_seed(7)
        extra = {"out": outs[0] if len(outs) == 1 else tuple(outs)} if outs else {}
        kept = [out for out in outs if out.numel()]  # an empty one may be resized already
        before = live()
        try:
            with refused(MemoryError, [*tensors_in(given), *kept]):
                FAIL(count)
                invoke(case, given, **extra)
        except pytest.fail.Exception:  # it did not raise
            break
        finally:
            FAIL(-1)
        if len(kept) == len(outs):
            assert live() == before, f"{call}: failure {count} leaves something behind"
    else:
        raise AssertionError(f"{call}: does not succeed with {MOST} allocations")
