"""The keys of entries, arguments and units that the loader reads itself; all others are their plugins'."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol

from wrapgen.syntax import values
from wrapgen.syntax.values import IDENTIFIER, LINE, TEXT, Schema, matching
from wrapgen.types import RETURNS

OPERATORS = tuple("+ - * / // % ** @ & | ^ << >> == != < <= > >= -x +x ~x abs(x)".split())
# What results may differ in and still be right; docs/packages.md, "Samples and references".
TOLERANCES = (
    "sum",
    "wide_sum",
    "value",
    "largest",
    "square",
    "any_order",
    "vectors",
    "memory_order",
    "zero_sign",
    "layout",
    "anything",
)


class Described(Protocol):
    """What manual and schema say of a key."""

    @property
    def name(self) -> str: ...
    @property
    def doc(self) -> str: ...
    @property
    def schema(self) -> Schema: ...
    @property
    def example(self) -> str: ...


@dataclass(frozen=True)
class CoreKey:
    """A key that the loader reads itself."""

    name: str
    doc: str
    schema: Schema = field(hash=False)
    example: str = ""


ENTRY = (
    CoreKey(
        "name",
        "The operation. A name that ends in `_` works in place only.",
        matching("_?[a-z][A-Za-z0-9_]*"),
        "name: prelu",
    ),
    CoreKey(
        "doc",
        "A line or more; it becomes the docstring.",
        TEXT,
        'doc: "`self` where it is positive, `weight * self` elsewhere."',
    ),
    CoreKey(
        "arguments",
        "The arguments in their order, each as `- type name` or as a mapping with `arg: type name`.",
        {"$ref": "#/$defs/arguments"},
        "arguments: [THTensor* self, {arg: long n, default: 1}]",
    ),
    CoreKey(
        "options",
        "Several forms under one name, instead of `arguments`: each has any keys of an entry but `name`, `options`, "
        "`python_name`, `aliases` and `variants`, and inherits the rest from the entry. Calls match them by their "
        "arguments, and by the value of a `True` or `False` one.",
        {"type": "array", "items": {"$ref": "#/$defs/option"}, "minItems": 1},
        "options: [{arguments: [THTensor* self]}, {overload: dim, arguments: [THTensor* self, long dim]}]",
    ),
    CoreKey(
        "overload",
        "In options: the form's name, `TH_<name>_<overload>` in C.",
        IDENTIFIER,
        "overload: dim",
    ),
    CoreKey(
        "cname",
        "The C function: `TH<Real>Tensor_<cname>`, by default the name without a trailing `_`. One that begins with "
        "`TH` is called as it is, without dispatch on the dtype. With `core:` or `call:` a plain function: `fn`, "
        "`int fn`, `void fn`, or one for each dtype.",
        values.either(TEXT, values.mapping(others=TEXT)),
        "cname: THTensor_newTranspose",
    ),
    CoreKey(
        "return",
        "What a call gives back. By default the results, or `self` of names with a trailing `_`; else one of the "
        "return forms below.",
        values.either(
            values.one_of(("self", "void", *RETURNS)), matching(r"argument \d+(\s*,\s*\d+)*")
        ),
        "return: THTensor*",
    ),
    CoreKey(
        "variants",
        "`method`, `function` or both. Default both; without a tensor argument `self` the function alone, so too an "
        "option beside others that have it.",
        values.some(values.one_of(("method", "function"))),
        "variants: [function]",
    ),
    CoreKey(
        "python_name", "The name in Python; default the name.", IDENTIFIER, "python_name: _split"
    ),
    CoreKey(
        "aliases",
        "Further names, each an operation of its own (with its in-place form) over the same C function or kernel; "
        "without the operator.",
        values.list_of(IDENTIFIER),
        "aliases: [arcsin]",
    ),
    CoreKey(
        "operator",
        "The operator of Python that this is. In op packages tensors' operators are thwrap's own.",
        values.one_of(OPERATORS),
        'operator: "+"',
    ),
    CoreKey(
        "reference",
        "What tests compare with: a Python expression over the arguments' names, `numpy` and `math`.",
        TEXT,
        "reference: numpy.where(self > 0, self, weight * self)",
    ),
    CoreKey(
        "sample",
        "What tests may call it with: a mapping from arguments, or a list of mappings.",
        values.either({"type": "object"}, values.list_of({"type": "object"})),
        "sample: {self: positive}",
    ),
    CoreKey(
        "tolerance",
        "What results may differ in from the reference and still be right.",
        values.some(values.either(values.one_of(TOLERANCES), values.INTEGER)),
        "tolerance: sum",
    ),
    CoreKey(
        "test",
        "Instead of a reference: `test: name` stands for a function `test_name` somewhere in the tests.",
        IDENTIFIER,
        "test: randperm",
    ),
)

ARGUMENT = (
    CoreKey(
        "arg",
        "The type and the name, where the argument has further keys.",
        {"$ref": "#/$defs/typed"},
        "{arg: THTensor* self}",
    ),
)

_TEXTS = values.some(LINE)

UNITS = (
    CoreKey(
        "sources",
        "C and C++ files, compiled once and linked. Paths are relative to the YAML file.",
        _TEXTS,
        "sources: [csrc/fast.cpp]",
    ),
    CoreKey(
        "generic",
        "A file of `THTensor_(op)` functions, compiled for each dtype; prototypes come from the declarations.",
        LINE,
        "generic: generic/hydro.c",
    ),
    CoreKey(
        "c",
        "C beside the operations: static functions over `scalar_t`, which kernels and bodies call by name.",
        LINE,
        'c: "static inline scalar_t half(scalar_t x) { return x / 2; }"',
    ),
    CoreKey(
        "library",
        "An existing library whose functions operations call, with the keys of a library.",
        matching("[A-Za-z][A-Za-z0-9_.+-]*"),
        "library: zlib",
    ),
)

LIBRARY = (
    CoreKey(
        "headers",
        "The headers that declare its functions; needed.",
        values.some(matching(r"[^\s<>\"\\]+")),
        "headers: [zlib.h]",
    ),
    CoreKey(
        "pkg_config",
        "Its name in pkg-config, a version may follow.",
        LINE,
        "pkg_config: zlib >= 1.2",
    ),
    CoreKey(
        "python",
        "The Python package that carries it; relative folders are then within that package.",
        IDENTIFIER,
        "python: scipy_openblas32",
    ),
    CoreKey("include_dirs", "Folders of its headers.", _TEXTS, "include_dirs: [include]"),
    CoreKey("library_dirs", "Folders of the library itself.", _TEXTS, "library_dirs: [lib]"),
    CoreKey(
        "cflags", "Flags of the compiler.", values.some(matching("-.*")), "cflags: [-DZLIB_CONST]"
    ),
    CoreKey("link", "Flags of the linker.", _TEXTS, "link: [-lz]"),
    CoreKey(
        "setup",
        "C statements that run once, before anything is called.",
        LINE,
        "setup: gsl_set_error_handler_off();",
    ),
    CoreKey(
        "message",
        "What a failure means: a text, or a call of C over `status`.",
        LINE,
        "message: gsl_strerror(status)",
    ),
    CoreKey(
        "hint",
        "What to do where the library is missing.",
        LINE,
        "hint: apt install zlib1g-dev",
    ),
)


def names(keys: Iterable[Described]) -> tuple[str, ...]:
    return tuple(key.name for key in keys)
