"""What is checked when an op package is imported; docs/abi.md says what it means."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from making import ROOT

import thwrap as th

# The smallest module that starts as every op package does.
MODULE = """
#include "THP.h"

static PyModuleDef inner = {PyModuleDef_HEAD_INIT, "tiny", NULL, -1, NULL, NULL, NULL, NULL, NULL};
static PyObject *init(void) { return PyModule_Create(&inner); }
static PyObject *create(PyObject *spec, PyModuleDef *def)
{
    (void)spec;
    (void)def;
    return THP_packageCreate(init);
}
static const THPPackage package = {"tiny", NULL, NULL, NULL, NULL, 0};
static int execute(PyObject *module) { return THP_packageExec(module, &package); }
static PyModuleDef_Slot slots[] = {
    {Py_mod_create, (void *)create}, {Py_mod_exec, (void *)execute}, {0, NULL}};
static PyModuleDef definition = {PyModuleDef_HEAD_INIT, "tiny", NULL, 0, NULL, slots, NULL, NULL, NULL};
PyMODINIT_FUNC PyInit_tiny(void) { return PyModuleDef_Init(&definition); }
"""
HEADERS = {
    "THP.h": ROOT / "pkg/csrc/THP.h",
    "TH/THGeneral.h": Path(th.get_include()) / "TH/THGeneral.h",
}
MACROS = {
    "THP_TABLE_MAJOR": "THP.h",
    "THP_TABLE_MINOR": "THP.h",
    "TH_ABI_VERSION": "TH/THGeneral.h",
}
AGAIN = "build the package again (wrapgen build, or pip install it anew)"


def version(macro: str) -> int:
    match = re.search(rf"#define {macro} (\d+)", HEADERS[MACROS[macro]].read_text())
    assert match is not None
    return int(match[1])


def build(folder: Path, changes: dict[str, int]) -> None:
    """tiny.so, compiled with headers in which these macros have other values."""
    for header in set(MACROS.values()):
        text = HEADERS[header].read_text()
        for macro, value in changes.items():
            text = re.sub(rf"(#define {macro}) \d+", rf"\1 {value}", text)
        (folder / header).parent.mkdir(exist_ok=True)
        (folder / header).write_text(text)
    (folder / "tiny.c").write_text(MODULE)
    runtime, library = ROOT / "pkg/csrc", th.get_lib()
    shutil.copy(runtime / "THPArguments.h", folder)
    shutil.copytree(runtime / "package", folder / "package")
    includes = [folder, th.get_include(), sysconfig.get_path("include")]
    command = ["cc", "-std=c11", "-fPIC", "-shared", "-DPy_LIMITED_API=0x030b0000"]
    command += [f"-I{path}" for path in includes]
    command += [str(folder / "tiny.c"), *map(str, sorted((folder / "package").glob("*.c")))]
    command += [f"-L{library}", "-lTH", "-o", str(folder / "tiny.abi3.so")]
    subprocess.run(command, check=True)


def imported(folder: Path, before: str = "import thwrap") -> str:
    """The ImportError's text, or "" when tiny can be imported."""
    code = f"{before}\ntry:\n    import tiny\nexcept ImportError as error:\n    print(error)\n"
    code += (
        "import thwrap.ops\nassert 'tiny' not in thwrap.ops or 'tiny' in __import__('sys').modules"
    )
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(folder)!r})\n{code}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    return done.stdout.strip()


def test_the_same_versions_work(tmp_path: Path) -> None:
    build(tmp_path, {})
    assert imported(tmp_path) == ""


def test_an_older_minor_works(tmp_path: Path) -> None:
    """Members of the table are only ever added."""
    build(tmp_path, {"THP_TABLE_MINOR": 0})
    assert imported(tmp_path) == ""


@pytest.mark.parametrize(
    ("macro", "change", "remedy"),
    [
        ("THP_TABLE_MAJOR", -1, AGAIN),
        (
            "THP_TABLE_MAJOR",
            +1,
            "update thwrap (pip install -U thwrap), or build the package again",
        ),
        (
            "THP_TABLE_MINOR",
            +1,
            "update thwrap (pip install -U thwrap), or build the package again",
        ),
    ],
)
def test_another_table_is_refused(tmp_path: Path, macro: str, change: int, remedy: str) -> None:
    now = {name: version(name) for name in ("THP_TABLE_MAJOR", "THP_TABLE_MINOR")}
    built = now | {macro: now[macro] + change}
    build(tmp_path, built)
    assert imported(tmp_path) == (
        f"tiny was built for interface {built['THP_TABLE_MAJOR']}.{built['THP_TABLE_MINOR']} of thwrap, "
        f"the installed thwrap has {now['THP_TABLE_MAJOR']}.{now['THP_TABLE_MINOR']}: {remedy}"
    )


@pytest.mark.parametrize("change", [-1, +1])
def test_other_structs_are_refused(tmp_path: Path, change: int) -> None:
    now = version("TH_ABI_VERSION")
    build(tmp_path, {"TH_ABI_VERSION": now + change})
    assert imported(tmp_path) == (
        f"tiny was built for version {now + change} of libTH's structs, the installed thwrap has {now}: {AGAIN}"
    )


def test_another_copy_of_the_library_is_refused(tmp_path: Path) -> None:
    """Two libTH in one process would share no free-lists, threads or errors."""
    build(tmp_path, {})
    copy = tmp_path / "copy"
    copy.mkdir()
    library = (Path(th.get_lib()) / "libTH.so").read_bytes()
    (copy / "libTH.so").write_bytes(library.replace(b"libTH.so\0", b"libXX.so\0"))
    module = (tmp_path / "tiny.abi3.so").read_bytes()
    (tmp_path / "tiny.abi3.so").write_bytes(module.replace(b"libTH.so\0", b"libXX.so\0"))
    before = f"import thwrap, ctypes; ctypes.CDLL({str(copy / 'libTH.so')!r})"
    assert "is linked with another copy of libTH than thwrap" in imported(tmp_path, before)


def test_sizes_are_as_documented(tmp_path: Path) -> None:
    """The structs that are compiled into packages: a change needs a new TH_ABI_VERSION."""
    text = (ROOT / "docs/abi.md").read_text()
    documented = dict(re.findall(r"^\| `(\w+)` \| (\d+) \|$", text, re.M))
    assert {"THTensor", "THStorage", "THScalar", "THPTensor"} <= documented.keys()
    assert version("TH_ABI_VERSION") == 1
    checks = "".join(
        f'_Static_assert(sizeof({name}) == {size}, "{name}");\n'
        for name, size in documented.items()
    )
    source = tmp_path / "sizes.c"
    source.write_text(f'#include "THP.h"\n{checks}')
    includes = [th.get_include(), ROOT / "pkg/csrc", sysconfig.get_path("include")]
    command = ["cc", "-std=c11", "-fsyntax-only", *(f"-I{path}" for path in includes), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stderr == ""
