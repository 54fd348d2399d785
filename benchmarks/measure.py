"""Measures cases: compares results, then lets the libraries race, and asks what the machine could do."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from benchmarks import limits
from benchmarks.cases import Case, Operands, contestants, run
from benchmarks.libraries import NAMES, library
from benchmarks.results import Result
from benchmarks.timing import Contestant, compile_batch, race, rounded

LIMIT = "limit"  # a contestant beside the libraries
LINE = 64  # bytes that memory hands out at least


def measure(
    case: Case,
    operands: Operands,
    threads: tuple[int, ...],
    rounds: int,
    *,
    processor_time: bool = False,
) -> Result:
    """One line of the results; an error is a part of it.

    With `processor_time` what a single thread takes is that of the processor alone: on a machine that others use.
    """
    result = Result(case.family, case.row.name, case.dtype, case.size, scalar=case.row.scalar)
    try:
        ready = contestants(case, [library(name) for name in NAMES], operands.draw(case))
        racing = dict(_racing(case, ready, threads, processor_time))
        racing.update(_moving(case, ready, threads, processor_time))
        timings = race(racing, rounds=rounds)
        for count in threads:
            moved = timings.pop((LIMIT, count), None)
            bounds = [moved.median] if moved else []
            bounds += _operations(case, count)
            if bounds:
                result.limit[count] = rounded(max(bounds))
    except Exception as error:
        result.error = f"{type(error).__name__}: {' '.join(str(error).split())}"
        return result
    for (name, count), timing in timings.items():
        result.times.setdefault(name, {})[count] = timing
    return result


def _racing(
    case: Case,
    ready: dict[str, tuple[str, dict[str, Any]]],
    threads: tuple[int, ...],
    processor_time: bool,
) -> Iterator[tuple[tuple[str, int], Contestant]]:
    """Each library on each number of threads; NumPy on one alone where it has no BLAS."""
    for name, (statement, scope) in ready.items():
        for count in threads if name != "numpy" or case.row.blas else threads[:1]:
            clock = time.thread_time if processor_time and count == 1 else time.perf_counter
            batch = compile_batch(statement, scope, clock)
            ready_for = partial(library(name).set_threads, count)
            yield (name, count), Contestant(batch, ready_for, pool=count > 1)


def _operations(case: Case, threads: int) -> list[float]:
    """Seconds that they take at the machine's rate; none where the row does not say how many there are."""
    if not case.row.flops or case.dtype not in ("float32", "float64"):
        return []
    return [case.row.flops(case.size) / limits.rate(case.dtype, threads)]


def _moving(
    case: Case,
    ready: dict[str, tuple[str, dict[str, Any]]],
    threads: tuple[int, ...],
    processor_time: bool,
) -> Iterator[tuple[tuple[str, int], Contestant]]:
    """What moves as many bytes as the statement must, on each number of threads: it races, too."""
    if not case.row.moves:
        return
    ours = library("thwrap")
    statement, scope = ready[ours.name]
    used = compile(statement, statement, "eval").co_names
    read = sum(_extent(ours.array(scope[name])) for name in used if name in case.row.given)
    written = _extent(ours.array(run(statement, scope)))
    for count in threads:
        moving = limits.moving(read, written, count)
        if moving:
            batch = partial(moving.batch, processor_time=processor_time and count == 1)
            yield (LIMIT, count), Contestant(batch, pool=count > 1)


def _extent(array: np.ndarray) -> int:
    """Bytes of the cache lines that the elements are in; those that broadcasting repeats count once."""
    dims = sorted(
        (abs(stride), n) for n, stride in zip(array.shape, array.strides, strict=True) if stride
    )
    moved = reach = (
        array.itemsize
    )  # of the inner dims: what is moved, and from the first to the last byte
    for stride, n in dims:
        reached = (n - 1) * stride + reach
        dense = moved == reach and stride - reach < LINE
        moved = reached if dense else n * max(moved, LINE)
        reach = reached
    return int(moved) if array.size else 0
