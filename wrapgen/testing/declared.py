"""The declared operations, as wrapgen sees them: what the laws are tested of."""

from __future__ import annotations

import ast
import functools
from dataclasses import dataclass
from typing import Any

from wrapgen import tables
from wrapgen.chain import Form, Operation
from wrapgen.model import Arg, Op, Param
from wrapgen.plugins.broadcast import BROADCAST
from wrapgen.plugins.outputs import DTYPE, OUTPUT
from wrapgen.plugins.promote import PROMOTE
from wrapgen.plugins.types import TYPES, fixed_dtype
from wrapgen.syntax import expression, snippets
from wrapgen.syntax.calls import LIBRARY
from wrapgen.testing.subject import current

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
INTEGERS = tuple(name for name in DTYPES if name not in FLOATS and name != "bool")
CATEGORIES = {name: 2 if name in FLOATS else 0 if name == "bool" else 1 for name in DTYPES}
# What the result of a library's function may be off by, in units in the last place.
LIBRARY_ULP = 2.0
_PYTHON = {real: name for name, real in REALS.items()}


@dataclass(frozen=True)
class Case:
    """A form of an operation."""

    form: Form

    @property
    def op(self) -> Op:
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
    def is_derived(self) -> bool:
        """An in-place form that follows from another."""
        return self.op.inplace in ("direct", "copy")

    @property
    def is_kernel(self) -> bool:
        return self.form.body.kernel is not None

    @property
    def is_core(self) -> bool:
        return self.form.body.core is not None

    @property
    def tolerances(self) -> tuple[str | int, ...]:
        """What results may differ in; core operations do arithmetic unless they say otherwise."""
        if self.op.tolerance is None:
            return ("sum",) if self.is_core else ()
        return self.op.tolerance

    @property
    def stops_midway(self) -> bool:
        """A function that is called for each item may fail when others are written."""
        return self.is_core and bool(self.op.functions or self.op[LIBRARY])

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
        names = DTYPES if every else tuple(_PYTHON[real] for real in types or ())
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
        return {"compute": 0, "accumulate": 1, "truth": 0}[word]

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
        """Functions of math.yaml in the kernel, and in the functions of `c:` that it calls."""
        called = [name for tree in self.kernel_trees for name in expression.calls_in(tree)]
        return tuple(name for one in called for name in self._math_of(one))

    def _math_of(self, function: str) -> list[str]:
        text = self.helper(function)
        return sorted((snippets.words(text) if text else {function}) & set(tables.math()))

    def helper(self, function: str) -> str:
        """The text of the `c:` entry with a function that is the package's own."""
        texts = (
            snippet.text.text
            for snippet in self.op.units.snippets
            if any(each.name == function for each in snippet.functions)
        )
        return next(texts, "")

    @property
    def kernel(self) -> str:
        return self.form.body.kernel.source if self.form.body.kernel else ""

    @functools.cached_property
    def kernel_trees(self) -> tuple[expression.Node, ...]:
        """The expressions of all statements."""
        if not self.kernel:
            return ()
        return tuple(one.value for one in expression.parse_statements(self.kernel))

    def function(self) -> Any:
        return getattr(current().module, self.name)

    @property
    def has_function(self) -> bool:
        return "function" in self.op.variants

    @property
    def has_method(self) -> bool:
        declared = "method" in self.op.variants and self.op.arg("self") is not None
        return declared and current().methods


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
    return tuple(current().read())


@functools.cache
def cases() -> tuple[Case, ...]:
    """All that can be called, but for aliases, whose C functions are those of the names they stand for."""
    forms = (form for operation in operations() for form in operation.forms)
    every = (Case(form) for form in forms if not form.op.alias_of)
    return tuple(case for case in every if case.has_function or case.has_method)


def aliases() -> list[tuple[Case, Case]]:
    """Each alias beside the form it stands for."""
    known = {(case.op.name, case.op.overload): case for case in cases()}
    forms = (form for operation in operations() for form in operation.forms if form.op.alias_of)
    found = []
    for op, form in ((form.op, form) for form in forms):
        name = op.alias_of.removesuffix("_") + "_" * op.name.endswith("_")
        found.append((Case(form), known[name, op.overload]))
    return found


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
    """The largest error that math.yaml states, of libraries' functions the one that good ones keep within."""
    return _ulps().get(function, LIBRARY_ULP)


@functools.cache
def _ulps() -> dict[str, float]:
    import yaml

    rows = yaml.safe_load((tables.data_folder() / "math.yaml").read_text())
    return {row["name"]: row["ulp"] for row in rows}
