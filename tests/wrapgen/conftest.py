"""Fixtures of the tests of wrapgen: declarations from text, generated files, the compiler, golden files."""

from __future__ import annotations

import shutil
import subprocess
import sysconfig
from collections.abc import Callable
from pathlib import Path

import pytest
from declaring import ROOT, Compile, Declared

from wrapgen import generate

WARNINGS = ["-Wall", "-Wextra", "-Wshadow", "-Wundef", "-Werror", "-Wno-unknown-pragmas"]


@pytest.fixture
def declared(tmp_path: Path) -> Declared:
    return Declared(tmp_path)


@pytest.fixture(scope="session")
def base_headers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The headers that follow from dtypes.yaml."""
    from wrapgen import tables
    from wrapgen.emit import dtype_files

    folder = tmp_path_factory.mktemp("base")
    for name, text in dtype_files.emit(tables.dtypes()).items():
        generate.write_if_changed(folder / name, text)
    return folder


@pytest.fixture(scope="session")
def compile_c(base_headers: Path) -> Compile:
    """Checks a C file as the build would compile it; what the compiler says, nothing when all is right."""
    gcc = shutil.which("gcc")
    assert gcc, "the tests of generated code need gcc"

    def check(source: Path, *flags: str) -> str:
        folders = [
            ROOT,
            base_headers,
            source.parent,
            ROOT / "pkg/csrc",
            sysconfig.get_path("include"),
        ]
        command = [
            gcc,
            "-std=c11",
            "-fopenmp-simd",
            *WARNINGS,
            "-fsyntax-only",
            "-DPy_LIMITED_API=0x030b0000",
        ]
        command += [f"-I{folder}" for folder in folders]
        result = subprocess.run(
            [*command, *flags, str(source)], capture_output=True, text=True, check=False
        )
        return result.stderr

    return check


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """Compares a text with a file beside the tests; `--update-golden` writes the file instead."""

    def compare(path: Path, text: str) -> None:
        if request.config.getoption("--update-golden"):
            generate.write_if_changed(path, text)
        assert path.is_file(), (
            f"{path.name} is missing: run pytest --update-golden and read what it wrote"
        )
        assert text == path.read_text(encoding="utf-8")

    return compare
