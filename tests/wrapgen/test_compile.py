"""Declarations that a stranger might write: what is generated from them compiles without a warning.

`good/<chapter>.yaml` are the declarations, `good/<chapter>.h` the hand-written kernels' prototypes, as their author
would write them from the documented calling convention.
"""

from __future__ import annotations

import platform
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from declaring import HERE, ROOT, Compile, Declared

from wrapgen.toolchain import machine

GOOD = sorted((HERE / "good").glob("*.yaml"))


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files generated from all of them together, as one package of ops."""
    folder = tmp_path_factory.mktemp("good")
    declared = Declared(folder)
    output = folder / "gen"
    for path in GOOD:
        declared.write(path.read_bytes(), path.name)
        header = path.with_suffix(".h")
        if header.is_file():
            (output / "generic").mkdir(parents=True, exist_ok=True)
            shutil.copy(header, output / "generic" / header.name)
    declared.generate(output)
    return output


def sources(folder: Path) -> list[tuple[Path, tuple[str, ...]]]:
    """Every generated C file with the flags it is compiled with; kernels also as loops."""
    names = [path.stem for path in GOOD]
    wrappers = [(folder / f"{prefix}{name}.c", ()) for name in names for prefix in ("", "py_")]
    kernels = [folder / "kernels" / f"{name}.c" for name in names]
    compiled = [
        (path, flags) for path in kernels if path.is_file() for flags in ((), ("-DTH_ISA=base",))
    ]
    return [*wrappers, (folder / "py_module.c", ()), *compiled]


def test_the_corpus_is_there() -> None:
    assert len(GOOD) >= 4


def test_generated_files_compile(generated: Path, compile_c: Compile) -> None:
    """Wrappers, readers, kernels and loops, with the build's warnings as errors."""

    def check(item: tuple[Path, tuple[str, ...]]) -> str:
        return compile_c(item[0], f"-I{generated}", *item[1])

    with ThreadPoolExecutor(2) as pool:
        messages = list(pool.map(check, sources(generated)))
    assert "".join(messages) == ""


def test_the_header_is_cpp(generated: Path, base_headers: Path, tmp_path: Path) -> None:
    """C++ programs include it too: no parameter is called `class`."""
    gxx = shutil.which("g++")
    if gxx is None:
        pytest.skip("no C++ compiler on this machine")
    source = tmp_path / "user.cpp"
    source.write_text('#include "sample/ops.h"\n')
    command = [
        gxx,
        "-std=c++17",
        "-Wall",
        "-Werror",
        "-fsyntax-only",
        f"-I{ROOT}",
        f"-I{base_headers}",
        f"-I{generated}",
    ]
    result = subprocess.run([*command, str(source)], capture_output=True, text=True, check=False)
    assert result.stderr == ""


def test_the_cdef_is_read_by_cffi(generated: Path) -> None:
    from cffi import FFI

    FFI().cdef((generated / "cdef.h").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("isa", "functions"),
    [
        ("v3", {"_ZGVdN4v_th_exp_v3", "_ZGVdN4v_th_expm1_v3"}),
        ("avx512", {"_ZGVeN8v_th_exp", "_ZGVeN8v_th_expm1"}),
    ],
    ids=["v3", "avx512"],
)
def test_vector_functions_in_conditions_vectorise(
    declared: Declared, tmp_path: Path, base_headers: Path, isa: str, functions: set[str]
) -> None:
    """Compilers like to move a call into the branch that uses it, where it is made element by element."""
    gcc = shutil.which("gcc")
    if gcc is None or platform.machine() != "x86_64":
        pytest.skip("needs gcc for x86-64")
    declared.write("""
- name: f
  types: [floating_point]
  arguments: [THTensor* self]
  kernel: "self > 0 ? exp(self) : expm1(self)"
""")
    declared.generate(tmp_path / "gen")
    command = [gcc, "-std=c11", "-O3", "-S", "-o", "-", *machine.CFLAGS.split()]
    command += [
        *machine.ISAS["x86_64"][isa].split(),
        f"-DTH_ISA={isa}",
        f"-DTH_ONLY_DTYPES={1 << 7}",
    ]
    command += [f"-I{folder}" for folder in (ROOT, base_headers, tmp_path / "gen")]
    command.append(str(tmp_path / "gen/kernels/ops.c"))
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert functions <= set(re.findall(r"_ZGV\w+", result.stdout))
