"""Prints what a package's own C functions need: their prototypes, from the declarations, and the file that
includes a file of THTensor_(op) functions for each dtype."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from wrapgen.chain import Form
from wrapgen.emit.guards import guarded
from wrapgen.emit.template import fill
from wrapgen.emit.wrappers import wrap
from wrapgen.model import Actual, Op
from wrapgen.plugins.argument_references import target
from wrapgen.plugins.bool_option import IF_TRUE
from wrapgen.plugins.common import quoted
from wrapgen.types import RETURNS

HEADER = """\
/* Written by wrapgen from $source: the C functions it names. */
$prototypes
"""

FILE = """\
/* Written by wrapgen: $path, for each dtype. */
#include <TH/TH.h>
#include <TH/THMath.h>

$headers

#define TH_GENERIC_FILE $file
#include <TH/THGenerateAllTypes.h>
"""

_LITERALS = (
    (re.compile(r"[+-]?\d+|'.'"), "int64_t"),
    (re.compile(r"[+-]?(\d+\.\d*|\.\d+|\d+(?=[eE]))([eE][+-]?\d+)?"), "double"),
    (re.compile(r"true|false"), "bool"),
    (re.compile(r'".*"'), "const char *"),
)


def _constant(text: str) -> str:
    """The C type of a text that is passed as it stands."""
    matching = (ctype for pattern, ctype in _LITERALS if pattern.fullmatch(text))
    return next(matching, "const void *")


def _parameters(op: Op, actual: Actual) -> list[str]:
    """What a C function gets for an argument."""
    arg = target(op, actual.arg) if actual.arg.type.name == "argument" else actual.arg
    if arg.type.name == "CONSTANT":
        return [_constant(arg.name)]
    if arg[IF_TRUE] is not None:
        return [f"{_constant(_switched(arg[IF_TRUE] or ''))} {arg.kernel_name}"]
    return list(arg.type.declare_generic(arg.kernel_name))


def _switched(text: str) -> str:
    numeric = any(pattern.fullmatch(text) for pattern, _ in _LITERALS[:3])
    return text if numeric else f'"{text}"'


def prototype(form: Form) -> str:
    """THTensor_(cname) as the wrapper calls it: results, then the other arguments in their order."""
    op, body = form.op, form.body
    results = [f"THTensor *{output.name}" for output in body.results]  # self_result in place
    if op.returns in RETURNS:
        results = [f"{RETURNS[op.returns].c}*out"]
    rest = [text for actual in body.actuals for text in _parameters(op, actual)]
    return f"int THTensor_({op.cname})({', '.join([*results, *rest])});"


def hand_written(forms: Iterable[Form]) -> list[Form]:
    """The forms that call a C function per dtype, one for each function."""
    first: dict[str, Form] = {}
    for form in forms:
        if form.body.dispatch and not form.body.looped:
            first.setdefault(form.op.cname, form)
    return list(first.values())


@functools.cache
def library_headers() -> dict[str, str]:
    """The functions per dtype that libTH has, each with its header: their parameters are not guessed."""
    import thwrap

    folder = Path(thwrap.get_include()) / "TH" / "generic"
    return {
        name: f"TH/generic/{path.name}"
        for path in sorted(folder.glob("*.h"))
        for name in re.findall(r"^TH_API int THTensor_\((\w+)\)", path.read_text(), re.MULTILINE)
    }


def header(source: str, forms: Iterable[Form]) -> str:
    """prototypes/<chapter>.h"""
    called = hand_written(forms)
    known = library_headers()
    headers = sorted({known[form.op.cname] for form in called if form.op.cname in known})
    own = [form for form in called if form.op.cname not in known]
    texts = {id(form): "\n".join(wrap(prototype(form))) for form in own}
    lines = [*(f"#include <{name}>" for name in headers), *guarded(own, texts)]
    return fill(HEADER, {"source": source, "prototypes": "\n".join(lines)})


def source(path: str, headers: Sequence[str]) -> str:
    """units/<stem>.c"""
    lines = []
    for name in headers:
        lines += [f"#define TH_GENERIC_FILE <{name}>", "#include <TH/THGenerateAllTypes.h>"]
    return fill(FILE, {"path": path, "headers": lines, "file": quoted(path)})
