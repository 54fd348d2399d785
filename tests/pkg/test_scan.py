"""Scans: running sums and products along lines, across rows and of few columns."""

from __future__ import annotations

import itertools

import numpy
import pytest
from interpreter import run_python

import thwrap as th
from wrapgen.testing import isas
from wrapgen.testing.declared import FLOATS
from wrapgen.testing.drawing import tensor


@pytest.mark.parametrize("shape", [(9000,), (9000, 3), (3, 9000)])
@pytest.mark.parametrize("dtype", FLOATS)
def test_cumulative_products_run_on(shape, dtype: str) -> None:
    """Long lines that fall to 0 or near it and then grow: no part of them overflows by itself."""
    dim = shape.index(9000)
    factors = numpy.ones(9000, dtype)
    factors[:200], factors[5000:5200], factors[7000] = 0.25, 4, 0
    factors[8000:] = 8
    array = numpy.moveaxis(numpy.broadcast_to(factors, [*sorted(shape)[:-1], 9000]), -1, dim)
    expected = numpy.cumprod(array, dim, dtype="float64").astype(dtype)
    assert th.from_numpy(array.copy()).cumprod(dim).numpy().tobytes() == expected.tobytes()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("kind", ["near 1", "small", "normal", "zero", "nan", "inf", "up and down"])
@pytest.mark.parametrize("isa", isas.available())
def test_cumulative_products_of_one_long_line(isa: int, kind: str, dtype: str) -> None:
    """On any threads and however elements lie the same bits: NumPy's in double, but for rounding."""
    rng, used, threads = numpy.random.default_rng(1), th._C._isa(), th.get_num_threads()
    factors = rng.uniform(0.99, 1.01, 100003)
    if kind == "small":
        factors[20000:] = rng.uniform(0, 1, 80003)
    elif kind == "normal":
        factors = rng.standard_normal(len(factors))
    elif kind == "up and down":
        factors[1000:3000], factors[30000:31000], factors[50000:52000] = 0.25, 4, 2
    elif kind != "near 1":
        factors[60000] = {"zero": 0, "nan": numpy.nan, "inf": -numpy.inf}[kind]
        factors[90000] = 0
    array = factors.astype(dtype)
    with numpy.errstate(all="ignore"):
        expected = numpy.cumprod(array, dtype="float64").astype(dtype)
    th._C._set_isa(isa)
    try:
        first = tensor(array).cumprod(0).numpy()
        for number in (1, 2, 3):
            th.set_num_threads(number)
            for x in (tensor(array), tensor(numpy.repeat(array, 2))[::2]):
                assert x.cumprod(0).numpy().tobytes() == first.tobytes()
            assert tensor(array).cumprod_(0).numpy().tobytes() == first.tobytes()
    finally:
        th._C._set_isa(used)
        th.set_num_threads(threads)
    numpy.testing.assert_allclose(first, expected, 1e-6 if dtype == "float32" else 1e-11, 0)


@pytest.mark.usefixtures("each_isa")
@pytest.mark.parametrize("columns", [2, 3, 4, 5, 7, 8, 46, 1100])
@pytest.mark.parametrize("dtype", ["uint8", "float16", "float32", "int32", "int64", "float64"])
def test_scans_of_columns_apart(dtype: str, columns: int) -> None:
    """Columns that are not adjacent: the bits of adjacent ones, whichever way they are scanned."""
    rng = numpy.random.default_rng(columns)
    for length in (1, 5, 33, 2500 if columns < 50 else 40):
        shape = (3, length, 2 * columns)
        drawn = rng.normal(0, 1.5, shape) if dtype in FLOATS else rng.integers(0, 3, shape)
        wide = drawn.astype(dtype)
        apart = th.from_numpy(wide)[:, :, ::2]
        for scan in (th.cumsum, th.cumprod):
            expected = scan(apart.contiguous(), 1)
            assert scan(apart, 1).equal(expected)
            turned = scan(apart.transpose(1, 2).contiguous(), 2)
            assert turned.transpose(1, 2).equal(expected)
            for own in (apart.contiguous(), th.stack((apart, apart), 3)[..., 0]):
                if expected.dtype == apart.dtype:
                    assert getattr(own, scan.__name__ + "_")(1).equal(expected)


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int32", "int64", *FLOATS])
@pytest.mark.parametrize("isa", isas.available())
def test_scans_across_short_rows(isa: int, dtype: str) -> None:
    """Many tiles of short rows, adjacent and not, also in place: NumPy's in wider numbers."""
    rng, used = numpy.random.default_rng(1), th._C._isa()
    wide = "float64" if dtype in FLOATS else "int64"
    th._C._set_isa(isa)
    try:
        for shape in (
            (16, 2, 2),
            (15, 3, 5),
            (700, 3, 9),
            (90, 33, 17),
            (20, 1030, 3),
            (17, 4, 63),
        ):
            array = rng.choice([0.5, 1, 2] if dtype in FLOATS else [0, 1], shape).astype(dtype)
            steps = tensor(numpy.repeat(numpy.repeat(array, 2, 0), 2, 2))
            given = (tensor(array), steps[::2, :, ::2], tensor(array)[::3], tensor(array)[:, 1:])
            for x, name in itertools.product(given, ("cumsum", "cumprod")):
                with numpy.errstate(over="ignore"):
                    expected = getattr(numpy, name)(x.numpy(), 1, dtype=wide)
                    expected = expected.astype(dtype) if dtype in FLOATS else expected
                assert (getattr(th, name)(x, 1).numpy() == expected).all()
                out = th.empty(*x.shape, 2, dtype=getattr(th, str(expected.dtype)))[..., 0]
                assert (getattr(th, name)(x, 1, out=out).numpy() == expected).all()
                if dtype == str(expected.dtype):
                    for own in (x.clone(), th.stack((x, x), 3)[..., 0]):
                        assert (getattr(own, name + "_")(1).numpy() == expected).all()
    finally:
        th._C._set_isa(used)


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int16", "int64", *FLOATS])
@pytest.mark.parametrize("isa", isas.available())
def test_scans_of_lines(isa: int, dtype: str) -> None:
    """Short lines and long ones, next to each other and not, of few columns and many: NumPy's in wider numbers."""
    rng, used = numpy.random.default_rng(1), th._C._isa()
    th._C._set_isa(isa)
    try:
        for terms in (1, 2, 3, 4, 6, 7, 8, 11, 13, 17, 20, 31, 32, 33, 100, 1030):
            for lines in (1, 3, 4, 9, 70):
                array = rng.choice([0.5, 1, 2] if dtype in FLOATS else [0, 1, 2], (lines, terms))
                array = array.astype(dtype)
                turned = tensor(array.T.copy())
                given = (tensor(array), turned.T, tensor(numpy.repeat(array, 2, 1))[:, ::2])
                for name in ("cumsum", "cumprod"):
                    wide = "float64" if dtype in FLOATS else "int64"
                    expected = getattr(numpy, name)(array, 1, dtype=wide)
                    if dtype in FLOATS:
                        with numpy.errstate(over="ignore"):
                            expected = expected.astype(dtype)
                    for x in given:
                        assert (getattr(th, name)(x, 1).numpy() == expected).all()
                        if dtype == str(expected.dtype):
                            for own in (x.clone(), th.stack((x, x), 2)[..., 0]):
                                assert (getattr(own, name + "_")(1).numpy() == expected).all()
                    out = th.empty(2 * terms, lines, dtype=getattr(th, str(expected.dtype)))[::2]
                    assert (getattr(th, name)(turned, 0, out=out).numpy() == expected.T).all()
    finally:
        th._C._set_isa(used)


STREAMED = """
import numpy, thwrap as th

rng = numpy.random.default_rng(5)
for dtype in ("bool", "uint8", "int16", "int32", "int64", "float32", "float64"):
    for rest in (1, 7, 23, 40, 63, 64, 90):
        lines = rng.integers(1, 3, (11, 9000 + rest)).astype(dtype)
        short = rng.integers(1, 3, (400, 2 * rest)).astype(dtype)
        for threads in (1, 2, 3):
            th.set_num_threads(threads)
            for array, step, dim in ((lines, 1, 1), (lines.T.copy(), 1, 0), (short, 2, 0), (short, 2, 1)):
                got = th.from_numpy(array)[:, ::step].cumsum(dim).numpy()
                expected = numpy.cumsum(array[:, ::step], dim, dtype="int64")
                assert (got == expected).all(), (dtype, array.shape, step, dim, threads)
                if "float" in dtype:
                    signs = 3 - 2 * array
                    got = th.from_numpy(signs)[:, ::step].cumprod(dim).numpy()
                    assert (got == numpy.cumprod(signs[:, ::step], dim)).all(), (array.shape, step, dim, threads)
"""


@pytest.mark.parametrize("rows", ["asked", "followed", "single"])
def test_parts_are_streamed_whole(rows: str) -> None:
    """Also where the last part of a line is short, beside what is left of the part before."""
    run_python(STREAMED, TH_STREAM="1", TH_ROWS=rows)
