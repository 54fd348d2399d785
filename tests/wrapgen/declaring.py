"""Where the tests of wrapgen are, and declarations written to a folder of their own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from wrapgen import chain, generate, loader
from wrapgen.chain import Form, Operation
from wrapgen.errors import DeclarationErrors
from wrapgen.model import Op

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
Compile = Callable[..., str]


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
        return {op.name: op for op in chain.read([(self.write(text, name), name)])}

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
