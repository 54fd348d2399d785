"""Prints the kernels of `kernel:` entries: the loop, compiled for each instruction set, and TH<Real>Tensor_<op>."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from wrapgen import tables
from wrapgen.chain import Form
from wrapgen.dtypes import CATEGORIES, Dtype
from wrapgen.emit_c import comment, schema, wrap
from wrapgen.model import Kernel, Op
from wrapgen.plugins.outputs import OUTPUT
from wrapgen.plugins.types import dtypes_of
from wrapgen.template import fill

FILE = """\
/* Written by wrapgen from $source; edit that one.
 *
 * With TH_ISA defined this is the inner loops, compiled once for each instruction set; without, the functions that run
 * them through the engine. */
#ifndef TH_GENERIC_FILE
#include <TH/TH.h>
#include <TH/THMath.h>
#define TH_GENERIC_FILE "kernels/$name.c"
#ifdef TH_ISA
#include <TH/THGenerateLoopTypes.h>
#else
#include <TH/THGenerateAllTypes.h>
#endif
#else

$kernels

#endif
"""

HEADER = """\
/* Written by wrapgen from $source; edit that one. */
$prototypes
"""

KERNEL = """\
$comment
$typedef
#ifdef TH_ISA
void THLoop_($symbol)(int64_t n, void *const *data, const void *params)
{
    $setup
#pragma omp simd
    for (int64_t i = 0; i < n; i++) {
        $body
    }
}
#else
TH_LOOPS_DECLARE(TH_LOOP_DECLARE, $symbol, TH_COMPUTE_REAL);
$signature
{
    static const THKernel kernel = {
        .name = "$name",
        .noutputs = 1,
        .ninputs = $ninputs,
        .flags = $flags,
        .cost = $cost,
        .dtype = {$dtypes},
        .loop = TH_LOOPS($symbol, TH_COMPUTE_REAL),
    };
    THTensor *const operands[] = {$operands};
    $run
}
#endif
"""


def _kernel(form: Form) -> Kernel:
    assert form.body.kernel is not None
    return form.body.kernel


def _typedef(op: Op, kernel: Kernel) -> list[str]:
    if not kernel.params:
        return []
    fields = [f"    {ctype} {name};" for name, ctype, _ in kernel.params]
    return [
        f"typedef struct THTensor_({op.cname}_Params) {{",
        *fields,
        f"}} THTensor_({op.cname}_Params);",
    ]


def _setup(op: Op, kernel: Kernel) -> list[str]:
    """Pointers and scalars before the loop."""
    lines = []
    if not kernel.params:
        lines.append("(void)params;")
    for name, ctype, _ in kernel.params:
        lines.append(
            f"const {ctype} {name} = ((const THTensor_({op.cname}_Params) *)params)->{name};"
        )
    output, dtype = kernel.outputs[0]
    lines.append(f"{_storage(dtype)} *const {output}_data = data[0];")
    for index, (name, dtype) in enumerate(kernel.inputs):
        if name in kernel.used:
            lines.append(f"const {_storage(dtype)} *const {name}_data = data[{index + 1}];")
    return lines


def _row(dtype: str) -> Dtype:
    """What the loop sees of a fixed dtype."""
    table = tables.dtypes()
    return table[table[dtype].compute]


def _storage(dtype: str) -> str:
    return _row(dtype).storage if dtype else "storage_t"


def _folded(line: str) -> list[str]:
    """A long statement on several lines."""
    return textwrap.wrap(
        line, 92, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False
    )


def _loop_body(kernel: Kernel) -> list[str]:
    lines = []
    for name, dtype in kernel.inputs:
        if name not in kernel.used:
            continue
        row = _row(dtype) if dtype else None
        if row is None:
            lines.append(f"const scalar_t {name} = TH_LOAD({name}_data + i);")
        elif row.category == "bool":
            lines.append(f"const bool {name} = {name}_data[i] != 0;")
        else:
            lines.append(f"const {row.storage} {name} = {name}_data[i];")
    for name, text in kernel.hoisted:
        lines += _folded(f"const scalar_t {name} = {text};")
    output, dtype = kernel.outputs[0]
    row = _row(dtype) if dtype else None
    if row is None:
        lines += _folded(f"TH_STORE({output}_data + i, {kernel.expression});")
    elif row.category == "bool":
        lines += _folded(f"{output}_data[i] = ({kernel.expression}) != 0;")
    else:
        lines += _folded(f"{output}_data[i] = ({row.storage})({kernel.expression});")
    return lines


def _parameters(op: Op, kernel: Kernel) -> str:
    inputs = [
        text
        for arg in op.args
        if not arg[OUTPUT]
        for text in arg.type.declare_generic(arg.kernel_name)
    ]
    return ", ".join([f"THTensor *{kernel.outputs[0][0]}", *inputs])


def _run(op: Op, kernel: Kernel) -> list[str]:
    unused = [
        f"(void){arg.kernel_name};"
        for arg in op.args
        if not arg.type.tensor and arg.kernel_name not in {name for name, _, _ in kernel.params}
    ]
    if not kernel.params:
        return [*unused, f"return TH_KERNEL_RUN(&kernel, {_rounded(kernel)}, operands, NULL);"]
    values = ", ".join(value for _, _, value in kernel.params)
    return [
        *unused,
        f"const THTensor_({op.cname}_Params) params = {{{values}}};",
        f"return TH_KERNEL_RUN(&kernel, {_rounded(kernel)}, operands, &params);",
    ]


def _rounded(kernel: Kernel) -> str:
    """A bit for each operand that is converted to the dtype of the operation."""
    first = len(kernel.outputs)
    bits = sum(1 << first + place for place, (_, dtype) in enumerate(kernel.inputs) if not dtype)
    return hex(bits)


def _dtypes(kernel: Kernel) -> str:
    names = [dtype for _, dtype in (*kernel.outputs, *kernel.inputs)]
    return ", ".join(_row(name).enum if name else "TH_COMPUTE" for name in names)


def _operands(kernel: Kernel) -> str:
    """NULL operands are read as an input that is there: some element has to be, though it is not used."""
    there = next(name for name, _ in kernel.inputs if name not in kernel.nullable)
    names = [kernel.outputs[0][0]]
    names += [
        f"{name} != NULL ? {name} : {there}" if name in kernel.nullable else name
        for name, _ in kernel.inputs
    ]
    return ", ".join(names)


def kernel_text(form: Form) -> str:
    """One kernel."""
    op, kernel = form.op, _kernel(form)
    return fill(
        KERNEL,
        {
            "comment": comment(
                schema(op), f"{op.loc.file}:{op.loc.line}: {' '.join(kernel.source.split())}"
            ),
            "typedef": _typedef(op, kernel),
            "symbol": op.cname,
            "setup": _setup(op, kernel),
            "body": _loop_body(kernel),
            "signature": wrap(f"int THTensor_({op.cname})({_parameters(op, kernel)})"),
            "name": op.name,
            "ninputs": str(len(kernel.inputs)),
            "flags": "TH_KERNEL_WHOLE_VECTORS" if kernel.whole_vectors else "0",
            "cost": str(kernel.cost),
            "dtypes": _dtypes(kernel),
            "operands": _operands(kernel),
            "run": _run(op, kernel),
        },
    )


def _guard(op: Op) -> str:
    """The condition for the op's dtypes: whole categories by name, others one by one."""
    table = tables.dtypes()
    left = list(dtypes_of(op))
    terms = []
    for category in CATEGORIES:
        members = [row.name for row in table.rows if row.category == category]
        if set(members) <= set(left):
            terms.append(f"TH_CATEGORY_IS_{category.upper()}")
            left = [name for name in left if name not in members]
    terms += [f"TH_REAL_IS_{name.upper()}" for name in left]
    if len(terms) == len(CATEGORIES) and not left:
        return ""
    return "#if " + " || ".join(f"defined({term})" for term in terms)


def _guarded(forms: Iterable[Form], text: dict[int, str]) -> list[str]:
    """Texts in order, neighbours of the same dtypes under one condition."""
    lines: list[str] = []
    open_guard = ""
    for form in forms:
        guard = _guard(form.op)
        if guard != open_guard:
            lines += ["#endif", ""] if open_guard else []
            lines += [guard, ""] if guard else []
            open_guard = guard
        lines.append(text[id(form)])
    return lines + (["#endif"] if open_guard else [])


def own_kernels(forms: Iterable[Form]) -> list[Form]:
    """Forms with a kernel, one for each: derived forms share it with the form they come from."""
    first: dict[str, Form] = {}
    for form in forms:
        if form.body.kernel:
            first.setdefault(form.op.cname, form)
    return list(first.values())


def source(path: str, name: str, forms: Iterable[Form]) -> str:
    """kernels/<chapter>.c"""
    kernels = own_kernels(forms)
    texts = {id(form): kernel_text(form) for form in kernels}
    return fill(
        FILE, {"source": path, "name": name, "kernels": "\n".join(_guarded(kernels, texts))}
    )


def header(path: str, forms: Iterable[Form]) -> str:
    """kernels/<chapter>.h, the prototypes for each dtype."""
    kernels = own_kernels(forms)
    texts = {
        id(form): "\n".join(
            wrap(f"int THTensor_({form.op.cname})({_parameters(form.op, _kernel(form))});")
        )
        for form in kernels
    }
    return fill(HEADER, {"source": path, "prototypes": "\n".join(_guarded(kernels, texts))})
