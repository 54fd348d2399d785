"""Prints the wrappers TH_<op>: plain C over TH, no Python."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable

from wrapgen import tables
from wrapgen.chain import Form, Operation
from wrapgen.emit.template import fill, of_file
from wrapgen.model import SLOTS, Arg, Body, Op, Statement
from wrapgen.plugins.common import array
from wrapgen.plugins.outputs import OUT, OUTPUT, outputs_of, parameter
from wrapgen.plugins.return_arguments import returned_arguments
from wrapgen.types import RETURNS

CHAPTER = """\
/* Written by wrapgen from $source; edit that one. */
#include "$ops_header"
$calls

$includes
$kernels

$functions
"""

FUNCTION = """\
$comment
$signature
{
    $opening
    $locals

    $checks
    $outputs
    $call
    $after
$label
    $cleanup
    return $finish;
}
"""

HEADER = """\
/* Written by wrapgen; the declared operations. */
#ifndef $guard
#define $guard

#include <TH/TH.h>

#ifdef __cplusplus
extern "C" {
#endif

$prototypes

#ifdef __cplusplus
}
#endif
#endif
"""


def schema(op: Op) -> str:
    """`add(THTensor* self, THTensor* other, real alpha) -> THTensor*`, for comments and explain."""
    inputs = ", ".join(str(arg) for arg in op.args if not arg[OUTPUT])
    outputs = ", ".join(str(arg) for arg in outputs_of(op))
    return f"{op.symbol}({inputs}) -> {op.returns or outputs}"


def out_parameters(op: Op) -> list[str]:
    """The parameters of TH_<op> through which results come."""
    if op.returns in RETURNS:
        return [f"{RETURNS[op.returns].c}*out"]
    if op.inplace:
        return []
    return [f"THTensor **{parameter(op, arg)}" for arg in outputs_of(op)]


def parameters(op: Op) -> list[str]:
    """All parameters of TH_<op>: results first."""
    declared = [
        text
        for arg in op.args
        if arg.visible and not arg[OUTPUT]
        for text in arg.type.declare(arg.cname)
    ]
    return [*out_parameters(op), *declared]


def prototype(op: Op) -> str:
    return f"int TH_{op.symbol}({', '.join(parameters(op)) or 'void'})"


# Up to and including a comma or | where a line may end; strings are not broken.
_PIECE = re.compile(r'(?:"(?:\\.|[^"\\])*"|[^"])*?(?:, | \| |$)')


def wrap(text: str, width: int = 100) -> list[str]:
    """A long parameter list broken at commas, aligned behind the bracket."""
    if len(text) <= width or "(" not in text:
        return [text]
    head, rest = text.split("(", 1)
    indent = " " * (len(head) + 1)
    lines, line = [], head + "("
    for part in filter(None, _PIECE.findall(rest)):
        if len(line) + len(part.rstrip()) > width and line.strip() not in ("", f"{head.strip()}("):
            lines.append(line.rstrip())
            line = indent
        line += part
    return [*lines, line]


def comment(*paragraphs: str) -> list[str]:
    """A C comment, each paragraph on lines of its own."""
    plain = [text.replace("*/", "* /").replace("/*", "/ *") for text in paragraphs]
    lines = [
        line for text in plain for line in textwrap.wrap(text, 96, break_long_words=False) or [""]
    ]
    marked = [("/* " if index == 0 else " * ") + line for index, line in enumerate(lines)]
    marked[-1] += " */"
    return [line.rstrip() for line in marked]


def _texts(statements: Iterable[Statement], located: bool = False) -> list[str]:
    """Lines of C, long calls broken; what stands in the YAML is left as it is where that is told of."""
    lines: list[str] = []
    for statement in statements:
        own = statement.text.splitlines()
        if located and statement.quoted:
            lines += of_file(own, statement.loc.file, statement.loc.line)
        else:
            lines += [part for line in own for part in (wrap(line, 96) if "(" in line else [line])]
    return lines


def statement_lines(statement: Statement) -> list[str]:
    """A statement as it is printed."""
    return _texts([statement])


def _expressions(op: Op, body: Body, real: str) -> list[str]:
    """What is handed to the C function: the value's pointer or the results, then the arguments."""
    dtype = tables.dtypes()[real] if real else None
    first = [output.name for output in body.results]
    if op.returns in RETURNS:
        first = ["&out_result" if op[OUT] else "out"]
    rest = [text for actual in body.actuals for text in actual.expressions(dtype)]
    return [*first, *rest]


def _call(function: str, arguments: Iterable[str]) -> list[str]:
    return wrap(f"status = {function}({', '.join(arguments)});", 92)


def call(op: Op, body: Body) -> list[str]:
    """The call: a visible switch over the dtypes, or one function."""
    if not body.dispatch:
        return _call(op.cname, _expressions(op, body, ""))
    lines = [f"switch ({body.dtype}) {{"]
    for name in body.dispatch:
        lines.append(f"case {tables.dtypes()[name].enum}:")
        lines += [
            "    " + line
            for line in _call(f"TH{name}Tensor_{op.cname}", _expressions(op, body, name))
        ]
        lines.append("    break;")
    lines += ["default:", f'    status = THError_dtype("{op.name}", {body.dtype});', "}"]
    return lines


def _locals(op: Op, body: Body) -> list[str]:
    lines = []
    if body.tensors and any("inputs" in text for text in _all_texts(body)):
        lines.append(f"THTensor *const inputs[] = {array(arg.cname for arg in body.tensors)};")
    return lines + _texts(body.locals) + (["THWork work = {0};"] if body.unlocked else [])


def _all_texts(body: Body) -> list[str]:
    return [statement.text for slot in SLOTS for statement in getattr(body, slot)]


def _guard(op: Op, body: Body) -> list[str]:
    """An explained call ends before a function that could write to what its caller gave: one without results of its
    own, or a library's. TH's own see to it themselves."""
    may_write = not body.results and not op.cname.startswith("THTensor_")
    reseats = op.inplace == "self" and not body.unlocked
    calls = body.library is not None
    guarded = not body.looped and (body.shaped or may_write or reseats or calls)
    return ["TH_TRY(THExplain_guard());"] if guarded else []


def _calling(op: Op, body: Body, located: bool) -> list[str]:
    lines = _texts(body.call, located)
    if not body.unlocked:
        return [*lines, *_guard(op, body), *call(op, body)]
    lines.append(f"THTensor *const touched[] = {array(body.work)};")
    entering = "THWork_enterShaped(&work, {}, &shape," if body.shaped else "THWork_enter(&work, {},"
    lines.append(f"{entering.format(body.cost)} touched, {len(body.work)});")
    return [*lines, *_guard(op, body), *call(op, body), "THWork_end(&work);"]


_JUMPS = ("goto done", "TH_TRY", "TH_REQUIRE")


def function(form: Form, located: bool = False) -> str:
    """The whole function; `located` with lines that name the YAML where its C is."""
    op, body = form.op, form.body
    after = _texts((*body.record, *body.after), located)
    if after:
        after = ["if (status != TH_OK)", "    goto done;", *after]
    before = [
        *_locals(op, body),
        *_texts((*body.checks, *body.prepare, *body.inputs, *body.outputs)),
    ]
    calling = _calling(op, body, located)
    opening = ["int status = TH_OK;"]
    if not before and calling[0].startswith("status = "):
        opening, calling = [], [f"int {calling[0]}", *calling[1:]]
    jumps = any(word in line for line in (*before, *calling, *after) for word in _JUMPS)
    return fill(
        FUNCTION,
        {
            "comment": comment(schema(op), str(op.loc).rsplit(":", 1)[0]),
            "signature": wrap(prototype(op)),
            "opening": opening,
            "locals": _locals(op, body),
            "checks": _texts((*body.checks, *body.prepare), located),
            "outputs": _texts((*body.inputs, *body.outputs)),
            "call": calling,
            "after": after,
            "label": ["done:"] if jumps else [],
            "cleanup": _texts(reversed(body.cleanup) if not outputs_several(op) else body.cleanup),
            "finish": body.finish or f'THError_named("{op.name}", status)',
        },
    )


def outputs_several(op: Op) -> bool:
    """Results end in the order they were declared."""
    return len(outputs_of(op)) > 1 and not op.inplace


def chapter(
    source: str,
    name: str,
    operations: Iterable[Operation],
    ops_header: str,
    generic: str,
    located: bool = False,
) -> str:
    """The file of one chapter."""
    forms = [form for operation in operations for form in operation.forms]
    kernels = any(form.body.looped for form in forms)
    hand_written = any(form.body.dispatch and not form.body.looped for form in forms)
    calls = any(form.body.library is not None and not form.body.looped for form in forms)
    return fill(
        CHAPTER,
        {
            "source": source,
            "ops_header": ops_header,
            "includes": _generic_include(f"<{generic}>") if hand_written and generic else [],
            "calls": [f'#include "calls/{name}.h"'] if calls else [],
            "kernels": _generic_include(f'"kernels/{name}.h"') if kernels else [],
            "functions": "\n".join(function(form, located) for form in forms),
        },
    )


def _generic_include(header: str) -> list[str]:
    return [f"#define TH_GENERIC_FILE {header}", "#include <TH/THGenerateAllTypes.h>"]


def header(guard: str, operations: Iterable[Operation]) -> str:
    """The prototypes of all wrappers, for C programs."""
    lines: list[str] = []
    for operation in operations:
        for form in operation.forms:
            if form.op.doc:
                lines += comment(*form.op.doc.splitlines())
            lines += wrap(f"TH_API {prototype(form.op)};")
    return fill(HEADER, {"guard": guard, "prototypes": lines})


def returns_of(op: Op) -> tuple[Arg, ...]:
    """The outputs a caller gets, in order."""
    return returned_arguments(op) or outputs_of(op)
