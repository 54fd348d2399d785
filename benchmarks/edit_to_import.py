"""From an edit to the first correct call: ours beside the ways that people take today.

`make peers` installs the others into `.venv-peers` and runs this. It goes round by round over all ways: a fresh copy
of the folder is built and called from a fresh interpreter (cold), its threshold is edited and the same is done again,
then nothing is edited; at last its calls are timed. A figure is the median of the rounds. Times are of whole processes:
shell, build, interpreter, imports, first call, check of the result.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

from benchmarks import peer_tables, phases
from benchmarks.machine import Company
from benchmarks.peer_tables import Figures
from benchmarks.ways import WAYS, Copy, Failure, Way

README = Path(__file__).resolve().parent / "README.md"
BEGIN, END = "<!-- peers: begin -->", "<!-- peers: end -->"
ROUNDS = 5
ROUNDS_OF_SLOW = 3
SLOW_SECONDS = 12.0  # of a round
# Since the start; after that only first rounds begin, so that all ends within 25 minutes.
LAST_ROUND_SECONDS = 1300.0


def _timed(copy: Copy, threshold: str) -> float:
    begin = time.perf_counter()
    copy.build_and_run("first_call.py", threshold)
    return time.perf_counter() - begin


def one_round(figures: Figures) -> None:
    """A sample of everything; the calls, and what becomes of other dtypes, at threshold 0."""
    with tempfile.TemporaryDirectory() as place:
        copy = Copy(figures.way, Path(place))
        copy.edit("1.0")
        cold = _timed(copy, "1.0")
        copy.edit("0.0")
        edited, nothing = _timed(copy, "0.0"), _timed(copy, "0.0")
        figures.add(cold=cold, edited=edited, nothing=nothing)
        figures.add(**json.loads(copy.run("calls.py").splitlines()[-1]))
        if not figures.dtypes:
            figures.dtypes = _dtypes(copy)


def _dtypes(copy: Copy) -> dict[str, str]:
    """The words of programs/dtypes.py; the probe that ended the process is a crash, and the last."""
    try:
        output, problem = copy.run("dtypes.py"), False
    except Failure as failure:
        output, problem = failure.output, True
    words = dict(json.loads(line) for line in output.splitlines() if line.startswith("["))
    left = [name for name in peer_tables.PROBES if name not in words]
    return words | ({left[0]: "crash"} if problem and left else {})


def try_round(figures: Figures, parts: phases.Phases) -> None:
    """A peer that fails has no further rounds, and says why."""
    begin = time.perf_counter()
    try:
        one_round(figures)
        if figures.way.ours:
            parts.measure(figures.way)
    except (Failure, OSError, ValueError, LookupError) as error:
        figures.problem = f"failed: {error}"
    elapsed = time.perf_counter() - begin
    figures.slow = elapsed > SLOW_SECONDS
    note = figures.problem or f"{elapsed:.1f} s"
    print(f"{figures.way.folder}: {note}", file=sys.stderr, flush=True)


def measure(ways: list[Way], rounds: int) -> tuple[list[Figures], phases.Phases]:
    """Round by round, so that a slow moment of the machine hits one sample of each."""
    started = time.monotonic()
    all_figures, parts = [Figures(way) for way in ways], phases.Phases()
    for figures in all_figures:
        missing = figures.way.missing()
        figures.problem = f"skipped: there is no {missing}" if missing else ""
    for turn in range(rounds):
        print(f"round {turn + 1} of {rounds}", file=sys.stderr, flush=True)
        for figures in all_figures:
            late = turn > 0 and time.monotonic() - started > LAST_ROUND_SECONDS
            if figures.problem or late or (turn >= ROUNDS_OF_SLOW and figures.slow):
                continue
            try_round(figures, parts)
    return all_figures, parts


def main() -> None:
    known = {way.folder: way for way in WAYS}
    parser = argparse.ArgumentParser(prog="edit_to_import", description=__doc__)
    names = f"folders of benchmarks/peers; README.md stays as it is: {', '.join(known)}"
    parser.add_argument("only", nargs="*", metavar="WAY", help=names)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"default: {ROUNDS}")
    options = parser.parse_args()
    if unknown := [name for name in options.only if name not in known]:
        parser.error(f"there is no {unknown[0]}; there are {', '.join(known)}")
    company = Company()
    ways = [known[name] for name in options.only] or list(WAYS)
    figures, parts = measure(ways, options.rounds)
    lines = [*peer_tables.tables(figures, parts), *company.remark()]
    print("\n".join(lines))
    if not options.only:
        head, _, rest = README.read_text().partition(BEGIN)
        _, _, tail = rest.partition(END)
        README.write_text(head + BEGIN + "\n" + "\n".join(lines) + "\n" + END + tail)


if __name__ == "__main__":
    main()
