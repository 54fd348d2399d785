"""Prints the body of an item of a core operation that calls a library's function."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from wrapgen import tables
from wrapgen.emit.calls import Scope, placed
from wrapgen.model import Core, CoreOperand, LibraryCall
from wrapgen.syntax import calls
from wrapgen.syntax.calls import Form


def _elements(core: Core, operand: CoreOperand) -> str:
    """How many elements an item has."""
    names = [core.dims[place] for place in operand.dims]
    return " * ".join(name if size < 0 else str(size) for name, size in names) or "1"


def _of_item(core: Core) -> Callable[[Form], str]:
    """Forms in a call for an item of a core operation."""
    operands = {operand.arg.name: operand for operand in (*core.outputs, *core.inputs)}

    def show(form: Form) -> str:
        name = form.tensor
        if form.kind in calls.ARRAYS:
            return name if form.kind == "data" else f"copy_of_{name}"
        count = f"({_elements(core, operands[name])})"
        return count if form.kind == "count" else f"({count} * (int64_t)sizeof *{name})"

    return show


def _copies(core: Core, library: LibraryCall) -> list[tuple[str, str, str]]:
    """What is copied before the call: to, from, how many elements."""
    operands = {operand.arg.name: operand for operand in core.inputs}
    found = {}
    for form in library.call.forms:
        if form.kind == "copy":
            found[f"copy_of_{form.tensor}"] = form.tensor
        elif form.source:
            found[form.tensor] = form.source
    return [(to, name, _elements(core, operands[name])) for to, name in found.items()]


def _call(scope: Scope, outputs: Mapping[str, CoreOperand]) -> list[str]:
    """The call, and whether it failed."""
    library = scope.library
    arguments = scope.show(library.call.pieces)
    lines: list[str] = []
    for each in library.call.functions:
        store = f"{scope.returned} = (int64_t)" if library.fails else ""
        if library.call.assigned:
            arg = outputs[library.call.assigned].arg
            store = f"*{arg.name} = ({_element_type(outputs[arg.name])})"
        if each.dtype:
            lines.append(f"#{'el' if lines else ''}if defined(TH_REAL_IS_{each.dtype.upper()})")
        lines += placed(f"{store}{each.name}({arguments});", library.call.text, scope.located)
    lines += ["#endif"] if library.call.functions[0].dtype else []
    failed = f"{scope.failing()} ? THCall_code(returned) : 0" if library.fails else "0"
    return [*lines, f"code = {failed};"]


def item(core: Core, library: LibraryCall, located: bool) -> list[str]:
    """The body of an item's function."""
    failed = ("code = THCall_code(returned);", "goto done;")
    absent = ("code = TH_CORE_NO_MEMORY;", "goto done;")
    scope = Scope(library, located, _of_item(core), "returned", failed, lambda name: absent)
    inputs = {operand.arg.name: operand for operand in core.inputs}
    copies = _copies(core, library)
    arrays = [
        (_element_type(inputs[name]), to, count)
        for to, name, count in copies
        if to.startswith("copy_of_")
    ]
    arrays += scope.arrays()
    lines = ["int code;", *(["int64_t returned = 0;"] if library.fails else []), *scope.declared()]
    lines += [
        f"{ctype} *{name} = THCall_array({count}, sizeof *{name});" for ctype, name, count in arrays
    ]
    if arrays:
        missing = " || ".join(f"{name} == NULL" for _, name, _ in arrays)
        lines += ["code = TH_CORE_NO_MEMORY;", f"if ({missing})", "    goto done;"]
    lines += [
        f"memcpy({to}, {name}, (size_t)({count}) * sizeof *{name});" for to, name, count in copies
    ]
    conditions = dict.fromkeys(
        f"THCALL_FITS({ctype}, {value})" for _, ctype, value in scope.narrow()
    )
    if conditions:
        lines += [
            "code = TH_CORE_TOO_LARGE;",
            f"if (!({' && '.join(conditions)}))",
            "    goto done;",
        ]
    lines += [*scope.made(), *_call(scope, {each.arg.name: each for each in core.outputs})]
    lines += ["done:"] if any("goto done" in line for line in lines) else []
    return [*lines, *scope.closed(), *(f"THFree({name});" for _, name, _ in arrays), "return code;"]


def _element_type(operand: CoreOperand) -> str:
    table = tables.dtypes()
    return table[table[operand.dtype].compute].storage if operand.dtype else "scalar_t"
