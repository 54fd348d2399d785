"""TH's own tests: every .c file here is a program that says how many checks passed and failed."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

SOURCES = sorted(Path(__file__).parent.glob("*.c"))


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_program(source: Path, programs: Path, environment: dict[str, str]) -> None:
    run = subprocess.run(
        [programs / source.stem], env=environment, capture_output=True, text=True, timeout=300
    )
    assert run.returncode == 0, run.stdout + run.stderr
    closing = re.fullmatch(r"\w+: (\d+) passed, 0 failed", run.stdout.splitlines()[-1])
    assert closing, run.stdout + run.stderr
    assert int(closing[1]) > 0
