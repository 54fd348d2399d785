"""Type checkers accept the package, its stub, each public name, and typing_usage.py."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from interpreter import SANITIZED

import thwrap as th

pytestmark = pytest.mark.skipif(SANITIZED, reason="type checkers run nothing of ours")

USAGE = Path(__file__).parent / "typing_usage.py"
PACKAGE = Path(th.__file__).parent


def mypy(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(folder / "cache")]
    return subprocess.run(
        [*command, "--config-file", os.devnull, *arguments],
        capture_output=True,
        text=True,
        env=os.environ | {"MYPYPATH": str(PACKAGE.parent)},
        cwd=folder,
    )


def pyright(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    settings = f'{{"extraPaths": ["{PACKAGE.parent}"], "include": ["*.py"]}}'
    (folder / "pyrightconfig.json").write_text(settings)
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable]
    return subprocess.run([*command, "-p", str(folder)], capture_output=True, text=True, cwd=folder)


@pytest.mark.parametrize("checker", [mypy, pyright], ids=lambda checker: checker.__name__)
def test_checkers_accept(
    checker: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    pytest.importorskip(checker.__name__, reason="type checkers are in the dev group")
    names = "".join(f"print(th.{name})\n" for name in [*th.__all__, "__version__", "__all__"])
    (tmp_path / "names.py").write_text("import thwrap as th\n\n" + names)
    (tmp_path / "usage.py").write_text(USAGE.read_text())
    done = checker(tmp_path, "names.py", "usage.py")
    assert done.returncode == 0, done.stdout + done.stderr


def test_checkers_find_mistakes(tmp_path: Path) -> None:
    pytest.importorskip("mypy", reason="type checkers are in the dev group")
    mistakes = ("th.nothing", "th.ones(2).to('float32')", "th.zeros('2')", "th.FloatTensor.x")
    text = "import thwrap as th\n\n" + "".join(f"{mistake}\n" for mistake in mistakes)
    (tmp_path / "mistakes.py").write_text(text)
    found = mypy(tmp_path, "mistakes.py").stdout
    assert [line for line in range(3, 7) if f"mistakes.py:{line}: error" not in found] == []
