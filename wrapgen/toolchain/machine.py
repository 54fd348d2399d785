"""What is known of compilers and machines: flags, instruction sets, what has to be installed."""

from __future__ import annotations

import functools
import os
import shlex
import shutil
import sysconfig
from collections.abc import Mapping
from pathlib import Path

from wrapgen.errors import UserError

ISAS = {
    "x86_64": {
        "base": "",
        "v3": "-march=x86-64-v3",
        "avx512": "-march=x86-64-v4 -mprefer-vector-width=512",
    },
}
# What inner loops are compiled with where the compiler knows it: all of -O3 but for passes of gcc by which loops do not
# gain, `FEWER` and others. (Those of -O1 would leave short loops in an element's expression as they are, and loops
# around these without vectors.)
ALL_PASSES = "-O3"
FEWER = (
    "-fno-gcse -fno-thread-jumps -fno-tree-tail-merge "
    "-fno-ipa-cp -fno-ipa-icf -fno-ipa-ra -fno-ipa-sra -fno-ipa-vrp -Wno-maybe-uninitialized"
)
LOOPS = (
    "-O2 -ftree-vectorize -fno-tree-slp-vectorize -fvect-cost-model=dynamic -fpeel-loops -funswitch-loops "
    f"{FEWER}"
)
# Without a copy of each loop for strides of 1: the same instructions but for an address.
ONE_COPY = "-O2 -ftree-vectorize -fvect-cost-model=dynamic -fpeel-loops -funswitch-loops"
# Files of loops that lose without others of these passes, mostly since they make vectors of arrays of lanes.
THOROUGH = {
    "extreme": ALL_PASSES,
    "linearDoubles": ONE_COPY,
    "linearFloats": ONE_COPY,
    "linearInts": ALL_PASSES,
    "logSumExp": f"{ALL_PASSES} {FEWER}",
    "masks": ALL_PASSES,
    "reduce": f"{ALL_PASSES} {FEWER}",
    "scan": f"{ALL_PASSES} {FEWER}",
    "sortInts": ALL_PASSES,
    "transposes": ALL_PASSES,
    "words": ALL_PASSES,
}
# Where there are other instruction sets, `base` is for processors of before 2013: vectorised, and quick to build.
# Without -ftree-vectorize gcc 12 gets `omp simd` wrong: extremes of bytes. A fifth of libTH is for these: there are no
# tables for unwinding through loops, nor are they written once for each choice; kernels have both.
OLD_LOOPS = (
    "-O1 -ftree-vectorize -fno-tree-slp-vectorize -fstrict-aliasing -Wno-maybe-uninitialized "
    "-fno-tree-pta -fno-tree-dse -fno-tree-dominator-opts -fno-asynchronous-unwind-tables"
)
# Of kernels, where the compiler knows it: what is chosen for an element stays a choice; the ends of rows would get a
# branch that is mispredicted. And loops that store a constant stay loops: the C library's memset has an instruction for
# more than 2 KB that takes twice as long. Powers of int16 take a half more time without scheduling; int32 are added in
# three times as long on old processors if each element's loop asks whether one is scaled.
KERNELS = (
    "-fno-split-paths -fno-tree-loop-distribute-patterns -ftree-slp-vectorize -fschedule-insns2 -funswitch-loops "
    "-fasynchronous-unwind-tables"
)
# Of inner loops: one of a few instructions that lies across two lines of code takes half as long again or twice as long
# on Zen 4, where it waits for no memory. By itself gcc aligns those that it takes for the most frequent of a function.
ALIGNED = "-falign-loops=32 --param=align-threshold=65536 --param=align-loop-iterations=1"
# Files that only prepare and put together what inner loops do are compiled without these, where the compiler knows
# them.
PREPARING = ("THGemm",)
PREPARED = (
    "-fno-gcse -fno-unswitch-loops -fno-split-loops -fno-version-loops-for-strides "
    "-fno-tree-loop-distribution -fno-loop-interchange -fno-loop-unroll-and-jam"
)
# What prepares calls clears and copies structures, by stores up to this size, where the compiler knows the flag: an
# instruction for strings, which gcc takes for more than 100 bytes, needs 5 to 10 ns to start.
STRUCTURES = " ".join(
    f"-m{move}-strategy=vector_loop:512:noalign,rep_8byte:8192:noalign,libcall:-1:noalign"
    for move in ("memset",)
)
# Every unit in C or C++ is compiled with these; the last say what arithmetic means. Calls are as
# direct as they can be, since nobody is to put a function in another one's place.
CFLAGS = (
    "-fPIC -fno-plt -fno-semantic-interposition -fvisibility=hidden -ffunction-sections -fdata-sections "
    "-ffp-contract=off -fwrapv -fno-math-errno -fno-trapping-math -fopenmp-simd"
)
# Passes of gcc by which nothing of ours gains but some kernels: loops have the same vector instructions without them.
IDLE = "-fno-tree-bit-ccp -fno-schedule-insns2"
WARNINGS = "-Wall -Wextra -Wshadow -Wpointer-arith -Wvla -Wundef -Wno-unknown-pragmas"
C_WARNINGS = "-Wstrict-prototypes -Wmissing-prototypes -Wno-missing-prototypes"
# What newer compilers refuse anyway, in the C of packages.
C_ERRORS = "-Werror=implicit-function-declaration -Werror=incompatible-pointer-types -Werror=int-conversion"
STRIP = "-Wl,--strip-debug"
LIMITED_API = "-DPy_LIMITED_API=0x030b0000"


class ConfigureError(UserError):
    """Something the build needs is missing."""


def cflags(cc: str) -> str:
    """What every unit of thwrap is compiled with, before what is said of its kind; packages may gain by all passes."""
    return f"{CFLAGS} {IDLE}" if knows(cc, IDLE) else CFLAGS


def isas() -> dict[str, str]:
    """The instruction sets loops are compiled for on this architecture, with their flags."""
    return ISAS.get(os.uname().machine, {"base": ""})


def unit_flags(cc: str, name: str) -> str:
    """What a file of TH that has no inner loops is compiled with besides."""
    sets = [STRUCTURES, *([PREPARED] if name in PREPARING else [])]
    return " ".join(flags for flags in sets if knows(cc, flags))


def loop_flags(known: Mapping[str, str], cc: str, name: str = "") -> dict[str, str]:
    """What the inner loops of a file are compiled with for each of these instruction sets."""
    aligned = f" {ALIGNED}" if knows(cc, ALIGNED) else ""
    wanted = THOROUGH.get(name, LOOPS)
    best = (wanted if knows(cc, wanted) else ALL_PASSES) + aligned
    old = len(known) > 1 and knows(cc, OLD_LOOPS)
    only = {"base": OLD_LOOPS if old else ALL_PASSES + aligned}
    return {
        isa: f"{only.get(isa, best)} -DTH_ISA={isa} {flags}".rstrip()
        for isa, flags in known.items()
    }


def kernel_flags(known: Mapping[str, str], cc: str) -> dict[str, str]:
    """What kernels are compiled with, loops that are written by wrapgen."""
    more = f" {KERNELS}" if knows(cc, KERNELS) else ""
    return {isa: f"{flags}{more}" for isa, flags in loop_flags(known, cc).items()}


def knows(cc: str, flags: str) -> bool:
    """Does the compiler take all of these flags without a warning?"""
    return accepts(cc, *flags.split(), "-Werror", "-fsyntax-only")


@functools.cache
def accepts(cc: str, *flags: str) -> bool:
    """Does the compiler make something of nothing with these flags?"""
    import subprocess

    command = [*shlex.split(cc), "-x", "c", os.devnull, "-o", os.devnull, *flags]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def native_isa(known: dict[str, str]) -> dict[str, str]:
    """Of the instruction sets the one thwrap uses on this machine."""
    from thwrap import _C

    name = _C._isa()
    return {name: known[name]}


def python_include() -> Path:
    return Path(sysconfig.get_path("include"))


def c_compiler() -> str:
    return os.environ.get("CC") or "cc"


def cxx_compiler() -> str:
    return os.environ.get("CXX") or "c++"


def is_installed(command: str) -> bool:
    """Is the command's program there?"""
    words = shlex.split(command)
    return bool(words) and shutil.which(words[0]) is not None


def check_compiler(cc: str) -> None:
    if not is_installed(cc):
        raise ConfigureError(f"no C compiler: '{cc}' is not on the PATH; install gcc, or set CC")


def check_program(name: str, package: str) -> None:
    if not is_installed(name):
        raise ConfigureError(f"no {name}: it is not on the PATH; install {package}")


def check_cxx_compiler(cxx: str) -> None:
    if not is_installed(cxx):
        raise ConfigureError(
            f"no C++ compiler: '{cxx}' is not on the PATH; install g++, or set CXX"
        )


def check_headers() -> None:
    header = python_include() / "Python.h"
    if not header.is_file():
        raise ConfigureError(f"no Python headers: {header} is missing; install python3-dev")


def ninja_program() -> str:
    """The binary itself: the script of the wheel starts an interpreter first."""
    try:
        import ninja
    except ImportError:
        found = shutil.which("ninja")
    else:
        found = str(Path(ninja.BIN_DIR) / "ninja")
    if found is None or not Path(found).is_file():
        raise ConfigureError("no ninja: install it with `pip install ninja`")
    return found
