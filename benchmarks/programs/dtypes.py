"""Run in a peer's folder, its threshold 0: what becomes of other dtypes, layouts and shapes; a line of JSON for each.

`yes` is the right result in the dtype that NumPy and PyTorch both give. Another dtype is named; its values are right
unless it says wrong.
"""

import json
import sys

sys.path.insert(0, "")
import numpy
from use import make, prelu

X = numpy.array([[-2, -1, 3, 4, -5, 6], [1, -8, 2, -3, 7, -6]])
W = numpy.array([2, 3, -1, 5, 4, 7])


def judge(y: object, x: numpy.ndarray, w: numpy.ndarray, dtype: str) -> str:
    """The word for a result."""
    got = str(y.dtype).rpartition(".")[2]
    wanted = numpy.where(x > 0, x, w * x).astype(got)
    right = numpy.asarray(y).shape == wanted.shape and numpy.array_equal(numpy.asarray(y), wanted)
    return ("yes" if got == dtype else got) if right else f"wrong {got}"


def dtypes(of_x: str, of_w: str, wanted: str) -> str:
    """One pair of dtypes; thirds tell float32 from float64."""
    x, w = ((a / 3 if wanted == "float64" else a) for a in (X, W))
    x, w = x.astype(of_x), w.astype(of_w)
    return judge(prelu(make(x, of_x), make(w, of_w)), x, w, wanted)


def sliced() -> str:
    """Every second column of every row, of both operands."""
    x, w = X.astype("float32"), W.astype("float32")
    return judge(prelu(make(x)[:, ::2], make(w)[::2]), x[:, ::2], w[::2], "float32")


def both_broadcast() -> str:
    """A column with a row."""
    x, w = X[:, :1].astype("float32"), W[None].astype("float32")
    return judge(prelu(make(x), make(w)), x, w, "float32")


def in_place() -> str:
    x, w = X.astype("float32"), W.astype("float32")
    given = make(x.copy())  # some share the memory of what they are made of
    prelu(given, make(w), out=given)
    return judge(given, x, w, "float32")


def keywords() -> str:
    x, w = X.astype("float32"), W.astype("float32")
    return judge(prelu(x=make(x), w=make(w)), x, w, "float32")


PROBES = {
    "float64": lambda: dtypes("float64", "float64", "float64"),
    "int32": lambda: dtypes("int32", "int32", "int32"),
    "float16": lambda: dtypes("float16", "float16", "float16"),
    "mixed": lambda: dtypes("float32", "float64", "float64"),
    "sliced": sliced,
    "broadcast": both_broadcast,
    "in place": in_place,
    "keywords": keywords,
}

for name, probe in PROBES.items():
    try:
        word = probe()
    except Exception:  # each has its own
        word = "error"
    print(json.dumps([name, word]), flush=True)
