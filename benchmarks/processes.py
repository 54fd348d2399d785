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
    """Seconds of a full build in a folder of its own, and of a build with nothing to do."""
    folder = "build/bench"
    shutil.rmtree(ROOT / folder, ignore_errors=True)
    out = f"{folder}/pkg/thwrap"
    configure = [sys.executable, "-m", "wrapgen", "configure", "--builddir", folder, "--out", out]
    ninja = [
        shutil.which("ninja", path=str(Path(sys.executable).parent)) or "ninja",
        "-f",
        f"{folder}/build.ninja",
    ]
    try:
        full = _seconds(configure) + _seconds(ninja)
        nothing = statistics.median(_seconds(ninja) for _ in range(STARTS))
    finally:
        shutil.rmtree(ROOT / folder, ignore_errors=True)
    return {"full": full, "unchanged": nothing}


def wheel() -> int:
    """Bytes of the files that the wheel has, compressed as it is."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for folder in (ROOT / "pkg/thwrap", ROOT / "wrapgen"):
            for path in sorted(folder.rglob("*")):
                if path.is_file() and "__pycache__" not in path.parts:
                    archive.write(path, path.relative_to(ROOT))
    return len(buffer.getvalue())


def figures(*, build: bool) -> dict[str, float]:
    """By name with unit."""
    times = imports()
    found = {f"import {name}, ms": seconds * 1e3 for name, seconds in times.items()}
    found["wheel, MB"] = wheel() / 1e6
    if build:
        found |= {f"{name} build, s": seconds for name, seconds in builds().items()}
    return found
