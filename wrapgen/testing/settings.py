"""What tests may change and find as it was: threads, instruction set, default dtype, random state."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import numpy

import thwrap as th


@contextlib.contextmanager
def restored() -> Iterator[None]:
    """Afterwards all of it is as before; meanwhile NumPy does not warn."""
    threads, isa, dtype = th.get_num_threads(), th._C._isa(), th.get_default_dtype()
    state = th.get_rng_state()
    with numpy.errstate(all="ignore"):
        yield
    th._C.lib.THMemory_failAllocation(-1)
    th.set_num_threads(threads)
    th._C._set_isa(isa)
    th.set_default_dtype(dtype)
    th.set_rng_state(state)
