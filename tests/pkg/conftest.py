"""Set-up of the package's tests: expected failures, settings that tests change, and what the laws are about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import thwrap as th
from wrapgen import chain, loader
from wrapgen.testing import isas, oracle
from wrapgen.testing.settings import restored
from wrapgen.testing.subject import Subject, use

ROOT = Path(__file__).resolve().parents[2]
XFAILS = Path(__file__).with_name("xfails.txt")


def of_fill(values: Mapping[str, Any], compute: str) -> str:
    return compute or oracle.number_dtype(values["fill_value"])


def of_range(values: Mapping[str, Any], compute: str) -> str:
    bounds = [values[name] for name in ("start", "end", "step") if name in values]
    dtype = oracle.combined([oracle.number_dtype(bound) for bound in bounds])
    return compute or ("int64" if dtype == "bool" else dtype)


def of_other(values: Mapping[str, Any], compute: str) -> str:
    return values["other"].dtype.name


use(
    Subject(
        module=th._C,
        read=lambda: chain.read(
            (path, path.name) for path in loader.declaration_files(ROOT / "declarations")
        ),
        tests=Path(__file__).parent,
        stub=ROOT / "pkg/thwrap/_C.pyi",
        strict=True,
        result_dtypes={"full": of_fill, "arange": of_range, "type_as": of_other},
    )
)


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
def _settings() -> Iterator[None]:
    """Threads, instruction set, default dtype and random state as they were before the test."""
    with restored():
        yield


@pytest.fixture(params=isas.available())
def each_isa(request: pytest.FixtureRequest) -> None:
    """The test once on each instruction set, which `_settings` takes back."""
    th._C._set_isa(request.param)
