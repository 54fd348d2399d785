"""Operands of which a loop reads one element: numbers, tensors of one element, columns."""

from __future__ import annotations

import itertools

import numpy
import pytest

import thwrap as th
from wrapgen.testing import isas
from wrapgen.testing.declared import DTYPES, FLOATS
from wrapgen.testing.drawing import draw, tensor

INTEGERS = [name for name in DTYPES if name not in FLOATS and name != "bool"]

SINGLE = {
    "add": lambda a, b: th.add(a, b, alpha=3),
    "sub": lambda a, b: a - b,
    "mul": th.mul,
    "mul, reflected": lambda a, b: th.mul(b, a),
    "rsub, reflected": lambda a, b: th.rsub(b, a),
    "lt, reflected": lambda a, b: th.lt(b, a),
    "eq, reflected": lambda a, b: th.eq(b, a),
    "logical_xor, reflected": lambda a, b: th.logical_xor(b, a),
    "pow": th.pow,
    "lt": th.lt,
    "floor_divide": th.floor_divide,
    "clamp": lambda a, b: th.clamp(a, b, b),
    "clamp, two": lambda a, b: th.clamp(a, b, b + 1),
    "clamp, one": lambda a, b: th.clamp(a, None, b),
    "where": lambda a, b: th.where(a > b, a, b),
    "where, two": lambda a, b: th.where(a > b, b.type_as(a), b.type_as(a) + 1),
    "bitwise_xor": th.bitwise_xor,
    "bitwise_left_shift": th.bitwise_left_shift,
    "div": th.div,
    "div, reflected": lambda a, b: th.div(b, a),
    "prelu": th.prelu,
}
ONLY = {"bitwise_xor": INTEGERS, "bitwise_left_shift": INTEGERS, "prelu": FLOATS}


@pytest.mark.parametrize("name", SINGLE)
@pytest.mark.parametrize("dtype", [*INTEGERS, *FLOATS])
def test_one_element_is_as_many(dtype: str, name: str) -> None:
    """An operand of one element, of any dtype and shape, gives what it gives repeated."""
    known = ONLY.get(name, [*INTEGERS, *FLOATS])
    rng = numpy.random.default_rng(11)
    for size in (1, 100, 300, 1030, 20000):
        whole = tensor(draw(rng, dtype, (size, 2), "positive", False))
        for other in {dtype, "float64", "uint8"} & set(known) if dtype in known else ():
            one = th.tensor(3, dtype=getattr(th, other))
            for a in (whole[:, 0], whole, whole.t()):
                for b in (one, one.reshape(1), one.reshape(1, 1)):
                    if b.dim() <= a.dim():
                        many = b.to(th.result_type(a, b)).expand(a.shape).clone()
                        got, expected = SINGLE[name](a, b), SINGLE[name](a, many)
                        assert got.dtype == expected.dtype
                        assert got.numpy().tobytes() == expected.numpy().tobytes()


@pytest.mark.parametrize("name", SINGLE)
@pytest.mark.parametrize("dtype", [*INTEGERS, *FLOATS])
def test_columns_are_as_what_they_repeat(dtype: str, name: str) -> None:
    """An element for each row, also its first, and one for all of a tensor: rows of any length, also further apart."""
    if dtype not in ONLY.get(name, [dtype]):
        return
    rng = numpy.random.default_rng(12)
    for rows, n in (
        (70, 4),
        (70, 9),
        (40, 33),
        (40, 47),
        (40, 48),
        (9, 128),
        (9, 333),
        (5, 1030),
        (3, 70000),
    ):
        wide = tensor(draw(rng, dtype, (rows, n + 3), "positive", False))
        column = tensor(draw(rng, dtype, (rows, 1), "positive", False)).clamp_max_(9)
        for a in (wide, wide[:, :n]):
            for b in (each.expand(a.shape) for each in (column, column[:1], a[:, :1])):
                for first, second in ((a, b), (b, a)):
                    got = SINGLE[name](first, second)
                    expected = SINGLE[name](first.clone(), second.contiguous())
                    assert got.numpy().tobytes() == expected.contiguous().numpy().tobytes()


OF_THREE = {
    "addcmul": lambda a, b, c: th.addcmul(a, b, c, value=3),
    "clamp": th.clamp,
    "where": lambda a, b, c: th.where(a > 2, b, c),
    "lerp": th.lerp,
    "addcdiv": th.addcdiv,
}
LYING = {
    "whole": lambda whole: whole[:, 1:],
    "transposed": lambda whole: whole[:, 1:].t().contiguous().t(),
    "row": lambda whole: whole[:1, 1:],
    "column": lambda whole: whole[:, :1],
    "number": lambda whole: whole[0, 0],
}


@pytest.mark.parametrize("name", OF_THREE)
@pytest.mark.parametrize("dtype", [*INTEGERS, *FLOATS])
def test_columns_beside_numbers(dtype: str, name: str) -> None:
    """Of three operands any may be one element for each row or for all: the results are those of what they repeat."""
    if dtype in INTEGERS and name in ("lerp", "addcdiv"):
        return
    rng = numpy.random.default_rng(13)
    for rows, n in ((70, 4), (40, 16), (40, 33), (9, 129), (5, 1030)):
        drawn = [tensor(draw(rng, dtype, (rows, n + 1), None, False)) for _ in range(3)]
        for layouts in itertools.product(LYING, repeat=3):
            if not {"whole", "transposed"} & set(layouts):
                continue
            three = [LYING[layout](whole) for layout, whole in zip(layouts, drawn, strict=True)]
            many = [each.expand(rows, n).contiguous() for each in three]
            got, expected = OF_THREE[name](*three), OF_THREE[name](*many)
            assert got.numpy().tobytes() == expected.numpy().tobytes(), (layouts, rows, n)


@pytest.mark.parametrize("other", ["int16", "int32", "float32", "float64"])
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_columns_of_another_dtype(dtype: str, other: str) -> None:
    """Rows of any length beside a column that is converted: as what it repeats."""
    rng = numpy.random.default_rng(16)
    for rows, n in ((70, 5), (1100, 10), (2100, 33), (40, 64), (9, 1030)):
        wide = tensor(draw(rng, dtype, (rows, n + 3), "positive", False))
        column = tensor(draw(rng, other, (rows, 1), "positive", False))
        for a in (wide, wide[:, :n], wide[:, :n].contiguous()):
            for name in ("mul", "sub", "lt", "atan2", "floor_divide"):
                for first, second in ((a, column), (column, a)):
                    got = getattr(th, name)(first, second)
                    expected = getattr(th, name)(
                        first.expand(a.shape).contiguous(), second.expand(a.shape).contiguous()
                    )
                    assert got.numpy().tobytes() == expected.numpy().tobytes(), (name, rows, n)


@pytest.mark.parametrize("isa", isas.available())
def test_columns_on_each_isa(isa: str) -> None:
    used = th._C._isa()
    try:
        th._C._set_isa(isa)
        for dtype in ("float32", "float16", "int64", "uint8"):
            for name in ("add", "sub", "floor_divide"):
                test_columns_are_as_what_they_repeat(dtype, name)
            for name in OF_THREE:
                test_columns_beside_numbers(dtype, name)
        for other in ("int16", "float64"):
            test_columns_of_another_dtype("float32", other)
    finally:
        th._C._set_isa(used)


@pytest.mark.parametrize("dtype", [*INTEGERS, *FLOATS])
def test_one_element_stands_for_a_bound_that_is_absent(dtype: str) -> None:
    """Where clamp has one bound, self is read in place of the other one."""
    bounds = th.arange(300).clamp_max_(100).to(getattr(th, dtype))
    for value in (0, 50, 100):
        for n in (1, 3, 300):
            x, bound = th.full((1,), value, dtype=bounds.dtype), bounds[:n]
            repeated = x.expand(n).clone()
            assert x.clamp(max=bound).tolist() == repeated.clamp(max=bound).tolist()
            assert x.clamp(min=bound).tolist() == repeated.clamp(min=bound).tolist()
            assert x.clamp(x, bound).tolist() == repeated.clamp(repeated, bound).tolist()


@pytest.mark.parametrize("dtype", [*INTEGERS, *FLOATS])
def test_one_bound_of_steps(dtype: str) -> None:
    """Elements that lie steps apart, of which one bound or both are numbers: as those of one run."""
    rng = numpy.random.default_rng(14)
    for rows, n, step in ((3, 70, 2), (40, 200, 3), (1, 9000, 2)):
        x = tensor(draw(rng, dtype, (rows, n * step), None, False))[:, ::step]
        for low, high in ((2, None), (None, 2), (1, 3)):
            expected = x.clone().clamp_(low, high).numpy().tobytes()
            assert x.contiguous().clamp(low, high).numpy().tobytes() == expected
            assert x.clamp(low, high).numpy().tobytes() == expected
            gaps = tensor(draw(rng, dtype, (rows, n * step), None, False))
            kept, out = gaps.clone(), gaps[:, ::step]
            assert out.copy_(x).clamp_(low, high).clone().numpy().tobytes() == expected
            kept[:, ::step] = out
            assert gaps.numpy().tobytes() == kept.numpy().tobytes()
