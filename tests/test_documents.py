"""The documents are true: every block of code in them runs, every declaration is accepted."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from wrapgen import chain, loader

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
GENERATED = ("reference.md",)  # its examples are parts of entries; test_reference.py has them
WRITTEN = [path for path in DOCUMENTS if path.name not in GENERATED]


def _run(path: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    binaries = Path(sys.executable).parent
    environment = os.environ | {
        "PATH": f"{binaries}{os.pathsep}{os.environ['PATH']}",
        "WRAPGEN_CACHE": str(folder / "cache"),
        "PYTHONWARNINGS": "error",
    }
    return subprocess.run(
        [sys.executable, str(ROOT / "tests/documents.py"), str(path)],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.name)
def test_code_runs(path: Path, tmp_path: Path) -> None:
    """What stands beside `print(error)` is part of what is printed."""
    result = _run(path, tmp_path)
    assert result.returncode == 0, result.stderr
    for message in re.findall(r"print\(error\)  # (.+)$", path.read_text(), re.MULTILINE):
        assert message in result.stdout


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.name)
def test_declarations_are_accepted(path: Path, tmp_path: Path) -> None:
    """Those that no code of the document loads."""
    blocks = re.findall(r"```yaml\n(.*?)```", path.read_text(), re.DOTALL)
    for number, block in enumerate(blocks):
        file = tmp_path / f"block{number}.yaml"
        file.write_text(block)
        chain.run_all(loader.load([(file, f"{path.name}, block {number + 1}")]))


def test_declarations_shown_are_the_packages_own() -> None:
    """prelu and addmv stand in declarations/ as the README shows them."""
    declared = "".join(path.read_text() for path in (ROOT / "declarations").glob("*.yaml"))
    shown = 0
    for block in re.findall(r"```yaml\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL):
        name = block.splitlines()[0]
        if f"{name}\n" in declared:
            own = declared[declared.index(f"{name}\n") :].split("\n- name:")[0]
            for line in block.splitlines():
                assert line in own, f"README shows {line!r}"
            shown += 1
    assert shown == 2
