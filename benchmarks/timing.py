"""Timing statements against each other.

The statements of a row take turns in one process, batch by batch, so that a slow moment of the machine hits all of
them; each one's figure is the median of its batches. The garbage collector rests meanwhile.
"""

from __future__ import annotations

import gc
import itertools
import statistics
import time
from collections.abc import Callable, Mapping

BATCH_SECONDS = 0.004
BATCHES_LEAST = 9
SPIN_SECONDS = 0.02
UNROLLED = 10

Batch = Callable[[int], float]


def compile_batch(statement: str, names: Mapping[str, object]) -> Batch:
    """A function that runs the statement n times, UNROLLED of them in a turn of its loop; it returns the seconds."""
    arguments = ", ".join(names)
    unrolled = "\n        ".join([statement] * UNROLLED)
    source = (
        f"def batch(n, {arguments}):\n"
        f"    begin = clock()\n"
        f"    for _ in repeat(None, n // {UNROLLED}):\n"
        f"        {unrolled}\n"
        f"    for _ in repeat(None, n % {UNROLLED}):\n"
        f"        {statement}\n"
        f"    return clock() - begin\n"
    )
    scope: dict[str, object] = {"clock": time.perf_counter, "repeat": itertools.repeat}
    exec(compile(source, f"<{statement}>", "exec"), scope)
    batch = scope["batch"]
    assert callable(batch)
    return lambda n: batch(n, **names)


def _batch_size(batch: Batch) -> int:
    """How many runs fill BATCH_SECONDS; the first batches also warm up caches and free-lists."""
    n = 1
    while True:
        elapsed = batch(n)
        if elapsed >= BATCH_SECONDS / 2 or n >= 10_000_000:
            return max(1, round(n * BATCH_SECONDS / max(elapsed, 1e-9)))
        n *= 2 if elapsed > BATCH_SECONDS / 8 else 8


def race(batches: Mapping[str, Batch], seconds: float, *, pools: bool = False) -> dict[str, float]:
    """Seconds that one run takes, for each contestant; all of them together take about `seconds`.

    With thread `pools`, a batch begins when the other's threads have ceased to wait for work on the cores, and when
    a batch that is not timed has woken its own: until the second core of a virtual machine is there, a millisecond or
    more may pass.
    """
    sizes = {name: _batch_size(batch) for name, batch in batches.items()}
    times: dict[str, list[float]] = {name: [] for name in batches}
    collecting = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        end = time.perf_counter() + seconds
        while time.perf_counter() < end or len(times[next(iter(times))]) < BATCHES_LEAST:
            for name, batch in batches.items():
                if pools:
                    time.sleep(SPIN_SECONDS)
                    batch(sizes[name])
                times[name].append(batch(sizes[name]) / sizes[name])
    finally:
        if collecting:
            gc.enable()
    return {name: statistics.median(samples) for name, samples in times.items()}
