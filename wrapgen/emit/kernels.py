"""Prints the kernels of `kernel:` entries: the loop, compiled for each instruction set, and TH<Real>Tensor_<op>."""

from __future__ import annotations

from collections.abc import Iterable

from wrapgen.chain import Form
from wrapgen.emit import core, helpers, library_files
from wrapgen.emit.elements import folded, operand_dtypes, row_of, takes_rows, takes_strides
from wrapgen.emit.guards import guarded
from wrapgen.emit.loops import little, loops, real, singles, together
from wrapgen.emit.template import fill
from wrapgen.emit.wrappers import comment, schema, wrap
from wrapgen.model import Core, Kernel, Op, Special
from wrapgen.plugins.outputs import OUTPUT
from wrapgen.plugins.types import dtypes_of
from wrapgen.units import Library

FILE = """\
/* Written by wrapgen from $source; edit that one.
 *
 * With TH_ISA defined this is the inner loops, compiled once for each instruction set; without, the functions that run
 * them through the engine. */
#ifndef TH_GENERIC_FILE
#include <TH/TH.h>
#include <TH/THMath.h>
$includes
#define TH_GENERIC_FILE "kernels/$name.c"
#ifdef TH_ISA
#include <TH/THGenerateKernelTypes.h>
#else
#include <TH/THGenerateAllTypes.h>
#endif
#else

/* Written for every dtype: what compilers notice of one of them says nothing of the others. */
#pragma GCC diagnostic ignored "-Wtype-limits"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wtautological-compare"
#pragma GCC diagnostic ignored "-Wint-in-bool-context"
#pragma GCC diagnostic ignored "-Wbool-operation"
#ifdef TH_HAVE_SOME_VECTORS
/* What is computed before a condition stays there: within it, they would be called for one element at a time. */
#pragma GCC optimize("no-tree-sink")
#endif
#ifdef TH_WIDENED
/* A condition that is the same for all elements becomes a selection: by a branch, blocks would leave the registers. */
#pragma GCC push_options
#pragma GCC optimize("no-unswitch-loops")
#endif

$helpers

$kernels

#ifdef TH_WIDENED
#pragma GCC pop_options
#endif
#endif
"""

HEADER = """\
/* Written by wrapgen from $source; edit that one. */
$prototypes
"""

KERNEL_FIELDS = """\
static const THKernel $variable = {
    .name = "$name",
    .noutputs = $noutputs,
    .ninputs = $ninputs,
    .flags = $flags,
    .cost = $cost,
    .dtype = {$dtypes},
    $single
    .loop = $loops,
};
"""

KERNEL_TEXT = """\
$comment
$typedef
#ifdef TH_ISA
$compiled
#else
TH_LOOPS_DECLARE(TH_LOOP_DECLARE, $symbol, $real);
$signature
{
    $kernels
    $exchange
    $kept
    THTensor *const operands[] = {$operands};
    $run
}
#endif
"""


def _kernel(form: Form) -> Kernel:
    assert form.body.kernel is not None
    return form.body.kernel


def _core(form: Form) -> Core:
    assert form.body.core is not None
    return form.body.core


def _plain(op: Op, kernel: Kernel) -> list[Special]:
    """The numbers, of one input, for which loops need no whole vectors, which all others do."""
    if not kernel.whole_vectors:
        return []
    plain = [
        special
        for special in kernel.specials
        if special.is_one_number
        and special.dtypes == dtypes_of(op)
        and not special.kernel.whole_vectors
    ]
    return [special for special in plain if special.names == plain[0].names]


def _flags(kernel: Kernel, whole_vectors: bool) -> str:
    flags = ["TH_KERNEL_TOGETHER"] if together(kernel) else []
    if whole_vectors:
        flags.append("TH_KERNEL_WHOLE_VECTORS")
    elif takes_rows(kernel):
        flags.append("TH_KERNEL_ROWS")
    if takes_strides(kernel):
        flags.append("TH_STRIDED * TH_KERNEL_STRIDED")
    if kernel.divides:
        flags.append("TH_KERNEL_DIVIDES")
    if kernel.unread and not kernel.specials:
        flags.append("TH_INTEGRAL * TH_KERNEL_UNREAD")
    text = " | ".join(flags) or "0"
    return text if kernel.moved else f"TH_KERNEL_FLAGS({text})"


def _typedef(op: Op, kernel: Kernel) -> list[str]:
    if not kernel.params:
        return []
    fields = [f"    {ctype} {name};" for name, ctype, _ in kernel.params]
    return [
        f"typedef struct THTensor_({op.cname}_Params) {{",
        *fields,
        f"}} THTensor_({op.cname}_Params);",
    ]


def _single_bits(kernel: Kernel) -> str:
    """A bit for each operand of which a loop may read one element."""
    names, first = [name for name, _ in kernel.inputs], len(kernel.results)
    return hex(sum(1 << first + names.index(name) for name in singles(kernel)))


def _single_fields(op: Op, kernel: Kernel) -> list[str]:
    if not kernel.specials:
        return []
    cost = min(special.kernel.cost for special in kernel.specials)
    struct = f"THTensor_({op.cname}_Params)"
    return [
        f".single = {_single_bits(kernel)},",
        f".singleCost = {cost},",
        f".paramsSize = TH_KERNEL_PARAMS({struct}),",
        f".singleAt = offsetof({struct}, {singles(kernel)[0]}_single),",
    ]


def _parameters(op: Op, kernel: Kernel) -> str:
    inputs = [
        text
        for arg in op.args
        if not arg[OUTPUT]
        for text in arg.type.declare_generic(arg.kernel_name)
    ]
    return ", ".join([*(f"THTensor *{result.name}" for result in kernel.results), *inputs])


def _kernels(op: Op, kernel: Kernel) -> list[str]:
    """What the engine knows of the loops; of those for plain numbers apart."""
    kinds = [("kernel", _flags(kernel, kernel.whole_vectors), kernel.cost)]
    if plain := _plain(op, kernel):
        cost = max(special.kernel.cost for special in plain)
        kinds.append(("plain", _flags(kernel, whole_vectors=False), cost))
    texts = [
        fill(
            KERNEL_FIELDS,
            {
                "variable": variable,
                "name": op.name,
                "noutputs": str(len(kernel.results)),
                "ninputs": str(len(kernel.inputs)),
                "flags": flags,
                "cost": str(cost),
                "dtypes": _dtypes(kernel),
                "single": _single_fields(op, kernel),
                "loops": _loops(op, kernel),
            },
        )
        for variable, flags, cost in kinds
    ]
    return "".join(texts).splitlines()


def _chosen(op: Op, kernel: Kernel) -> tuple[list[str], str]:
    """Statements before a call, and the kernel that is called then."""
    plain = _plain(op, kernel)
    if not plain:
        return [], "&kernel"
    numbers = ", ".join(special.number for special in plain)
    name = plain[0].names[0]
    return [
        f"static const double numbers[] = {{{numbers}}};",
        f"const bool isPlain = THKernel_isAmong({name}, numbers, {len(plain)});",
    ], "isPlain ? &plain : &kernel"


def _run(op: Op, kernel: Kernel) -> list[str]:
    unused = [
        f"(void){arg.kernel_name};"
        for arg in op.args
        if not arg.type.tensor and arg.kernel_name not in {name for name, _, _ in kernel.params}
    ]
    if not kernel.params:
        return [*unused, "return THKernel_run(&kernel, operands, NULL);"]
    values = ", ".join(value for _, _, value in kernel.params)
    statements, chosen = _chosen(op, kernel)
    return [
        *unused,
        *folded(f"const THTensor_({op.cname}_Params) params = {{{values}}};"),
        *statements,
        f"return THKernel_run({chosen}, operands, &params);",
    ]


def _dtypes(kernel: Kernel) -> str:
    dtypes = [dtype for _, dtype in operand_dtypes(kernel)]
    return ", ".join(row_of(dtype).enum if dtype else "TH_DTYPE" for dtype in dtypes)


def _exchange(kernel: Kernel) -> list[str]:
    """Two inputs change places where the kernel has a loop for the other order."""
    if not kernel.exchanged:
        return []
    one, other = kernel.exchanged
    return [
        f"if (TH_UNLIKELY(THTensor_repeatsBeside({one}, {other}))) {{",
        f"    THTensor *const before = {one};",
        f"    {one} = {other};",
        f"    {other} = before;",
        "}",
    ]


def _kept(kernel: Kernel) -> list[str]:
    """Nothing is done in place where integers are left as they are."""
    if not kernel.kept:
        return []
    return [
        "#ifdef TH_CATEGORY_IS_INTEGRAL",
        f"if ({kernel.results[0].name} == {kernel.inputs[0][0]} && THExplain_current == NULL)",
        "    return TH_OK;",
        "#endif",
    ]


def _operands(kernel: Kernel) -> str:
    """NULL operands are read as an input that is there: some element has to be, though it is not used."""
    there = next(name for name, _ in kernel.inputs if name not in kernel.nullable)
    names = [result.name for result in kernel.results]
    names += [
        f"{name} != NULL ? {name} : {there}" if name in kernel.nullable else name
        for name, _ in kernel.inputs
    ]
    return ", ".join(names)


def _loops(op: Op, kernel: Kernel) -> str:
    """The loops for the instruction sets."""
    if kernel.light or kernel.bits:
        return f"TH_LIGHT_LOOPS({op.cname}, {real(kernel)}, {little(kernel)})"
    return f"TH_LOOPS({op.cname}, {real(kernel)})"


def kernel_text(form: Form, located: bool = False) -> str:
    """One kernel; `located` with lines that name the YAML where its expression is."""
    op, kernel = form.op, _kernel(form)
    return fill(
        KERNEL_TEXT,
        {
            "comment": comment(
                schema(op), f"{op.loc.file}:{op.loc.line}: {' '.join(kernel.source.split())}"
            ),
            "typedef": _typedef(op, kernel),
            "symbol": op.cname,
            "compiled": loops(op, kernel, op if located else None),
            "real": real(kernel),
            "signature": wrap(f"int THTensor_({op.cname})({_parameters(op, kernel)})"),
            "kernels": _kernels(op, kernel),
            "exchange": _exchange(kernel),
            "kept": _kept(kernel),
            "operands": _operands(kernel),
            "run": _run(op, kernel),
        },
    )


def loop_text(form: Form, located: bool = False) -> str:
    """A kernel, or a core operation."""
    text = kernel_text if form.body.kernel else core.core_text
    return text(form, located)


def _prototype(form: Form) -> str:
    op, body = form.op, form.body
    text = _parameters(op, body.kernel) if body.kernel else core.parameters(op, _core(form))
    return f"int THTensor_({op.cname})({text});"


def own_kernels(forms: Iterable[Form]) -> list[Form]:
    """Forms with a loop of their own, one for each: derived forms share it with the form they come from."""
    first: dict[str, Form] = {}
    for form in forms:
        if form.body.looped:
            first.setdefault(form.op.cname, form)
    return list(first.values())


def _includes(kernels: list[Form]) -> list[str]:
    """What the C of packages needs."""
    cores = [form for form in kernels if form.body.core]
    headers = [f'#include "{library_files.HEADER_FILE}"'] if _libraries(kernels) else []
    if any(form.body.core and form.body.core.body for form in cores) or helpers.uses(kernels):
        headers.append("#include <tgmath.h>")
    if core.called(cores):
        headers.append(f'#include "{core.FILE}"')
    return headers


def _libraries(kernels: list[Form]) -> tuple[Library, ...]:
    return kernels[0].op.units.libraries if kernels else ()


def _helpers(kernels: list[Form]) -> list[str]:
    lines = []
    if helpers.uses(kernels):
        lines += ["#ifdef TH_ISA", f'#include "{helpers.FILE}"', "#endif"]
    if any(form.body.core and (form.body.core.body or form.body.library) for form in kernels):
        lines.append('#pragma GCC diagnostic ignored "-Wunused-parameter"')
    return lines


def source(path: str, name: str, forms: Iterable[Form], located: bool = False) -> str:
    """kernels/<chapter>.c"""
    kernels = own_kernels(forms)
    texts = {id(form): loop_text(form, located) for form in kernels}
    return fill(
        FILE,
        {
            "source": path,
            "name": name,
            "includes": _includes(kernels),
            "helpers": _helpers(kernels),
            "kernels": "\n".join(guarded(kernels, texts)),
        },
    )


def header(path: str, forms: Iterable[Form]) -> str:
    """kernels/<chapter>.h, the prototypes for each dtype."""
    kernels = own_kernels(forms)
    texts = {id(form): "\n".join(wrap(_prototype(form))) for form in kernels}
    return fill(HEADER, {"source": path, "prototypes": "\n".join(guarded(kernels, texts))})
