"""What the tests of wrapgen share: declarations from text, generated files, the compiler, golden files."""

from __future__ import annotations

import shutil
import subprocess
import sysconfig
from collections.abc import Callable
from pathlib import Path

import pytest

from wrapgen import chain, generate, loader
from wrapgen.chain import Form, Operation
from wrapgen.errors import DeclarationErrors
from wrapgen.model import Op

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
WARNINGS = ["-Wall", "-Wextra", "-Wshadow", "-Wundef", "-Werror", "-Wno-unknown-pragmas"]


class Declared:
    """Declarations written to a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "declarations"
        self.folder.mkdir()

    def write(self, text: str | bytes, name: str = "ops.yaml") -> Path:
        path = self.folder / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    def load(self, text: str | bytes, name: str = "ops.yaml") -> list[tuple[Op, ...]]:
        """The Ops of a file, before any plugin."""
        return loader.load([(self.write(text, name), name)])

    def run(self, text: str | bytes, name: str = "ops.yaml") -> dict[str, Operation]:
        """The finished operations of a file, by name."""
        return {op.name: op for op in chain.run_all(self.load(text, name))}

    def form(self, text: str, name: str = "") -> Form:
        """The only form of the first operation, or of the one named."""
        operations = self.run(text)
        operation = operations[name] if name else next(iter(operations.values()))
        (form,) = operation.forms
        return form

    def errors(self, text: str | bytes, name: str = "ops.yaml") -> str:
        """What is said of declarations that are wrong."""
        with pytest.raises(DeclarationErrors) as caught:
            self.run(text, name)
        return str(caught.value)

    def generate(self, output: Path) -> generate.Package:
        """Writes all files of the folder's declarations."""
        package = generate.Package(
            module="sample._C",
            declarations=self.folder,
            output=output,
            root=self.folder.parent,
            ops_header="sample/ops.h",
            generic="generic/{chapter}.h",
        )
        generate.generate(package)
        return package


@pytest.fixture
def declared(tmp_path: Path) -> Declared:
    return Declared(tmp_path)


@pytest.fixture(scope="session")
def base_headers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The headers that follow from dtypes.yaml."""
    from wrapgen import emit_dtypes, tables

    folder = tmp_path_factory.mktemp("base")
    for name, text in emit_dtypes.emit(tables.dtypes()).items():
        generate.write_if_changed(folder / name, text)
    return folder


Compile = Callable[..., str]


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
