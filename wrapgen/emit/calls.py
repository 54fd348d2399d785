"""Prints the calls of libraries' functions on whole tensors: calls/<chapter>.c; and what those for the items of core
operations have in common with them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from wrapgen import tables
from wrapgen.chain import Form as OpForm
from wrapgen.emit.template import fill, of_file
from wrapgen.emit.wrappers import comment, schema, wrap
from wrapgen.model import Arg, CFunction, LibraryCall, Op
from wrapgen.plugins.common import quoted
from wrapgen.plugins.kernel import functions_of
from wrapgen.plugins.outputs import OUTPUT, named_dtype, outputs_of
from wrapgen.plugins.types import dtypes_of
from wrapgen.syntax import calls
from wrapgen.syntax.calls import Form, Formula, Piece
from wrapgen.syntax.node import Text
from wrapgen.types import RETURNS

CHAPTER = """\
/* Written by wrapgen from $source; edit that one. */
#include "libraries/libraries.h"
#include "calls/$name.h"

$functions
"""

PROTOTYPES = """\
/* Written by wrapgen from $source; edit that one. */
$prototypes
"""

FUNCTION = """\
$message
$comment
$signature
{
    int status = TH_OK;
    $locals

    $before
    $call
$label
    $cleanup
    return status;
}
"""


def whole(forms: Iterable[OpForm]) -> list[OpForm]:
    """The forms that call a function on whole tensors, one for each."""
    first: dict[str, OpForm] = {}
    for form in forms:
        if form.body.library is not None and form.body.core is None:
            first.setdefault(form.op.cname, form)
    return list(first.values())


def message_function(library: LibraryCall | None, name: str, located: bool) -> list[str]:
    """What a failure means."""
    if library is None or not library.fails or library.message is None:
        return []
    text = library.message.text
    if library.message.is_call:
        lines = placed(f"    return {text.text.strip()};", text, located)
    else:
        lines = ["    (void)status;", f"    return {quoted(text.text.strip())};"]
    return [f"static const char *{name}(int status)", "{", *lines, "}", "\n"]


def placed(line: str, text: Text, located: bool) -> list[str]:
    """C of the user's: as it stands in the YAML where that is told of."""
    if located:
        return of_file(line.split("\n"), text.loc.file, text.at(0).line)
    indent = line[: len(line) - len(line.lstrip())]
    return [indent + part for part in wrap(" ".join(line.split()), 92)]


def _works(library: LibraryCall) -> list[Form]:
    return [form for form in library.call.forms if form.kind == "work"]


@dataclass(frozen=True)
class Scope:
    """Where a call is printed: how the forms look there, and what a failure does."""

    library: LibraryCall
    located: bool
    plain: Callable[[Form], str]  # forms of tensors
    returned: str  # the variable with what a function returned
    failed: tuple[str, ...]  # statements after such a failure
    absent: Callable[[str], tuple[str, ...]]  # statements where a pointer is NULL

    def form(self, form: Form) -> str:
        if form.kind == "work":
            return f"work_{[work.offset for work in _works(self.library)].index(form.offset)}"
        if form.kind == calls.STATUS:
            return self.returned
        if form.kind in calls.NARROW:
            return f"({calls.NARROW[form.kind]})({self.show(form.inner)})"
        return self.plain(form)

    def show(self, pieces: Sequence[Piece]) -> str:
        return calls.show(pieces, self.form)

    def statement(self, start: str, formula: Formula, end: str = ";") -> list[str]:
        return placed(
            f"{start}{self.show(formula.pieces).strip()}{end}", formula.text, self.located
        )

    def failing(self) -> str:
        """The condition of a failure."""
        fails = self.library.fails
        if fails is None:
            return "false"
        text = self.show(fails.pieces).strip()
        return text if fails.is_word else f"({text})"

    def declared(self) -> list[str]:
        """The variables of the call, none of which is made yet."""
        lines = [f"{each.declared} = {{0}};" for each in self.library.variables]
        closed = (each for each in self.library.variables if each.close)
        return lines + [f"bool opened_{each.name} = false;" for each in closed]

    def made(self) -> list[str]:
        """Gives the variables their values, and opens what is to be opened."""
        lines: list[str] = []
        for each in self.library.variables:
            if each.value:
                braced = f"({each.ctype})" if each.value.text.text.strip().startswith("{") else ""
                lines += self.statement(f"{each.name} = {braced}", each.value)
            if each.value and each.is_pointer:
                lines += [f"if ({each.name} == NULL) {{", *_indented(self.absent(each.name)), "}"]
            opened = [f"opened_{each.name} = true;"] if each.close else []
            made = opened if each.value and each.is_pointer else []
            lines += made
            if each.open and self.library.fails:
                lines += self.statement(f"{self.returned} = (int64_t)", each.open)
                lines += [f"if ({self.failing()}) {{", *_indented(self.failed), "}"]
            elif each.open:
                lines += self.statement("", each.open)
            lines += [] if made else opened
        return lines

    def closed(self) -> list[str]:
        """In the order opposite to that of opening."""
        lines: list[str] = []
        for each in reversed(self.library.variables):
            if each.close:
                lines += [f"if (opened_{each.name})", *self.statement("    ", each.close)]
        return lines

    def arrays(self) -> list[tuple[str, str, str]]:
        """Scratch memory: type, local, count."""
        works = _works(self.library)
        return [(form.ctype, self.form(form), self.show(form.inner)) for form in works]

    def narrow(self) -> list[tuple[Form, str, str]]:
        """Numbers that have to fit a type of C: the form, the type, the value."""
        forms = (form for form in self.library.forms if form.kind in calls.NARROW)
        return [(form, calls.NARROW[form.kind], self.show(form.inner)) for form in forms]


def _indented(lines: Iterable[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def _of_tensor(library: LibraryCall) -> Callable[[Form], str]:
    """Forms in a call on whole tensors. Results are made apart."""
    results = {result.arg.name for result in library.results}

    def show(form: Form) -> str:
        name = f"made_{form.tensor}" if form.tensor in results else form.tensor
        if form.kind == "data":
            bare = library.strided(form.tensor) or form.tensor in results
            return f"THCall_data({name if bare else f'data_of_{name}'})"
        if form.kind == "copy":
            return f"THCall_data(copy_of_{name})"
        return {
            "count": f"THTensor_nElement({name})",
            "nbytes": f"(THTensor_nElement({name}) * THTensor_itemSize({name}))",
            "ndim": f"(int64_t){name}->nDimension",
            "size": f"{name}->size[{form.dim}]",
            "stride": f"{name}->stride[{form.dim}]",
        }[form.kind]

    return show


def _tensors(library: LibraryCall) -> list[tuple[str, str, str]]:
    """The tensors that a call on whole ones makes of its inputs: local, function, the argument."""
    made = {}
    results = {result.arg.name for result in library.results}
    for form in library.forms:
        if form.kind == "copy":
            made[f"copy_of_{form.tensor}"] = ("THTensor_newClone", form.tensor)
        elif (
            form.kind == "data" and form.tensor not in results and not library.strided(form.tensor)
        ):
            made[f"data_of_{form.tensor}"] = ("THTensor_newContiguous", form.tensor)
    return [(name, function, tensor) for name, (function, tensor) in made.items()]


def _rank_checks(op: Op, library: LibraryCall) -> list[str]:
    """Dims that the call speaks of are there."""
    lines = []
    ranks: dict[str, int] = {}
    for form in library.forms:
        if form.kind in ("size", "stride"):
            ranks[form.tensor] = max(ranks.get(form.tensor, 0), form.dim + 1)
    for name, rank in ranks.items():
        text = f"{op.name}: expected {name} to have at least {rank} dim{'s' if rank > 1 else ''}, got shape %s"
        lines.append(
            f"TH_REQUIRE({name}->nDimension >= {rank}, TH_ERROR_VALUE, {quoted(text)}, "
            f"THTensor_sizeDesc({name}).str);"
        )
    return lines


def _number_checks(op: Op, scope: Scope, late: bool) -> list[str]:
    """Numbers fit; those that follow from results are `late`."""
    results = {result.arg.name for result in scope.library.results}
    lines = []
    for form, ctype, value in scope.narrow():
        inner = calls.forms_in(form.inner)
        if any(each.tensor in results for each in inner) != late:
            continue
        text = f"{op.name}: expected {_plain(form)} to fit a C {ctype}, got %lld"
        lines.append(
            f"TH_REQUIRE(THCALL_FITS({ctype}, {value}), TH_ERROR_VALUE, {quoted(text)}, (long long)({value}));"
        )
    return lines


def _plain(form: Form) -> str:
    """What is converted, for a message of printf."""
    inner = form.text[form.text.index("(") + 1 : -1]
    return " ".join(inner.split()).replace("%", "%%")


def _made(op: Op, scope: Scope) -> list[str]:
    """The results, in memory of their own."""
    lines = []
    for result in scope.library.results:
        name, shape = result.arg.name, result.shape
        size, count = f"{shape.like}->size", f"{shape.like}->nDimension"
        if not shape.like:
            size, count = (f"size_of_{name}" if shape.sizes else "NULL"), str(len(shape.sizes))
        if shape.sizes:
            sizes = ", ".join(
                f"(int64_t)({scope.show(each.pieces).strip()})" for each in shape.sizes
            )
            lines += placed(
                f"const int64_t size_of_{name}[] = {{{sizes}}};", shape.sizes[0].text, scope.located
            )
        made = f'"{op.name}", "{name}", &made_{name}, {name}, {count}, {size}'
        lines.append(f"TH_TRY(THCall_newResult({made}));")
    for form in scope.library.call.forms:
        if form.source:
            lines.append(f"TH_TRY(THTensor_copy(made_{form.tensor}, {form.source}));")
    return lines


def _stored_type(op: Op, arg: Arg, function: CFunction) -> str:
    """The C type of a result's elements."""
    return tables.dtypes()[named_dtype(arg) or function.dtype or dtypes_of(op)[0]].storage


def _store(op: Op, library: LibraryCall, function: CFunction) -> str:
    """Where what the function returns goes."""
    if library.call.assigned:
        arg = next(arg for arg in op.args if arg.name == library.call.assigned)
        ctype = _stored_type(op, arg, function)
        return f"*({ctype} *)THCall_data(made_{arg.name}) = ({ctype})"
    if library.fails or library.needs_status:
        return "code = (int64_t)"
    return f"*out = ({RETURNS[op.returns].c.strip()})" if op.returns in RETURNS else ""


def _whole_call(op: Op, scope: Scope) -> list[str]:
    """The call itself; where there is a function for each dtype, in a switch."""
    library = scope.library
    arguments = scope.show(library.call.pieces)
    text, located = library.call.text, scope.located
    first = library.call.functions[0]
    if not first.dtype:
        return placed(f"{_store(op, library, first)}{first.name}({arguments});", text, located)
    tensor = next(arg.name for arg in op.args if arg.type.tensor and not arg[OUTPUT])
    lines = [f"switch ({tensor}->dtype) {{"]
    for function in library.call.functions:
        call = f"    {_store(op, library, function)}{function.name}({arguments});"
        lines.append(f"case {tables.dtypes()[function.dtype].enum}:")
        lines += [*placed(call, text, located), "    break;"]
    lines += [
        "default:",
        f'    status = THError_dtype("{op.name}", (THDtype){tensor}->dtype);',
        "}",
    ]
    return lines


def _outcome(op: Op, scope: Scope) -> list[str]:
    """A failure as an error, else what was stored."""
    library = scope.library
    lines: list[str] = []
    if library.fails:
        lines += [f"if (status == TH_OK && {scope.failing()})", f"    {scope.failed[0]}"]
    if library.fails and op.returns in RETURNS:
        lines += ["if (status == TH_OK)", "    *out = result;"]
    if not library.results:
        return lines
    lines += ["if (status != TH_OK)", "    goto done;"]
    rows = []
    for result in library.results:
        name, kept = result.arg.name, "0, true"
        if result.filled:
            lines += scope.statement(
                f"const int64_t filled_{name} = (int64_t)(", result.filled, ");"
            )
            kept = f"filled_{name}, false"
        rows.append(f'    {{"{name}", {name}, made_{name}, {kept}}},')
    finish = f'status = THCall_finish("{op.name}", results, {len(rows)});'
    return [*lines, "const THCallResult results[] = {", *rows, "};", finish]


def _locals(op: Op, scope: Scope) -> list[str]:
    library = scope.library
    lines = [f"THTensor *{name} = NULL;" for name, _, _ in _tensors(library)]
    lines += [f"THTensor *made_{result.arg.name} = NULL;" for result in library.results]
    lines += [f"{ctype} *{name} = NULL;" for ctype, name, _ in scope.arrays()]
    lines += scope.declared()
    if library.fails or library.needs_status:
        lines.append("int64_t code = 0;")
    if library.fails and op.returns in RETURNS:
        returned = RETURNS[op.returns]
        lines.append(f"{returned.c}result = {returned.initial};")
    return lines


def _signature(op: Op) -> str:
    results = [f"THTensor *{arg.name}" for arg in outputs_of(op)]
    first = [f"{RETURNS[op.returns].c}*out"] if op.returns in RETURNS else results
    rest = [text for arg in op.args if not arg[OUTPUT] for text in arg.type.declare(arg.name)]
    return f"int {op.cname}({', '.join([*first, *rest]) or 'void'})"


def _scope(op: Op, library: LibraryCall, located: bool) -> Scope:
    """A function of its own."""
    text = f"THMessage_{op.symbol}((int)code)" if library.message else "NULL"

    def absent(name: str) -> tuple[str, ...]:
        error = f'status = THError(TH_ERROR_RUNTIME, "{op.name}: the library made no {name}");'
        return (error, "goto done;")

    failed = (f'status = THCall_failed("{op.name}", {text}, code);', "goto done;")
    return Scope(library, located, _of_tensor(library), "code", failed, absent)


def function(form: OpForm, located: bool = False) -> str:
    """The function around a call on whole tensors."""
    op, library = form.op, form.body.library
    assert library is not None
    scope = _scope(op, library, located)
    before = [*_rank_checks(op, library), *_number_checks(op, scope, late=False)]
    for name, maker, tensor in _tensors(library):
        before.append(f"TH_TRY({maker}(&{name}, {tensor}));")
    before += [*_made(op, scope), *_number_checks(op, scope, late=True)]
    for _, name, count in scope.arrays():
        before += [f"{name} = THCall_array({count}, sizeof *{name});", f"if ({name} == NULL) {{"]
        before += ["    status = THError_code();", "    goto done;", "}"]
    cleanup = [f"THTensor_free({name});" for name, _, _ in _tensors(library)]
    cleanup += [f"THTensor_free(made_{result.arg.name});" for result in library.results]
    cleanup += [f"THFree({name});" for _, name, _ in scope.arrays()]
    call = [*scope.made(), *_whole_call(op, scope), *_outcome(op, scope)]
    jumps = any("goto done" in line or "TH_TRY" in line for line in call)
    return fill(
        FUNCTION,
        {
            "message": message_function(library, f"THMessage_{op.symbol}", located),
            "comment": comment(schema(op), f"{op.loc.file}:{op.loc.line}: {library.call}"),
            "signature": wrap(_signature(op)),
            "locals": _locals(op, scope),
            "before": [part for line in before for part in wrap(line, 96)],
            "call": call,
            "label": ["done:"] if before or jumps else [],
            "cleanup": [*scope.closed(), *cleanup],
        },
    )


def source(path: str, name: str, forms: Iterable[OpForm], located: bool = False) -> str:
    """calls/<chapter>.c"""
    functions = "\n".join(function(form, located) for form in whole(forms))
    return fill(CHAPTER, {"source": path, "name": name, "functions": functions})


def prototypes(path: str, forms: Iterable[OpForm]) -> str:
    """calls/<chapter>.h"""
    lines = [line for form in whole(forms) for line in wrap(f"{_signature(form.op)};")]
    return fill(PROTOTYPES, {"source": path, "prototypes": lines})


def called(forms: Iterable[OpForm]) -> dict[str, Op]:
    """The functions of libraries that are called, each with an op that does."""
    found: dict[str, Op] = {}
    for form in forms:
        library = form.body.library
        names = [function.name for function in library.call.functions] if library else []
        if form.body.kernel is not None:
            names += [name for name, function in functions_of(form.op).items() if function.foreign]
        for name in names:
            found.setdefault(name, form.op)
    return found
