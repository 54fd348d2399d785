"""What libTH.so and the module show to others; docs/abi.md says what of it may be relied on."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import thwrap as th
from wrapgen import tables

INCLUDE = Path(th.get_include()) / "TH"
LIBRARY = Path(th.get_lib()) / "libTH.so"
REALS = "|".join(row.name for row in tables.dtypes().rows)
VECTOR = r"(_ZGV[bcde]N\d+v+_)?"  # the vector ABI's names beside that of the scalar function

pytestmark = pytest.mark.skipif(shutil.which("nm") is None, reason="needs nm of binutils")


def exported(file: Path) -> set[str]:
    command = ["nm", "--dynamic", "--defined-only", "--format=posix", str(file)]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return {line.split()[0] for line in lines}


def declared(*folders: str) -> set[str]:
    """The names that follow TH_API in the headers of these folders."""
    found: set[str] = set()
    for path in (path for folder in folders for path in (INCLUDE / folder).glob("*.h")):
        text = re.sub(r"(?s:/\*.*?\*/)|#define[^\n]*", "", path.read_text())
        for declaration in re.findall(r"\bTH_API\b([^;]*);", text):
            plain = re.sub(r"__attribute__\s*\(\(.*?\)\)\)?", "", declaration)
            name = re.search(r"(THTensor_\(\w+\)|\w+)\s*(\(|$|\[)", plain.strip())
            assert name is not None, f"{path.name}: {declaration}"
            found.add(name[1])
    return found


def test_every_export_is_declared() -> None:
    """Functions of headers, operations, functions of one dtype, loops' functions of vectors, of arrays: no others."""
    names = exported(LIBRARY)
    kernels = {re.sub(r"THTensor_\((\w+)\)", r"\1", name) for name in declared("generic")}
    header = (INCLUDE / "loops/math.h").read_text()
    vectors = {
        f"th_{name}{ending}"
        for name in re.findall(r"TH_(?:VECTOR|ARRAYS)_\d\((\w+)\)", header)
        for ending in ("", "f", "_doubles", "_floats", "_halves")
    } | {f"th_{name}" for name in re.findall(r"TH_VECTOR_INTEGER_2\(\w+, (\w+)\)", header)}
    longs = {f"THLongs_{name}" for name in re.findall(r"TH_LONGS(?:_BY)?\((\w+)\)", header)}
    classes = {
        "headers": names & declared("."),
        "kernels": {
            name
            for name in names
            if (match := re.fullmatch(rf"TH(?:{REALS})Tensor_(\w+)", name)) and match[1] in kernels
        },
        "vectors": {
            name
            for name in names
            if (match := re.fullmatch(rf"{VECTOR}(th_\w+?)(_v3)?", name)) and match[2] in vectors
        },
        "longs": names & longs,
    }
    assert all(classes.values())
    assert names - set().union(*classes.values()) == set()


def test_every_promise_is_exported() -> None:
    assert declared(".") - exported(LIBRARY) == set()


def test_the_module_exports_its_start_alone() -> None:
    assert exported(Path(th._C.__file__)) == {"PyInit__C"}
