"""Sorting, whole and in rows, and what needs only a part of it."""

import numpy as np

from benchmarks.rows.draws import Draw, lines, normal, uniform
from benchmarks.rows.row import FLOATS, INTEGERS, LARGE, Given, Row

NUMBERS = (*FLOATS, *INTEGERS)
NARROW = ("float16", "int16", "uint8")
SIZES = (10, 1_000, 100_000, 1_000_000)
A: dict[str, Given] = {"a": normal()}
HUNDREDS: dict[str, Given] = {"a": normal(lines(100))}
MIDDLE: dict[str, Given] = {"a": normal(lambda n: (max(1, n // 640), 32, 20))}
EIGHT: dict[str, Given] = {"a": normal(lambda n: (8, n // 8))}
THOUSANDS: dict[str, Given] = {"a": normal(lines(1000))}
ANY: dict[str, Given] = {"a": uniform(-(2**31), 2**31 - 1)}
FEW: dict[str, Given] = {"a": uniform(0, 2, dtype="int64")}
READY: dict[str, Given] = {"a": Draw(lambda random, n, own: np.arange(n).astype(own))}
PIPE: dict[str, Given] = {
    "a": Draw(lambda random, n, own: np.minimum(np.arange(n), n - np.arange(n)).astype(own))
}
LARGEST = "(v := a[i := a.argpartition(-10)[-10:]])[o := (-v).argsort()], i[o]"
LARGEST_OF_ROWS = (
    "m.take_along_axis(v := m.take_along_axis(a, i := a.argpartition(-10)[:, -10:], 1), "
    "o := (-v).argsort(), 1), m.take_along_axis(i, o, 1)"
)
ROWS_ALONE, BY_ROWS = "m.msort(a, -1)", ("m.sort(a)", "m.sort(a)[0]")
WITH_INDICES = "a[i := a.argsort()], i"

ROWS = (
    Row("sort, values", "m.msort(a)", A, "m.sort(a)", dtypes=NUMBERS, sizes=SIZES),
    Row("sort, values", "m.msort(a)", A, "m.sort(a)", dtypes=("float32",), sizes=LARGE[1:]),
    Row("sort, values, any bits", "m.msort(a)", ANY, "m.sort(a)", dtypes=INTEGERS, sizes=SIZES),
    Row("sort, values, two", "m.msort(a)", FEW, "m.sort(a)", dtypes=("int64",), sizes=SIZES[2:]),
    Row("sort, values, in order", "m.msort(a)", READY, "m.sort(a)", sizes=SIZES[2:]),
    Row("sort, values, narrow", "m.msort(a)", A, "m.sort(a)", dtypes=NARROW, sizes=SIZES[2:]),
    Row("sort of dim 0, values", "m.msort(a)", THOUSANDS, "m.sort(a, 0)", sizes=SIZES[2:]),
    Row("sort with indices", "m.sort(a)", A, WITH_INDICES, sizes=SIZES),
    Row("argsort", "m.argsort(a)", A, dtypes=NUMBERS, sizes=SIZES, check="a[r]"),
    Row(
        "argsort, stable",
        "m.argsort(a, stable=True)",
        A,
        'a.argsort(kind="stable")',
        dtypes=NUMBERS,
        sizes=SIZES,
    ),
    Row(
        "argsort, stable, narrow",
        "m.argsort(a, stable=True)",
        A,
        'a.argsort(kind="stable")',
        dtypes=NARROW,
        sizes=SIZES[2:3],
    ),
    Row(
        "argsort, stable, rising and falling",
        "m.argsort(a, stable=True)",
        PIPE,
        'a.argsort(kind="stable")',
        sizes=SIZES[2:3],
    ),
    Row("topk 10, in order", "m.topk(a, 10)", READY, LARGEST, sizes=SIZES[2:3]),
    Row("sort rows of 100, values", ROWS_ALONE, HUNDREDS, *BY_ROWS, sizes=SIZES[2:]),
    Row("sort rows of 1000, values", ROWS_ALONE, THOUSANDS, *BY_ROWS, sizes=SIZES[2:]),
    Row(
        "sort with indices, descending",
        "m.sort(a, descending=True)",
        A,
        "a[i := (-a).argsort()], i",
        sizes=SIZES,
    ),
    Row(
        "sort with indices, a middle dim of 32",
        "m.sort(a, 1)",
        MIDDLE,
        "m.take_along_axis(a, i := a.argsort(1), 1), i",
        dtypes=("uint8", "float32"),
        sizes=SIZES[2:],
    ),
    Row(
        "argsort rows of 100",
        "m.argsort(a)",
        HUNDREDS,
        sizes=SIZES[2:],
        check="m.take_along_axis(a, r, -1)",
    ),
    Row(
        "argsort rows of 1000",
        "m.argsort(a)",
        THOUSANDS,
        sizes=SIZES[2:],
        check="m.take_along_axis(a, r, -1)",
    ),
    Row(
        "topk 10",
        "m.topk(a, 10)",
        A,
        LARGEST,
        sizes=SIZES,
    ),
    Row(
        "topk 10 in rows of 1000",
        "m.topk(a, 10)",
        THOUSANDS,
        LARGEST_OF_ROWS,
        sizes=SIZES[2:],
    ),
    Row(
        "kthvalue, the median",
        "m.kthvalue(a, a.shape[0] // 2)",
        A,
        "a[i := a.argpartition(k := a.shape[0] // 2 - 1)[k]], i",
        sizes=SIZES,
    ),
    Row("sort of 8 lines, values", ROWS_ALONE, EIGHT, *BY_ROWS, sizes=SIZES[2:]),
    Row(
        "argsort of 8 lines",
        "m.argsort(a)",
        EIGHT,
        sizes=SIZES[2:],
        check="m.take_along_axis(a, r, -1)",
    ),
    Row("topk 10 of 8 lines", "m.topk(a, 10)", EIGHT, LARGEST_OF_ROWS, sizes=SIZES[2:]),
)
