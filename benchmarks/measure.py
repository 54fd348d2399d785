"""Measures cases: compares results, then lets the libraries race, and asks what the machine could do."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from benchmarks import limits
from benchmarks.cases import Case, Operands, contestants, run
from benchmarks.libraries import NAMES, library
from benchmarks.results import Result
from benchmarks.timing import Contestant, compile_batch, race


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
    except Exception as error:
        result.error = f"{type(error).__name__}: {' '.join(str(error).split())}"
        return result
    result.limit = {count: limit for count in threads if (limit := _limit(case, ready, count))}
    racing = {}
    for name, (statement, scope) in ready.items():
        for count in threads:
            if name == "numpy" and count != threads[0] and not case.row.blas:
                continue
            clock = time.thread_time if processor_time and count == 1 else time.perf_counter
            racing[name, count] = Contestant(
                compile_batch(statement, scope, clock),
                lambda name=name, count=count: library(name).set_threads(count),  # type: ignore[misc]
            )
    for (name, count), timing in race(racing, rounds=rounds, pools=max(threads) > 1).items():
        result.times.setdefault(name, {})[count] = timing
    return result


def _limit(case: Case, ready: dict[str, tuple[str, dict[str, Any]]], threads: int) -> float | None:
    """Seconds at the machine's bandwidth or at its rate of operations; the greater where both apply."""
    row = case.row
    bounds = []
    if row.flops and case.dtype in ("float32", "float64"):
        bounds.append(row.flops(case.size) / limits.rate(case.dtype, threads))
    if row.moves:
        ours = library("thwrap")
        statement, scope = ready[ours.name]
        used = compile(statement, statement, "eval").co_names
        read = sum(_extent(ours.array(scope[name])) for name in used if name in row.given)
        moving = limits.moving(read, _extent(ours.array(run(statement, scope))), threads)
        bounds += [moving] if moving else []
    return max(bounds, default=None)


def _extent(array: np.ndarray) -> int:
    """Bytes that the elements have in memory; those that broadcasting repeats count once."""
    lengths = (n for n, stride in zip(array.shape, array.strides, strict=True) if stride != 0)
    return int(np.prod([*lengths, array.itemsize]))
