"""The public headers: each compiles by itself, in C and in C++, without a warning; private ones are not among them."""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import thwrap as th

INCLUDE = Path(th.get_include())
# Those that are included with something defined first.
PARTS = ("generic", "THGenerate")
HEADERS = sorted(
    str(path.relative_to(INCLUDE))
    for path in (INCLUDE / "TH").rglob("*.h")
    if not path.relative_to(INCLUDE / "TH").as_posix().startswith(PARTS)
)
# What names instructions of one machine; in the last two a fence and a pause.
OF_MACHINES = {
    *("half", "lanes", "most", "registers", "spread", "streamed", "truths"),
    *("sums", "vectorNarrow", "vectorWide", "widened"),
    *("THMove", "THThreads"),
}
COMPILERS = {"c": ["cc", "-std=c11"], "c++": ["c++", "-std=c++17"]}


def test_which_are_public() -> None:
    assert {"TH/TH.h", "TH/THOps.h", "TH/THMath.h", "TH/THDtypeList.h"} <= set(HEADERS)
    assert {str(Path(header).parent) for header in HEADERS} <= {"TH", "TH/loops"}
    assert not [header for header in HEADERS if "Private" in header]
    # What op packages include beside them, with Python.h.
    assert [path.name for path in INCLUDE.glob("*.h")] == ["THP.h"]


@pytest.mark.parametrize("language", COMPILERS)
@pytest.mark.parametrize("header", HEADERS)
def test_stands_alone(
    header: str, language: str, tmp_path: Path, environment: dict[str, str]
) -> None:
    command = COMPILERS[language]
    if shutil.which(command[0]) is None:
        pytest.skip(f"no {command[0]}")
    source = tmp_path / "source"
    source.write_text(f"#include <{header}>\n#include <{header}>\nint main(void) {{ return 0; }}\n")
    flags = ["-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{INCLUDE}", "-x", language]
    run = subprocess.run(
        [*command, *flags, source], env=environment, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr


def test_where_instructions_are() -> None:
    """Nobody else writes code for an instruction set (docs/internals.md has the list)."""
    sources = (Path(__file__).parents[2] / "TH").rglob("*.[ch]")
    named = re.compile(r"\b_mm\d*_|__builtin_ia32_|^#include <\w*mmintrin", re.MULTILINE)
    assert {path.stem for path in sources if named.search(path.read_text())} == OF_MACHINES


def test_what_is_declared_is_exported() -> None:
    """A function marked TH_API is in the library's table, where op packages find it."""
    library = ctypes.CDLL(str(Path(th.get_lib()) / "libTH.so"))
    names = [
        name
        for header in HEADERS
        for name in re.findall(
            r"^TH_API [^;{(]*?\b(TH\w+)\s*[(;\[]",
            re.sub(r"/\*.*?\*/", "", (INCLUDE / header).read_text(), flags=re.DOTALL),
            re.MULTILINE,
        )
    ]
    assert len(names) > 400
    assert [name for name in names if not hasattr(library, name)] == []
