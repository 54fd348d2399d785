"""The machine's limits, measured in the same run: seconds to move some bytes, and to do some operations."""

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
SECONDS = 0.008
LEAST_BYTES = 64 << 10
SIZES_AN_OCTAVE = 8  # a third cache makes much of a small difference
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
    kernels.limit_read.restype = ctypes.c_float
    for name in ("limit_float32", "limit_float64"):
        getattr(kernels, name).restype = ctypes.c_double
    kernels.limit_float32.argtypes = [ctypes.c_long, ctypes.c_float]
    kernels.limit_float64.argtypes = [ctypes.c_long, ctypes.c_double]
    return kernels


def _together(works: list[Work]) -> float:
    """Seconds that all take, each in a thread of its own; ctypes releases the GIL. One alone: on the processor."""
    clock = time.perf_counter if len(works) > 1 else time.thread_time
    threads = [threading.Thread(target=work) for work in works[1:]]
    begin = clock()
    for thread in threads:
        thread.start()
    works[0]()
    for thread in threads:
        thread.join()
    return clock() - begin


@cache
def bandwidth(sources: int, stores: bool, size: int, threads: int) -> float:
    """Bytes a second of moving `size` bytes again and again: so many arrays read, one written or none."""
    kernels = _compiled()
    arrays = sources + stores
    part = max(size // arrays // threads // 512 * 512, 512)

    def works(runs: int, streaming: bool) -> list[Work]:
        made: list[Work] = []
        for mine in memory:
            count = [ctypes.c_size_t(part), ctypes.c_long(runs)]
            if stores:
                kernel = (kernels.limit_fill, kernels.limit_copy, kernels.limit_add)[sources]
                arguments = [*mine, *count, ctypes.c_int(streaming)]
            else:
                kernel, arguments = kernels.limit_read, [*mine, *count]
            made.append(partial(kernel, *arguments))
        return made

    held = [[aligned(np.ones(part, np.uint8)) for _ in range(arrays)] for _ in range(threads)]
    memory = [[ctypes.c_void_p(array.ctypes.data) for array in mine] for mine in held]
    best = 0.0
    for streaming in (False, True) if stores else (False,):
        once = min(_together(works(1, streaming)[:1]) for _ in range(2))
        runs = max(1, round(SECONDS / once))
        seconds = min(_together(works(runs, streaming)) for _ in range(ROUNDS))
        best = max(best, runs * part * arrays * threads / seconds)
    return best


@cache
def rate(dtype: str, threads: int) -> float:
    """Floating-point operations a second, by fused multiply-adds."""
    kernel = getattr(_compiled(), f"limit_{dtype}")
    operations = kernel(OPERATIONS, 0.5) * threads
    seconds = min(_together([lambda: kernel(OPERATIONS, 0.5)] * threads) for _ in range(ROUNDS))
    return float(operations / seconds)


def moving(read: int, written: int, threads: int) -> float | None:
    """Seconds to move these bytes; None where it takes less time than calls do.

    The kernel is the one whose share of reading is nearest.
    """
    total = read + written
    if total < LEAST_BYTES:
        return None
    share = read / total
    sources, stores = next(
        kind
        for least, kind in (
            (0.84, (1, False)),
            (0.59, (2, True)),
            (0.25, (1, True)),
            (0, (0, True)),
        )
        if share >= least
    )
    size = round(2 ** (round(SIZES_AN_OCTAVE * np.log2(total)) / SIZES_AN_OCTAVE))
    return total / bandwidth(sources, stores, size, threads)
