"""The machine's limits, measured in the same run: what moves some bytes, and how fast operations are done."""

from __future__ import annotations

import ctypes
import os
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import numpy as np

from benchmarks.libraries import aligned

SOURCE = Path(__file__).parent / "limits.c"
ROUNDS = 7
TRIALS = 3
LEAST_BYTES = 64 << 10
PART = 512  # bytes that the kernels move at once
OPERATIONS = 2_000_000

Work = Callable[[], object]


@cache
def _compiled() -> ctypes.CDLL:
    """The kernels, for this machine."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "limits.so"
        compiler = os.environ.get("CC", "cc")
        flags = ["-O3", "-march=native", "-ffp-contract=fast", "-shared", "-fPIC"]
        subprocess.run([compiler, *flags, str(SOURCE), "-o", str(path)], check=True)
        kernels = ctypes.CDLL(str(path))
    for name in ("limit_float32", "limit_float64"):
        getattr(kernels, name).restype = ctypes.c_double
    kernels.limit_float32.argtypes = [ctypes.c_long, ctypes.c_float]
    kernels.limit_float64.argtypes = [ctypes.c_long, ctypes.c_double]
    return kernels


def _on(core: int, work: Work) -> None:
    os.sched_setaffinity(0, {core})
    work()


def _together(works: list[Work]) -> None:
    """Each in a thread of its own, several on cores of their own if there are as many; ctypes releases the GIL."""
    allowed = os.sched_getaffinity(0)
    if len(works) > 1 and len(allowed) >= len(works):
        works = [partial(_on, core, work) for core, work in zip(allowed, works, strict=False)]
    threads = [threading.Thread(target=work) for work in works[1:]]
    for thread in threads:
        thread.start()
    works[0]()
    for thread in threads:
        thread.join()
    os.sched_setaffinity(0, allowed)


@cache
def rate(dtype: str, threads: int) -> float:
    """Floating-point operations a second, by fused multiply-adds. One thread alone: on the processor."""
    kernel = getattr(_compiled(), f"limit_{dtype}")
    operations = kernel(OPERATIONS, 0.5) * threads
    clock = time.perf_counter if threads > 1 else time.thread_time
    seconds = []
    for _ in range(ROUNDS):
        begin = clock()
        _together([lambda: kernel(OPERATIONS, 0.5)] * threads)
        seconds.append(clock() - begin)
    return float(operations / min(seconds))


def _kind(share: float) -> tuple[int, bool]:
    """How many arrays are read, and whether one is written, where reading has this share of what is moved."""
    return next(
        kind
        for least, kind in (
            (0.84, (1, False)),
            (0.59, (2, True)),
            (0.25, (1, True)),
            (0, (0, True)),
        )
        if share >= least
    )


class Moving:
    """So many bytes read and written at the machine's bandwidth, by the loop whose share of reading is nearest, and by
    the way that takes least: halved registers, stores past the caches."""

    def __init__(self, read: int, written: int, threads: int) -> None:
        total = read + written
        self.threads = threads
        self.sources, self.stores = _kind(read / total)
        arrays = self.sources + self.stores
        self.part = max(total // arrays // threads // PART * PART, PART)
        self.share = total / (self.part * arrays * threads)
        self.held = [
            [aligned(np.ones(self.part, np.uint8)) for _ in range(arrays)] for _ in range(threads)
        ]
        ways = [(halves, streams) for halves in (False, True) for streams in {False, self.stores}]
        self.way = min(ways, key=self._once)

    def _once(self, way: tuple[bool, bool]) -> float:
        return min(self._run(1, way, time.CLOCK_MONOTONIC) for _ in range(TRIALS))

    def _run(self, runs: int, way: tuple[bool, bool], clock: int) -> float:
        halves, streams = way
        arrived = ctypes.c_int(0)
        times = [(ctypes.c_double * 2)() for _ in range(self.threads)]
        works: list[Work] = []
        for mine, begin_and_end in zip(self.held, times, strict=True):
            places = [ctypes.c_void_p(array.ctypes.data) for array in mine]
            out = places.pop() if self.stores else None
            works.append(
                partial(
                    _compiled().limit_move,
                    out,
                    (ctypes.c_void_p * 2)(*places),
                    ctypes.c_int(self.sources),
                    ctypes.c_size_t(self.part),
                    ctypes.c_long(runs),
                    ctypes.c_int(halves),
                    ctypes.c_int(streams),
                    ctypes.byref(arrived),
                    ctypes.c_int(self.threads),
                    ctypes.c_int(clock),
                    begin_and_end,
                )
            )
        _together(works)
        return max(end for _, end in times) - min(begin for begin, _ in times)

    def batch(self, runs: int, *, processor_time: bool = False) -> float:
        """Seconds that it takes so often; of the processor, for one thread."""
        clock = time.CLOCK_THREAD_CPUTIME_ID if processor_time else time.CLOCK_MONOTONIC
        return self._run(runs, self.way, clock) * self.share


def moving(read: int, written: int, threads: int) -> Moving | None:
    """None where it takes less time than calls do."""
    return Moving(read, written, threads) if read + written >= LEAST_BYTES else None
