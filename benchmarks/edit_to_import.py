"""From an edit to the first correct call: ours beside the ways that people take today.

`make peers` installs the others into `.venv-peers` and runs this. Each folder of benchmarks/peers declares the same
prelu(x, w) in its own way: `use.py` (or that of its kind of array) imports it, `build.sh`, where there is one, builds
it. A folder is copied, built and called from a fresh interpreter (cold), then its threshold is edited and the same is
done again, then nothing is edited. Times are of whole processes: shell, build, interpreter, imports, first call, check
of the result.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PEERS = Path(__file__).resolve().parent / "peers"
README = Path(__file__).resolve().parent / "README.md"
BEGIN, END = "<!-- peers: begin -->", "<!-- peers: end -->"
EDITS = ("1.0", "2.0", "3.0")
SOURCES = (".c", ".cpp", ".py", ".pyx", ".f90", ".yaml", ".build", ".txt", ".toml")
NOT_COUNTED = ("use.py", "build.sh")
THRESHOLD = re.compile(r"(?<=> )\d+\.\d+")

FIRST_CALL = """
import sys
sys.path.insert(0, "")
from use import make, prelu
threshold = float(sys.argv[1])
x = [[-2.0, 0.5, 1.5, 2.5, 4.0]] * 2
y = prelu(make(x), make([0.25])).tolist()
wanted = [[v if v > threshold else 0.25 * v for v in row] for row in x]
assert y == wanted, (y, wanted)
"""

CALLS = """
import json, statistics, sys, time
sys.path.insert(0, "")
from use import make, prelu
import numpy
def median(call, runs, number):
    call()
    times = []
    for _ in range(runs):
        begin = time.perf_counter()
        for _ in range(number):
            call()
        times.append((time.perf_counter() - begin) / number)
    return statistics.median(times)
small, w = make([0.5, -1.0] * 5), make([0.25])
large = numpy.random.default_rng(20).standard_normal(10**7, dtype="float32")
large = make(large)
result = {"call": median(lambda: prelu(small, w), 25, 2000), "large": median(lambda: prelu(large, w), 15, 1)}
try:
    out = make(numpy.zeros(10**7, "float32"))
    result["out"] = median(lambda: prelu(large, w, out=out), 15, 1)
except Exception:
    pass
print(json.dumps(result))
"""


@dataclass
class Figures:
    """Seconds; None is what could not be measured, with the reason."""

    name: str
    lines: int
    cold: float | None = None
    edited: float | None = None
    nothing: float | None = None
    call: float | None = None
    large: float | None = None
    out: float | None = None
    problem: str = ""


def count_lines(folder: Path) -> int:
    """Lines that are not blank of what a user writes, build files included, the calling program not."""
    files = [p for p in folder.rglob("*") if p.suffix in SOURCES and p.name not in NOT_COUNTED]
    return sum(bool(line.strip()) for path in files for line in path.read_text().splitlines())


def environment(cache: Path) -> dict[str, str]:
    """Empty caches, no ccache, one thread, the peers' Python first."""
    names = {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "CCACHE_DISABLE": "1",
        "PYTHONPATH": f"{ROOT / 'pkg'}{os.pathsep}{ROOT}",
        "XDG_CACHE_HOME": str(cache),
        "TORCHINDUCTOR_CACHE_DIR": str(cache / "inductor"),
        "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false",
    } | {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL")}
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return kept | names


def run(folder: Path, cache: Path, program: str, *arguments: str, build: bool = True) -> str:
    """Builds and runs a program in the folder; what it printed."""
    script = "[ ! -f build.sh ] || sh ./build.sh || exit 1\n" if build else ""
    script += 'exec python -c "$PROGRAM" "$@"'
    done = subprocess.run(
        ["sh", "-c", script, "sh", *arguments],
        cwd=folder,
        env=environment(cache) | {"PROGRAM": program},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise RuntimeError((done.stderr.strip() or done.stdout.strip()).splitlines()[-1][:120])
    return done.stdout


def timed(folder: Path, cache: Path, threshold: str) -> float:
    begin = time.perf_counter()
    run(folder, cache, FIRST_CALL, threshold)
    return time.perf_counter() - begin


def edit(folder: Path, threshold: str) -> None:
    """Puts another threshold into every kernel source."""
    for path in folder.rglob("*"):
        if (
            path.is_file()
            and path.suffix in SOURCES
            and path.name != "use.py"
            and "build/" not in str(path)
        ):
            text = path.read_text()
            changed = THRESHOLD.sub(threshold, text)
            if changed != text:
                path.write_text(changed)


def measure(name: str) -> Figures:
    """All figures of a peer, in a fresh copy with fresh caches."""
    figures = Figures(name, count_lines(PEERS / name))
    with tempfile.TemporaryDirectory() as place:
        colds = []
        try:
            for turn in range(2):
                folder, cache = Path(place) / f"copy{turn}", Path(place) / f"cache{turn}"
                shutil.copytree(PEERS / name, folder)
                if not (folder / "use.py").exists():
                    shutil.copy(
                        PEERS / f"use_{'torch' if 'torch' in name else 'numpy'}.py",
                        folder / "use.py",
                    )
                cache.mkdir()
                colds.append(timed(folder, cache, "0.0"))
            figures.cold = min(colds)
            edits = []
            for threshold in EDITS:
                time.sleep(1.1)  # time stamps of whole seconds decide in some tools
                edit(folder, threshold)
                edits.append(timed(folder, cache, threshold))
            figures.edited = statistics.median(edits)
            figures.nothing = statistics.median(timed(folder, cache, EDITS[-1]) for _ in range(3))
            for key, value in json.loads(run(folder, cache, CALLS, build=False)).items():
                setattr(figures, key, value)
        except RuntimeError as error:
            figures.problem = str(error)
    return figures


def row(figures: Figures) -> str:
    """A line of the table."""

    def cell(value: float | None, scale: float, digits: int) -> str:
        return "-" if value is None else f"{value * scale:.{digits}f}"

    cells = [
        figures.name,
        str(figures.lines),
        cell(figures.cold, 1, 2),
        cell(figures.edited, 1, 2),
        cell(figures.nothing, 1, 2),
        cell(figures.call, 1e9, 0),
        cell(figures.large, 1e3, 1),
        cell(figures.out, 1e3, 1),
    ]
    return "| " + " | ".join(cells) + f" | {figures.problem} |"


def main() -> None:
    parser = argparse.ArgumentParser(prog="edit_to_import", description=__doc__)
    known = sorted(path.name for path in PEERS.iterdir() if path.is_dir())
    parser.add_argument(
        "only", nargs="*", help=f"peers; leaves README.md alone: {', '.join(known)}"
    )
    options = parser.parse_args()
    lines = [
        "| way | lines | cold, s | after an edit, s | nothing changed, s | call of 10 elements, ns "
        "| 10 million float32, ms | the same with out=, ms | |",
        "|---|--:|--:|--:|--:|--:|--:|--:|---|",
    ]
    print("\n".join(lines), flush=True)
    for name in options.only or known:
        lines.append(row(measure(name)))
        print(lines[-1], flush=True)
    if not options.only:
        head, _, rest = README.read_text().partition(BEGIN)
        _, _, tail = rest.partition(END)
        README.write_text(head + BEGIN + "\n" + "\n".join(lines) + "\n" + END + tail)


if __name__ == "__main__":
    main()
