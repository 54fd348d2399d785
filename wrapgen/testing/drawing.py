"""Draws the arguments of calls, NumPy arrays and values, from `sample:`; docs/packages.md describes its language.

Everything drawn follows from the op's name and the dtype, so that a failure comes again.
"""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy

import thwrap as th
from wrapgen.model import Arg
from wrapgen.plugins.assert_ndim import ASSERT_NDIM
from wrapgen.plugins.nullable_arguments import may_be_null
from wrapgen.plugins.optional_arguments import DEFAULT
from wrapgen.testing.declared import FLOATS, Case, fixed
from wrapgen.testing.oracle import rounds
from wrapgen.testing.samples import NUMBERS

# Shapes for tensors whose sample says nothing of them; with a part that fills vectors, and a rest.
SHAPES = ((2, 3, 4), (), (0, 3), (67,))
# What letters in shapes stand for, and what all others do, one after the other.
SIZES = (
    {"batch": 2, "b": 2, "n": 3, "k": 4, "m": 5},
    {"batch": 3, "b": 3, "n": 1, "k": 35, "m": 17},
    {"batch": 2, "b": 2, "n": 4, "k": 0, "m": 3},
    {"batch": 0, "b": 0, "n": 0, "k": 3, "m": 2},
)
OTHER_SIZES = ((6, 7, 2, 3), (9, 1, 33, 2), (5, 2, 3, 4), (4, 0, 2, 3))
# The leading dim of operands with core dims.
BATCH = "batch"
SPECIALS = (numpy.nan, numpy.inf, -numpy.inf, 0.0, -0.0, 1.0, -1.0)
# `real` arguments other than their defaults.
REALS = {"b": True, "u": 3, "i": 3, "f": 0.75}

Make = Callable[[numpy.ndarray], Any]


@dataclass(frozen=True)
class Call:
    """Arguments of a form, by name; those that are not there have their defaults."""

    case: Case
    values: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        shown = ", ".join(f"{name}={_shown(value)}" for name, value in self.values.items())
        return f"{self.case.id}({shown})"

    def but(self, /, **values: Any) -> Call:
        return replace(self, values={**self.values, **values})

    def without(self, name: str) -> Call:
        rest = {key: value for key, value in self.values.items() if key != name}
        return replace(self, values=rest)

    def made(self, make: Make | None = None) -> dict[str, Any]:
        """The arguments with arrays made into tensors."""
        return {name: _made(value, make or tensor) for name, value in self.values.items()}

    def arrays(self) -> list[numpy.ndarray]:
        """All arrays, those of lists too."""
        return [
            array
            for value in self.values.values()
            for array in (value if _is_list(value) else [value])
            if isinstance(array, numpy.ndarray)
        ]


def _is_list(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], numpy.ndarray)


def _shown(value: Any) -> str:
    if isinstance(value, numpy.ndarray):
        return f"{value.dtype}{value.shape}"
    return f"[{', '.join(map(_shown, value))}]" if _is_list(value) else repr(value)


def _made(value: Any, make: Make) -> Any:
    if isinstance(value, numpy.ndarray):
        return make(value)
    return [make(item) for item in value] if _is_list(value) else value


def tensor(array: numpy.ndarray) -> th.Tensor:
    """A tensor with memory of its own."""
    return th.from_numpy(numpy.array(array, order="C")).clone()


def generator(case: Case, dtype: str) -> numpy.random.Generator:
    return numpy.random.default_rng(zlib.crc32(f"{case.id} {dtype}".encode()))


def draw(
    rng: numpy.random.Generator, dtype: str, shape: Sequence[int], how: Any, wild: bool
) -> numpy.ndarray:
    """Values for a tensor: `how` is its word in the sample, `wild` says whether NaN and infinity may be there."""
    count = int(numpy.prod(shape, dtype=int))
    if isinstance(how, dict) and "values" in how:
        values = numpy.resize(numpy.array(how["values"]), count).astype(dtype)
    elif isinstance(how, dict) and "from" in how:
        values = _between(rng, dtype, count, how["from"], how["to"])
    elif how == "positive":
        values = _positive(rng, dtype, count)
    else:
        values = _any(rng, dtype, count, wild)
        if how == "nonzero":
            values[values == 0] = 1
    return values.reshape(shape)


def _between(
    rng: numpy.random.Generator, dtype: str, count: int, low: float, high: float
) -> numpy.ndarray:
    if dtype in FLOATS:
        values = rng.uniform(low, high, count).astype(dtype)
        values[: min(count, 2)] = (low, high)[: min(count, 2)]
        return values.clip(low, high)
    least, most = limits(dtype)
    first, last = max(int(numpy.ceil(low)), least), min(int(numpy.floor(high)), most)
    return rng.integers(first, last, count, endpoint=True).astype(dtype)


def _positive(rng: numpy.random.Generator, dtype: str, count: int) -> numpy.ndarray:
    if dtype in FLOATS:
        return (10 ** rng.uniform(-3, 3, count)).astype(dtype)
    values = rng.integers(1, limits(dtype)[1], count, endpoint=True)
    return (
        numpy.where(rng.random(count) < 0.5, values, values % 10 + 1)
        .clip(1, limits(dtype)[1])
        .astype(dtype)
    )


def _any(rng: numpy.random.Generator, dtype: str, count: int, wild: bool) -> numpy.ndarray:
    if dtype in FLOATS:
        values = rng.normal(size=count) * (10 ** rng.uniform(-3, 3, count) if wild else 3)
        if wild:
            place = rng.permutation(count)[: len(SPECIALS)]
            values[place] = SPECIALS[: len(place)]
        return values.astype(dtype)
    least, most = limits(dtype)
    large = rng.integers(least, most, count, endpoint=True)
    small = rng.integers(max(least, -9), min(most, 9), count, endpoint=True)
    chosen = numpy.where(rng.random(count) < 0.5, large, small)
    chosen[: min(count, 2)] = (least, most)[: min(count, 2)]
    return rng.permutation(chosen).astype(dtype)


def limits(dtype: str) -> tuple[int, int]:
    """The least and the largest value of integers and bool."""
    if dtype == "bool":
        return 0, 1
    info = numpy.iinfo(dtype)
    return int(info.min), int(info.max)


def calls(case: Case, dtype: str, shapes: Sequence[tuple[int, ...]] = SHAPES) -> Iterator[Call]:
    """Calls with operands of this dtype: every situation of the sample, every shape."""
    rng = generator(case, dtype)
    for number, situation in enumerate(situations(case)):
        yield from _situation(case, dtype, shapes, situation, rng, extras=number == 0)


def first_call(case: Case, dtype: str, shape: tuple[int, ...] = (3, 5)) -> Call:
    """The first of them, which is not empty; tensors of any shape get this one."""
    return next(calls(case, dtype, (shape,)))


def situations(case: Case) -> list[dict[str, Any]]:
    """The mappings of the sample, with each `each:` replaced by one of its values."""
    sample = case.op.sample or {}
    unknown = {name for one in _listed(sample) for name in one} - {arg.name for arg in case.args}
    result = []
    for one in _listed(sample):
        mine = {name: how for name, how in one.items() if name not in unknown}
        names = [name for name, how in mine.items() if isinstance(how, dict) and "each" in how]
        for chosen in itertools.product(*(mine[name]["each"] for name in names)):
            result.append({**mine, **dict(zip(names, chosen, strict=True))})
    return result


def _listed(sample: Any) -> list[dict[str, Any]]:
    return sample if isinstance(sample, list) else [sample]


def _situation(
    case: Case,
    dtype: str,
    shapes: Sequence[tuple[int, ...]],
    situation: dict[str, Any],
    rng: numpy.random.Generator,
    extras: bool,
) -> Iterator[Call]:
    situation = _with_core_dims(case, situation)
    letters = [size for how in situation.values() for size in _flat(how) if isinstance(size, str)]
    for sizes in _sizes(letters) if letters else SIZES[:1]:
        for shape in shapes if _has_free_shape(case, situation) else ((),):
            call = _call(case, dtype, shape, sizes, situation, rng)
            if not _dims_fit(case, call):
                continue
            yield call
            if extras and shape == shapes[0]:
                yield from _extras(call, dtype)


def _with_core_dims(case: Case, situation: dict[str, Any]) -> dict[str, Any]:
    """The sample with the shapes that core dims give: one batch dim in front."""
    core = case.form.body.core
    if core is None:
        return situation
    result = dict(situation)
    for operand in core.inputs:
        how = result.get(operand.arg.name)
        if _shape_of(how) is not None:
            continue
        names = [core.dims[dim] for dim in operand.dims]
        shape = [BATCH, *(size if size >= 0 else name for name, size in names)]
        own = how if isinstance(how, dict) else {"how": how} if how is not None else {}
        result[operand.arg.name] = {**own, "shape": shape}
    return result


def _sizes(letters: Sequence[str]) -> list[dict[str, int]]:
    """What letters stand for, in one call after the other."""
    others = [name for name in dict.fromkeys(letters) if name not in SIZES[0]]
    return [
        {**known, **{name: sizes[i % len(sizes)] for i, name in enumerate(others)}}
        for known, sizes in zip(SIZES, OTHER_SIZES, strict=True)
    ]


def _flat(how: Any) -> Iterator[Any]:
    if isinstance(how, dict):
        how = how.get("shape", [])
    if isinstance(how, list):
        for item in how:
            yield from _flat(item) if isinstance(item, list) else [item]


def _shape_of(how: Any) -> list[Any] | None:
    if isinstance(how, dict):
        return how.get("shape", [len(how["values"])] if "values" in how else None)
    return how if isinstance(how, list) else None


def number_for(case: Case, dtype: str, name: str) -> Any:
    """A number that a tensor argument may be."""
    value = {"b": True, "u": 3, "i": 3, "f": 0.1}[numpy.dtype(dtype).kind]
    how = situations(case)[0].get(name)
    if not isinstance(how, dict) or "to" not in how:
        return value
    return max(min(value, how["to"]), how["from"])


def has_free_shapes(case: Case) -> bool:
    """Every tensor may have any shape."""
    return not case.is_core and all(
        _shape_of(situation.get(arg.name)) is None and arg[ASSERT_NDIM] is None
        for situation in situations(case)
        for arg in case.tensors
    )


def _has_free_shape(case: Case, situation: dict[str, Any]) -> bool:
    return any(_shape_of(situation.get(arg.name)) is None for arg in case.tensors)


def _call(
    case: Case,
    dtype: str,
    shape: tuple[int, ...],
    sizes: Mapping[str, int],
    situation: dict[str, Any],
    rng: numpy.random.Generator,
) -> Call:
    wild = not rounds(case)
    values: dict[str, Any] = {}
    for arg in case.args:
        how = situation.get(arg.name)
        if arg.type.tensor:
            given = _shape_of(how)
            chosen = _of_rank(arg, shape) if given is None else [sizes.get(n, n) for n in given]
            own = how.get("dtype", dtype) if isinstance(how, dict) else dtype
            how = how.get("how", how) if isinstance(how, dict) else how
            values[arg.name] = draw(rng, fixed(arg) or own, chosen, how, wild)
        elif arg.type.name == "THTensorList":
            shapes = how or ((2, 3), (2, 3))
            values[arg.name] = [draw(rng, dtype, one, None, wild) for one in shapes]
        elif arg.type.name == "THStorage*":
            values[arg.name] = tensor(draw(rng, dtype, how or [6], None, wild)).storage()
        elif arg.name in situation:
            values[arg.name] = getattr(th, str(how)) if arg.type.name == "THDtype" else how
        elif arg.type.name in NUMBERS and arg[DEFAULT] is None and not may_be_null(arg):
            values[arg.name] = NUMBERS[arg.type.name]
    return Call(case, values)


def _of_rank(arg: Arg, shape: tuple[int, ...]) -> tuple[int, ...]:
    """The shape with as many dims as the argument must have."""
    count = arg[ASSERT_NDIM]
    if count is None:
        return shape
    return (*[3] * (count - len(shape)), *shape[len(shape) - min(count, len(shape)) :])


def _extras(call: Call, dtype: str) -> Iterator[Call]:
    """The call without each tensor that may be missing, and with numbers other than the defaults."""
    case = call.case
    for arg in case.tensors:
        if may_be_null(arg):
            yield call.without(arg.name)
    kind = numpy.dtype(dtype).kind
    if case.promote == "float":
        kind = "f"
    reals = {
        arg.name: REALS[kind] for arg in case.args if _is_real(arg) and arg.name not in call.values
    }
    if reals:
        yield call.but(**reals)


def _is_real(arg: Arg) -> bool:
    return arg.type.name in ("real", "accreal")


def _dims_fit(case: Case, call: Call) -> bool:
    """Whether the tensor has the dims that a sample names; two names of one dim are one too many."""
    tensor = call.values.get("self")
    if not isinstance(tensor, numpy.ndarray):
        return True
    for arg in case.args:
        dims = call.values.get(arg.name)
        if arg.type.name != "THDims*" or dims is None:
            if (
                arg.name == "dim"
                and isinstance(dims, int)
                and tensor.ndim == 0
                and not _adds_dim(arg)
            ):
                return False
            continue
        dims = dims if isinstance(dims, list) else [dims]
        if any(not -tensor.ndim <= dim < tensor.ndim for dim in dims):
            return False
        if len({dim % tensor.ndim for dim in dims}) < len(dims):
            return False
    return True


def _adds_dim(arg: Arg) -> bool:
    from wrapgen.plugins.wrap_dim import WRAP_DIM

    value = arg[WRAP_DIM]
    return value is None or value.extra > 0
