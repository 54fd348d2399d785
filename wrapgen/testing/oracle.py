"""What a call must give: dtypes by a table of its own, values by NumPy in wider numbers, how near is near enough."""

from __future__ import annotations

import ast
import ctypes
import math
import warnings
from collections.abc import Iterator, Mapping
from types import SimpleNamespace
from typing import Any

import numpy

import thwrap as th
from wrapgen.syntax.expression import Node
from wrapgen.testing.declared import CATEGORIES, FLOATS, Case, fixed, python_dtype, ulp_of
from wrapgen.testing.subject import current

# PyTorch's lattice: row and column give the smallest dtype that holds both.
_LATTICE = """
         uint8   int8    int16   int32   int64   float16 float32 float64 bool
uint8    uint8   int16   int16   int32   int64   float16 float32 float64 uint8
int8     int16   int8    int16   int32   int64   float16 float32 float64 int8
int16    int16   int16   int16   int32   int64   float16 float32 float64 int16
int32    int32   int32   int32   int32   int64   float16 float32 float64 int32
int64    int64   int64   int64   int64   int64   float16 float32 float64 int64
float16  float16 float16 float16 float16 float16 float16 float32 float64 float16
float32  float32 float32 float32 float32 float32 float32 float32 float64 float32
float64  float64 float64 float64 float64 float64 float64 float64 float64 float64
bool     uint8   int8    int16   int32   int64   float16 float32 float64 bool
"""
_HEAD, *_ROWS = [line.split() for line in _LATTICE.strip().splitlines()]
PROMOTED = {(row[0], to): cell for row in _ROWS for to, cell in zip(_HEAD, row[1:], strict=True)}
# What elements of a dtype are computed in here; float64 is computed in all the digits that there are.
_WIDER = {"float16": "float64", "float32": "float64", "float64": "longdouble", "bool": "bool"}

# Tolerances of results that are sums, rounded at each term.
_SUMS = frozenset(("sum", "wide_sum", "value", "largest", "square"))


def _in_long_double(name: str) -> Any:
    """A function of libm in long double."""
    function = getattr(ctypes.CDLL(None), f"{name}l")
    function.restype = ctypes.c_longdouble
    function.argtypes = [ctypes.c_longdouble]
    return function


# Functions of libm for references; Python's own gamma functions are several units off.
IN_LONG_DOUBLE = ("erf", "erfc", "lgamma", "tgamma")
# `math` of references.
MATH = SimpleNamespace(
    **{
        **vars(math),
        **{name: _in_long_double(name) for name in IN_LONG_DOUBLE},
    }
)


class Unanswered(Exception):
    """NumPy refuses the call: there is nothing to compare with."""


def rounds(case: Case) -> bool:
    """Not a kernel, but the result is a rounded sum or product."""
    return not case.is_kernel and not _SUMS.isdisjoint(case.tolerances)


def depends_on_layout(case: Case) -> bool:
    """Products of matrices and sums over several dims may be summed in another order for another layout."""
    return not {"any_order", "memory_order"}.isdisjoint(case.tolerances)


def category(dtype: str) -> int:
    return CATEGORIES[dtype]


def combined(*groups: list[str]) -> str:
    """The dtype of tensors with dims, 0-d ones and numbers; a later group counts where its category is higher."""
    result = ""
    for group in reversed(groups):
        own = ""
        for dtype in group:
            own = PROMOTED[own, dtype] if own else dtype
        if not own:
            continue
        higher = bool(result) and category(result) > category(own)
        result = PROMOTED[own, result] if higher else own
    return result


def number_dtype(value: Any) -> str:
    if isinstance(value, bool):
        return "bool"
    return "int64" if isinstance(value, int) else th.get_default_dtype().name


def computing_dtype(case: Case, values: Mapping[str, Any]) -> str:
    """The dtype in which a call computes; "" when no operand says."""
    if values.get("dtype") is not None:
        return str(values["dtype"].name)
    groups: tuple[list[str], list[str], list[str]] = ([], [], [])
    for arg in case.operands:
        value = values.get(arg.name)
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, numpy.ndarray):
                groups[0 if item.ndim else 1].append(item.dtype.name)
            elif item is not None:
                groups[2].append(number_dtype(item))
    dtype = combined(*groups)
    if case.promote == "number" and dtype == "bool":
        return "int64"
    if case.promote == "float" and category(dtype) < 2:
        return th.get_default_dtype().name
    return dtype


def result_dtypes(case: Case, values: Mapping[str, Any]) -> list[str]:
    """The dtypes of the results."""
    compute = computing_dtype(case, values)
    if case.op.inplace:
        return [values["self"].dtype.name]
    if not case.outputs:
        return [_made_dtype(case, values, compute)]
    result = []
    for output in case.outputs:
        word = case.result_word(output)
        if word == "compute":
            result.append("bool" if case.promote == "comparison" else compute)
        elif word == "truth":
            result.append("uint8" if compute == "uint8" else "bool")
        elif word == "accumulate":
            summed = category(compute) < 2 and values.get("dtype") is None
            result.append("int64" if summed else compute)
        else:
            result.append(python_dtype(word))
    return result


def _made_dtype(case: Case, values: Mapping[str, Any], compute: str) -> str:
    """Of a tensor that the C function makes itself: the operand's, or the default."""
    own = current().result_dtypes.get(case.op.name)
    if own is not None:
        return own(values, compute)
    if compute:
        return compute
    if case.tensors and not case.operands:
        return fixed(case.tensors[0])
    return th.get_default_dtype().name


def _widened(value: Any, dtype: str) -> Any:
    if isinstance(value, list):
        return [
            _widened(item, dtype) if isinstance(item, numpy.ndarray) else item for item in value
        ]
    if not isinstance(value, numpy.ndarray):
        return value
    return value.astype(dtype or value.dtype).astype(wider(dtype or value.dtype.name))


def wider(dtype: str) -> str:
    return _WIDER.get(dtype, "int64")


def environment(case: Case, values: Mapping[str, Any]) -> dict[str, Any]:
    """The names of a reference: arguments converted to the computing dtype and widened, defaults filled in."""
    compute = computing_dtype(case, values)
    names: dict[str, Any] = {}
    for arg in case.args:
        value = values[arg.name] if arg.name in values else case.default(arg.name)
        if arg.type.tensor or arg.type.name == "THTensorList":
            own = "" if fixed(arg) else compute
            if case.operands and not isinstance(value, numpy.ndarray | list | None) and own:
                value = numpy.asarray(value, own)
            names[arg.name] = _widened(value, own)
        elif arg.type.name == "real" and compute in FLOATS:
            scalar = "float32" if compute == "float16" else compute
            names[arg.name] = numpy.dtype(scalar).type(value).astype(wider(scalar))
        elif arg.type.name == "THDims*" and isinstance(value, list):
            names[arg.name] = tuple(value)
        else:
            names[arg.name] = value
    return names


def reference(case: Case, names: Mapping[str, Any], text: str = "") -> tuple[Any, ...]:
    """What NumPy says, one value for each result."""
    with numpy.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            result = eval(text or case.op.reference, {"numpy": numpy, "math": MATH}, dict(names))
        except (ValueError, IndexError, ArithmeticError) as error:
            raise Unanswered(str(error)) from error
        except Exception as error:
            kind = type(error).__name__
            raise AssertionError(f"the reference of {case.id} fails: {kind}: {error}") from error
    if len(case.outputs) < 2:
        return (result,)
    count = len(result) if isinstance(result, tuple) else 1
    assert count == len(case.outputs), (
        f"the reference of {case.id} gives {count} values, the op {len(case.outputs)} results"
    )
    return tuple(result)


def converted(value: Any, dtype: str) -> numpy.ndarray:
    """In a dtype as TH converts: integers wrap, whatever is not zero is true."""
    array = numpy.asarray(value)
    with numpy.errstate(all="ignore"):
        return numpy.asarray(array != 0 if dtype == "bool" else array.astype(dtype))


def spacing(value: numpy.ndarray, dtype: str) -> numpy.ndarray:
    """A unit in the last place of the dtype at each value."""
    info = numpy.finfo(dtype)
    magnitude = numpy.abs(numpy.asarray(value, "longdouble"))
    magnitude = numpy.clip(numpy.nan_to_num(magnitude, nan=0.0), info.smallest_normal, info.max)
    _, exponent = numpy.frexp(magnitude)
    unit = numpy.ldexp(numpy.ones_like(magnitude), exponent + int(numpy.log2(info.eps)))
    return numpy.asarray(unit)


def tolerance(
    case: Case,
    names: Mapping[str, Any],
    expected: Any,
    compute: str,
    result: str,
    number: int = 0,
) -> Any:
    """The largest distance from the exact value that is right, of the result of this number: 0 where nothing is
    rounded."""
    if result not in FLOATS or compute not in FLOATS:
        return 0
    units = sum(word for word in case.tolerances if isinstance(word, int))
    if case.is_kernel:
        allowed = _kernel_error(case, names, expected, compute, number)
    elif rounds(case):
        allowed = sum_error(case, names, expected, compute, number)
    elif units:
        allowed = 0
    else:
        return 0
    if units:
        allowed = allowed + units * spacing(expected, _working(compute))
    if result == compute != "float16":
        return allowed
    return allowed + 0.5 * spacing(expected, result)


def _working(compute: str) -> str:
    """What C computes in."""
    return "float32" if compute == "float16" else compute


def _kernel_error(
    case: Case, names: Mapping[str, Any], expected: Any, compute: str, number: int
) -> Any:
    """Of an expression: half a unit for each operator and what math.yaml states for each function.

    Of several steps also what errors of that size in the operands make of the result."""
    working = _working(compute)
    unit = spacing(expected, working)
    steps = [step for tree in case.kernel_trees for step in _steps(case, tree, names) if step]
    if not steps:
        return numpy.zeros_like(unit)
    allowed = sum(steps) * unit
    if working == "float64":
        digits = (
            1 if numpy.asarray(expected).dtype == numpy.float64 else 2.0**-10
        )  # of NumPy's own answer
        allowed = allowed + digits * unit
    if len(steps) > 1:
        moved = _sensitivity(case, names, number)
        allowed = allowed + sum(steps) * moved * numpy.finfo(working).eps
    return allowed


def _steps(case: Case, tree: Node, names: Mapping[str, Any]) -> list[float]:
    """The error, in units in the last place, of each step of an expression."""
    below = [step for child in tree.children for step in _steps(case, child, names)]
    if tree.kind == "call" and case.helper(tree.text):
        return [*below, *_helper_steps(case, tree.text)]
    if tree.kind == "call":
        return [*below, ulp_of(tree.text)]
    arithmetic = tree.kind == "binary" and tree.text in "+-*/"
    exact = tree.text == "*" and any(_is_one(child, names) for child in tree.children)
    return [*below, 0.5] if arithmetic and not exact else below


def _helper_steps(case: Case, function: str) -> list[float]:
    """The same of a function in C: all the operators and functions of its text, called once."""
    text = case.helper(function)
    operators = sum(text.count(sign) for sign in "+-*/")
    return [0.5] * operators + [ulp_of(name) for name in case.math_calls if name in text]


def _is_one(tree: Node, names: Mapping[str, Any]) -> bool:
    value = names.get(tree.text) if tree.kind == "name" else None
    return value is not None and not isinstance(value, numpy.ndarray) and value == 1


def _sensitivity(case: Case, names: Mapping[str, Any], number: int) -> Any:
    """How far a result moves for each unit of relative error of each operand."""
    step = 2.0**-20
    middle = reference(case, names)[number]
    total = numpy.zeros(numpy.shape(middle), "longdouble")
    for arg in case.operands:
        operand = names[arg.name]
        if operand is None:
            continue
        moved = reference(case, {**names, arg.name: operand * (1 + step)})[number]
        total = total + numpy.nan_to_num(numpy.abs(moved - middle) / step, nan=0.0, posinf=0.0)
    for moved in () if current().strict else _moved_numbers(case, names, 1 + step):
        distance = numpy.abs(moved[number] - middle) / step
        total = total + numpy.nan_to_num(distance, nan=0.0, posinf=0.0)
    return total


def _moved_numbers(case: Case, names: Mapping[str, Any], factor: float) -> Iterator[Any]:
    """The reference with each of its floating numbers, arguments and literals, a little larger."""
    for name, value in names.items():
        if isinstance(value, float | numpy.floating):
            yield reference(case, {**names, name: value * factor})
    tree = ast.parse(case.op.reference, mode="eval")
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, float):
            value, node.value = node.value, node.value * factor
            text = ast.unparse(tree)
            node.value = value
            yield reference(case, names, text)


def sum_error(
    case: Case, names: Mapping[str, Any], expected: Any, compute: str, number: int
) -> Any:
    """Of a sum: for each term a rounding, relative to the sum of the terms' absolute values."""
    arrays = [value for value in names.values() if isinstance(value, numpy.ndarray)]
    terms = max((array.size for array in arrays), default=0) + 2
    kept = "float64" if "wide_sum" in case.tolerances else _working(compute)
    scale = _magnitude(case, names, expected, number)
    unit = numpy.finfo(kept).eps
    return 0.5 * spacing(expected, _working(compute)) + terms * unit * scale


def _magnitude(case: Case, names: Mapping[str, Any], expected: Any, number: int) -> Any:
    """The reference of absolute values; of spreads, the largest one or its square."""
    if "value" in case.tolerances:
        return 1 + numpy.abs(expected)
    arrays = {key: value for key, value in names.items() if isinstance(value, numpy.ndarray)}
    if not {"largest", "square"}.isdisjoint(case.tolerances):
        largest = max(
            (float(numpy.max(numpy.abs(a))) for a in arrays.values() if a.size), default=0.0
        )
        power = 2 if "square" in case.tolerances else 1
        return numpy.full(numpy.shape(expected), largest**power)
    absolute = {
        key: numpy.abs(value) if isinstance(value, numpy.ndarray | float) else value
        for key, value in names.items()
    }
    try:
        return numpy.abs(reference(case, absolute)[number])
    except Unanswered:  # of the absolute values alone
        return 1 + numpy.abs(expected)


def check(case: Case, got: Any, expected: Any, dtype: str, allowed: Any, what: Any) -> None:
    """It is a tensor of this dtype, shape and these values."""
    assert isinstance(got, th.Tensor), f"{what}: expected a tensor, got {type(got).__name__}"
    assert got.dtype.name == dtype, f"{what}: expected dtype {dtype}, got {got.dtype.name}"
    exact = converted(expected, dtype)
    assert tuple(got.shape) == exact.shape, (
        f"{what}: expected shape {exact.shape}, got {tuple(got.shape)}"
    )
    array, hint = got.numpy(), ""
    same = (array == exact) | ((array != array) & (exact != exact))
    if dtype in FLOATS and numpy.ndim(expected) == exact.ndim:
        wide = numpy.asarray(expected, "longdouble")
        with numpy.errstate(all="ignore"):
            same |= numpy.isfinite(wide) & (numpy.abs(array.astype("longdouble") - wide) <= allowed)
            if not current().strict:  # on the way it was too large, or too small
                same |= (array == 0) & (numpy.abs(wide) < numpy.finfo(dtype).smallest_normal)
        if "zero_sign" not in case.tolerances:
            signs = (array != 0) | (exact != 0) | (numpy.signbit(array) == numpy.signbit(exact))
            if numpy.all(same) and not numpy.all(signs):
                hint = "; only signs of 0 are wrong, which `tolerance: zero_sign` allows"
            same &= signs
    if not numpy.all(same):
        place = tuple(int(i) for i in numpy.argwhere(~same)[0])
        count = int(numpy.sum(~same))
        raise AssertionError(
            f"{what}: {count} of {same.size} elements are wrong; at {place} expected "
            f"{numpy.asarray(expected)[place]!r}, got {array[place]!r}{hint}"
        )
