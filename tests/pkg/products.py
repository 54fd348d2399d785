"""Matrices to multiply, and how near to the product a result has to be."""

from __future__ import annotations

import numpy

import thwrap as th

DTYPES = ("int8", "int64", "float16", "float32", "float64")


def matrices(dtype: str, *shapes) -> list[numpy.ndarray]:
    rng = numpy.random.default_rng(2)
    return [
        (rng.integers(-4, 5, shape) if dtype.startswith("int") else rng.normal(size=shape)).astype(
            dtype
        )
        for shape in shapes
    ]


def product(
    one: numpy.ndarray, other: numpy.ndarray, dtype: str
) -> tuple[numpy.ndarray, numpy.ndarray | None]:
    """The product, and how far from it a result may be: a rounding for each term relative to the product of absolute
    values. In float64, which NumPy has a library for and which holds small integers; that of float64 itself is wider,
    which takes NumPy most of a test's time."""
    wide = "longdouble" if dtype == "float64" else "float64"
    expected = numpy.matmul(one.astype(wide), other.astype(wide))
    if dtype.startswith("int"):
        return expected.astype("int64").astype(dtype), None
    unit = numpy.finfo("float32" if dtype == "float16" else dtype).eps
    most = numpy.matmul(abs(one.astype("float64")), abs(other.astype("float64")))
    return expected, (one.shape[-1] + 2) * unit * most


def check_product(
    got: th.Tensor, expected: numpy.ndarray, allowed: numpy.ndarray | None, dtype: str
) -> None:
    assert got.dtype.name == dtype
    if allowed is None:
        assert numpy.array_equal(got.numpy(), expected)
        return
    if dtype == "float16":
        allowed = allowed + numpy.spacing(numpy.abs(got.numpy())).astype("float64")
    assert (numpy.abs(got.numpy() - expected) <= allowed).all()


def check(got: th.Tensor, one: numpy.ndarray, other: numpy.ndarray, dtype: str) -> None:
    check_product(got, *product(one, other, dtype), dtype)
