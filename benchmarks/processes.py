"""What is measured by starting processes: imports and builds."""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import time
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
    return {"full": full, "nothing": nothing}
