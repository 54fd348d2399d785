"""Python code run by an interpreter of its own."""

from __future__ import annotations

import os
import subprocess
import sys

SANITIZED = "asan" in os.environ.get("LD_PRELOAD", "")


def run_python(code: str, **environment: str) -> str:
    """What a fresh interpreter prints."""
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()
