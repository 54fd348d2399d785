"""Timing statements against each other.

The contestants of a case take turns in one process, batch by batch, so that a slow moment of the machine hits all of
them; each one's figure is the median of its batches. The garbage collector rests meanwhile.
"""

from __future__ import annotations

import contextlib
import gc
import itertools
import os
import statistics
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

ROUNDS = 15
BATCH_SECONDS = 0.002
WARM_SECONDS = 0.02
PAUSE_SECONDS = 0.0005
PAUSES = 400  # a fifth of a second: OpenBLAS spins for 0.11 s at 2.5 GHz, libgomp for 0.02
UNROLLED = 10

Batch = Callable[[int], float]
Key = TypeVar("Key")


def rounded(seconds: float) -> float:
    """To the digits that mean something."""
    return float(f"{seconds:.4g}")


@dataclass(frozen=True)
class Contestant:
    """A batch of its statement, and what makes the library ready for it."""

    batch: Batch
    ready: Callable[[], None] = lambda: None
    pool: bool = False
    """Does it run on several threads?"""


@dataclass(frozen=True)
class Timing:
    """Seconds that one run takes: the median and the quartiles over batches of `runs`."""

    median: float
    low: float
    high: float
    least: float
    rounds: int
    runs: int

    @classmethod
    def of(cls, samples: list[float], runs: int) -> Timing:
        """At least two samples."""
        low, _, high = statistics.quantiles(samples, n=4, method="inclusive")
        median, least = statistics.median(samples), min(samples)
        return cls(rounded(median), rounded(low), rounded(high), rounded(least), len(samples), runs)

    @property
    def spread(self) -> float:
        """Half of what lies between the quartiles, as a share of the median."""
        return (self.high - self.low) / 2 / self.median


def compile_batch(
    statement: str, names: Mapping[str, object], clock: Callable[[], float] = time.perf_counter
) -> Batch:
    """A function that runs the statement n times, UNROLLED of them in a turn of its loop; it returns the seconds."""
    arguments = ", ".join(names)
    unrolled = "\n        ".join([statement] * UNROLLED)
    source = (
        f"def batch(_runs, {arguments}):\n"
        f"    _begin = _clock()\n"
        f"    for _ in _repeat(None, _runs // {UNROLLED}):\n"
        f"        {unrolled}\n"
        f"    for _ in _repeat(None, _runs % {UNROLLED}):\n"
        f"        {statement}\n"
        f"    return _clock() - _begin\n"
    )
    scope: dict[str, object] = {"_clock": clock, "_repeat": itertools.repeat}
    exec(compile(source, f"<{statement}>", "exec"), scope)
    batch = scope["batch"]
    assert callable(batch)
    return lambda n: batch(n, **names)


def _batch_size(batch: Batch) -> tuple[int, float]:
    """How many runs fill BATCH_SECONDS, and their seconds; the first batches also warm up caches and free-lists."""
    n = 1
    while True:
        elapsed = batch(n)
        if elapsed >= BATCH_SECONDS / 2 or n >= 10_000_000:
            runs = max(1, round(n * BATCH_SECONDS / max(elapsed, 1e-9)))
            return runs, runs * elapsed / n
        n *= 2 if elapsed > BATCH_SECONDS / 8 else 8


def _others_run() -> bool:
    """Whether another thread of this process is on a core or waits for one: the clock of the process would show it
    at the next tick only, milliseconds later."""
    this = threading.get_native_id()
    for task in os.listdir("/proc/self/task"):
        with contextlib.suppress(OSError):  # it has ended
            stat = Path(f"/proc/self/task/{task}/stat").read_text()
            if int(task) != this and stat.rpartition(")")[2].split()[0] == "R":
                return True
    return False


def _settle() -> None:
    """Waits until no thread of this process spins any more, so that it takes no core from the next batch."""
    for _ in range(PAUSES):
        if not _others_run():
            return
        time.sleep(PAUSE_SECONDS)


def race(contestants: Mapping[Key, Contestant], *, rounds: int = ROUNDS) -> dict[Key, Timing]:
    """The time of each contestant.

    Where there are thread pools, a batch begins when no thread of another one waits for work on a core any more. A run
    that is not timed comes first: it brings operands and results back into the caches, which libraries that share
    an allocator do for each other. One with a pool begins after a whole batch: until the second core of a virtual
    machine is there, a millisecond or more may pass. Runs so long that this does not matter go without.
    """
    sizes: dict[Key, int] = {}
    warm: dict[Key, bool] = {}
    times: dict[Key, list[float]] = {key: [] for key in contestants}
    pools = any(contestant.pool for contestant in contestants.values())
    collecting = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        for key, contestant in contestants.items():
            contestant.ready()
            sizes[key], seconds = _batch_size(contestant.batch)
            warm[key] = contestant.pool and seconds < WARM_SECONDS
        for _ in range(rounds):
            for key, contestant in contestants.items():
                if pools:
                    _settle()
                contestant.ready()
                if warm[key]:
                    contestant.batch(sizes[key])
                elif sizes[key] > 1:
                    contestant.batch(1)
                times[key].append(contestant.batch(sizes[key]) / sizes[key])
    finally:
        if collecting:
            gc.enable()
    return {key: Timing.of(samples, sizes[key]) for key, samples in times.items()}
