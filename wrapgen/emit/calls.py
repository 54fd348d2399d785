"""Prints the calls of libraries' functions: libraries/libraries.h with what they need, calls/<chapter>.c with those on
whole tensors, and the body of an item for those on arrays of core operations."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from wrapgen import tables
from wrapgen.chain import Form as OpForm
from wrapgen.emit.helpers import placed
from wrapgen.emit.template import fill, of_file
from wrapgen.emit.wrappers import comment, schema, wrap
from wrapgen.model import Core, CoreOperand, LibraryCall, Op
from wrapgen.plugins.common import quoted
from wrapgen.plugins.kernel import functions_of
from wrapgen.syntax import calls, snippets
from wrapgen.syntax.calls import Form
from wrapgen.syntax.node import Text
from wrapgen.types import RETURNS
from wrapgen.units import Library

HEADER_FILE = "libraries/libraries.h"
SETUP_FILE = "libraries/setup.c"

HEADER = """\
/* Written by wrapgen: the libraries of the declarations, and what calls of their functions need. */
#ifndef TH_LIBRARIES_H
#define TH_LIBRARIES_H

#include <string.h>

#include <TH/TH.h>

$headers

/* Does the number survive as this type? */
#define THCALL_FITS(type, n) ((int64_t)(type)(n) == (int64_t)(n))

/* NULL, with an error recorded, where there is no memory. */
static inline void *THCall_array(int64_t n, int64_t size)
{
    int64_t bytes = -1;
    if (n < 0 || !THSize_mul(n, size, &bytes)) {
        THError(TH_ERROR_MEMORY, "out of memory: cannot allocate %lld elements", (long long)n);
        return NULL;
    }
    return THAlloc((size_t)bytes);
}

static inline int THCall_failed(const char *op, const char *message, int64_t code)
{
    return THError(TH_ERROR_RUNTIME, "%s: %s (code %lld)", op, message != NULL ? message : "failed",
                   (long long)code);
}

/* Of an item: not 0 whatever the integers' sizes are. */
static inline int THCall_code(int64_t code)
{
    return code == 0 ? 0 : THCALL_FITS(int, code) ? (int)code : 1;
}

#endif
"""

SETUP = """\
/* Written by wrapgen: what libraries need before anything of them is called. */
#include "libraries/libraries.h"

$functions
"""

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


def header(libraries: Iterable[Library]) -> str:
    """libraries/libraries.h"""
    names = dict.fromkeys(name for library in libraries for name in library.headers)
    return fill(HEADER, {"headers": [f"#include <{name}>" for name in names]})


def setup(libraries: Iterable[Library]) -> str:
    """libraries/setup.c; nothing where no library needs one."""
    functions: list[str] = []
    for number, library in enumerate(libraries):
        if library.setup is not None:
            name = f"setUp_{number}"
            lines = placed(snippets.located(library.setup), library.setup.loc.file)
            functions += [
                f"/* {library.name} */",
                f"__attribute__((constructor)) static void {name}(void)",
            ]
            functions += [
                "{",
                *lines,
                ";" if library.setup.text.rstrip()[-1:] not in ";}" else "",
                "}",
                "",
            ]
    return fill(SETUP, {"functions": "\n".join(filter(None, functions))}) if functions else ""


def unit_texts(libraries: tuple[Library, ...]) -> dict[str, str]:
    """The files for libraries as such."""
    if not libraries:
        return {}
    files = {HEADER_FILE: header(libraries), SETUP_FILE: setup(libraries)}
    return {name: text for name, text in files.items() if text}


def message_function(library: LibraryCall | None, name: str, located: bool) -> list[str]:
    """What a failure means."""
    if library is None or not library.fails or library.message is None:
        return []
    text = library.message.text
    if library.message.is_call:
        lines = _located(f"    return {text.text.strip()};", text, located)
    else:
        lines = ["    (void)status;", f"    return {quoted(text.text.strip())};"]
    return [f"static const char *{name}(int status)", "{", *lines, "}", "\n"]


def _located(line: str, text: Text, located: bool) -> list[str]:
    """C of the user's: as it stands in the YAML where that is told of."""
    if located:
        return of_file(line.split("\n"), text.loc.file, text.at(0).line)
    indent = line[: len(line) - len(line.lstrip())]
    return [indent + part for part in wrap(" ".join(line.split()), 92)]


def _works(library: LibraryCall) -> list[Form]:
    return [form for form in library.call.forms if form.kind == "work"]


def _shown(library: LibraryCall, plain: Callable[[Form], str]) -> Callable[[Form], str]:
    """How forms are printed: those of numbers are the same everywhere."""
    works = [form.offset for form in _works(library)]

    def show(form: Form) -> str:
        if form.kind == "work":
            return f"work_{works.index(form.offset)}"
        if form.kind in calls.NARROW:
            return f"({calls.NARROW[form.kind]})({calls.show(form.inner, show)})"
        return plain(form)

    return show


def _of_tensor(library: LibraryCall) -> Callable[[Form], str]:
    """Forms in a call on whole tensors."""

    def show(form: Form) -> str:
        name = form.tensor
        if form.kind == "data":
            return f"THTensor_data({name if library.call.strided(name) else f'data_of_{name}'})"
        if form.kind == "copy":
            return f"THTensor_data(copy_of_{name})"
        return {
            "count": f"THTensor_nElement({name})",
            "nbytes": f"(THTensor_nElement({name}) * THTensor_itemSize({name}))",
            "ndim": f"(int64_t){name}->nDimension",
            "size": f"{name}->size[{form.dim}]",
            "stride": f"{name}->stride[{form.dim}]",
        }[form.kind]

    return show


def _tensors(library: LibraryCall) -> list[tuple[str, str, str]]:
    """The tensors that a call on whole ones makes: local, function, the argument."""
    made = {}
    for form in library.call.forms:
        if form.kind == "copy":
            made[f"copy_of_{form.tensor}"] = ("THTensor_newClone", form.tensor)
        elif form.kind == "data" and not library.call.strided(form.tensor):
            made[f"data_of_{form.tensor}"] = ("THTensor_newContiguous", form.tensor)
    return [(name, function, tensor) for name, (function, tensor) in made.items()]


def _checks(op: Op, library: LibraryCall, show: Callable[[Form], str]) -> list[str]:
    """What has to hold before the call: dims are there, numbers fit."""
    lines = []
    ranks: dict[str, int] = {}
    for form in library.call.forms:
        if form.kind in ("size", "stride"):
            ranks[form.tensor] = max(ranks.get(form.tensor, 0), form.dim + 1)
    for name, rank in ranks.items():
        text = f"{op.name}: expected {name} to have at least {rank} dim{'s' if rank > 1 else ''}, got shape %s"
        lines.append(
            f"TH_REQUIRE({name}->nDimension >= {rank}, TH_ERROR_VALUE, {quoted(text)}, "
            f"THTensor_sizeDesc({name}).str);"
        )
    for form in library.call.forms:
        if form.kind in calls.NARROW:
            value, ctype = calls.show(form.inner, show), calls.NARROW[form.kind]
            text = f"{op.name}: expected {_plain(form)} to fit a C {ctype}, got %lld"
            lines.append(
                f"TH_REQUIRE(THCALL_FITS({ctype}, {value}), TH_ERROR_VALUE, {quoted(text)}, (long long)({value}));"
            )
    return lines


def _plain(form: Form) -> str:
    """What is converted, for a message of printf."""
    inner = form.text[form.text.index("(") + 1 : -1]
    return " ".join(inner.split()).replace("%", "%%")


def _arrays(library: LibraryCall, show: Callable[[Form], str]) -> list[tuple[str, str, str]]:
    """Scratch memory: type, local, count."""
    return [(form.ctype, show(form), calls.show(form.inner, show)) for form in _works(library)]


def _whole_call(
    op: Op, library: LibraryCall, show: Callable[[Form], str], located: bool
) -> list[str]:
    """The call itself; where there is a function for each dtype, in a switch."""
    arguments = calls.show(library.call.pieces, show)
    store = "" if op.returns == "void" else f"*out = ({RETURNS[op.returns].c.strip()})"
    store = "code = (int64_t)" if library.fails else store
    first = library.call.functions[0]
    if not first.dtype:
        return _located(f"{store}{first.name}({arguments});", library.call.text, located)
    tensor = next(arg.name for arg in op.args if arg.type.tensor)
    lines = [f"switch ({tensor}->dtype) {{"]
    for function in library.call.functions:
        lines.append(f"case {tables.dtypes()[function.dtype].enum}:")
        lines += _located(f"    {store}{function.name}({arguments});", library.call.text, located)
        lines.append("    break;")
    lines += [
        "default:",
        f'    status = THError_dtype("{op.name}", (THDtype){tensor}->dtype);',
        "}",
    ]
    return lines


def _outcome(op: Op, library: LibraryCall, message: str) -> list[str]:
    """A failure as an error, else the result that was stored."""
    if not library.fails:
        return []
    text = f"{message}((int)code)" if library.message else "NULL"
    condition = "code != 0" if library.fails == "nonzero" else "code < 0"
    lines = [
        f"if (status == TH_OK && {condition})",
        f'    status = THCall_failed("{op.name}", {text}, code);',
    ]
    if op.returns != "void":
        lines += ["if (status == TH_OK)", "    *out = result;"]
    return lines


def _locals(op: Op, library: LibraryCall, show: Callable[[Form], str]) -> list[str]:
    lines = [f"THTensor *{name} = NULL;" for name, _, _ in _tensors(library)]
    lines += [f"{ctype} *{name} = NULL;" for ctype, name, _ in _arrays(library, show)]
    if library.fails:
        lines.append("int64_t code = 0;")
        if op.returns != "void":
            returned = RETURNS[op.returns]
            lines.append(f"{returned.c}result = {returned.initial};")
    return lines


def _signature(op: Op) -> str:
    first = [] if op.returns == "void" else [f"{RETURNS[op.returns].c}*out"]
    rest = [text for arg in op.args for text in arg.type.declare(arg.name)]
    return f"int {op.cname}({', '.join([*first, *rest]) or 'void'})"


def function(form: OpForm, located: bool = False) -> str:
    """The function around a call on whole tensors."""
    op, library = form.op, form.body.library
    assert library is not None
    show = _shown(library, _of_tensor(library))
    before = _checks(op, library, show)
    for name, maker, tensor in _tensors(library):
        before.append(f"TH_TRY({maker}(&{name}, {tensor}));")
    for _, name, count in _arrays(library, show):
        before += [f"{name} = THCall_array({count}, sizeof *{name});", f"if ({name} == NULL) {{"]
        before += ["    status = THError_code();", "    goto done;", "}"]
    cleanup = [f"THTensor_free({name});" for name, _, _ in _tensors(library)]
    cleanup += [f"THFree({name});" for _, name, _ in _arrays(library, show)]
    message = f"THMessage_{op.symbol}"
    return fill(
        FUNCTION,
        {
            "message": message_function(library, message, located),
            "comment": comment(schema(op), f"{op.loc.file}:{op.loc.line}: {library.call}"),
            "signature": wrap(_signature(op)),
            "locals": _locals(op, library, show),
            "before": [part for line in before for part in wrap(line, 96)],
            "call": [*_whole_call(op, library, show, located), *_outcome(op, library, message)],
            "label": ["done:"] if before else [],
            "cleanup": cleanup,
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


def _item_call(library: LibraryCall, show: Callable[[Form], str], located: bool) -> list[str]:
    arguments = calls.show(library.call.pieces, show)
    returned = "code = THCall_code(" if library.fails else ""
    end = ");" if library.fails else ";"
    lines: list[str] = []
    for each in library.call.functions:
        if each.dtype:
            lines.append(f"#{'el' if lines else ''}if defined(TH_REAL_IS_{each.dtype.upper()})")
        lines += _located(f"{returned}{each.name}({arguments}){end}", library.call.text, located)
    lines += ["#endif"] if library.call.functions[0].dtype else []
    if not library.fails:
        return [*lines, "code = 0;"]
    return [*lines, *(["if (code > 0)", "    code = 0;"] if library.fails == "negative" else [])]


def item(core: Core, library: LibraryCall, located: bool) -> list[str]:
    """The body of an item's function."""
    show = _shown(library, _of_item(core))
    copies = _copies(core, library)
    arrays = [
        (f"{_element_type(core, name)}", to, count) for to, name, count in copies if to != name
    ]
    arrays = [each for each in arrays if each[1].startswith("copy_of_")] + _arrays(library, show)
    lines = ["int code;"]
    lines += [
        f"{ctype} *{name} = THCall_array({count}, sizeof *{name});" for ctype, name, count in arrays
    ]
    if arrays:
        missing = " || ".join(f"{name} == NULL" for _, name, _ in arrays)
        lines += ["code = TH_CORE_NO_MEMORY;", f"if ({missing})", "    goto done;"]
    lines += [
        f"memcpy({to}, {name}, (size_t)({count}) * sizeof *{name});" for to, name, count in copies
    ]
    narrow = [form for form in library.call.forms if form.kind in calls.NARROW]
    conditions = dict.fromkeys(
        f"THCALL_FITS({calls.NARROW[form.kind]}, {calls.show(form.inner, show)})" for form in narrow
    )
    if conditions:
        lines += [
            "code = TH_CORE_TOO_LARGE;",
            f"if (!({' && '.join(conditions)}))",
            "    goto done;",
        ]
    lines += _item_call(library, show, located)
    lines += ["done:"] if arrays or conditions else []
    return [*lines, *(f"THFree({name});" for _, name, _ in arrays), "return code;"]


def _element_type(core: Core, name: str) -> str:
    operand = next(each for each in core.inputs if each.arg.name == name)
    table = tables.dtypes()
    return table[table[operand.dtype].compute].storage if operand.dtype else "scalar_t"


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
