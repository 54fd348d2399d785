"""Element by element, contiguous operands of one shape."""

from benchmarks.rows.draws import index, normal, uniform
from benchmarks.rows.row import FLOATS, INTEGERS, Given, Row

NUMBERS = (*FLOATS, *INTEGERS)
ALL = (*NUMBERS, "float16")
BITS = (*INTEGERS, "bool")

A: dict[str, Given] = {"a": normal()}
AB: dict[str, Given] = A | {"b": normal()}
POSITIVE: dict[str, Given] = {"a": uniform(0.1, 4)}
DIVISOR: dict[str, Given] = {"a": normal(), "b": uniform(1, 50)}


def _of_one(name: str, given: dict[str, Given] = A, numpy: str | None = "", ours: str = "") -> Row:
    return Row(name, ours or f"m.{name}(a)", given, numpy, moves=True)


ROWS = (
    Row("add", "a + b", AB, dtypes=ALL, moves=True),
    Row("mul", "a * b", AB, dtypes=ALL, moves=True),
    Row("add a number", "a + 3", A, dtypes=NUMBERS, moves=True),
    Row("div", "a / b", DIVISOR, moves=True),
    _of_one("pow 2", ours="a ** 2"),
    _of_one("pow 0.5", POSITIVE, ours="a ** 0.5"),
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
            ("float32", ("float64", "int32", "int64", "float16", "bool")),
            ("float64", ("float32", "int32", "int64")),
            ("int32", ("float32", "int64")),
            ("int64", ("float64", "int32")),
            ("float16", ("float32",)),
        )
    ),
)
