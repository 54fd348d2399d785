"""Nothing is left behind: objects, memory, references; after success and after failure."""

from __future__ import annotations

import contextlib
import gc
import sys
from collections.abc import Iterator

import leaks
import pytest
from interpreter import SANITIZED

import thwrap as th

CALLS = 300


@pytest.fixture(autouse=True, scope="module")
def small_heap() -> Iterator[None]:
    """Collections look at new objects only, not at all that the whole run has made."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.parametrize("name", [*leaks.SUCCEEDING, *(f"fails: {name}" for name in leaks.FAILING)])
def test_one_call(name: str) -> None:
    """The same call many times: counters are where they were, Python's blocks do not grow with the calls."""
    fails = name.startswith("fails: ")
    function = leaks.FAILING[name.removeprefix("fails: ")] if fails else leaks.SUCCEEDING[name]
    for _ in range(20):
        leaks.call(function, fails)
    # A leak grows in every round; what another thread (the test runner's) allocates, in one.
    for _ in range(3):
        before = leaks.usage()
        for _ in range(CALLS):
            leaks.call(function, fails)
        grown = leaks.usage().growth(before)
        assert {counter: grown[counter] for counter in leaks.COUNTERS} == dict.fromkeys(
            leaks.COUNTERS, 0
        )
        if grown["python_blocks"] < CALLS:
            return
    assert grown["python_blocks"] < CALLS


def test_many_calls() -> None:
    """`make leaks` makes a million of them."""
    growth = leaks.measure(5_000 if SANITIZED else 100_000)
    if SANITIZED:
        del growth["resident_bytes"]
    assert leaks.excess(growth) == {}


def test_references_to_shared_objects() -> None:
    """Reference counts of what every call touches: None, dtypes, types, arguments."""
    x, name = th.ones(3), "alpha"
    shared = [None, True, th.float32, th.Tensor, th.Size, x, name]
    calls = [
        lambda: x.add(x, alpha=1),
        lambda: x.sum(dtype=th.float32),
        lambda: x.sum(dim=None, keepdim=True),
        lambda: x.to(th.float32),
        lambda: (x.dtype, x.shape, x.T),
        lambda: th.zeros(2, out=None, dtype=th.float32),
        lambda: x.add_(x),
        lambda: th.cat([x, x], out=None),
        lambda: x.max(0),
        lambda: x.__add__(None),
        lambda: isinstance(x, th.FloatTensor),
    ]
    for call in calls:
        call()
    gc.collect()
    before = [sys.getrefcount(value) for value in shared]
    for call in calls:
        for _ in range(1000):
            call()
    gc.collect()
    after = [sys.getrefcount(value) for value in shared]
    assert all(abs(b - a) < 100 for a, b in zip(before, after, strict=True)), (before, after)


@pytest.mark.parametrize("after", range(12))
def test_failing_allocations(after: int) -> None:
    """A call that runs out of memory raises MemoryError and leaves nothing behind."""
    fail = th._C.lib.THMemory_failAllocation
    for function in leaks.SUCCEEDING.values():
        function()
    before = leaks.usage()
    for name, function in leaks.SUCCEEDING.items():
        fail(after)
        try:
            with contextlib.suppress(MemoryError):
                function()
        except Exception as error:
            raise AssertionError(f"{name} failed otherwise") from error
        finally:
            fail(-1)
    grown = leaks.usage().growth(before)
    assert {counter: grown[counter] for counter in leaks.COUNTERS} == dict.fromkeys(
        leaks.COUNTERS, 0
    )
