"""Element by element, contiguous operands of one shape."""

from benchmarks.rows.draws import index, normal, uniform
from benchmarks.rows.row import FLOATS, INTEGERS, Given, Row

NUMBERS = (*FLOATS, *INTEGERS)
ALL = (*NUMBERS, "float16")
BITS = (*INTEGERS, "bool")
LITTLE = ("uint8", "int8", "int16")

A: dict[str, Given] = {"a": normal()}
AB: dict[str, Given] = A | {"b": normal()}
POSITIVE: dict[str, Given] = {"a": uniform(0.1, 4)}
DIVISOR: dict[str, Given] = {"a": normal(), "b": uniform(1, 50)}
UNIT: dict[str, Given] = {"a": uniform(-0.99, 0.99)}
SHIFT: dict[str, Given] = {"a": uniform(0, 100), "b": uniform(0, 7)}
DIVIDED: dict[str, Given] = {"a": uniform(0, 100), "b": uniform(1, 50)}
SMALL: dict[str, Given] = {"a": uniform(0, 100), "b": uniform(0, 100)}


def _of_one(
    name: str,
    given: dict[str, Given] = A,
    numpy: str | None = "",
    ours: str = "",
    dtypes: tuple[str, ...] = FLOATS,
) -> Row:
    return Row(name, ours or f"m.{name}(a)", given, numpy, dtypes=dtypes, moves=True)


ROWS = (
    Row("add", "a + b", AB, dtypes=ALL, moves=True),
    Row("mul", "a * b", AB, dtypes=ALL, moves=True),
    Row("add a number", "a + 3", A, dtypes=NUMBERS, moves=True),
    Row("div", "a / b", DIVISOR, moves=True),
    _of_one("pow 2", ours="a ** 2"),
    _of_one("pow 0.5", POSITIVE, ours="a ** 0.5"),
    *(_of_one(f"pow {power}", POSITIVE, ours=f"a ** {power}") for power in (-2, -1, 0, 1, 2.5)),
    _of_one("power of a number", ours="2.5**a"),
    Row("pow x", "a ** x", POSITIVE | {"x": normal()}, moves=True),
    _of_one("sqrt", POSITIVE),
    _of_one("rsqrt", POSITIVE, "m.reciprocal(t := m.sqrt(a), out=t)"),
    _of_one("exp"),
    _of_one("log", POSITIVE),
    _of_one("log1p", POSITIVE),
    _of_one("sin"),
    _of_one("tanh"),
    _of_one("sigmoid", A, "m.reciprocal(m.add(m.exp(t := m.negative(a), out=t), 1, out=t), out=t)"),
    Row("clamp", "a.clamp(-1, 1)", A, "a.clip(-1, 1)", dtypes=NUMBERS, moves=True),
    Row("where", "m.where(c, a, b)", AB | {"c": normal(dtype="bool")}, dtypes=NUMBERS, moves=True),
    Row("compare", "a < b", AB, dtypes=ALL, moves=True),
    Row("equal", "a == b", AB, dtypes=NUMBERS, moves=True),
    Row("maximum", "m.maximum(a, b)", AB, dtypes=NUMBERS, moves=True),
    Row("abs", "abs(a)", A, dtypes=NUMBERS, moves=True),
    Row(
        "lerp",
        "m.lerp(a, b, 0.3)",
        AB,
        "m.add(m.multiply(m.subtract(b, a, out=(t := m.empty_like(a))), 0.3, out=t), a, out=t)",
        moves=True,
    ),
    Row(
        "addcmul",
        "m.addcmul(a, b, c, value=0.5)",
        AB | {"c": normal()},
        "m.add(m.multiply(m.multiply(b, c, out=(t := m.empty_like(a))), 0.5, out=t), a, out=t)",
        moves=True,
    ),
    Row(
        "addcdiv",
        "m.addcdiv(a, b, c, value=0.5)",
        AB | {"c": uniform(0.1, 4)},
        "m.add(m.multiply(m.divide(b, c, out=(t := m.empty_like(a))), 0.5, out=t), a, out=t)",
        moves=True,
    ),
    *(
        Row(f"div, {mode}", f"m.div(a, b, rounding_mode='{mode}')", DIVISOR, numpy, moves=True)
        for mode, numpy in (
            ("trunc", "m.trunc(t := m.divide(a, b), out=t)"),
            ("floor", "m.floor_divide(a, b)"),
        )
    ),
    Row(
        "prelu, a kernel of one line",
        "m.prelu(a, w)",
        A | {"w": uniform(0.2, 0.3, lambda _: (1,))},
        "m.add(m.maximum(a, 0), m.multiply(t := m.minimum(a, 0), w, out=t), out=t)",
        moves=True,
    ),
    Row("elu", "m.elu(a)", A, "m.where(a > 0, a, m.expm1(a))", "m.nn.functional.elu(a)"),
    Row("integer division", "a // b", DIVISOR, dtypes=INTEGERS, moves=True),
    Row("remainder", "a % b", DIVISOR, dtypes=NUMBERS, moves=True),
    Row("bits and", "a & b", AB, dtypes=BITS, moves=True),
    Row("bits xor", "a ^ b", AB, dtypes=BITS, moves=True),
    Row("bits not", "~a", A, dtypes=BITS, moves=True),
    Row(
        "bits shift left",
        "a << b",
        {"a": normal(), "b": index(lambda _: 8)},
        dtypes=("int64",),
        moves=True,
    ),
    *(
        Row(
            f"cast to {to}",
            f"a.to(m.{to})",
            A,
            f"a.astype(m.{to})",
            dtypes=sources,
            moves=True,
        )
        for to, sources in (
            ("float32", ("float64", "int32", "int64", "float16", "bool", "int8")),
            ("float64", ("float32", "int32", "int64")),
            ("int32", ("float32", "int64", "uint8")),
            ("int64", ("float64", "int32", "bool")),
            ("float16", ("float32", "int32")),
            ("int8", ("float32", "int32", "int64")),
            ("bool", ("float32", "int64", "uint8")),
        )
    ),
    *(
        _of_one(name, given)
        for given, names in (
            (A, "cos tan atan sinh cosh asinh exp2 expm1".split()),
            (UNIT, "asin acos atanh".split()),
            (POSITIVE, "log2 log10".split()),
        )
        for name in names
    ),
    *(
        _of_one(f"{name} of far numbers", {"a": uniform(low, high)}, ours=f"m.{name}(a)")
        for name, low, high in (
            *((name, -1000, 80) for name in ("exp", "exp2", "expm1")),
            *((name, -1000, 1000) for name in ("sin", "tanh")),
        )
    ),
    Row("remainder of far numbers", "a % 0.7", {"a": uniform(-1e20, 1e20)}, moves=True),
    _of_one("acosh", {"a": uniform(1, 100)}),
    _of_one("erf", numpy=None),
    _of_one("erfc", numpy=None),
    _of_one("lgamma", POSITIVE, numpy=None),
    _of_one("lgamma of large numbers", {"a": uniform(1, 50)}, None, "m.lgamma(a)"),
    Row("gelu", "m.gelu(a)", A, None, "m.nn.functional.gelu(a)", moves=True),
    Row(
        "leaky relu",
        "m.leaky_relu(a)",
        A,
        "m.where(a > 0, a, 0.01 * a)",
        "m.nn.functional.leaky_relu(a)",
        moves=True,
    ),
    Row("relu", "m.relu(a)", A, "m.maximum(a, 0)", dtypes=ALL, moves=True),
    Row("atan2", "m.atan2(a, b)", AB, moves=True),
    Row("hypot", "m.hypot(a, b)", AB, moves=True),
    Row("fmod", "m.fmod(a, b)", DIVISOR, dtypes=NUMBERS, moves=True),
    Row("copysign", "m.copysign(a, b)", AB, moves=True),
    Row("fmax", "m.fmax(a, b)", AB, moves=True),
    *(Row(name, f"m.{name}(a)", A, moves=True) for name in ("floor", "ceil", "round", "trunc")),
    _of_one("square"),
    _of_one("frac", numpy=None),
    Row("sign", "m.sign(a)", A, dtypes=NUMBERS, moves=True),
    Row("neg", "-a", A, dtypes=ALL, moves=True),
    _of_one("reciprocal", POSITIVE),
    Row("reciprocal of a number", "2 / a", POSITIVE, moves=True),
    Row("half a number", "a * 0.5", A, dtypes=(*FLOATS, "float16"), moves=True),
    Row("sub", "a - b", AB, dtypes=ALL, moves=True),
    Row("add, little integers", "a + b", SMALL, dtypes=LITTLE, moves=True),
    Row("mul, little integers", "a * b", SMALL, dtypes=LITTLE, moves=True),
    Row("add a number, little integers", "a + 3", SMALL, dtypes=LITTLE, moves=True),
    Row("maximum, little integers", "m.maximum(a, b)", SMALL, dtypes=LITTLE, moves=True),
    Row("compare, little integers", "a < b", SMALL, dtypes=LITTLE, moves=True),
    Row("division, little integers", "a // b", DIVIDED, dtypes=LITTLE, moves=True),
    Row("remainder, little integers", "a % b", DIVIDED, dtypes=LITTLE, moves=True),
    Row("divide by 7", "a // 7", A, dtypes=NUMBERS, moves=True),
    Row("remainder by 7", "a % 7", A, dtypes=NUMBERS, moves=True),
    Row("divide by 7, little integers", "a // 7", SMALL, dtypes=LITTLE, moves=True),
    Row("remainder by 7, little integers", "a % 7", SMALL, dtypes=LITTLE, moves=True),
    Row("fmod by 7", "m.fmod(a, 7)", A, dtypes=INTEGERS, moves=True),
    Row("divide integers", "a / b", DIVISOR, dtypes=INTEGERS, moves=True, tolerance=1e-6),
    Row("pow 3", "a ** 3", A, dtypes=NUMBERS, moves=True),
    Row("pow 2, integers", "a ** 2", A, dtypes=INTEGERS, moves=True),
    Row("pow 4, integers", "a ** 4", A, dtypes=INTEGERS, moves=True),
    Row("pow 4, little integers", "a ** 4", SMALL, dtypes=LITTLE, moves=True),
    Row("pow x, integers", "a ** b", SHIFT, dtypes=(*INTEGERS, *LITTLE), moves=True),
    Row("number minus", "3 - a", A, dtypes=ALL, moves=True),
    Row("number minus, little integers", "3 - a", SMALL, dtypes=LITTLE, moves=True),
    Row("number times, little integers", "3 * a", SMALL, dtypes=LITTLE, moves=True),
    Row("maximum of a number", "m.clamp_min(a, 1)", A, "m.maximum(a, 1)", moves=True),
    Row("compare with a number", "a > 0", A, dtypes=ALL, moves=True),
    Row("isnan", "m.isnan(a)", A, dtypes=(*FLOATS, "float16"), moves=True),
    Row("isfinite", "m.isfinite(a)", A, moves=True),
    Row("signbit", "m.signbit(a)", A, moves=True),
    Row("logical and", "m.logical_and(a, b)", AB, dtypes=(*ALL, "bool"), moves=True),
    Row("logical not", "m.logical_not(a)", A, dtypes=(*ALL, "bool"), moves=True),
    Row("bits and, little integers", "a & b", SMALL, dtypes=LITTLE, moves=True),
    Row("bits not, little integers", "~a", SMALL, dtypes=LITTLE, moves=True),
    Row("shift right", "a >> b", SHIFT, dtypes=(*INTEGERS, *LITTLE), moves=True),
    Row("shift left", "a << b", SHIFT, dtypes=("int32", *LITTLE), moves=True),
    Row("shift by a number", "a << 3", SHIFT, dtypes=(*INTEGERS, *LITTLE), moves=True),
    Row("shift right by a number", "a >> 3", SHIFT, dtypes=(*INTEGERS, *LITTLE), moves=True),
    Row("compare with a number, little integers", "a > 3", SMALL, dtypes=LITTLE, moves=True),
    Row("pow 2, little integers", "a ** 2", SMALL, dtypes=LITTLE, moves=True),
    *(
        _of_one(f"{name}, float16", given, ours=f"m.{name}(a)", dtypes=("float16",))
        for name, given in (("exp", A), ("log", POSITIVE), ("sqrt", POSITIVE), ("tanh", A))
    ),
    Row("div, float16", "a / b", DIVISOR, dtypes=("float16",), moves=True),
    Row("maximum, float16", "m.maximum(a, b)", AB, dtypes=("float16",), moves=True),
    Row("add a number, float16", "a + 3", A, dtypes=("float16",), moves=True),
    Row("clamp, float16", "a.clamp(-1, 1)", A, "a.clip(-1, 1)", dtypes=("float16",), moves=True),
    Row("copysign, float16", "m.copysign(a, b)", AB, dtypes=("float16",), moves=True),
    *(
        Row(f"{name}, float16", f"m.{name}(a)", A, dtypes=("float16",), moves=True)
        for name in ("abs", "floor", "sign", "square")
    ),
    Row(
        "float16 + float32",
        "a + b",
        {"a": normal(), "b": normal(dtype="float32")},
        dtypes=("float16",),
        moves=True,
    ),
)
