"""Prints the Python files about the operations: the stub of the module, and the list of its functions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from wrapgen.chain import Form, Operation
from wrapgen.emit.slots import NUMBER_SLOTS
from wrapgen.emit.wrappers import returns_of
from wrapgen.model import Op, Param
from wrapgen.plugins.outputs import outputs_of
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


def _result_class(op: Op) -> str:
    """The name of the named tuple of a form with several results."""
    return f"_{op.symbol}_result"


def _returns(op: Op) -> str:
    if op.returns in RETURNS:
        return RETURNS[op.returns].python
    if op.returns == "void":
        return "None"
    return _result_class(op) if _several(op) else "Tensor"


def _several(op: Op) -> bool:
    return len(outputs_of(op)) > 1 and not op.inplace


def result_classes(operations: Iterable[Operation]) -> list[str]:
    """A named tuple for each form with several results."""
    lines: list[str] = []
    for op in (form.op for operation in operations for form in operation.forms):
        if _several(op):
            lines += [f"class {_result_class(op)}(NamedTuple):"]
            lines += [f"    {arg.name}: Tensor" for arg in returns_of(op)]
    return lines


def _annotation(param: Param) -> str:
    return (
        f"{param.annotation} | None"
        if param.nullable and "None" not in param.annotation
        else param.annotation
    )


def _parameters(op: Op, params: Sequence[Param], method: bool) -> str:
    """The parameters of a stub; names stay keywords, `self` of functions is `input`."""
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
        parts.append(f"{param.identifier}: {_annotation(param)}{default}")
    return ", ".join(parts)


def _covers(general: Form, special: Form) -> bool:
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
    return same and rest_optional and _returns(general.op) == _returns(special.op)


def _forms(forms: Iterable[Form]) -> list[Form]:
    """The forms worth an overload, in the order they are tried."""
    kept: list[Form] = []
    for form in forms:
        if not any(_covers(earlier, form) for earlier in kept):
            kept.append(form)
    return kept


def _definition(operation: Operation, method: bool, indent: str) -> list[str]:
    lines = []
    forms = _forms(operation.variant("method" if method else "function"))
    several = len(forms) > 1
    for form in forms:
        if several:
            lines.append(f"{indent}@overload")
        name = form.op.python_name
        parameters = _parameters(form.op, form.body.params, method)
        line = f"{indent}def {name}({parameters}) -> {_returns(form.op)}: ..."
        if len(line) > 120:
            parts = parameters.split(", ")
            line = f"{indent}def {name}(\n"
            line += "".join(f"{indent}    {part},\n" for part in parts)
            line += f"{indent}) -> {_returns(form.op)}: ..."
        lines.append(line)
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
            lines += _definition(operation, True, "    ")
        lines += _operators(operation)
    return lines


def functions(operations: Iterable[Operation]) -> list[str]:
    """The module's functions."""
    lines: list[str] = []
    for operation in operations:
        if "function" in operation.variants:
            lines += _definition(operation, False, "")
    return lines


def stub(template: str, operations: Sequence[Operation]) -> str:
    """`_C.pyi` from its hand-written part, whose lines `# methods` and `# functions` are replaced."""
    head = "# Written by wrapgen from the stub's template and the declarations; edit those.\n"
    lines: list[str] = []
    for line in template.splitlines():
        if line.strip() == "# methods":
            lines += methods(operations)
        elif line.strip() == "# functions":
            lines += [*result_classes(operations), *functions(operations)]
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
