"""All of <math.h> in kernels: every function of real numbers, within the error that math.yaml states, on every
instruction set.

The oracle is libm's long double, called from a few lines of C.
"""

from __future__ import annotations

import ctypes
import subprocess

import numpy
import pytest
import yaml
from making import MakePackage

import thwrap as th
from wrapgen import tables
from wrapgen.testing import isas

# C11, 7.12: functions of real floating arguments whose result is one, and the classification of numbers.
ONE = (
    "acos asin atan cos sin tan acosh asinh atanh cosh sinh tanh exp exp2 expm1 log log10 log1p log2 logb cbrt fabs "
    "sqrt erf erfc lgamma tgamma ceil floor nearbyint rint round trunc"
).split()
TWO = "atan2 hypot pow fmod copysign nextafter nexttoward fdim fmax fmin drem".split()
THREE = ["fma"]
PREDICATES = "isnan isinf isfinite signbit".split()
OWN_NAMES = {"drem": "remainder"}
# Stated away from zeros and poles.
RANGES = {"lgamma": (3, 30), "tgamma": (0.5, 30)}
COUNT = 3000


def arguments(count: int) -> list[str]:
    return ["self", "other", "third"][:count]


def arity(name: str) -> int:
    return 1 if name in ONE else 2 if name in TWO else 3


def declarations() -> str:
    entries = []
    for name in [*ONE, *TWO, *THREE, *PREDICATES]:
        names = arguments(1 if name in PREDICATES else arity(name))
        entry = {
            "name": f"libm_{name}",
            "types": ["floating_point"],
            "arguments": [f"THTensor* {each}" for each in names],
            "kernel": f"{name}({', '.join(names)})",
        }
        entries.append(entry | ({"promote": "comparison"} if name in PREDICATES else {}))
    return yaml.safe_dump(entries)


@pytest.fixture(scope="module")
def ops(make_package: MakePackage):
    return make_package("libm_all", declarations(), native=False)


@pytest.fixture(scope="module")
def exact(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """`name(n, results, arguments...)` in long double, by the names of the kernels' functions."""
    lines = ["#include <math.h>", "typedef long double real;"]
    for name in [*ONE, *TWO, *THREE]:
        names = arguments(arity(name))
        called = f"{OWN_NAMES.get(name, name)}l"
        lines.append(
            f"void e_{name}(long n, real *r, {', '.join(f'const real *{each}' for each in names)})"
            f"{{ for (long i = 0; i < n; i++) r[i] = {called}({', '.join(f'{each}[i]' for each in names)}); }}"
        )
    folder = tmp_path_factory.mktemp("exact")
    (folder / "exact.c").write_text("\n".join(lines) + "\n")
    command = "cc -O1 -fPIC -shared exact.c -o exact.so -lm".split()
    subprocess.run(command, cwd=folder, check=True)
    return ctypes.CDLL(str(folder / "exact.so"))


def drawn(name: str, dtype: str, near: bool) -> list[numpy.ndarray]:
    """Random bits, or numbers of a size that functions make something of."""
    rng = numpy.random.default_rng(len(name) + near)
    low, high = RANGES.get(name, (-8, 8))
    values = []
    for _ in range(arity(name)):
        if near or name in RANGES:
            values.append(rng.uniform(low, high, COUNT).astype(dtype))
        else:
            bits = rng.integers(0, 256, COUNT * numpy.dtype(dtype).itemsize, dtype="uint8")
            values.append(bits.view(dtype))
    return values


def expected(exact: ctypes.CDLL, name: str, values: list[numpy.ndarray]) -> numpy.ndarray:
    with numpy.errstate(invalid="ignore"):  # signalling NaN
        wide = [value.astype(numpy.longdouble) for value in values]
    result = numpy.empty(COUNT, numpy.longdouble)
    pointers = [array.ctypes.data_as(ctypes.c_void_p) for array in (result, *wide)]
    getattr(exact, f"e_{name}")(ctypes.c_long(COUNT), *pointers)
    return result


def errors(got: numpy.ndarray, right: numpy.ndarray) -> numpy.ndarray:
    """In units in the last place of the right result; NaN and infinities must be the same."""
    with numpy.errstate(all="ignore"):
        rounded = right.astype(got.dtype)
        same = (got == rounded) | (numpy.isnan(got) & numpy.isnan(rounded))
        largest = numpy.finfo(got.dtype).max
        unit = numpy.spacing(numpy.clip(abs(rounded), 0, largest)).astype(numpy.longdouble)
        finite = numpy.where(numpy.isinf(got), numpy.copysign(2.0 * largest, got), got)
        return numpy.where(same, 0, abs(finite.astype(numpy.longdouble) - right) / unit)


def test_everything_is_there() -> None:
    """With its number of arguments; drem is what C calls remainder, which is Python's % in kernels."""
    known = tables.math()
    assert {name: known[name].arguments for name in [*ONE, *TWO, *THREE]} == {
        name: arity(name) for name in [*ONE, *TWO, *THREE]
    }
    assert all(known[name].arguments == 1 for name in PREDICATES)


@pytest.mark.parametrize("isa", isas.available())
@pytest.mark.parametrize("name", [*ONE, *TWO, *THREE])
def test_stated_errors(ops, exact: ctypes.CDLL, name: str, isa: str) -> None:
    rows = yaml.safe_load((tables.data_folder() / "math.yaml").read_text())
    stated = next(row["ulp"] for row in rows if row["name"] == name)
    used = th._C._isa()
    th._C._set_isa(isa)
    try:
        for dtype in ("float32", "float64"):
            for near in (True, False):
                values = drawn(name, dtype, near)
                right = expected(exact, name, values)
                if name in ("nextafter", "nexttoward"):  # of the dtype itself
                    with numpy.errstate(invalid="ignore"):
                        right = numpy.nextafter(*values).astype(numpy.longdouble)
                got = getattr(ops, f"libm_{name}")(*map(th.from_numpy, values)).numpy()
                worst = errors(got, right)
                place = int(worst.argmax())
                shown = [value[place] for value in values]
                assert worst[place] <= stated, f"{name}{shown} {dtype}: {worst[place]} ulp"
    finally:
        th._C._set_isa(used)


@pytest.mark.parametrize("name", [*ONE, *TWO, *THREE])
def test_half_is_computed_in_float(ops, name: str) -> None:
    values = [value.astype("float16") for value in drawn(name, "float32", True)]
    op = getattr(ops, f"libm_{name}")
    half = op(*map(th.from_numpy, values))
    wide = op(*(th.from_numpy(value.astype("float32")) for value in values))
    assert half.dtype is th.float16
    with numpy.errstate(over="ignore"):
        numpy.testing.assert_array_equal(half.numpy(), wide.numpy().astype("float16"))


@pytest.mark.parametrize("name", PREDICATES)
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_predicates(ops, name: str, dtype: str) -> None:
    values = numpy.array(
        [0, -0.0, 1, -2, numpy.nan, -numpy.nan, numpy.inf, -numpy.inf, 6e-8], dtype
    )
    got = getattr(ops, f"libm_{name}")(th.from_numpy(values))
    assert got.dtype is th.bool
    numpy.testing.assert_array_equal(got.numpy(), getattr(numpy, name)(values))
