"""Runs the code of one document: `documents.py FILE` in an empty folder.

Blocks run in their order. `python` blocks share their names; blocks with `file=NAME` are written; `console` blocks hold
commands after `$ ` and below each the beginnings of lines that it prints, among others, in this order.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

BLOCK = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def console(text: str) -> None:
    """Commands in one shell session; `cd` holds for those that follow, in later blocks too."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, *expected = part.splitlines()
        if command.startswith("cd "):
            os.chdir(command[3:])
            continue
        done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
        printed = (done.stdout + done.stderr).splitlines()
        assert done.returncode == 0, f"$ {command}\n{done.stdout}{done.stderr}"
        lines = iter(printed)
        for wanted in expected:
            if wanted.strip() != "..." and not any(line.startswith(wanted) for line in lines):
                raise AssertionError(f"$ {command}\nexpected {wanted!r} in\n" + "\n".join(printed))


def main(path: Path) -> None:
    names: dict[str, object] = {"__name__": "__main__"}
    for match in BLOCK.finditer(path.read_text()):
        language, info, text = match.groups()
        named = re.search(r"file=(\S+)", info)
        if named:
            Path(named[1]).parent.mkdir(parents=True, exist_ok=True)
            Path(named[1]).write_text(text)
        elif language == "python":
            exec(compile(text, f"{path.name}", "exec"), names)
        elif language == "console":
            console(text)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
