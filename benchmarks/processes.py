"""What is measured once: imports, builds, the size of the wheel."""

from __future__ import annotations

import io
import os
import shutil
import statistics
import subprocess
import sys
import time
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STARTS = 20
# Compiled modules are cached, as those of installed packages are.
ENVIRONMENT = {
    name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
}


def _seconds(command: list[str]) -> float:
    begin = time.perf_counter()
    subprocess.run(command, cwd=ROOT, env=ENVIRONMENT, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begin


def imports() -> dict[str, float]:
    """Seconds that importing each library adds to a bare Python, which is there too as `python`."""
    programs = {
        "python": "pass",
        "thwrap": "import thwrap",
        "numpy": "import numpy",
        "torch": "import torch",
    }
    times: dict[str, list[float]] = {name: [] for name in programs}
    for turn in range(STARTS + 1):
        for name, program in programs.items():
            elapsed = _seconds([sys.executable, "-c", program])
            if turn > 0:  # the first one fills caches
                times[name].append(elapsed)
    medians = {name: statistics.median(samples) for name, samples in times.items()}
    return {
        name: value - (medians["python"] if name != "python" else 0)
        for name, value in medians.items()
    }


def builds() -> dict[str, float]:
    """A full build as for the wheel, in a folder of its own; one with nothing to do; what the wheel's files come to."""
    folder = ROOT / "build/bench"
    shutil.rmtree(folder, ignore_errors=True)
    out = folder / "pkg/thwrap"
    places = ["--builddir", str(folder.relative_to(ROOT)), "--out", str(out.relative_to(ROOT))]
    configure = [sys.executable, "-m", "wrapgen", "configure", "--profile", "wheel", *places]
    command = shutil.which("ninja", path=str(Path(sys.executable).parent)) or "ninja"
    jobs = str(len(os.sched_getaffinity(0)))  # as the Makefile says
    ninja = [command, "-j", jobs, "-f", str(folder.relative_to(ROOT) / "build.ninja")]
    try:
        return {
            "full build, s": _seconds(configure) + _seconds(ninja),
            "unchanged build, s": statistics.median(_seconds(ninja) for _ in range(STARTS)),
            "wheel, MB": _compressed(out, ROOT / "wrapgen", folder / "gen/map.json") / 1e6,
        }
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _compressed(*places: Path) -> int:
    """Bytes of an archive of these files and folders, compressed as a wheel is."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for place in places:
            for path in sorted(place.rglob("*")) if place.is_dir() else [place]:
                if path.is_file() and "__pycache__" not in path.parts:
                    archive.write(path, path.relative_to(ROOT))
    return len(buffer.getvalue())


def figures(*, build: bool) -> dict[str, float]:
    """By name with unit."""
    found = {f"import {name}, ms": seconds * 1e3 for name, seconds in imports().items()}
    return found | (builds() if build else {})
