"""Prints the kernels of `kernel:` entries: the loop, compiled for each instruction set, and TH<Real>Tensor_<op>."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from wrapgen.chain import Form
from wrapgen.emit import core, helpers, library_files
from wrapgen.emit.elements import (
    elements,
    folded,
    indented,
    operand_dtypes,
    row_of,
    storage,
    strided_elements,
    takes_rows,
    takes_strides,
)
from wrapgen.emit.guards import guard, guarded, with_computing
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
#ifdef TH_HAVE_VECTOR_FUNCTIONS
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

KERNEL_TEXT = """\
$comment
$typedef
#ifdef TH_ISA
$compiled
$arrays
#ifdef TH_WIDENED
TH_BLOCK_DECLARE($symbol);
void THWidened_($symbol)(int64_t n, void *const *data, const void *params)
{
    $widened
}
#endif
void THLoop_($symbol)(int64_t n, void *const *data, const void *params)
{
    $setup
    $strided
    $rows
    $specials
$loop
    $end_rows
}
$scalar
$end_compiled
#else
TH_LOOPS_DECLARE(TH_LOOP_DECLARE, $symbol, $real);
$signature
{
    static const THKernel kernel = {
        .name = "$name",
        .noutputs = $noutputs,
        .ninputs = $ninputs,
        .flags = $flags,
        .cost = $cost,
        .dtype = {$dtypes},
        $single
        .loop = $loops,
    };
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


def _flags(kernel: Kernel) -> str:
    flags = ["TH_KERNEL_TOGETHER"] if _together(kernel) else []
    if kernel.whole_vectors:
        flags.append("TH_KERNEL_WHOLE_VECTORS")
    elif takes_rows(kernel):
        flags.append("TH_KERNEL_ROWS")
    if takes_strides(kernel):
        flags.append("TH_STRIDED * TH_KERNEL_STRIDED")
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


def _setup(op: Op, kernel: Kernel) -> list[str]:
    """Pointers and scalars before the loop."""
    lines = []
    if not kernel.params:
        lines.append("(void)params;")
    for name, ctype, _ in kernel.params:
        lines.append(
            f"const {ctype} {name} = ((const THTensor_({op.cname}_Params) *)params)->{name};"
        )
    const = "" if takes_rows(kernel) else "const "
    for index, result in enumerate(kernel.results):
        lines.append(f"{storage(result.dtype)} *{const}{result.name}_data = data[{index}];")
        if result.dtype and row_of(result.dtype).category == "bool":
            lines.append(f"const uint8_t {result.name}_true = THBool_one();")
    for index, (name, dtype) in enumerate(kernel.inputs, len(kernel.results)):
        if name in kernel.used:
            lines.append(f"const {storage(dtype)} *{const}{name}_data = data[{index}];")
    return lines


def _strided(kernel: Kernel, located: Op | None) -> list[str]:
    """The loop over elements of 8 bytes that lie steps apart."""
    if not takes_strides(kernel):
        return []
    return [
        "#if TH_HAS_STRIDED(TH_STRIDED)",
        "if (n == -1) {",
        *indented(strided_elements(kernel, located)),
        "    return;",
        "}",
        "#endif",
    ]


def _rows(kernel: Kernel) -> list[str]:
    """The head of the loop over rows."""
    if not takes_rows(kernel):
        return []
    operands = operand_dtypes(kernel)
    steps = [
        f"    {name}_data = TH_ROW_AFTER({name}_data, rows[{place + 1}])"
        for place, (name, _) in enumerate(operands)
        if place < len(kernel.results) or name in kernel.used
    ]
    return [
        f"const int64_t *const rows = n < 0 ? data[{len(operands)}] : TH_ONE_ROW;",
        "n = n < 0 ? -n : n;",
        "for (int64_t left = rows[0]; left > 0; left--,",
        *(f"{step}," for step in steps[:-1]),
        f"{steps[-1]}) {{",
    ]


def _each_row(kernel: Kernel, lines: list[str]) -> list[str]:
    """What is done for each of them."""
    if not takes_rows(kernel):
        return lines
    return indented(lines)


def _special(op: Op, special: Special, located: Op | None, done: str) -> list[str]:
    """The loop for one number, in the dtypes that it is for."""
    test = f"if ({special.test}) " if special.test else ""
    condition = "" if special.dtypes == dtypes_of(op) else guard(with_computing(special.dtypes))
    lines = [
        f"    {test}{{",
        *indented(indented(elements(special.kernel, located, special.names))),
        f"        {done};",
        "    }",
    ]
    number = f"number_{special.names[0]}"
    unread = ["#else", f"    (void){number};"] if number in special.test else []
    return [condition, *lines, *unread, "#endif"] if condition else lines


def _singles(kernel: Kernel) -> list[str]:
    """The inputs with loops that read one element of them, in the order in which they are asked for."""
    special = {special.names[0] for special in kernel.specials if len(special.names) == 1}
    return [name for name, _ in kernel.inputs if name in special]


def _together(kernel: Kernel) -> tuple[str, ...]:
    """The inputs with a loop that reads one element of each of them."""
    several = [special.names for special in kernel.specials if len(special.names) > 1]
    return several[0] if several else ()


def _known(kernel: Kernel) -> list[tuple[str, ...]]:
    """What loops read one element of, in the order in which they are asked for."""
    together = _together(kernel)
    return [*([together] if together else []), *((name,) for name in _singles(kernel))]


def _single_bits(kernel: Kernel) -> str:
    """A bit for each operand of which a loop may read one element."""
    names, first = [name for name, _ in kernel.inputs], len(kernel.results)
    return hex(sum(1 << first + names.index(name) for name in _singles(kernel)))


def _single_fields(op: Op, kernel: Kernel) -> list[str]:
    if not kernel.specials:
        return []
    cost = min(special.kernel.cost for special in kernel.specials)
    struct = f"THTensor_({op.cname}_Params)"
    return [
        f".single = {_single_bits(kernel)},",
        f".singleCost = {cost},",
        f".paramsSize = TH_KERNEL_PARAMS({struct}),",
        f".singleAt = offsetof({struct}, {_singles(kernel)[0]}_single),",
    ]


def _specials(op: Op, kernel: Kernel, located: Op | None) -> list[str]:
    """Loops for numbers that an input may be, before the usual one."""
    lines = []
    done = "continue" if takes_rows(kernel) else "return"
    for names in _known(kernel):
        specials = [special for special in kernel.specials if special.names == names]
        lines.append(f"if ({' && '.join(f'{name}_single' for name in names)} && n > 0) {{")
        lines += [
            f"    const scalar_t {name} = TH_MATH(single)(TH_LOAD({name}_data));" for name in names
        ]
        if all(special.dtypes != dtypes_of(op) for special in specials):
            lines += [f"    (void){name};" for name in names]
        lines += [line for special in specials for line in _special(op, special, located, done)]
        lines.append("}")
    return lines


def _blocks(op: Op, kernel: Kernel, known: Sequence[str], params: str) -> list[str]:
    """The loop over blocks; inputs that are `known` are read once."""
    widen, narrow, blocks = list[str](), list[str](), list[str]()
    for place, (name, dtype) in enumerate(operand_dtypes(kernel)):
        if dtype:
            index = "" if name in known else " + i"
            blocks.append(f"({storage(dtype)} *)data[{place}]{index}")
            continue
        blocks.append(name)
        if place < len(kernel.results):
            narrow.append(f"TH_NARROW(data[{place}], {name}, i);")
        elif name in kernel.used and name not in known:
            widen.append(f"TH_WIDEN({name}, data[{place}], i);")
    body = [
        *widen,
        f"void *block[] = {{{', '.join(blocks)}}};",
        f"THBlock_({op.cname})(TH_WIDENED_LANES, block, {params});",
        *narrow,
    ]
    loop = "for (int64_t i = 0; i < n; i += TH_WIDENED_LANES) {"
    return [loop, *(f"    {line}" for line in body), "}"]


def _stored(kernel: Kernel, operands: list[tuple[str, str]]) -> list[str]:
    """The loop of a function of elements as they are stored."""
    const = ["" if place < len(kernel.results) else "const " for place in range(len(operands))]
    given = ", ".join(f"{name}[i]" for name, _ in kernel.inputs)
    return [
        *(
            f"{const[place]}TH_STORED *const {name} = data[{place}];"
            for place, (name, _) in enumerate(operands)
        ),
        "(void)params;",
        "#pragma omp simd",
        "for (int64_t i = 0; i < n; i++)",
        f"    {kernel.results[0].name}[i] = TH_OF_STORED({kernel.bits})({given});",
    ]


def _widened(op: Op, kernel: Kernel) -> list[str]:
    """The loop for elements that are widened: block by block, by the kernel's loop for what they are computed in."""
    operands = operand_dtypes(kernel)
    if kernel.bits:
        return _stored(kernel, operands)
    lines = [f"TH_WIDENED_BLOCK({name});" for name, dtype in operands if not dtype]
    params = "params"
    if kernel.params:
        struct, params = f"THTensor_({op.cname}_Params)", "&known"
        lines += [
            "if (n == 0)",
            "    return;",
            f"const {struct} known = *(const {struct} *)params;",
        ]
    for names in _known(kernel):
        read = [
            f"TH_WIDEN_ONE({name}, data[{place}]);"
            for place, (name, dtype) in enumerate(operands)
            if name in names and not dtype
        ]
        body = [*read, *_blocks(op, kernel, names, params), "return;"]
        asked = " && ".join(f"known.{name}_single" for name in names)
        lines += [f"if ({asked}) {{", *(f"    {line}" for line in body), "}"]
    return [*lines, *_blocks(op, kernel, (), params)]


def _arrays(op: Op, kernel: Kernel) -> tuple[list[str], list[str]]:
    """What is before and behind the loops over elements, where a function of arrays takes their place."""
    if not kernel.arrays or len(kernel.inputs) > 1:
        return [], []
    before = [
        "#ifdef TH_HAVE_VECTOR_FUNCTIONS",
        f"TH_LOOP_DECLARE(TH_STORED_LOOP({op.cname}));",
        f"TH_LOOP_DECLARE(TH_STORED_LOOP({op.cname}))",
        "{",
        "    (void)params;",
        f"    TH_ARRAYS({kernel.arrays})(n, data[0], data[1]);",
        "}",
        "#else",
    ]
    return before, ["#endif"]


def _loop(op: Op, kernel: Kernel, located: bool) -> list[str]:
    """The usual loop over elements; in its place a function of arrays of several."""
    loop = indented(elements(kernel, op if located else None))
    if not kernel.arrays or len(kernel.inputs) == 1:
        return loop
    names = [name for name, _ in operand_dtypes(kernel)]
    return [
        "#if defined(TH_HAVE_VECTOR_FUNCTIONS) && defined(TH_CATEGORY_IS_FLOATING) && "
        "!defined(TH_WIDENED)",
        f"    TH_ARRAYS({kernel.arrays})(n, {', '.join(f'{name}_data' for name in names)});",
        "#else",
        *loop,
        "#endif",
    ]


def _parameters(op: Op, kernel: Kernel) -> str:
    inputs = [
        text
        for arg in op.args
        if not arg[OUTPUT]
        for text in arg.type.declare_generic(arg.kernel_name)
    ]
    return ", ".join([*(f"THTensor *{result.name}" for result in kernel.results), *inputs])


def _run(op: Op, kernel: Kernel) -> list[str]:
    unused = [
        f"(void){arg.kernel_name};"
        for arg in op.args
        if not arg.type.tensor and arg.kernel_name not in {name for name, _, _ in kernel.params}
    ]
    if not kernel.params:
        return [*unused, "return THKernel_run(&kernel, operands, NULL);"]
    values = ", ".join(value for _, _, value in kernel.params)
    return [
        *unused,
        *folded(f"const THTensor_({op.cname}_Params) params = {{{values}}};"),
        "return THKernel_run(&kernel, operands, &params);",
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


def _compiled(kernel: Kernel) -> str:
    """The condition for loops that another dtype's, or another instruction set's, may stand for."""
    own = ["TH_OWN_WORD"] if kernel.moved else ["TH_OWN_BITS"] if kernel.signless else []
    light = kernel.light or kernel.bits
    return " && ".join([*own, *([f"!TH_AS_NARROW({_little(kernel)})"] if light else [])])


def _little(kernel: Kernel) -> str:
    """What says whether elements are so little that the widest vectors gain nothing: bytes, beside what always are, and
    where all is done to bits, those of what is widened."""
    if kernel.bits:
        return "TH_LITTLE_BITS"
    return "TH_BYTES" if any(dtype for _, dtype in operand_dtypes(kernel)) else "TH_LITTLE"


def _real(kernel: Kernel) -> str:
    return "TH_WORD_REAL" if kernel.moved else "TH_BITS_REAL" if kernel.signless else "Real"


def _loops(op: Op, kernel: Kernel) -> str:
    """The loops for the instruction sets."""
    if kernel.light or kernel.bits:
        return f"TH_LIGHT_LOOPS({op.cname}, {_real(kernel)}, {_little(kernel)})"
    return f"TH_LOOPS({op.cname}, {_real(kernel)})"


def kernel_text(form: Form, located: bool = False) -> str:
    """One kernel; `located` with lines that name the YAML where its expression is."""
    op, kernel = form.op, _kernel(form)
    arrays, scalar = _arrays(op, kernel)
    compiled = _compiled(kernel)
    return fill(
        KERNEL_TEXT,
        {
            "arrays": arrays,
            "scalar": scalar,
            "comment": comment(
                schema(op), f"{op.loc.file}:{op.loc.line}: {' '.join(kernel.source.split())}"
            ),
            "typedef": _typedef(op, kernel),
            "symbol": op.cname,
            "compiled": [f"#if {compiled}"] if compiled else [],
            "end_compiled": ["#endif"] if compiled else [],
            "real": _real(kernel),
            "loops": _loops(op, kernel),
            "widened": _widened(op, kernel),
            "setup": _setup(op, kernel),
            "strided": _strided(kernel, op if located else None),
            "rows": _rows(kernel),
            "end_rows": ["}"] if takes_rows(kernel) else [],
            "specials": _each_row(kernel, _specials(op, kernel, op if located else None)),
            "loop": _each_row(kernel, _loop(op, kernel, located)),
            "signature": wrap(f"int THTensor_({op.cname})({_parameters(op, kernel)})"),
            "name": op.name,
            "noutputs": str(len(kernel.results)),
            "ninputs": str(len(kernel.inputs)),
            "flags": _flags(kernel),
            "cost": str(kernel.cost),
            "single": _single_fields(op, kernel),
            "dtypes": _dtypes(kernel),
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
