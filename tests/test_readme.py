"""The README is true: its Python runs, its declarations are accepted and compile."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from wrapgen import chain, loader

ROOT = Path(__file__).resolve().parents[1]


def _blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)


def test_python_blocks_run_and_print_what_they_say():
    text = "\n".join(_blocks("python"))
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", text], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    assert "add: shapes (2, 3) and (4,) do not broadcast" in result.stdout


def test_declarations_are_accepted(tmp_path):
    blocks = _blocks("yaml")
    assert len(blocks) == 3
    for number, block in enumerate(blocks):
        path = tmp_path / f"block{number}.yaml"
        path.write_text(block)
        operations = chain.run_all(loader.load([(path, path.name)]))
        assert [operation.name for operation in operations][1].endswith("_")


def test_declarations_shown_are_the_packages_own():
    """prelu and addmv stand in declarations/ as the README shows them."""
    declared = "".join(path.read_text() for path in (ROOT / "declarations").glob("*.yaml"))
    for block in _blocks("yaml"):
        name = block.splitlines()[0]
        if f"{name}\n" in declared:
            own = declared[declared.index(f"{name}\n") :].split("\n- name:")[0]
            for line in block.splitlines():
                assert line in own, f"README shows {line!r}"
