"""Flags that come last on every compiler command.

`wheel` is release without what names the folders it was built in. `small`, for selective builds and wheels of them, is
that too: loops are vectorised but not unrolled, and there are no tables for unwinding through C.
"""

PROFILES = {
    "release": "",
    "wheel": "-g0",
    "small": "-g0 -O2 -ftree-loop-vectorize -fvect-cost-model=dynamic -fno-asynchronous-unwind-tables",
    "asan": "-g -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer",
    "tsan": "-g -O1 -fsanitize=thread -fno-omit-frame-pointer",
}
SANITIZED = ("asan", "tsan")
