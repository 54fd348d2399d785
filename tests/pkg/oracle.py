"""What a call must give: dtypes by a table of its own, values by NumPy in wider numbers, how near is near enough."""

from __future__ import annotations

import ctypes
import math
import warnings
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import numpy
from declared import CATEGORIES, FLOATS, Case, fixed, python_dtype, ulp_of

import thwrap as th
from wrapgen import expression
from wrapgen.expression import Node

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

# Operations beside kernels that round: sums in double precision, products of matrices, others.
_SUMS = frozenset("sum prod mean var std norm logsumexp trace cumsum cumprod".split())
_PRODUCTS = frozenset("mm mv bmm dot ger outer matmul addmm addmv addr baddbmm addbmm".split())
_OTHERS = frozenset("linspace logspace softmax log_softmax index_add scatter_add".split())
# Of two equal operands, 0 and -0 too, these may give either one.
CHOOSERS = frozenset(
    "maximum minimum fmax fmin relu clamp clamp_min clamp_max max min sign".split()
)


def _in_long_double(name: str) -> Any:
    """A function of libm in long double; Python's own gamma functions are several units off."""
    function = getattr(ctypes.CDLL(None), f"{name}l")
    function.restype = ctypes.c_longdouble
    function.argtypes = [ctypes.c_longdouble]
    return function


# `math` of references.
MATH = SimpleNamespace(
    **{
        **vars(math),
        **{name: _in_long_double(name) for name in ("erf", "erfc", "lgamma", "tgamma")},
    }
)


class Unanswered(Exception):
    """NumPy refuses the call: there is nothing to compare with."""


def rounds(case: Case) -> bool:
    """Not a kernel, but the result is a rounded sum or product."""
    return not case.is_kernel and case.op.name.rstrip("_") in _SUMS | _PRODUCTS | _OTHERS


def depends_on_layout(case: Case) -> bool:
    """Products of matrices may be summed in another order for another layout or number of threads."""
    return case.op.name.rstrip("_") in _PRODUCTS


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
        return values["dtype"].name
    groups: tuple[list[str], list[str], list[str]] = ([], [], [])
    for arg in case.operands:
        value = values.get(arg.name)
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, numpy.ndarray):
                groups[0 if item.ndim else 1].append(item.dtype.name)
            elif item is not None:
                groups[2].append(number_dtype(item))
    dtype = combined(*groups)
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
        elif word == "accumulate":
            summed = category(compute) < 2 and values.get("dtype") is None
            result.append("int64" if summed else compute)
        else:
            result.append(python_dtype(word))
    return result


def _made_dtype(case: Case, values: Mapping[str, Any], compute: str) -> str:
    """Of a tensor that the C function makes itself: the operand's, or by the numbers it is made of."""
    if compute:
        return values["other"].dtype.name if case.op.name == "type_as" else compute
    numbers = [
        values[arg.name] for arg in case.args if arg.type.name == "THScalar" and arg.name in values
    ]
    if case.op.name in ("full", "arange"):
        dtype = combined([number_dtype(number) for number in numbers])
        return "int64" if dtype == "bool" and case.op.name == "arange" else dtype
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


def reference(case: Case, names: Mapping[str, Any]) -> tuple[Any, ...]:
    """What NumPy says, one value for each result."""
    with numpy.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            result = eval(case.op.reference, {"numpy": numpy, "math": MATH}, dict(names))
        except (ValueError, IndexError, ArithmeticError) as error:
            raise Unanswered(str(error)) from error
    return result if isinstance(result, tuple) and len(case.outputs) > 1 else (result,)


def converted(value: Any, dtype: str) -> numpy.ndarray:
    """In a dtype as TH converts: integers wrap, whatever is not zero is true."""
    array = numpy.asarray(value)
    with numpy.errstate(all="ignore"):
        return array != 0 if dtype == "bool" else array.astype(dtype)


def spacing(value: numpy.ndarray, dtype: str) -> numpy.ndarray:
    """A unit in the last place of the dtype at each value."""
    info = numpy.finfo(dtype)
    magnitude = numpy.abs(numpy.asarray(value, "longdouble"))
    magnitude = numpy.clip(numpy.nan_to_num(magnitude, nan=0.0), info.smallest_normal, info.max)
    _, exponent = numpy.frexp(magnitude)
    return numpy.ldexp(numpy.ones_like(magnitude), exponent + int(numpy.log2(info.eps)))


def tolerance(
    case: Case, names: Mapping[str, Any], expected: Any, compute: str, result: str
) -> Any:
    """The largest distance from the exact value that is right: 0 where nothing is rounded."""
    if result not in FLOATS or compute not in FLOATS:
        return 0
    if case.is_kernel:
        allowed = _kernel_error(case, names, expected, compute)
    elif rounds(case):
        allowed = _sum_error(case, names, expected, compute)
    else:
        return 0
    if result == compute != "float16":
        return allowed
    return allowed + 0.5 * spacing(expected, result)


def _kernel_error(case: Case, names: Mapping[str, Any], expected: Any, compute: str) -> Any:
    """Of an expression: half a unit for each operator and what math.yaml states for each function.

    Of several steps also what errors of that size in the operands make of the result."""
    working = "float32" if compute == "float16" else compute
    unit = spacing(expected, working)
    steps = [step for step in _steps(expression.parse(case.kernel), names) if step]
    if not steps:
        return numpy.zeros_like(unit)
    allowed = sum(steps) * unit
    if working == "float64":
        digits = (
            1 if numpy.asarray(expected).dtype == numpy.float64 else 2.0**-10
        )  # of NumPy's own answer
        allowed = allowed + digits * unit
    if len(steps) > 1:
        allowed = allowed + sum(steps) * _sensitivity(case, names) * numpy.finfo(working).eps
    return allowed


def _steps(tree: Node, names: Mapping[str, Any]) -> list[float]:
    """The error, in units in the last place, of each step of an expression."""
    below = [step for child in tree.children for step in _steps(child, names)]
    if tree.kind == "call":
        return [*below, ulp_of(tree.text)]
    arithmetic = tree.kind == "binary" and tree.text in "+-*/"
    exact = tree.text == "*" and any(_is_one(child, names) for child in tree.children)
    return [*below, 0.5] if arithmetic and not exact else below


def _is_one(tree: Node, names: Mapping[str, Any]) -> bool:
    value = names.get(tree.text) if tree.kind == "name" else None
    return value is not None and not isinstance(value, numpy.ndarray) and value == 1


def _sensitivity(case: Case, names: Mapping[str, Any]) -> Any:
    """How far the result moves for each unit of relative error of each operand."""
    step = 2.0**-20
    middle = reference(case, names)[0]
    total = numpy.zeros(numpy.shape(middle), "longdouble")
    for arg in case.operands:
        operand = names[arg.name]
        if operand is None:
            continue
        (moved,) = reference(case, {**names, arg.name: operand * (1 + step)})
        total = total + numpy.nan_to_num(numpy.abs(moved - middle) / step, nan=0.0, posinf=0.0)
    return total


def _sum_error(case: Case, names: Mapping[str, Any], expected: Any, compute: str) -> Any:
    """Of a sum: for each term a rounding, relative to the sum of the terms' absolute values."""
    name = case.op.name.rstrip("_")
    arrays = [value for value in names.values() if isinstance(value, numpy.ndarray)]
    terms = max((array.size for array in arrays), default=0) + 2
    kept = "float64" if name in _SUMS else "float32" if compute == "float16" else compute
    scale = 1 + numpy.abs(expected) if name in _OTHERS else _magnitude(case, names, expected)
    unit = numpy.finfo(kept).eps
    own = 0.5 * spacing(expected, "float32" if compute == "float16" else compute)
    return own + terms * unit * scale


def _magnitude(case: Case, names: Mapping[str, Any], expected: Any) -> Any:
    """The reference of absolute values; of spreads, the largest square."""
    arrays = {key: value for key, value in names.items() if isinstance(value, numpy.ndarray)}
    if case.op.name in ("var", "std"):
        largest = max(
            (float(numpy.max(numpy.abs(a))) for a in arrays.values() if a.size), default=0.0
        )
        return numpy.full(numpy.shape(expected), largest**2 if case.op.name == "var" else largest)
    absolute = {
        key: numpy.abs(value) if isinstance(value, numpy.ndarray | float) else value
        for key, value in names.items()
    }
    return numpy.abs(reference(case, absolute)[0])


def check(case: Case, got: th.Tensor, expected: Any, dtype: str, allowed: Any, what: Any) -> None:
    """The tensor has this dtype, shape and these values."""
    assert isinstance(got, th.Tensor), f"{what}: expected a tensor, got {type(got).__name__}"
    assert got.dtype.name == dtype, f"{what}: expected dtype {dtype}, got {got.dtype.name}"
    exact = converted(expected, dtype)
    assert tuple(got.shape) == exact.shape, (
        f"{what}: expected shape {exact.shape}, got {tuple(got.shape)}"
    )
    array = got.numpy()
    same = (array == exact) | ((array != array) & (exact != exact))
    if dtype in FLOATS and numpy.ndim(expected) == exact.ndim:
        wide = numpy.asarray(expected, "longdouble")
        with numpy.errstate(all="ignore"):
            same |= numpy.isfinite(wide) & (numpy.abs(array.astype("longdouble") - wide) <= allowed)
        if case.op.name.rstrip("_") not in CHOOSERS:
            same &= (array != 0) | (exact != 0) | (numpy.signbit(array) == numpy.signbit(exact))
    if not numpy.all(same):
        place = tuple(int(i) for i in numpy.argwhere(~same)[0])
        count = int(numpy.sum(~same))
        raise AssertionError(
            f"{what}: {count} of {same.size} elements are wrong; at {place} expected "
            f"{numpy.asarray(expected)[place]!r}, got {array[place]!r}"
        )
