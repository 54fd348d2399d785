"""Run in a peer's folder: seconds of a call of 10 elements, of 10 million, and of these with `out=`; printed as JSON.

The process keeps to one core, which all thread pools see when they are imported.
"""

import json
import os
import statistics
import sys

os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
sys.path.insert(0, "")
import numpy
from use import make, prelu

from benchmarks.timing import compile_batch

BATCH_SECONDS = 0.01
LARGE = 10**7


def seconds(statement: str, runs: int, batch_seconds: float = 0.0, **names: object) -> float:
    """The median over batches; without `batch_seconds` a batch is one run."""
    batch = compile_batch(statement, {"prelu": prelu, **names})
    once = min(batch(1) for _ in range(3))
    n = max(1, round(batch_seconds / once))
    return statistics.median(batch(n) / n for _ in range(runs))


def check(result: object, wanted: numpy.ndarray) -> None:
    assert numpy.array_equal(numpy.asarray(result), wanted), "10 million elements: wrong result"


array = numpy.random.default_rng(20).standard_normal(LARGE, dtype="float32")
wanted = numpy.where(array > 0, array, numpy.float32(0.25) * array)
small, large, w = make([0.5, -1.0] * 5), make(array), make([0.25])
check(prelu(large, w), wanted)
result = {
    "call": seconds("prelu(x, w)", 15, BATCH_SECONDS, x=small, w=w),
    "large": seconds("prelu(x, w)", 7, x=large, w=w),
}
out = make(numpy.zeros(LARGE, "float32"))
try:
    prelu(large, w, out=out)
except Exception:  # each has its own for an argument that it does not know
    out = None
if out is not None:
    check(out, wanted)
    result["out"] = seconds("prelu(x, w, out=y)", 7, x=large, w=w, y=out)
print(json.dumps(result))
