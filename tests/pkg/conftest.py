"""Set-up of the package's tests: expected failures, hypothesis, and settings that tests change."""

from __future__ import annotations

import os
from pathlib import Path

import hypothesis
import numpy
import pytest

import thwrap as th

XFAILS = Path(__file__).with_name("xfails.txt")

hypothesis.settings.register_profile("local", deadline=None)
hypothesis.settings.register_profile("ci", deadline=None, derandomize=True, database=None)
hypothesis.settings.load_profile("ci" if os.environ.get("CI") else "local")


def expected_failures(text: str) -> dict[str, str]:
    """Test ids and reasons: `id  reason` in each line; empty lines and lines from `#` on are comments."""
    failures = {}
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        test, *reason = line.split(maxsplit=1)
        if not reason:
            raise ValueError(f"{XFAILS.name}: {test} has no reason")
        failures[test] = reason[0].strip()
    return failures


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What xfails.txt lists must fail; ids there begin below this folder."""
    failures = expected_failures(XFAILS.read_text())
    folder = Path(__file__).parent
    for item in items:
        if not item.path.is_relative_to(folder):
            continue
        name = f"{item.path.relative_to(folder)}::{item.nodeid.partition('::')[2]}"
        if name in failures:
            item.add_marker(pytest.mark.xfail(reason=failures[name], strict=True))


@pytest.fixture(autouse=True)
def _settings():
    """Threads, instruction set, default dtype and random state as they were before the test."""
    threads, isa, dtype = th.get_num_threads(), th._C._isa(), th.get_default_dtype()
    state = th.get_rng_state()
    with numpy.errstate(all="ignore"):
        yield
    th._C.lib.THMemory_failAllocation(-1)
    th.set_num_threads(threads)
    th._C._set_isa(isa)
    th.set_default_dtype(dtype)
    th.set_rng_state(state)
