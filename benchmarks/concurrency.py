"""What two Python threads gain: their time over that of doing the same one after the other.

One thread in each library. Work that only moves memory ends where the machine's memory does; `memmove`, which does
nothing else and holds no lock, shows where that is.
"""

from __future__ import annotations

import ctypes
import statistics
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch

import thwrap
from benchmarks.libraries import aligned

ROUNDS, RUNS = 11, 10
Work = Callable[[], object]


@dataclass(frozen=True)
class Contest:
    """Work for each of the threads, by contestant."""

    name: str
    work: dict[str, tuple[Work, Work]]


def _seconds(threads: list[tuple[Work, ...]]) -> float:
    """Of threads that do one work after the other, RUNS times each."""

    def run(works: tuple[Work, ...]) -> None:
        for work in works:
            for _ in range(RUNS):
                work()

    running = [threading.Thread(target=run, args=(works,)) for works in threads]
    begin = time.perf_counter()
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    return time.perf_counter() - begin


def ratio(first: Work, second: Work) -> float:
    """The median over ROUNDS of both at once to one after the other."""
    _seconds([(first, second)])
    return statistics.median(
        _seconds([(first,), (second,)]) / _seconds([(first, second)]) for _ in range(ROUNDS)
    )


def _sum_into(add: Callable[..., object], arrays: list[object]) -> Work:
    a, b, out = arrays
    return lambda: add(a, b, out=out)


def _adding(n: int) -> Contest:
    random = np.random.default_rng(20)
    data = [
        [aligned(random.standard_normal(n, dtype="float32")) for _ in range(3)] for _ in range(2)
    ]
    mine = [[thwrap.tensor(array) for array in three] for three in data]
    theirs = [[torch.from_numpy(array).clone() for array in three] for three in data]
    addresses = [[array.ctypes.data for array in three] for three in data]
    work = {
        "numpy": tuple(_sum_into(np.add, [*three]) for three in data),
        "torch": tuple(_sum_into(torch.add, [*three]) for three in theirs),
        "thwrap": tuple(_sum_into(thwrap.add, [*three]) for three in mine),
        "memmove": tuple(
            lambda three=three: ctypes.memmove(three[2], three[0], 4 * n) for three in addresses
        ),
    }
    return Contest(f"add, {n:,} elements", work)  # type: ignore[arg-type]


def _computing(n: int) -> Contest:
    data = [np.random.default_rng(seed).random(n, dtype="float32") + 1 for seed in range(2)]
    mine = [thwrap.tensor(array) for array in data]
    theirs = [torch.from_numpy(array).clone() for array in data]
    work = {
        "torch": tuple(lambda x=x: torch.lgamma(x) for x in theirs),
        "thwrap": tuple(lambda x=x: thwrap.lgamma(x) for x in mine),
    }
    return Contest(f"lgamma, {n:,} elements", work)  # type: ignore[arg-type]


def ratios() -> dict[str, dict[str, float]]:
    """By contest and contestant."""
    thwrap.set_num_threads(1)
    torch.set_num_threads(1)
    return {
        contest.name: {name: ratio(*pair) for name, pair in contest.work.items()}
        for contest in (_adding(10**7), _computing(10**6))
    }
