"""Calls of every family of operations, a third of which fail, again and again: is anything left behind?

`python tests/pkg/leaks.py 1000000` makes so many calls and prints what grew; the exit status says
whether that is too much.
"""

from __future__ import annotations

import copy
import gc
import io
import os
import pickle
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy

import thwrap as th

COUNTERS = ("live_tensors", "live_storages", "live_blocks", "live_bytes")

A = th.randn(4, 5)
B = th.randn(4, 5)
N = th.arange(20).view(4, 5)
H = A.half()
MASK = A > 0
INDEX = th.tensor([3, 0, 2])
ROW = th.randn(5)
OUT = th.empty(4, 5)
ARRAY = numpy.arange(20, dtype="f4").reshape(4, 5)
GENERATOR = th.Generator()
LARGE = th.ones(300_000)


class Sub(th.Tensor):
    """A subclass, whose instances the garbage collector tracks."""


def in_cycle() -> None:
    tensor = th.ones(3).as_subclass(Sub)
    tensor.me = tensor


def through_buffer() -> None:
    tensor = th.ones(3)
    with memoryview(tensor) as view:
        view.tolist()


def through_pickle() -> None:
    file = io.BytesIO()
    pickle.dump(A, file)
    file.seek(0)
    pickle.load(file)


def assignments() -> None:
    tensor = A.clone()
    tensor[1] = 2
    tensor[:, 1] = ROW[:4]
    tensor[MASK] = 0
    tensor[INDEX] = ROW
    tensor += 1
    tensor[0, 0] = [7]


SUCCEEDING: dict[str, Callable[[], Any]] = {
    "add": lambda: A + B,
    "add number": lambda: 2 * A - 1,
    "promotion": lambda: A + N,
    "half": lambda: H * H,
    "in place": lambda: B.mul_(0.5).add_(A),
    "out=": lambda: th.add(A, B, out=OUT),
    "out= resized": lambda: th.add(A, B, out=th.empty(0)),
    "broadcast": lambda: A.t()[:, :, None] * A.t()[:, None, :],
    "exp": lambda: A.exp(),
    "prelu": lambda: th.prelu(A, ROW),
    "clamp": lambda: A.clamp(min=0),
    "where": lambda: th.where(MASK, A, B),
    "large": lambda: LARGE + LARGE,
    "eq": lambda: A == B,
    "equal": lambda: A.equal(B),
    "sum": lambda: A.sum(),
    "sum dim": lambda: A.sum(dim=(0, 1), keepdim=True),
    "max dim": lambda: A.max(1),
    "argmax": lambda: A.argmax(),
    "var": lambda: A.var(0),
    "norm": lambda: A.norm(),
    "cumsum": lambda: A.cumsum(1),
    "sort": lambda: A.sort(0, descending=True),
    "topk": lambda: A.topk(2),
    "median": lambda: A.median(),
    "softmax": lambda: A.softmax(1),
    "view": lambda: A.view(2, -1).t().unsqueeze(0),
    "reshape": lambda: A.t().reshape(20),
    "expand": lambda: ROW.expand(4, 5),
    "cat": lambda: th.cat([A, B, N], 1),
    "stack": lambda: th.stack((A, B)),
    "split": lambda: A.split(2, 1),
    "chunk": lambda: A.chunk(3),
    "subscript": lambda: (A[1], A[1, 2], A[..., ::2], A[None, 0]),
    "mask": lambda: A[MASK],
    "fancy": lambda: A[INDEX, INDEX],
    "assignments": assignments,
    "iteration": lambda: list(A),
    "index_select": lambda: A.index_select(0, INDEX),
    "gather": lambda: A.gather(0, INDEX[:, None]),
    "scatter": lambda: A.scatter(0, INDEX[:, None], B),
    "nonzero": lambda: MASK.nonzero(),
    "masked_fill": lambda: A.masked_fill(MASK, 0),
    "mm": lambda: A @ B.t(),
    "addmv": lambda: th.addmv(ROW[:4], A, ROW, beta=2),
    "bmm": lambda: th.bmm(A[None], B.t()[None]),
    "dot": lambda: ROW.dot(ROW).item(),
    "rand": lambda: th.rand(3, 4),
    "randn": lambda: th.randn(5, generator=GENERATOR),
    "randperm": lambda: th.randperm(9),
    "generator": lambda: th.Generator().manual_seed(5),
    "rng state": lambda: th.set_rng_state(th.get_rng_state()),
    "zeros": lambda: th.zeros(3, 4, dtype=th.int32),
    "full": lambda: th.full((2, 2), True),
    "arange": lambda: th.arange(10, 0, -2),
    "linspace": lambda: th.linspace(0, 1, 5),
    "tensor": lambda: th.tensor([[1, 2.5], [3, True]]),
    "tensor of tensors": lambda: th.tensor([A[0].sum().item(), 2]),
    "clone": lambda: A.clone(),
    "to": lambda: A.to(th.float64).long(),
    "item": lambda: ROW[0].item(),
    "tolist": lambda: A.tolist(),
    "shape": lambda: (A.shape, A.stride(), A.size(0), len(A)),
    "storage": lambda: A.storage().tolist(),
    "many dims": lambda: th.ones([1] * 40).sum(),
    "numpy": lambda: A.numpy(),
    "from_numpy": lambda: th.from_numpy(ARRAY),
    "asarray": lambda: numpy.asarray(A),
    "as_tensor": lambda: (th.as_tensor(ARRAY), th.as_tensor(ARRAY, th.int8), th.as_tensor(A)),
    "as_tensor of others": lambda: (th.as_tensor(bytearray(4)), th.as_tensor([1, 2])),
    "array operand": lambda: (ARRAY + th.ones(1), th.ones(1) < ARRAY, th.ones(1) ** ARRAY),
    "scalar operand": lambda: (numpy.float32(2) - A, numpy.int64(2) == A),
    "ufunc": lambda: (numpy.exp(A), A.__array__()),
    "dtypes": lambda: (th.result_type(A, 2), th.promote_types(th.int8, th.uint8)),
    "dlpack": lambda: th.from_dlpack(A),
    "dlpack of an array": lambda: th.from_dlpack(ARRAY),
    "buffer": through_buffer,
    "copy": lambda: copy.deepcopy(A),
    "pickle": through_pickle,
    "repr": lambda: repr(ROW),
    "subclass": lambda: ROW.as_subclass(Sub),
    "cycle": in_cycle,
    "cdata": lambda: A._cdata,
}

FAILING: dict[str, Callable[[], Any]] = {
    "shapes": lambda: A + th.ones(3),
    "shapes in place": lambda: A.add_(th.ones(2, 4, 5)),
    "kind": lambda: A.add("x"),
    "operator": lambda: A + "x",
    "array operand": lambda: A + numpy.ones(3, complex),
    "operand of an array": lambda: numpy.array([None]) * A,
    "as_tensor": lambda: th.as_tensor([1, "x"]),
    "asarray": lambda: th.asarray([1], copy=False),
    "read-only": lambda: th.from_numpy(numpy.broadcast_to(1.0, 3)),
    "stream": lambda: A.__dlpack__(stream=1),
    "keyword": lambda: A.sum(dims=1),
    "missing": lambda: th.mm(A),
    "no form": lambda: A.max("x"),
    "out kind": lambda: th.add(A, B, out=1),
    "out tuple": lambda: th.max(A, 0, out=(A,)),
    "out dtype": lambda: th.add(A, B, out=N),
    "out overlap": lambda: th.add(A[0], 1, out=A.view(20)[1:6]),
    "dtype": lambda: A & B,
    "in place dtype": lambda: N.add_(0.5),
    "zero division": lambda: N // 0,
    "zero later": lambda: N // N,
    "dim": lambda: A.sum(dim=5),
    "index": lambda: A[7],
    "fancy index": lambda: A[INDEX * 9],
    "mask shape": lambda: A[MASK[0]],
    "index_select": lambda: A.index_select(0, INDEX * 9),
    "scatter": lambda: A.scatter(0, INDEX[:, None] * 9, B),
    "assignment": lambda: A.__setitem__(0, [1, 2, "x"]),
    "view": lambda: A.t().view(20),
    "cat": lambda: th.cat([A, B[0]]),
    "cat item": lambda: th.cat([A, B, "x"]),
    "mm": lambda: A @ B,
    "sizes": lambda: th.zeros(2, -1),
    "too large": lambda: th.zeros(2**61),
    "no memory": lambda: th.zeros(2**45),
    "no memory in place": lambda: th.zeros(1).resize_(2**45),
    "ragged": lambda: th.tensor([[1, 2], [3]]),
    "nested": lambda: th.tensor([[1, 2], [3, "x"]]),
    "generator": lambda: th.randn(5, generator=1),
    "random range": lambda: th.randint(5, 2, (3,)),
    "state": lambda: GENERATOR.set_state(th.zeros(5, dtype=th.uint8)),
    "item": lambda: A.item(),
    "truth": lambda: bool(A),
    "pinned": lambda: pinned(),
}


def pinned() -> None:
    tensor = th.ones(3)
    view = memoryview(tensor)
    try:
        tensor.resize_(100)
    finally:
        view.release()


def call(function: Callable[[], Any], fails: bool) -> None:
    try:
        function()
    except (ValueError, TypeError, IndexError, RuntimeError, MemoryError, BufferError):
        assert fails
    else:
        assert not fails


@dataclass(frozen=True)
class Usage:
    counters: dict[str, int]
    blocks: int  # Python's own
    resident: int

    def growth(self, before: Usage) -> dict[str, int]:
        grown = {name: value - before.counters[name] for name, value in self.counters.items()}
        return {
            **grown,
            "python_blocks": self.blocks - before.blocks,
            "resident_bytes": self.resident - before.resident,
        }


def usage() -> Usage:
    gc.collect()
    th.empty_cache()
    with open("/proc/self/statm") as statm:
        resident = int(statm.read().split()[1]) * os.sysconf("SC_PAGESIZE")
    stats = th.memory_stats()
    return Usage({name: stats[name] for name in COUNTERS}, sys.getallocatedblocks(), resident)


def run(calls: int) -> None:
    """So many calls, a third of them failing."""
    good, bad = list(SUCCEEDING.values()), list(FAILING.values())
    for number in range(calls):
        if number % 3 == 2:
            call(bad[number // 3 % len(bad)], True)
        else:
            call(good[(number - number // 3) % len(good)], False)


def measure(calls: int) -> dict[str, int]:
    """What grew during the calls, after a warm-up that fills the interpreter's own free-lists."""
    run(max(calls // 4, 3 * (len(SUCCEEDING) + len(FAILING))))
    before = usage()
    run(calls)
    return usage().growth(before)


def excess(growth: dict[str, int]) -> dict[str, int]:
    """What grew by more than can be explained: Python's free-lists and some pages."""
    allowed = {"python_blocks": 500, "resident_bytes": 2 << 20}
    return {name: value for name, value in growth.items() if value > allowed.get(name, 0)}


def main() -> int:
    calls = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    start = time.perf_counter()
    growth = measure(calls)
    print(f"{calls} calls in {time.perf_counter() - start:.1f} s, {calls // 3} of them failing")
    for name, value in growth.items():
        print(f"{name:<16} {value:+}")
    return 1 if excess(growth) else 0


if __name__ == "__main__":
    sys.exit(main())
