"""The declared operations, as wrapgen sees them: what the laws are tested of."""

from __future__ import annotations

import ast
import functools
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import thwrap as th
from wrapgen import chain, expression, loader, tables
from wrapgen.chain import Form, Operation
from wrapgen.model import Arg, Param
from wrapgen.plugins.broadcast import BROADCAST
from wrapgen.plugins.outputs import DTYPE, OUTPUT
from wrapgen.plugins.promote import PROMOTE
from wrapgen.plugins.types import TYPES, fixed_dtype

ROOT = Path(__file__).resolve().parents[2]
FILES = loader.declaration_files(ROOT / "declarations")

# In the order of dtypes.yaml: the name in Python of each dtype, and its name in C.
REALS = {
    "uint8": "Byte",
    "int8": "Char",
    "int16": "Short",
    "int32": "Int",
    "int64": "Long",
    "float16": "Half",
    "float32": "Float",
    "float64": "Double",
    "bool": "Bool",
}
DTYPES = tuple(REALS)
FLOATS = ("float16", "float32", "float64")
CATEGORIES = {name: 2 if name in FLOATS else 0 if name == "bool" else 1 for name in DTYPES}
_PYTHON = {real: name for name, real in REALS.items()}


@dataclass(frozen=True)
class Case:
    """A form of an operation."""

    form: Form

    @property
    def op(self):
        return self.form.op

    @property
    def id(self) -> str:
        return self.op.symbol

    @property
    def name(self) -> str:
        return self.op.python_name

    @functools.cached_property
    def args(self) -> tuple[Arg, ...]:
        """What callers pass."""
        return tuple(arg for arg in self.op.args if arg.visible and not arg[OUTPUT])

    @functools.cached_property
    def tensors(self) -> tuple[Arg, ...]:
        return tuple(arg for arg in self.args if arg.type.tensor)

    @functools.cached_property
    def operands(self) -> tuple[Arg, ...]:
        """Tensors and lists of tensors whose dtype is not fixed."""
        return tuple(
            arg
            for arg in self.args
            if (arg.type.tensor and not fixed_dtype(arg)) or arg.type.name == "THTensorList"
        )

    @functools.cached_property
    def outputs(self) -> tuple[Arg, ...]:
        return tuple(arg for arg in self.op.args if arg[OUTPUT])

    @property
    def is_kernel(self) -> bool:
        return self.form.body.kernel is not None

    @property
    def takes_out(self) -> bool:
        return any(param.kind == "THP_OUT" for param in self.form.body.params)

    @property
    def promote(self) -> str:
        return self.op[PROMOTE] or "none"

    @functools.cached_property
    def dtypes(self) -> tuple[str, ...]:
        """Dtypes that operands may have, all of one; in place those that hold the result."""
        types = self.op[TYPES]
        every = types is None or self.promote == "float"
        names = DTYPES if every else tuple(_PYTHON[real] for real in types)
        return tuple(name for name in names if self._result_category <= CATEGORIES[name])

    @property
    def _result_category(self) -> int:
        """The least category that the result of a derived in-place form can be stored in."""
        base = base_of(self)
        if base is None:
            return 0
        if self.promote == "float":
            return 2
        word = base.result_word(base.outputs[0])
        return {"compute": 0, "accumulate": 1}[word]

    def param(self, name: str) -> Param:
        return next(param for param in self.form.body.params if param.arg.name == name)

    def default(self, name: str) -> Any:
        """The default as callers see it."""
        text = self.param(name).shown_default
        return float(text[7:-2]) if text.startswith("float(") else ast.literal_eval(text)

    def result_word(self, output: Arg) -> str:
        return output.type.dtype or output[DTYPE] or "compute"

    @functools.cached_property
    def math_calls(self) -> tuple[str, ...]:
        """Functions of math.yaml in the kernel."""
        return tuple(expression.calls_in(expression.parse(self.kernel))) if self.kernel else ()

    @property
    def kernel(self) -> str:
        return self.form.body.kernel.source if self.form.body.kernel else ""

    def function(self):
        return getattr(th._C, self.name)

    @property
    def has_function(self) -> bool:
        return "function" in self.op.variants

    @property
    def has_method(self) -> bool:
        return "method" in self.op.variants and self.op.arg("self") is not None


def python_dtype(real: str) -> str:
    """float32 for Float."""
    return _PYTHON[real]


def fixed(arg: Arg) -> str:
    """The dtype a tensor argument must have, or nothing."""
    real = fixed_dtype(arg)
    return _PYTHON[real] if real else ""


def expands(arg: Arg) -> tuple[tuple[str, int], ...]:
    """The sizes an argument is expanded to, as (argument, dim) pairs."""
    value = arg[BROADCAST]
    return value.dims if value else ()


@functools.cache
def operations() -> tuple[Operation, ...]:
    return tuple(chain.run_all(loader.load((path, path.name) for path in FILES)))


@functools.cache
def cases() -> tuple[Case, ...]:
    return tuple(Case(form) for operation in operations() for form in operation.forms)


def base_of(case: Case) -> Case | None:
    """The form that an in-place form was derived from."""
    if not case.op.inplace or case.op.inplace == "self":
        return None
    return next(
        (
            other
            for other in cases()
            if other.op.name == case.op.name.removesuffix("_")
            and other.op.overload == case.op.overload
            and not other.op.inplace
        ),
        None,
    )


def out_of_place() -> list[Case]:
    return [case for case in cases() if not base_of(case)]


def in_place() -> list[Case]:
    return [case for case in cases() if base_of(case)]


def ulp_of(function: str) -> float:
    """The largest error that math.yaml states."""
    return _ulps()[function]


@functools.cache
def _ulps() -> dict[str, float]:
    import yaml

    rows = yaml.safe_load((tables.data_folder() / "math.yaml").read_text())
    return {row["name"]: row["ulp"] for row in rows}
