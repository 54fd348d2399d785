"""Resident memory of rows and page faults of temporaries: `python -m benchmarks.memory LIBRARY` measures in a process
that holds this library alone, for the cases that it reads as JSON."""

from __future__ import annotations

import ctypes
import gc
import json
import resource
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks.cases import Case, Operands, names, run
from benchmarks.libraries import Library, library
from benchmarks.rows import FAMILIES

RUNS = 3
THREADS = 2
TEMPORARY = 10_000_000
PAGE = resource.getpagesize()
STATUS, CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")


def _kilobytes(field: str) -> int:
    """A field of this process's status."""
    for line in STATUS.read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1])
    raise LookupError(field)


def peak(case: Case, mine: Library, operands: Operands) -> int | None:
    """Bytes of the operands, and what the process has more than them at most during some runs."""
    statement = case.row.spelled(mine.name)
    if statement is None:
        return None
    arrays = operands.draw(case)
    scope = names(case, mine, arrays)
    run(statement, scope)  # what is loaded or started once is not the row's
    mine.release()
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    CLEAR.write_text("5")
    before = _kilobytes("VmRSS")
    for _ in range(RUNS):
        run(statement, scope)
    more = max(0, _kilobytes("VmHWM") - before)
    return sum(array.nbytes for array in arrays.values()) + 1024 * more


def faults(mine: Library) -> int:
    """Page faults of a temporary of 40 MB, when there was one before."""
    a = mine.module.ones(TEMPORARY, dtype=mine.module.float32)
    a + a
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    a + a
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before


def _measure_all(name: str) -> None:
    """Answers to the cases on standard input, one a line; the page faults last."""
    mine, operands = library(name), Operands()
    mine.set_threads(THREADS)
    rows = {(family, row.name): row for family, rows in FAMILIES.items() for row in rows}
    for family, row, dtype, size in json.load(sys.stdin):
        case = Case(family, rows[family, row], dtype, size)
        print(json.dumps(peak(case, mine, operands)), flush=True)
    print(json.dumps(faults(mine)))


def measure(
    cases: list[Case], libraries: tuple[str, ...]
) -> tuple[list[dict[str, int]], dict[str, int]]:
    """For each case the bytes by library; page faults by library. The processes run side by side."""
    asked = json.dumps([(case.family, case.row.name, case.dtype, case.size) for case in cases])

    def answer(name: str) -> str:
        command = [sys.executable, "-m", "benchmarks.memory", name]
        return subprocess.run(
            command, input=asked, stdout=subprocess.PIPE, text=True, check=True
        ).stdout

    with ThreadPoolExecutor() as pool:
        answers = list(pool.map(answer, libraries))
    peaks: list[dict[str, int]] = [{} for _ in cases]
    faulted = {}
    for name, text in zip(libraries, answers, strict=True):
        *bytes_of, faulted[name] = map(json.loads, text.splitlines())
        for found, value in zip(peaks, bytes_of, strict=True):
            if value is not None:
                found[name] = value
    return peaks, faulted


if __name__ == "__main__":
    _measure_all(sys.argv[1])
