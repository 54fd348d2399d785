"""Writes and builds an op package, as its author would."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]
MakePackage = Callable[..., ModuleType]


def build(
    root: Path,
    name: str,
    declarations: str,
    generic: str = "",
    results: str = "tensor",
    methods: bool = False,
    files: Mapping[str, str] | None = None,
    native: bool = True,
) -> None:
    """The package `name` in the folder `root`, built in place; `files` lie beside its declarations."""
    table = f'package = "{name}"\nresults = "{results}"\nmethods = {str(methods).lower()}\n'
    (root / "pyproject.toml").write_text(
        f'[project]\nname = "{name}"\nversion = "1"\n\n[tool.wrapgen]\n{table}'
    )
    (root / "declarations").mkdir(exist_ok=True)
    if generic:
        (root / "declarations/own.c").write_text(generic)
        declarations = "- generic: own.c\n" + declarations
    for path, text in (files or {}).items():
        (root / "declarations" / path).write_text(text)
    (root / "declarations/ops.yaml").write_text(declarations)
    (root / name).mkdir(exist_ok=True)
    (root / name / "__init__.py").write_text(f"import thwrap\nfrom {name}._C import *\n")
    command = [
        sys.executable,
        "-m",
        "wrapgen",
        "build",
        *(["--native"] if native else []),
        str(root),
    ]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
