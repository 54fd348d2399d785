"""Prints the functions of `core:` entries: the loop over items, compiled for each instruction set, and
TH<Real>Tensor_<op>, which checks the sizes and runs it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from wrapgen import tables
from wrapgen.chain import Form
from wrapgen.dtypes import Dtype
from wrapgen.emit import call_items, calls, helpers
from wrapgen.emit.template import fill, of_file
from wrapgen.emit.wrappers import comment, schema, wrap
from wrapgen.errors import Loc
from wrapgen.model import CFunction, Core, CoreOperand, Op
from wrapgen.plugins.common import quoted
from wrapgen.plugins.outputs import OUTPUT
from wrapgen.plugins.types import dtypes_of

FILE = "units/functions.h"

CORE_TEXT = """\
$comment
$typedef
#if defined(TH_WIDENED)
/* Called for what it is computed in. */
#elif defined(TH_ISA)
$item
int64_t THLoop_($symbol)(int64_t n, void *const *data, const int64_t *step, const int64_t *stride,
                 const int64_t *size, const void *params, int *code)
{
    $setup
    for (int64_t i = 0; i < n; i++) {
        $items
        $call
    }
    return n;
}
#else
TH_LOOPS_DECLARE(TH_CORE_DECLARE, $symbol, TH_COMPUTE_REAL);
$message
$signature
{
    static const THCore kernel = {
        .name = "$name",
        .noutputs = $noutputs,
        .ninputs = $ninputs,
        .ndims = $ndims,
        .contiguous = $contiguous,
        .dim = {$dims},
        .operand = {
            $operands
        },
        .loop = TH_LOOPS($symbol, TH_COMPUTE_REAL),
        $named
    };
    THTensor *const operands[] = {$tensors};
    THCoreWork work;
    const int status = THCore_begin(&work, &kernel, operands);
    if (status != TH_OK)
        return status;
    $run
}
#endif
"""

ITEM = """\
$renamed
static inline int THTensor_($symbol)($parameters)
{
    $body
}
$restored
"""

# No header is included: a file of the user's may define feature macros before it includes any.
PROTOTYPES = """\
/* Written by wrapgen: the C functions that core operations call. The files that define them include it first. */
#ifdef __cplusplus
extern "C" {
#define TH_TRUTH bool
#else
#define TH_TRUTH _Bool
#endif

$prototypes

#undef TH_TRUTH
#ifdef __cplusplus
}
#endif
"""
_PLAIN = {"int64_t": "__INT64_TYPE__", "int32_t": "__INT32_TYPE__", "int16_t": "__INT16_TYPE__"}
_PLAIN |= {"int8_t": "__INT8_TYPE__", "uint8_t": "__UINT8_TYPE__", "bool": "TH_TRUTH"}


def _core(form: Form) -> Core:
    assert form.body.core is not None
    return form.body.core


def _row(dtype: str) -> Dtype:
    """What a function sees of a fixed dtype."""
    table = tables.dtypes()
    return table[table[dtype].compute]


def _ctype(dtype: str) -> str:
    return _row(dtype).storage if dtype else "scalar_t"


def _operands(core: Core) -> tuple[CoreOperand, ...]:
    return (*core.outputs, *core.inputs)


def _inputs_first(core: Core) -> list[tuple[int, CoreOperand]]:
    """With their places among the operands."""
    places = list(enumerate(_operands(core)))
    return places[len(core.outputs) :] + places[: len(core.outputs)]


def _sizes(core: Core) -> list[tuple[int, str]]:
    """Places and names of the dims that are no constants."""
    return [(place, name) for place, (name, size) in enumerate(core.dims) if size < 0]


def _typedef(op: Op, core: Core) -> list[str]:
    if not core.params:
        return []
    fields = [f"    {ctype} {name};" for name, ctype, _ in core.params]
    tag = f"THTensor_({op.cname}_Params)"
    return [f"typedef struct {tag} {{", *fields, f"}} {tag};"]


def _pointer(operand: CoreOperand) -> str:
    """Its item in the loop."""
    return f"{operand.arg.kernel_name}_data"


def _items(core: Core) -> list[str]:
    lines = []
    for place, operand in enumerate(_operands(core)):
        const = "const " if place >= len(core.outputs) else ""
        ctype = f"{const}{_ctype(operand.dtype)}"
        lines.append(f"{ctype} *const {_pointer(operand)} = TH_CORE_ITEM({ctype}, {place});")
    return lines


def _body(form: Form, located: bool) -> list[str]:
    """What is done with an item, where that is no function of the user's."""
    core, library = _core(form), form.body.library
    if library is not None:
        return call_items.item(core, library, located)
    if not core.body:
        return []
    lines = [text for _, text in core.body]
    return [*(helpers.placed(core.body, core.file) if located else lines), "return 0;"]


def _item(form: Form, located: bool) -> list[str]:
    """The function for an item."""
    op, core = form.op, _core(form)
    body = _body(form, located)
    if not body:
        return []
    parameters = []
    for place, operand in _inputs_first(core):
        const = "const " if place >= len(core.outputs) else ""
        parameters.append(f"{const}{_ctype(operand.dtype)} *restrict {operand.arg.name}")
    parameters += [f"int64_t {name}" for _, name in _sizes(core)]
    parameters += [f"{ctype} {arg.name}" for _, ctype, arg in core.params]
    names = [n for snippet in op.units.snippets for n in snippet.names if n in core.words]
    text = fill(
        ITEM,
        {
            "renamed": helpers.renamed(names),
            "symbol": f"{op.cname}_item",
            "parameters": ", ".join(parameters),
            "body": body,
            "restored": helpers.restored(names),
        },
    )
    head, brace, rest = text.partition("\n{\n")
    before, _, declaration = head.rpartition("\n")
    return [*before.splitlines(), *wrap(declaration), *(brace + rest).splitlines()[1:]]


def _arguments(core: Core) -> list[str]:
    """What a function of the user's gets: dims, tensors, the rest."""
    arguments = [f"size[{place}]" for place, _ in _sizes(core)]
    for place, operand in _inputs_first(core):
        arguments.append(_pointer(operand))
        if not core.contiguous:
            rank = len(operand.dims)
            arguments += [f"TH_CORE_STRIDE({place}, {dim})" for dim in range(rank)]
    return arguments + [f"given->{name}" for name, _, _ in core.params]


def _call(form: Form) -> list[str]:
    """The call for item i."""
    op, core = form.op, _core(form)
    failing = ["if (*code != 0)", "    return i;"]
    if core.body or form.body.library:
        arguments = [_pointer(operand) for _, operand in _inputs_first(core)]
        arguments += [f"size[{place}]" for place, _ in _sizes(core)]
        arguments += [f"given->{name}" for name, _, _ in core.params]
        item = f"THTensor_({op.cname}_item)"
        return [*_broken(f"*code = {item}({', '.join(arguments)});", item), *failing]
    lines: list[str] = []
    for function in core.functions:
        name = f"TH_HELPER({function.name})" if core.own else function.name
        text = f"{name}({', '.join(_arguments(core))});"
        if function.dtype:
            lines.append(f"#{'el' if lines else ''}if defined(TH_REAL_IS_{function.dtype.upper()})")
        lines += (
            _broken(f"*code = {text}", name) if function.result == "int" else _broken(text, name)
        )
        lines += failing if function.result == "int" else []
    return lines + (["#endif"] if core.functions[0].dtype else [])


def _broken(call: str, function: str) -> list[str]:
    """A call on several lines, aligned behind the function's bracket."""
    head, _, rest = call.partition(f"{function}(")
    lines = wrap(f"{'f' * len(function)}({rest}", 92 - len(head))
    indent = " " * len(head)
    first = f"{head}{function}{lines[0][len(function) :]}"
    return [first, *(indent + line for line in lines[1:])]


def _setup(op: Op, core: Core, call: Iterable[str]) -> list[str]:
    """What a loop has no use for, and the arguments."""
    text = "\n".join(call)
    used = {"stride": "TH_CORE_STRIDE" in text, "size": " size[" in f" {text}".replace("(", " ")}
    used |= {"params": bool(core.params), "code": "*code" in text}
    lines = [f"(void){name};" for name, is_used in used.items() if not is_used]
    if core.params:
        lines.append(f"const THTensor_({op.cname}_Params) *const given = params;")
    return lines


def parameters(op: Op, core: Core) -> str:
    """Of THTensor_(op)."""
    inputs = [
        text
        for arg in op.args
        if not arg[OUTPUT]
        for text in arg.type.declare_generic(arg.kernel_name)
    ]
    return ", ".join([*(f"THTensor *{each.arg.kernel_name}" for each in core.outputs), *inputs])


def _described(operand: CoreOperand) -> str:
    dtype = _row(operand.dtype).enum if operand.dtype else "TH_COMPUTE"
    places = ", ".join(map(str, operand.dims)) or "0"
    fixed = "1" if operand.dtype else "0"
    return f"{{{quoted(operand.arg.name)}, {dtype}, {fixed}, {len(operand.dims)}, {{{places}}}}},"


def _run(op: Op, core: Core) -> list[str]:
    lines = [f"work.size[{place}] = {text};" for place, text in core.sizes]
    given = "NULL"
    if core.params:
        values = ", ".join(name for name, _, _ in core.params)
        lines.append(f"const THTensor_({op.cname}_Params) params = {{{values}}};")
        given = "&params"
    return [*lines, f"return THCore_run(&work, TH_DTYPE, operands, {given});"]


def core_text(form: Form, located: bool = False) -> str:
    """One core operation; `located` with lines that name the YAML where its body is."""
    op, core = form.op, _core(form)
    call = _call(form)
    message = f"THTensor_({op.cname}_message)"
    meaning = calls.message_function(form.body.library, message, located)
    return fill(
        CORE_TEXT,
        {
            "comment": comment(schema(op), f"{op.loc.file}:{op.loc.line}: {core.source}"),
            "typedef": _typedef(op, core),
            "item": _item(form, located),
            "message": meaning,
            "named": [f".message = {message},"] if meaning else [],
            "symbol": op.cname,
            "setup": _setup(op, core, call),
            "items": _items(core),
            "call": call,
            "signature": wrap(f"int THTensor_({op.cname})({parameters(op, core)})"),
            "name": op.name,
            "noutputs": str(len(core.outputs)),
            "ninputs": str(len(core.inputs)),
            "ndims": str(len(core.dims)),
            "contiguous": str(int(core.contiguous)),
            "dims": ", ".join(f"{{{quoted(name)}, {size}}}" for name, size in core.dims)
            or "{NULL, 0}",
            "operands": [_described(operand) for operand in _operands(core)],
            "tensors": ", ".join(operand.arg.kernel_name for operand in _operands(core)),
            "run": _run(op, core),
        },
    )


def _plain(ctype: str, row: Dtype) -> str:
    """A C type for one dtype, without the names of headers."""
    concrete = {"scalar_t": row.scalar, "accreal": row.accreal}.get(ctype, ctype)
    return _PLAIN.get(concrete, concrete)


def _prototype(op: Op, core: Core, function: CFunction) -> str:
    table = tables.dtypes()
    row = table[function.dtype or table[dtypes_of(op)[0]].compute]
    texts = [f"__INT64_TYPE__ {name}" for _, name in _sizes(core)]
    for place, operand in _inputs_first(core):
        const = "const " if place >= len(core.outputs) else ""
        name = operand.arg.name
        texts.append(f"{const}{_plain(_ctype(operand.dtype), row)} *{name}")
        if not core.contiguous:
            texts += [f"__INT64_TYPE__ {name}_stride{dim}" for dim in range(len(operand.dims))]
    texts += [f"{_plain(ctype, row)} {arg.name}" for _, ctype, arg in core.params]
    return f"{function.result} {function.name}({', '.join(texts)});"


def _declared(forms: Iterable[Form]) -> Iterator[tuple[Op, Core, CFunction]]:
    """The C functions that a package has to bring for its core operations."""
    for form in forms:
        core = form.body.core
        if core is not None and core.declared:
            yield from ((form.op, core, function) for function in core.functions)


def called(forms: Iterable[Form]) -> dict[str, Op]:
    """The same by name, each with an op that calls it."""
    return {function.name: op for op, _, function in _declared(forms)}


def signatures(forms: Iterable[Form]) -> dict[str, str]:
    """How they are called, for people."""
    shown = {plain: name for name, plain in _PLAIN.items()}
    found = {}
    for op, core, function in _declared(forms):
        text = _prototype(op, core, function).removesuffix(";")
        found[function.name] = re.sub("|".join(shown), lambda match: shown[match[0]], text)
    return found


def prototypes(forms: Iterable[Form]) -> str:
    """units/functions.h; nothing where no function is called. Compilers are told that they stand where the declaration
    names the function, which is what they show beside another signature."""
    found: dict[str, Loc] = {}
    for op, core, function in _declared(forms):
        found.setdefault(_prototype(op, core, function), function.loc)
    lines = [
        line
        for prototype, loc in found.items()
        for line in of_file(wrap(prototype), loc.file, loc.line)
    ]
    return fill(PROTOTYPES, {"prototypes": lines}) if lines else ""
