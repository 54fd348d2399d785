"""The build under test: THWRAP_BUILD names its folder (default build), `ninja c-tests` makes the programs."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

from wrapgen.toolchain.ninja import Config

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def config() -> Config:
    return Config(ROOT, builddir=os.environ.get("THWRAP_BUILD", "build"))


@pytest.fixture(scope="session")
def environment() -> dict[str, str]:
    """Without preloaded sanitizers: programs bring their own, and compilers need none."""
    return {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}


@pytest.fixture(scope="session")
def programs(config: Config, environment: dict[str, str]) -> Path:
    """The folder of the compiled C tests, up to date: one process after the other makes them so."""
    folder = ROOT / config.builddir
    ninja = [sys.executable, "-m", "ninja", "-f", str(config.ninja_file), "c-tests"]
    with (folder / "c-tests.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        made = subprocess.run(ninja, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert made.returncode == 0, made.stdout + made.stderr
    return folder / "tests"
