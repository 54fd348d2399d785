"""Flags that come last on every compiler command.

`wheel` is release without what names the folders it was built in, which goes when objects, which are the same, are put
together. `small`, for selective builds and wheels of them, has none of that either: loops are vectorised but not
unrolled, nor again in shorter vectors for their ends, jumps are not copied for what is known behind them, nothing is
aligned, there are no tables for unwinding through C, and TH leaves out loops that others stand in for (TH_SMALL).
"""

from wrapgen.toolchain.machine import STRIP

# -fno-align-loops would not undo the number that stands before it (gcc 12).
_SMALL = (
    "-DTH_SMALL -g0 -fno-asynchronous-unwind-tables -fno-tree-dominator-opts -fno-schedule-insns2 "
    "-fno-align-functions -falign-loops=1 -fno-align-jumps -fno-align-labels"
)
# What the address sanitizer sees where it matters, when memory is read or written; it takes half of the compile time.
_UNCHECKED = "-fno-sanitize=null,object-size,pointer-overflow"
# Registers are shared out for whole functions: loop by loop, as else, sums take gcc 12 half as long again.
_QUICK = "-fira-region=one"
PROFILES = {
    "release": "",
    "wheel": "",
    "small": "-O2 -ftree-loop-vectorize -fno-tree-slp-vectorize -fvect-cost-model=dynamic "
    "--param=vect-epilogues-nomask=0 -fno-peel-loops -fno-unswitch-loops -fgcse -fthread-jumps -ftree-tail-merge "
    f"-fipa-cp -fipa-icf -fipa-ra -fipa-sra -fipa-vrp {_SMALL}",
    "asan": f"-g1 -O1 -fsanitize=address,undefined {_UNCHECKED} {_QUICK} -fno-sanitize-recover=undefined "
    "-fno-omit-frame-pointer",
    "tsan": "-g1 -O1 -fsanitize=thread -fno-omit-frame-pointer",
}
# Parts of a file that are read, run or written may share its pages.
LINK_FLAGS = {"small": " -Wl,-z,noseparate-code", "wheel": f" {STRIP}"}
# What is done to an archive.
AFTERWARDS = {"wheel": " && strip --strip-debug --enable-deterministic-archives $out"}
# Instead, of what has no inner loops, and of loops for old processors, where there are better ones.
LEAST = {"small": f"-Os {_SMALL}"}
SANITIZED = ("asan", "tsan")
