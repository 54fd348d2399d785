"""Pointwise operations whose definition is not one NumPy expression."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy
import pytest

import thwrap as th
from wrapgen import tables
from wrapgen.testing import isas
from wrapgen.testing.declared import DTYPES, FLOATS, INTEGERS
from wrapgen.testing.drawing import draw, limits, tensor


def truncated(one: int, other: int) -> int:
    quotient = abs(one) // abs(other)
    return quotient if (one < 0) == (other < 0) else -quotient


@pytest.mark.usefixtures("each_isa")
@pytest.mark.parametrize("dtype", [name for name in DTYPES if name != "bool"])
def test_div_mode(dtype: str) -> None:
    """Rounded towards zero or down, in the operands' dtype; None is plain division."""
    rng = numpy.random.default_rng(5)
    one, other = draw(rng, dtype, (200,), None, False), draw(rng, dtype, (200,), "nonzero", False)
    first, second = tensor(one), tensor(other)
    assert (
        th.div(first, second, rounding_mode=None).numpy().tobytes()
        == (first / second).numpy().tobytes()
    )
    if dtype in FLOATS:
        quotient = (first / second).numpy()
        assert numpy.array_equal(
            first.div(second, rounding_mode="trunc").numpy(), numpy.trunc(quotient)
        )
        assert first.div(second, rounding_mode="floor").tolist() == (first // second).tolist()
    else:
        pairs = list(zip(one.tolist(), other.tolist(), strict=True))
        for mode, divide in (("trunc", truncated), ("floor", lambda a, b: a // b)):
            expected = numpy.array([divide(a, b) for a, b in pairs]).astype(dtype)
            got = th.div(first, second, rounding_mode=mode)
            assert got.dtype.name == dtype
            assert got.tolist() == expected.tolist(), mode
            assert first.clone().div_(second, rounding_mode=mode).tolist() == expected.tolist()
            for by in {*other[:20].tolist(), 1, 7}:
                expected = numpy.array([divide(a, by) for a in one.tolist()]).astype(dtype)
                got = th.div(first, by, rounding_mode=mode)
                assert got.tolist() == expected.tolist(), (mode, by)
    with pytest.raises(ValueError, match="rounding_mode 'trunc', 'floor' or None, got 'up'"):
        th.div(first, second, rounding_mode="up")
    with pytest.raises(ValueError, match=r"\(2,\).*\(3,\)"):
        th.div(th.ones(2), th.ones(3), rounding_mode="floor")


@pytest.mark.usefixtures("each_isa")
@pytest.mark.parametrize("dtype", FLOATS)
def test_reciprocals_are_rounded_correctly(dtype: str) -> None:
    """Numbers with almost all bits set or none, which approximations miss, from the smallest to the largest."""
    info = numpy.finfo(dtype)
    near1 = numpy.array([1, 1 + info.eps, 1 - info.epsneg, 1 - 2 * info.epsneg, 1.5, 0.75], dtype)
    exponents = numpy.arange(info.minexp - info.nmant, info.maxexp + 1)
    with numpy.errstate(all="ignore"):
        values = numpy.ldexp(near1[:, None], exponents).astype(dtype)
        values = numpy.concatenate(
            [values.ravel(), -values.ravel(), numpy.array([0.0, -0.0], dtype)]
        )
        right = (1 / values).astype(dtype)
    for got in (th.reciprocal(tensor(values)), tensor(values) ** -1, 1 / tensor(values)):
        assert got.numpy().tobytes() == right.tobytes()


@pytest.mark.parametrize("isa", isas.available())
@pytest.mark.parametrize("dtype", INTEGERS)
def test_integer_division(dtype: str, isa: str) -> None:
    """Exact to the ends of the dtype, by tensors and by numbers, whose inverse is multiplied by."""
    rng = numpy.random.default_rng(8)
    least, most = limits(dtype)
    edges = [value for value in range(-9, 10) if least <= value <= most]
    edges += [least + i for i in range(3)] + [most - i for i in range(3)]
    powers = [(1 << k) + i for k in (5, 8, 15, 16, 31, 32, 47, 51, 52, 53) for i in (-1, 0, 1)]
    edges += [value for value in powers if value <= most]
    drawn = rng.integers(least, most, 60, dtype=dtype, endpoint=True).tolist()
    drawn += (rng.integers(least, most, 60, dtype=dtype, endpoint=True) >> 4).tolist()
    divisors = [value for value in [*edges, *drawn] if value != 0]
    multiples = [
        most // abs(value) * value + i for value in divisors for i in (-1, 0, 1) if value != least
    ]
    values = [value for value in [*edges, *drawn, *multiples] if least <= value <= most]
    array, used = numpy.array(values, dtype), th._C._isa()
    th._C._set_isa(isa)
    try:
        for divisor in divisors:
            other = tensor(numpy.full(len(values), divisor, dtype))
            whole = numpy.array([value // divisor for value in values], "object")
            expected = [wrapped.item() for wrapped in _wrapped(whole, dtype)]
            rests = [value % divisor for value in values]
            ends = [value - truncated(value, divisor) * divisor for value in values]
            for by in (other, divisor):
                assert (tensor(array) // by).tolist() == expected, divisor
                assert (tensor(array) % by).tolist() == rests, divisor
                assert th.fmod(tensor(array), by).tolist() == ends, divisor
    finally:
        th._C._set_isa(used)


@pytest.mark.usefixtures("each_isa")
@pytest.mark.parametrize("dtype", ["int8", "uint8"])
def test_division_of_all_bytes(dtype: str) -> None:
    """Each value by each number but 0."""
    least, most = limits(dtype)
    array = numpy.arange(least, most + 1).astype(dtype)
    for divisor in range(least, most + 1):
        if divisor == 0:
            continue
        by = numpy.array(divisor, dtype)
        with numpy.errstate(over="ignore"):  # -128 by -1, which is wrapped
            quotients, ends = array // by, numpy.fmod(array, by)
        assert (tensor(array) // divisor).numpy().tobytes() == quotients.tobytes(), divisor
        assert (tensor(array) % divisor).numpy().tobytes() == (array % by).tobytes(), divisor
        assert th.fmod(tensor(array), divisor).numpy().tobytes() == ends.tobytes(), divisor


def _wrapped(values: numpy.ndarray, dtype: str) -> numpy.ndarray:
    """Whole numbers as the dtype has them."""
    return (values % (1 << 64)).astype("uint64").astype(dtype)


@pytest.mark.usefixtures("each_isa")
@pytest.mark.parametrize("dtype", INTEGERS)
def test_powers_of_integers(dtype: str) -> None:
    """By tensors and by numbers, wrapped; a negative power is 0 but of 1 and -1."""
    least, most = limits(dtype)
    values = [0, 1, 2, 3, 7, 10, -1, -2, -7, most, least, most - 1] * 6
    array = numpy.array([value for value in values if value >= least], dtype)
    for exponent in (*range(66), 100, 126, 127):
        expected = _wrapped(numpy.array([v**exponent for v in array.tolist()], "object"), dtype)
        for by in (tensor(numpy.full(len(array), exponent, dtype)), exponent):
            assert (tensor(array) ** by).tolist() == expected.tolist(), exponent
    for exponent in (-1, -2, least) if least < 0 else ():
        powers = [value**exponent if abs(value) == 1 else 0 for value in array.tolist()]
        by = tensor(numpy.full(len(array), exponent, dtype))
        assert (tensor(array) ** by).tolist() == powers, exponent


@pytest.mark.usefixtures("each_isa")
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_remainders_of_far_numbers(dtype: str) -> None:
    """Exact, however many bits the quotient has; defined of zeros, infinities and NaN."""
    rng = numpy.random.default_rng(6)
    bits = rng.integers(0, 256, (2, 4000 * numpy.dtype(dtype).itemsize), dtype="uint8")
    edges = [0, -0.0, 1, -1, numpy.inf, -numpy.inf, numpy.nan, 3, -0.7, 1e-40, 1e30, -1e30]
    pairs = numpy.array([(x, y) for x in edges for y in edges], dtype).T
    one, other = numpy.concatenate([bits.view(dtype), pairs], axis=1)
    with numpy.errstate(all="ignore"):
        rest = numpy.fmod(one, other)
        zero = numpy.copysign(numpy.zeros_like(other), other)
        turned = numpy.where((rest < 0) != (other < 0), rest + other, rest)
        python = numpy.where(rest == 0, zero, turned)
    for function, expected in ((th.fmod, rest), (th.remainder, python)):
        result = function(tensor(one), tensor(other)).numpy()
        numpy.testing.assert_array_equal(result, expected)
        kept = ~numpy.isnan(expected)
        assert (numpy.signbit(result) == numpy.signbit(expected))[kept].all()


@pytest.mark.usefixtures("each_isa")
def test_powers_of_two() -> None:
    """Logarithms to base 2 are exact where they are whole."""
    for dtype, most in (("float32", 127), ("float64", 1023)):
        whole = numpy.arange(-most, most + 1).astype(dtype)
        powers = numpy.ldexp(numpy.ones_like(whole), whole.astype("int32"))
        assert (th.log2(tensor(powers)).numpy() == whole).all()
        assert (th.exp2(tensor(whole)).numpy() == powers).all()


@pytest.mark.parametrize("isa", isas.available())
@pytest.mark.parametrize("dtype", INTEGERS)
def test_shifts(dtype: str, isa: str) -> None:
    """By tensors and by numbers; counts below 0 or not below the width shift everything out."""
    least, most = limits(dtype)
    bits, used = numpy.dtype(dtype).itemsize * 8, th._C._isa()
    values = [least, least + 1, most, most - 1, most // 3, 0, 1, 5, *range(90, 126)] * 5
    counts = [count for count in [*range(-2, bits + 3), most, least, 64, 32] if least <= count]
    th._C._set_isa(isa)
    try:
        for count in counts:
            inside = 0 <= count < bits
            left = [value << count if inside else 0 for value in values]
            right = [value >> (count if inside else bits) for value in values]
            one = numpy.array(values, dtype)
            for by in (tensor(numpy.full(len(values), count, dtype)), count):
                expected = _wrapped(numpy.array(left, "object"), dtype)
                assert (tensor(one) << by).tolist() == expected.tolist(), count
                assert (tensor(one) >> by).tolist() == right, count
    finally:
        th._C._set_isa(used)


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integer_powers(dtype: str) -> None:
    """They wrap; a negative power is 0, but for 1 and -1."""
    least, most = limits(dtype)
    bases = [value for value in (least, -3, -2, -1, 0, 1, 2, 3, most) if least <= value <= most]
    powers = [
        value for value in (least, -3, -2, -1, 0, 1, 2, 5, 64, most) if least <= value <= most
    ]

    def power(base: int, exponent: int) -> int:
        if exponent >= 0:
            return pow(base, exponent, 1 << numpy.iinfo(dtype).bits)
        return {1: 1, -1: -1 if exponent % 2 else 1}.get(base, 0)

    got = tensor(numpy.array(bases, dtype))[:, None] ** tensor(numpy.array(powers, dtype))
    expected = [[power(base, exponent) for exponent in powers] for base in bases]
    wrapped = [[(value + (1 << 64)) % (1 << 64) for value in row] for row in expected]
    assert numpy.array_equal(got.numpy(), numpy.array(wrapped, "uint64").astype(dtype))


def test_close_integers() -> None:
    """Distances between integers are exact where double is not, and do not wrap."""
    for one, other, distance in (
        (2**53, 2**53 + 1, 1),
        (2**62, 2**62 + 100, 100),
        (-(2**63), 2**63 - 1, 2**64),
    ):
        first, second = th.tensor([one]), th.tensor([other])
        for x, y in ((first, second), (second, first)):
            assert th.isclose(x, y, rtol=0, atol=float(distance)).item()
            assert not th.isclose(x, y, rtol=0, atol=distance * 0.9).item()
            assert not th.allclose(x, y, rtol=0, atol=0)


def test_fused_choices() -> None:
    """clamp needs a bound; where takes numbers on both sides, and the condition is bool."""
    value = th.tensor([1.0, float("nan"), 5.0])
    with pytest.raises(ValueError, match="min, max or both"):
        value.clamp()
    assert value.clamp(max=2).tolist()[0::2] == [1, 2]
    assert value.clamp(2, 4)[1].isnan()
    assert value.clamp(max=th.tensor(2.0), min=None).tolist()[2] == 2
    with pytest.raises(TypeError, match="condition"):
        th.where(th.tensor([1, 0]), value[:2], value[:2])


def test_positive_is_self() -> None:
    a = th.ones(3)
    assert +a is a
    assert a.positive() is a
    assert th.positive(a) is a
    with pytest.raises(TypeError, match=r"^positive: expected .*, got bool"):
        +th.tensor([True])


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integers_are_whole(dtype: str) -> None:
    """What rounds a fraction leaves them alone, in place and elsewhere."""
    expected = list(range(-60 if dtype != "uint8" else 0, 60))
    for name in ("floor", "ceil", "round", "trunc"):
        x = th.tensor(expected, dtype=getattr(th, dtype))
        assert getattr(x, f"{name}_")() is x
        out = th.zeros_like(x)
        assert getattr(th, name)(x, out=out) is out
        assert x.tolist() == out.tolist() == getattr(x, name)().tolist() == expected
        assert th.explain(getattr(x, f"{name}_")).path is not None


def test_bool_arithmetic() -> None:
    """Squares count as int64, quotients are floats; nothing is subtracted."""
    b = th.tensor([True, False])
    assert (b.square().dtype, b.square().tolist()) == (th.int64, [1, 0])
    with pytest.raises(TypeError, match=r"^square_: result of dtype int64"):
        b.square_()
    assert th.add(b, b, alpha=2).tolist() == [True, False]
    quotient = th.div(b, th.tensor([True, True]), rounding_mode=None)
    assert (quotient.dtype, quotient.tolist()) == (th.float32, [1, 0])
    for mode in ("trunc", "floor"):
        with pytest.raises(TypeError, match="bool"):
            th.div(b, b, rounding_mode=mode)
    i = th.tensor([1, 2])
    for one, other in ((b, i), (i, b), (b, 1), (i, True)):
        with pytest.raises(TypeError, match=r"^sub: .*logical_not or the operator ~"):
            one - other
        with pytest.raises(TypeError, match=r"^rsub: .*logical_not"):
            th.rsub(one, other)
    with pytest.raises(TypeError, match=r"^subtract: .*logical_xor or the operator \^"):
        th.subtract(b, b)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_powers_of_a_half_are_roots(dtype: str) -> None:
    """Where the exponent is a number: the sign of zero stays, and there is no root of -inf."""
    a = th.tensor([-0.0, 0.0, -th.inf, th.inf, -1.0, 4.0], dtype=getattr(th, dtype))
    assert repr((a**0.5).tolist()) == "[-0.0, 0.0, nan, inf, nan, 2.0]"
    assert repr((a**-0.5).tolist()) == "[-inf, inf, nan, 0.0, nan, 0.5]"
    assert repr(a.pow(th.tensor(0.5)).tolist()) == "[0.0, 0.0, inf, inf, nan, 2.0]"


@pytest.mark.parametrize(
    ("dtype", "exponent"),
    [
        *itertools.product(["int8", "int64", *FLOATS], [2, 3, 4]),
        *itertools.product(FLOATS, [0.5, -0.5, -1]),
    ],
)
@pytest.mark.parametrize("shape", [(5,), (300,), (3, 700)])
def test_powers_that_are_numbers(dtype: str, exponent: float, shape: tuple[int, ...]) -> None:
    """Those with a kernel of their own are powers as those of tensors are, in place and strided too."""
    array = numpy.random.default_rng(3).uniform(1, 9, shape).astype(dtype)
    a = tensor(array)
    got = a**exponent
    expected = a ** th.full(shape, exponent, dtype=getattr(th, dtype))
    assert got.dtype is a.dtype
    limit = 0 if dtype.startswith("int") else 2 * numpy.finfo(dtype).eps
    numpy.testing.assert_allclose(got.numpy(), expected.numpy(), rtol=limit)
    assert (tensor(array.T.copy()).t() ** exponent).tolist() == got.tolist()
    assert a.pow_(exponent).tolist() == got.tolist()


HALF_LOOPS: list[Callable[..., th.Tensor]] = [
    lambda x, y: -x,
    lambda x, y: x + y,
    lambda x, y: th.add(x, y, alpha=0.5),
    lambda x, y: x * y[:1],
    lambda x, y: y[:1] / x,
    lambda x, y: x / 3,
    lambda x, y: x < y,
    lambda x, y: th.where(x < y, x, y),
    lambda x, y: th.where(x < y, x, y[:1]),
    lambda x, y: x.clamp(None, 2),
    lambda x, y: x.clamp(-1),
    lambda x, y: x.clamp(-1, 0.5),
    lambda x, y: x.clamp(y, 0.5),
    lambda x, y: x.clamp(float("nan"), 1),
    lambda x, y: x.clamp(1, float("nan")),
    lambda x, y: x.clamp(1, -1),
    lambda x, y: th.maximum(x, y),
    lambda x, y: th.sqrt(x),
    lambda x, y: th.tanh(y),
]


@pytest.mark.parametrize("isa", isas.available())
def test_half_is_float_rounded(isa: str) -> None:
    """The loops of Half give what those of Float do, rounded once; ends of any length, any layout, in place."""
    rng, used = numpy.random.default_rng(9), th._C._isa()
    special = [0.0, -0.0, numpy.inf, -numpy.inf, numpy.nan, 65504, 6e-8, -6e-8]
    th._C._set_isa(isa)
    try:
        for n in (1, 7, 31, 32, 33, 63, 64, 65, 129, 257, 1500, 70001):
            drawn = rng.normal(size=(2, 2 * n)).astype("float16")
            drawn[:, : len(special)] = rng.permutation(special)[: 2 * n]
            whole, other = th.tensor(drawn[0]), th.tensor(drawn[1])
            for x, y in ((whole[:n], other[:n]), (whole[1::2], other[::2])):
                for operation in HALF_LOOPS:
                    got, expected = operation(x, y), operation(x.float(), y.float())
                    expected = expected.to(got.dtype)
                    assert numpy.array_equal(got.numpy(), expected.numpy(), equal_nan=True), n
                assert x.clone().mul_(y).numpy().tobytes() == (x * y).numpy().tobytes()
    finally:
        th._C._set_isa(used)


@pytest.mark.usefixtures("each_isa")
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", sorted(name for name, row in tables.math().items() if row.arrays))
def test_functions_of_arrays(name: str, dtype: str) -> None:
    """Arrays of any length have the results of their elements, and nothing behind them is written."""
    function, most = getattr(th, name), 140
    drawn = numpy.random.default_rng(4).normal(size=(tables.math()[name].arguments, most))
    drawn[0, : most // 2] = abs(drawn[0, : most // 2])
    x, *others = (tensor(row.astype(dtype)) for row in drawn)
    whole = function(x, *others)
    for n in (*range(1, 70), most - 1):
        to = th.full((most,), 7, dtype=x.dtype)
        function(*(each[:n] for each in (x, *others)), out=to[:n])
        assert to[:n].numpy().tobytes() == whole[:n].numpy().tobytes(), n
        assert (to[n:] == 7).all()
    function(x, *others, out=x)
    assert x.numpy().tobytes() == whole.numpy().tobytes()


@pytest.mark.parametrize("isa", isas.available())
@pytest.mark.parametrize("dtype", DTYPES)
def test_conversions_to_half(dtype: str, isa: str) -> None:
    """Rounded once, also of doubles beside the middle of two halves; ends of any length."""
    rng, used = numpy.random.default_rng(3), th._C._isa()
    values = rng.integers(0, 2, 200).astype(dtype)
    if dtype != "bool":
        values = (
            (rng.normal(size=200) * 10.0 ** rng.integers(-8, 6, 200)).astype("int64").astype(dtype)
        )
    if dtype in FLOATS:
        halves = rng.integers(0, 0x7C00, 200).astype("uint16")
        low, high = halves.view("float16"), (halves + 1).astype("uint16").view("float16")
        middles = (low.astype("float64") + high.astype("float64")) / 2
        values = (middles * (1 + rng.integers(-1, 2, 200) * 2.0**-50)).astype(dtype)
        values[:4] = [numpy.inf, -0.0, 65519.99, 65520]
    th._C._set_isa(isa)
    try:
        for n in (1, 31, 32, 33, 64, 95, 200):
            with numpy.errstate(over="ignore"):
                expected = values[:n].astype("float16")
            assert tensor(values[:n]).half().numpy().tobytes() == expected.tobytes(), n
    finally:
        th._C._set_isa(used)


def test_integers_have_no_negative_powers() -> None:
    i = th.tensor([1, 2])
    with pytest.raises(ValueError, match=r"^pow: expected exponent >= 0 for integers, got -1"):
        i**-1
    with pytest.raises(ValueError, match=r"^pow_: expected exponent"):
        i.pow_(-2)
    assert (i ** th.tensor([-1, -1])).tolist() == [1, 0]
    assert (i**-1.0).tolist() == [1, 0.5]


@pytest.mark.usefixtures("each_isa")
@pytest.mark.parametrize("dtype", FLOATS)
def test_angles_of_special_numbers(dtype: str) -> None:
    """NumPy's within 4 units in the last place and of the same sign, beside numbers of any kind."""
    info = numpy.finfo(dtype)
    sizes = [0.0, info.smallest_subnormal, info.tiny, 0.75, 1.0, info.max, numpy.inf]
    values = numpy.array([*sizes, *(-size for size in sizes), numpy.nan], dtype)
    y, x = (each.ravel() for each in numpy.meshgrid(values, values))
    expected = numpy.arctan2(y.astype("float64"), x.astype("float64")).astype(dtype)
    for order in (numpy.arange(y.size), numpy.random.default_rng(8).permutation(y.size)):
        got = th.atan2(tensor(y[order]), tensor(x[order])).numpy()
        wanted = expected[order]
        numpy.testing.assert_array_max_ulp(got, wanted, 4)
        there = ~numpy.isnan(wanted)
        assert (numpy.signbit(got) == numpy.signbit(wanted))[there].all()


@pytest.mark.usefixtures("each_isa")
@pytest.mark.parametrize("dtype", [name for name in DTYPES if name != "bool"])
def test_powers_that_are_products(dtype: str) -> None:
    """Few elements and many, of any layout and in place: the bits of products, of the elements and of ones."""
    rng = numpy.random.default_rng(7)
    for n in (1, 7, 1000, 300_001):
        x = tensor(draw(rng, dtype, (n, 2), None, False))
        for a in (x[:, 0].clone(), x[:, 1], x, x.t()):
            wide = a.to(th.float32) if dtype == "float16" else a  # what it is computed in
            cube = (wide * wide * wide).to(a.dtype)
            products = {0: th.ones_like(a), 1: a, 2: a * a, 3: cube}
            for exponent, product in products.items():
                power = a**exponent
                assert power.dtype is a.dtype
                assert power.numpy().tobytes() == product.numpy().tobytes(), (n, exponent)
                own = a.clone()
                own **= exponent
                assert own.numpy().tobytes() == product.numpy().tobytes(), (n, exponent)


@pytest.mark.usefixtures("each_isa")
@pytest.mark.parametrize("dtype", ["uint8", "int8", "int16", "bool"])
def test_products_of_little_integers(dtype: str) -> None:
    """They wrap, whatever the length and the place: bytes are multiplied two at once."""
    least, most = (0, 1) if dtype == "bool" else limits(dtype)
    drawn = numpy.random.default_rng(0).integers(least, most, (3, 1200), endpoint=True)
    for length, at in itertools.product([*range(1, 9), 31, 63, 65, 127, 130, 515, 1101], (0, 1, 3)):
        one, other, third = drawn.astype(dtype)[:, at : at + length]
        a, b, c = (tensor(each) for each in drawn.astype(dtype))
        a, b, c = a[at : at + length], b[at : at + length], c[at : at + length]
        assert (a * b).tolist() == (one * other).tolist()
        if dtype == "bool":
            continue
        assert (a * 113).tolist() == (113 * a).tolist() == (one * one.dtype.type(113)).tolist()
        assert (a**2).tolist() == th.square(a).tolist() == (one * one).tolist()
        assert (a**3).tolist() == (one * one * one).tolist()
        assert th.addcmul(a, b, c, value=5).tolist() == (one + 5 * other * third).tolist()
        assert a.clone().mul_(b).tolist() == (one * other).tolist()


@pytest.mark.usefixtures("each_isa")
@pytest.mark.parametrize("dtype", [name for name in DTYPES if name != "bool"])
def test_results_ahead_of_operands(dtype: str) -> None:
    """Whatever the result is to the operands modulo 4 KB, and in rows with ends of any length."""
    for columns in (1, 7, 65, 300):
        memory = tensor(numpy.arange(3 * 40 * 512 + 129) % 40).to(getattr(th, dtype))
        starts = (0, 40 * 512 + 64, 2 * 40 * 512 + 129)
        parts = (memory[start : start + 40 * 512] for start in starts)
        one, other, result = (part.view(40, 512)[:, :columns] for part in parts)
        a, b = (numpy.array(each.tolist(), "float64") for each in (one, other))
        assert th.add(one, other, out=result).tolist() == (a + b).tolist()
        assert th.add(one, other, alpha=2).tolist() == (a + 2 * b).tolist()
        assert th.add(one, 2, out=one).tolist() == (a + 2).tolist()
        assert th.maximum(other, 3, out=other).tolist() == numpy.maximum(b, 3).tolist()
