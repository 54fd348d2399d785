"""What a build tool does for an op package: generate, compile each file, link one module."""

from __future__ import annotations

import shutil
import subprocess
import sysconfig
from pathlib import Path

import thwrap as th
from wrapgen import emit_cdef, generate
from wrapgen.ninja import isas

HERE = Path(__file__).resolve().parent
FLAGS = (
    "-std=c11 -O2 -fPIC -fvisibility=hidden -ffp-contract=off -fwrapv -fno-math-errno -fopenmp-simd "
    "-Wall -Wextra -Werror -DPy_LIMITED_API=0x030b0000"
).split()


def _compile(folder: Path, runtime: Path, source: Path, name: str, *flags: str) -> str:
    output = str(folder / f"{name}.o")
    folders = [folder / "gen", folder, th.get_include(), runtime, sysconfig.get_path("include")]
    includes = [f"-I{path}" for path in folders]
    subprocess.run(["cc", *FLAGS, *includes, *flags, "-c", source, "-o", output], check=True)
    return output


def build(folder: Path, runtime: Path) -> None:
    """Makes the package `ownops` in an empty folder, with the binding runtime of this folder."""
    for part in ("declarations", "generic"):
        shutil.copytree(HERE / part, folder / part)
    (folder / "ownops").mkdir()
    (folder / "ownops/__init__.py").write_text("import thwrap\nfrom ownops._C import *\n")
    package = generate.Package(
        module="ownops._C",
        declarations=folder / "declarations",
        output=folder / "gen",
        root=folder,
        ops_header="ownops.h",
        generic="generic/{chapter}.h",
    )
    generate.generate(package)
    gen = folder / "gen"
    cdef = (gen / "cdef.h").read_text()
    (gen / "cffi.c").write_text(emit_cdef.source(cdef, "ownops._C", "ownops.h"))
    sources = [
        (gen / "cffi.c", "cffi", "-DPyInit__C=THP_cffiInit -w"),
        (folder / "generic/own.c", "generic", ""),
        (gen / "kernels/own.c", "kernels", ""),
        (gen / "py_module.c", "py_module", ""),
    ]
    sources += [(path, path.stem, "") for path in sorted(gen.glob("*own.c"))]
    sources += [(path, path.stem, "") for path in sorted((runtime / "package").glob("*.c"))]
    sources += [
        (gen / "kernels/own.c", f"loops_{isa}", f"-DTH_ISA={isa} {flags}")
        for isa, flags in isas().items()
    ]
    objects = [
        _compile(folder, runtime, path, name, *flags.split()) for path, name, flags in sources
    ]
    library = th.get_lib()
    link = ["cc", "-shared", *objects, "-o", str(folder / "ownops/_C.abi3.so")]
    link += [f"-L{library}", "-lTH", f"-Wl,-rpath,{library}", "-lm"]
    subprocess.run([*link, f"-Wl,--version-script={runtime}/exports.map"], check=True)
