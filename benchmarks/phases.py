"""Where the time of `wrapgen.load` and `wrapgen build` goes: by programs/phases.py, and by ninja's log for its jobs."""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from pathlib import Path

from benchmarks.ways import Copy, Way

CASES = ("cold", "after an edit", "nothing changed")
PARTS = (
    "interpreter",
    "import of thwrap",
    "import of the generator",
    "YAML",
    "chain",
    "emitters",
    "ninja",
    "rest",
    "loading",
    "first call",
)
JOBS = ("cffi", "compiler", "linker")


class Phases:
    """Seconds of each part, by way and case, a sample for each round."""

    def __init__(self) -> None:
        self.samples: dict[tuple[Way, str], list[dict[str, float]]] = {}

    def measure(self, way: Way) -> None:
        """A sample of every case."""
        with tempfile.TemporaryDirectory() as place:
            copy = Copy(way, Path(place))
            for case, threshold in zip(CASES, ("1.0", "0.0", "0.0"), strict=True):
                if case != CASES[2]:
                    copy.edit(threshold)
                self.samples.setdefault((way, case), []).append(_sample(copy, threshold))

    def table(self) -> list[str]:
        """Milliseconds; the medians of parts do not quite add up to that of the whole."""
        columns = (*PARTS, "whole", *JOBS)
        lines = [
            f"| Where our time goes, ms | | {' | '.join(columns)} |",
            "|---|---|" + "--:|" * len(columns),
        ]
        for (way, case), samples in self.samples.items():
            cells = [
                statistics.median(sample.get(name, 0.0) for sample in samples) for name in columns
            ]
            lines.append(
                f"| {way.title} | {case} | " + " | ".join(map(_milliseconds, cells)) + " |"
            )
        return lines


def _milliseconds(seconds: float) -> str:
    return f"{seconds * 1e3:.1f}" if seconds else ""


def _sample(copy: Copy, threshold: str) -> dict[str, float]:
    """Seconds of each part; a package that is built first has two processes."""
    jobs = _logged(copy)
    arguments = [("build",)] if (copy.folder / "build.sh").exists() else []
    parts: dict[str, float] = {}
    for words in (*arguments, ("first_call", threshold)):
        begin = time.perf_counter()
        output = copy.run("phases.py", *words)
        whole = time.perf_counter() - begin
        seconds = json.loads(output.splitlines()[-1])
        whole -= seconds.pop("own")
        seconds["interpreter"] += whole - sum(seconds.values())
        seconds["whole"] = whole
        for name, value in seconds.items():
            parts[name] = parts.get(name, 0.0) + value
    for line in _logged(copy)[len(jobs) :]:
        job = _job(line[3])
        parts[job] = parts.get(job, 0.0) + (int(line[1]) - int(line[0])) / 1e3
    return parts


def _logged(copy: Copy) -> list[list[str]]:
    """What ninja has done: start and end in ms, time stamp, output, hash."""
    logs = (*copy.cache.rglob(".ninja_log"), *copy.folder.rglob(".ninja_log"))
    lines = [line for log in logs for line in log.read_text().splitlines()]
    return [line.split("\t") for line in lines if not line.startswith("#")]


def _job(output: str) -> str:
    return "linker" if output.endswith(".so") else "compiler" if output.endswith(".o") else "cffi"
