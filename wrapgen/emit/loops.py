"""Prints the inner loops of `kernel:` entries, which are compiled for each instruction set."""

from __future__ import annotations

from collections.abc import Sequence

from wrapgen.emit.elements import (
    elements,
    indented,
    operand_dtypes,
    row_of,
    storage,
    strided_elements,
    takes_rows,
    takes_strides,
)
from wrapgen.emit.guards import guard, with_computing
from wrapgen.emit.template import fill
from wrapgen.model import Kernel, Op, Special
from wrapgen.plugins.types import dtypes_of

LOOPS = """\
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
"""

# What says in C that functions of arrays are there, by the instruction set from which on they are.
VECTORS = {"v3": "TH_HAVE_SOME_VECTORS", "avx512": "TH_HAVE_VECTOR_FUNCTIONS"}


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


def _special_loop(special: Special, located: Op | None) -> list[str]:
    """The loop over elements; in its place, of int64, a function of an array and a number."""
    kernel = special.kernel
    loop = elements(kernel, located, special.names)
    (result, _), *inputs = operand_dtypes(kernel)
    if not kernel.longs_by or [name for name, _ in inputs[1:]] != [*special.names]:
        return loop
    return _of_longs(
        loop, kernel.longs_by, f"{result}_data, {inputs[0][0]}_data, {special.names[0]}"
    )


def _of_longs(loop: list[str], function: str, operands: str) -> list[str]:
    """`loop`, and in its place, of int64, a function of arrays."""
    return [
        "#if defined(TH_HAVE_LONGS) && defined(TH_REAL_IS_LONG)",
        f"THLongs_{function}(n, {operands});",
        "#else",
        *loop,
        "#endif",
    ]


def _special(op: Op, special: Special, located: Op | None, done: str) -> list[str]:
    """The loop for one number, in the dtypes that it is for."""
    test = f"if ({special.test}) " if special.test else ""
    condition = "" if special.dtypes == dtypes_of(op) else guard(with_computing(special.dtypes))
    lines = [
        f"    {test}{{",
        *indented(indented(_special_loop(special, located))),
        f"        {done};",
        "    }",
    ]
    number = f"number_{special.names[0]}"
    unread = ["#else", f"    (void){number};"] if number in special.test else []
    return [condition, *lines, *unread, "#endif"] if condition else lines


def singles(kernel: Kernel) -> list[str]:
    """The inputs with loops that read one element of them, in the order in which they are asked for."""
    special = {special.names[0] for special in kernel.specials if len(special.names) == 1}
    return [name for name, _ in kernel.inputs if name in special]


def together(kernel: Kernel) -> tuple[str, ...]:
    """The inputs with a loop that reads one element of each of them."""
    several = [special.names for special in kernel.specials if len(special.names) > 1]
    return several[0] if several else ()


def _known(kernel: Kernel) -> list[tuple[str, ...]]:
    """What loops read one element of, in the order in which they are asked for."""
    several = together(kernel)
    return [*([several] if several else []), *((name,) for name in singles(kernel))]


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
        f"#ifdef {VECTORS[kernel.arrays_from]}",
        f"TH_LOOP_DECLARE(TH_STORED_LOOP({op.cname}));",
        f"TH_LOOP_DECLARE(TH_STORED_LOOP({op.cname}))",
        "{",
        "    (void)params;",
        f"    TH_ARRAYS({kernel.arrays})(n, data[0], data[1]);",
        "}",
        "#else",
    ]
    return before, ["#endif"]


def _loop(op: Op, kernel: Kernel, located: Op | None) -> list[str]:
    """The usual loop over elements; in its place a function of arrays of several."""
    loop = elements(kernel, located)
    operands = ", ".join(f"{name}_data" for name, _ in operand_dtypes(kernel))
    if kernel.longs:
        return indented(_of_longs(loop, kernel.longs, operands))
    loop = indented(loop)
    if not kernel.arrays or len(kernel.inputs) == 1:
        return loop
    return [
        f"#if defined({VECTORS[kernel.arrays_from]}) && defined(TH_CATEGORY_IS_FLOATING) && "
        "!defined(TH_WIDENED)",
        f"    TH_ARRAYS({kernel.arrays})(n, {operands});",
        "#else",
        *loop,
        "#endif",
    ]


def _compiled(kernel: Kernel) -> str:
    """The condition for loops that another dtype's, or another instruction set's, may stand for."""
    own = [f"TH_OWN_{shared}"] if (shared := _shared(kernel)) else []
    light = kernel.light or kernel.bits
    return " && ".join([*own, *([f"!TH_AS_NARROW({little(kernel)})"] if light else [])])


def little(kernel: Kernel) -> str:
    """What says whether elements are so little that the widest vectors gain nothing: bytes, beside what always are, and
    where all is done to bits, those of what is widened."""
    if kernel.bits:
        return "TH_LITTLE_BITS"
    return "TH_BYTES" if any(dtype for _, dtype in operand_dtypes(kernel)) else "TH_LITTLE"


def _shared(kernel: Kernel) -> str:
    """What dtypes have in common that one of them has loops for; empty: nothing."""
    return "WORD" if kernel.moved else "BITS" if kernel.signless else ""


def real(kernel: Kernel) -> str:
    """The dtype whose loops a dtype has."""
    return f"TH_{shared}_REAL" if (shared := _shared(kernel)) else "Real"


def loops(op: Op, kernel: Kernel, located: Op | None) -> str:
    """All of an instruction set; `located` with lines that name the YAML where the expression is."""
    arrays, scalar = _arrays(op, kernel)
    compiled = _compiled(kernel)
    return fill(
        LOOPS,
        {
            "arrays": arrays,
            "scalar": scalar,
            "symbol": op.cname,
            "compiled": [f"#if {compiled}"] if compiled else [],
            "end_compiled": ["#endif"] if compiled else [],
            "widened": _widened(op, kernel),
            "setup": _setup(op, kernel),
            "strided": _strided(kernel, located),
            "rows": _rows(kernel),
            "end_rows": ["}"] if takes_rows(kernel) else [],
            "specials": _each_row(kernel, _specials(op, kernel, located)),
            "loop": _each_row(kernel, _loop(op, kernel, located)),
        },
    )
