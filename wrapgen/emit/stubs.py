"""Prints the Python files about the operations: the stub of the module, and the list of its functions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from wrapgen.chain import Form, Operation
from wrapgen.emit import result_types
from wrapgen.emit.result_types import several, type_name
from wrapgen.emit.signatures import ARRAY_KINDS
from wrapgen.emit.slots import NUMBER_SLOTS
from wrapgen.model import Op, Param
from wrapgen.selection import Absent
from wrapgen.types import RETURNS

_REFLECTED = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "/": "truediv",
    "//": "floordiv",
    "%": "mod",
    "**": "pow",
    "@": "matmul",
    "&": "and",
    "|": "or",
    "^": "xor",
    "<<": "lshift",
    ">>": "rshift",
}
_UNARY = {"-x": "neg", "+x": "pos", "~x": "invert", "abs(x)": "abs"}
_COMPARED = {"<": "lt", "<=": "le", "==": "eq", "!=": "ne", ">": "gt", ">=": "ge"}


@dataclass(frozen=True)
class Signature:
    """A signature of a form in the stub."""

    parameters: tuple[str, ...]
    returns: str

    def lines(self, name: str, indent: str) -> list[str]:
        line = f"{indent}def {name}({', '.join(self.parameters)}) -> {self.returns}: ..."
        if len(line) <= 120:
            return [line]
        parts = [f"{indent}    {part}," for part in self.parameters]
        return [f"{indent}def {name}(", *parts, f"{indent}) -> {self.returns}: ..."]


def _returns(operation: Operation, op: Op, item: str = "") -> str:
    """What a form returns; `item` stands for a tensor that it makes."""
    tensor = item or "Tensor"
    if op.returns in RETURNS:
        return RETURNS[op.returns].python.replace("Tensor", tensor)
    if op.returns == "void":
        return "None"
    if not several(op):
        return tensor
    name = f"return_types.{type_name(operation, op)}"
    return f"{name}[{item}]" if item else name


def _annotation(param: Param, item: str = "Tensor") -> str:
    text = param.annotation
    if param.kind in ARRAY_KINDS:
        text = text.replace("Tensor", item)
    return f"{text} | None" if param.nullable and "None" not in text else text


def _parameters(
    params: Sequence[Param], method: bool, annotations: Mapping[str, str], required: str = ""
) -> tuple[str, ...]:
    """The parameters of a stub; names stay keywords, `self` of functions is `input`. `required` has no default."""
    parts = ["self"] if method else []
    rest = [param for param in params if not (method and param.arg.name == "self")]
    star = False
    optional = False
    for param in rest:
        if param.kwarg_only and not star:
            parts.append("*")
            star = True
        if param.varargs and param is rest[0] and not any(not p.kwarg_only for p in rest[1:]):
            parts.append(f"*{param.identifier}: _int | Sequence[_int]")
            star = True
            continue
        optional = optional or bool(param.default)
        default = " = ..." if param.default or (optional and not star) else ""
        default = "" if param.name == required else default
        annotation = annotations.get(param.name) or _annotation(param)
        parts.append(f"{param.identifier}: {annotation}{default}")
    return tuple(parts)


def _array_signatures(operation: Operation, form: Form, like: bool) -> list[Signature]:
    """Of a function that takes arrays. What it writes into it returns; with `like` its results follow the operands: a
    Tensor among them makes Tensors, arrays of NumPy alone make arrays, and others what their library makes."""
    op, params = form.op, form.body.params
    plain = {param.name: _annotation(param, "Array") for param in params}
    operands = [param for param in params if param.kind in ARRAY_KINDS and param.kind != "THP_OUT"]
    out = next((param for param in params if param.kind == "THP_OUT"), None)
    if op.inplace:
        written = next(param.name for param in params if param.arg.name == "self")
        return [Signature(_parameters(params, False, plain | {written: "_Out"}), "_Out")]
    if out is not None:
        plain[out.name] = "None"

    def made(annotations: Mapping[str, str], item: str) -> Signature:
        return Signature(
            _parameters(params, False, {**plain, **annotations}), _returns(operation, op, item)
        )

    if _returns(operation, op, "x") == _returns(operation, op) and not several(op):
        return [made({}, "")]  # no tensors
    if like and operands:
        arrays = {param.name: _annotation(param, "_NumPy") for param in operands}
        tensors = [param for param in operands if not param.default and not param.nullable]
        signatures = [
            made({param.name: param.annotation.removesuffix(" | Number")}, "Tensor")
            for param in tensors
        ]
        signatures += [made(arrays, "_NumPy"), made({}, "Any")]
    else:
        signatures = [made({}, "Tensor" if like and several(op) else "")]
    if out is not None:
        places = ["_Out", *(f"_Out{i}" for i in range(1, out.annotation.count("Tensor")))]
        given = places[0] if len(places) == 1 else f"tuple[{', '.join(places)}]"
        parameters = _parameters(params, False, plain | {out.name: given}, required=out.name)
        signatures.append(Signature(parameters, given))
    return signatures


def _covers(operation: Operation, general: Form, special: Form) -> bool:
    """Every call of `special` is one of `general` too: a type checker takes it for unreachable."""
    known = {param.identifier: param for param in general.body.params}
    given = {param.identifier for param in special.body.params}
    same = all(
        param.identifier in known
        and _annotation(param)
        in (_annotation(known[param.identifier]), known[param.identifier].annotation)
        and (param.kwarg_only or not known[param.identifier].kwarg_only)
        for param in special.body.params
    )
    rest_optional = all(param.default for name, param in known.items() if name not in given)
    alike = _returns(operation, general.op) == _returns(operation, special.op)
    return same and rest_optional and alike


def _forms(operation: Operation, variant: str) -> list[Form]:
    """The forms worth an overload, in the order they are tried."""
    kept: list[Form] = []
    for form in operation.variant(variant):
        if not any(_covers(operation, earlier, form) for earlier in kept):
            kept.append(form)
    return kept


def _definition(operation: Operation, method: bool, indent: str, takes: str) -> list[str]:
    signatures: list[Signature] = []
    for form in _forms(operation, "method" if method else "function"):
        if takes == "tensors":
            parameters = _parameters(form.body.params, method, {})
            signatures.append(Signature(parameters, _returns(operation, form.op)))
        else:
            signatures += _array_signatures(operation, form, takes == "like")
    lines = []
    for signature in signatures:
        if len(signatures) > 1:
            lines.append(f"{indent}@overload")
        lines += signature.lines(operation.forms[0].op.python_name, indent)
    return lines


def _operators(operation: Operation) -> list[str]:
    op = operation.forms[0].op
    number = any(
        param.kind == "THP_OPERAND" for form in operation.forms for param in form.body.params
    )
    other = "Tensor | Number" if number else "Tensor"
    if op.operator in _UNARY:
        return [] if op.inplace else [f"    def __{_UNARY[op.operator]}__(self) -> Tensor: ..."]
    if op.operator in _COMPARED:
        ignore = "  # type: ignore[override]" if op.operator in ("==", "!=") else ""
        name = _COMPARED[op.operator]
        return (
            []
            if op.inplace
            else [f"    def __{name}__(self, other: {other}) -> Tensor: ...{ignore}"]
        )
    if op.operator not in NUMBER_SLOTS:
        return []
    name = _REFLECTED[op.operator]
    if op.inplace:
        return [f"    def __i{name}__(self, other: {other}) -> Tensor: ..."]
    reflected = [f"    def __r{name}__(self, other: {other}) -> Tensor: ..."]
    return [f"    def __{name}__(self, other: {other}) -> Tensor: ...", *reflected]


def methods(operations: Iterable[Operation]) -> list[str]:
    """The generated part of class Tensor."""
    lines: list[str] = []
    for operation in operations:
        if "method" in operation.variants:
            lines += _definition(operation, True, "    ", "tensors")
        lines += _operators(operation)
    return lines


def functions(operations: Iterable[Operation], takes: str = "tensors") -> list[str]:
    """The module's functions, which take `tensors`, `arrays` too, or return what is `like` their operands."""
    lines: list[str] = []
    for operation in operations:
        if "function" in operation.variants:
            lines += _definition(operation, False, "", takes)
    return lines


def stub(template: str, operations: Sequence[Operation], takes: str = "tensors") -> str:
    """`_C.pyi` from its hand-written part, whose lines `# methods` and `# functions` are replaced."""
    head = "# Written by wrapgen from the stub's template and the declarations; edit those.\n"
    lines: list[str] = []
    for line in template.splitlines():
        if line.strip() == "# methods":
            lines += methods(operations)
        elif line.strip() == "# functions":
            lines += result_types.stub(operations, "_T" if takes == "like" else "Tensor")
            lines += functions(operations, takes)
        else:
            lines.append(line)
    return head + "\n".join(lines) + "\n"


def function_names(operations: Iterable[Operation]) -> list[str]:
    """Names of the functions users see."""
    names = {
        operation.forms[0].op.python_name
        for operation in operations
        if "function" in operation.variants
    }
    return sorted(name for name in names if not name.startswith("_"))


def function_list(
    module: str, operations: Iterable[Operation], absent: Absent | None = None
) -> str:
    """`_functions.py`: the declared functions, by name; in a selective build, what is not there."""
    names = function_names(operations)
    lines = ["# Written by wrapgen; the functions of the declarations.", f"from {module} import ("]
    lines += [f"    {name}," for name in names]
    lines += [")", "", "__all__ = ["]
    lines += [f'    "{name}",' for name in names]
    lines += ["]", "", "# What a selective build is without: functions, methods, operators."]
    if absent is None:
        return "\n".join([*lines, "absent: tuple[tuple[str, ...], ...] = ()", ""])
    names_of = (absent.functions, absent.methods, absent.operators)
    lines += ["absent = (", *(f"    {names!r}," for names in names_of), ")", ""]
    return "\n".join(lines)
