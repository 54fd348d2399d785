"""`core: "(n),(m)->(k)"`: a function over the last dims of its operands, as generalised ufuncs are.

The signature names the core dims of the tensor arguments, then those of the results, in the order
of the arguments; `(3)` is a size, `()` a single element. A name has one size in a call. Dims before
are batch dims: they broadcast, the function runs for each item of the batch, on several threads.
Sizes that no input has are told by `core_dims: {k: "n + m - 1"}`, an expression over other dims
and the `long` arguments.

`body: |` is C over contiguous arrays of `scalar_t` named as the arguments, and dims as int64_t;
`return 1;` in it makes the call fail. `cname: fn` (or `{Float: sfn, Double: dfn}`) is a C function
instead: dims, then for each tensor, inputs first, a pointer and, unless `contiguous: true`, one
stride in elements for each core dim, then the other arguments. One that returns int fails by
anything but 0; it is looked for in `sources` and `c:` entries, `cname: int fn` says so.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from wrapgen import tables
from wrapgen.errors import DeclarationError, Loc, listing, nearest
from wrapgen.model import C_WORDS, Arg, Body, CFunction, Core, CoreOperand, Key, Op, Plugin
from wrapgen.plugins.common import MAX_OPERANDS, PARAM_TYPES
from wrapgen.plugins.inplace import INPLACE
from wrapgen.plugins.kernel import KERNEL
from wrapgen.plugins.nullable_arguments import may_be_null
from wrapgen.plugins.outputs import DTYPE, OUTPUT, outputs_of
from wrapgen.plugins.promote import PROMOTE
from wrapgen.plugins.types import TYPES, dtypes_of, fixed_dtype
from wrapgen.syntax import expression, signature, snippets
from wrapgen.syntax.calls import CALL
from wrapgen.syntax.expression import ExpressionError
from wrapgen.syntax.node import Node, Text
from wrapgen.syntax.printer import Printer
from wrapgen.syntax.signature import Signature
from wrapgen.syntax.values import FLAG, TEXT, mapping
from wrapgen.types import TYPES as ARGUMENT_TYPES


@dataclass(frozen=True)
class Size:
    """What a dim's size follows from."""

    name: str
    text: Text
    tree: expression.Node
    loc: Loc

    def __str__(self) -> str:
        return f"{self.name} = {self.text}"


def _parse(node: Node) -> Signature:
    text = node.placed("core")
    try:
        return signature.parse(text)
    except ExpressionError as error:
        raise DeclarationError(text.at(error.offset), f"in core: {error.message}") from None


def _parse_sizes(node: Node) -> tuple[Size, ...]:
    sizes = []
    for key, value in node.mapping("core_dims"):
        text = value.placed("a size")
        try:
            tree = expression.parse(text.text)
        except ExpressionError as error:
            place = text.at(error.offset)
            raise DeclarationError(place, f"in core_dims: {error.message}") from None
        sizes.append(Size(key.text("a dim"), text, tree, key.loc))
    return tuple(sizes)


def _parse_body(node: Node) -> Text:
    text = node.placed("body")
    if not snippets.read(text, "body") and not snippets.words(text.text):
        raise node.error("expected C statements in body, got nothing")
    return text


CORE = Key[Signature](
    "core",
    _parse,
    "The core dims of a function over arrays: those of the tensor arguments, then those "
    "of the results.",
    TEXT,
    'core: "(n),(m)->(k)"',
)
CORE_DIMS = Key[tuple[Size, ...]](
    "core_dims",
    _parse_sizes,
    "Sizes of core dims that no input has, as integer expressions over the others and the"
    " `long` arguments.",
    mapping(others=TEXT),
    "core_dims: {k: n + m - 1}",
)
BODY = Key[Text](
    "body",
    _parse_body,
    "C statements over the contiguous arrays of an item, instead of a C function.",
    TEXT,
    "body: result[0] = self[n / 2];",
)
CONTIGUOUS = Key[bool](
    "contiguous",
    lambda node: node.boolean("contiguous"),
    "The C function wants contiguous arrays, and no strides.",
    FLAG,
    "contiguous: true",
)
_INTEGERS = frozenset(
    "int long short char bool _Bool int32_t int64_t size_t ssize_t unsigned".split()
)


def inputs_of(op: Op) -> tuple[Arg, ...]:
    return tuple(arg for arg in op.args if arg.type.tensor and not arg[OUTPUT])


def _others(op: Op) -> tuple[Arg, ...]:
    return tuple(arg for arg in op.args if not arg.type.tensor)


def _fail(op: Op, text: Text, offset: int, what: str, message: str) -> DeclarationError:
    return DeclarationError(text.at(offset), f"op '{op.name}': in {what}: {message}")


def _check_alone(op: Op) -> None:
    """An op without a core has no key of one."""
    for key in (CORE_DIMS, BODY, CONTIGUOUS):
        if op.options.has(key):
            raise op.error(key, f"{key.name} is for ops with `core:`")
    if op.functions:
        message = "a cname with a type, or for each dtype, is for ops with `core:`"
        raise DeclarationError(op.functions[0].loc, f"op '{op.name}': {message}")


def _check_args(op: Op, core: Signature) -> None:
    for arg in op.args:
        if not arg.visible or (not arg.type.tensor and arg.type.name not in PARAM_TYPES):
            raise op.error(None, f"core cannot use '{arg}': it takes tensors and numbers", arg)
        if arg.type.tensor and may_be_null(arg) and op.options.has(CALL):
            raise op.error(None, f"a call needs all its tensors; '{arg.name}' may be None", arg)
        if arg[OUTPUT] and arg[DTYPE] in ("accumulate", "truth"):
            message = "a result of core is of the computing dtype or of a named one"
            raise op.error(DTYPE, f"{message}, got '{arg[DTYPE]}'", arg)
        if arg.name in {dim.text for dim in core.dims}:
            raise op.error(None, f"argument '{arg.name}' has the name of a dim of core", arg)
    if all(fixed_dtype(arg) for arg in inputs_of(op)):
        message = "all tensors have a fixed dtype, so there is none to compute in"
        raise op.error(CORE, f"{message}; declare one as THTensor*")
    count = len(core.inputs) + len(core.outputs)
    if count > MAX_OPERANDS:
        raise op.error(CORE, f"core has at most {MAX_OPERANDS} operands, got {count}")


def _check_counts(op: Op, core: Signature) -> None:
    """A group of the signature for each tensor."""
    for what, groups, args in (
        ("input", core.inputs, inputs_of(op)),
        ("result", core.outputs, outputs_of(op)),
    ):
        if len(groups) != len(args):
            have = listing(arg.name for arg in args) or "none"
            plural = "s" if len(groups) != 1 else ""
            declared = "with `output: true` are" if what == "result" else "are"
            message = (
                f"core has {len(groups)} {what}{plural}; the tensor arguments {declared}: {have}"
            )
            raise op.error(CORE, message)


def _check_nullable(op: Op, core: Signature) -> None:
    """The dims of tensors that may be None are those of others too."""
    inputs = list(zip(inputs_of(op), core.inputs, strict=True))
    known = {dim.text for arg, group in inputs if not may_be_null(arg) for dim in group}
    for arg, group in inputs:
        for dim in group:
            if may_be_null(arg) and dim.size < 0 and dim.text not in known:
                message = f"dim '{dim.text}' is that of '{arg.name}' alone, which may be None"
                raise _fail(op, core.text, dim.offset, "core", message)


def _check_dims(op: Op, core: Signature) -> None:
    """Every dim is that of an input or has its size in core_dims."""
    sizes = op[CORE_DIMS] or ()
    names = [dim.text for dim in core.dims if dim.size < 0]
    for size in sizes:
        known = [name for name in names if name not in core.given]
        if size.name in core.given:
            message = f"dim '{size.name}' is that of an input, so its size is known"
        elif size.name not in names:
            hint = nearest(size.name, known) or f" (it has: {listing(names)})"
            message = f"core has no dim '{size.name}'{hint}"
        else:
            _check_size(op, core, size)
            continue
        raise DeclarationError(size.loc, f"op '{op.name}': {message}")
    for dim in core.dims:
        if dim.text in C_WORDS:
            raise _fail(op, core.text, dim.offset, "core", f"'{dim.text}' is a word of C")
        if dim.size < 0 and dim.text not in {*core.given, *(size.name for size in sizes)}:
            message = f"no input has dim '{dim.text}': say its size in `core_dims`"
            raise _fail(op, core.text, dim.offset, "core", message)


def _check_size(op: Op, core: Signature, size: Size) -> None:
    """Integer arithmetic over what is known."""
    numbers = [arg.name for arg in _others(op) if arg.type.name in ("long", "int")]
    known = {*(name for name in core.given if not name.isdigit()), *numbers}
    try:
        expression.check_calls(size.tree, {})
        expression.check_names(size.tree, known, ())
        expression.walk(size.tree, _check_integer)
    except ExpressionError as error:
        raise _fail(op, size.text, error.offset, "core_dims", error.message) from None


def _check_integer(node: expression.Node) -> None:
    if node.kind == "float" or (node.kind == "cast" and node.text not in ("int", "int64_t")):
        raise ExpressionError(node.offset, f"expected integer arithmetic, got '{node.text}'")


def _check_body(op: Op) -> None:
    """The names in it can be written in C."""
    names = {name for snippet in op.units.snippets for name in snippet.names}
    for arg in op.args:
        if arg.name in C_WORDS:
            message = f"'{arg.name}' is a word of C, so a body cannot name it; rename the argument"
            raise op.error(None, message, arg)
        if arg.name in names:
            raise op.error(
                None, f"'{arg.name}' is declared in a `c:` entry; rename the argument", arg
            )
    if op.options.has(CONTIGUOUS) and not op[CONTIGUOUS]:
        raise op.error(CONTIGUOUS, "a body gets contiguous arrays")


def _is_own(op: Op, name: str) -> bool:
    """Is the function one of a `c:` entry?"""
    return any(each.name == name for snippet in op.units.snippets for each in snippet.functions)


def _found(op: Op, name: str) -> str:
    """The type that sources and `c:` entries give a function: nothing where they have none."""
    pattern = re.compile(rf"(?:^|[;}}\n])[^\n;{{}}#(=]*?\b(\w+)[\s*&]+{name}\s*\(", re.ASCII)
    texts = [snippet.text.text for snippet in op.units.snippets]
    texts += [path.read_text(encoding="utf-8", errors="replace") for path in op.units.sources]
    for text in texts:
        for match in pattern.finditer(text):
            if match[1] not in ("return", "else", "case"):
                return match[1]
    return ""


def _resolved(op: Op, function: CFunction) -> CFunction:
    """With the type it returns."""
    found = function.result or _found(op, function.name)
    if found in ("void", *_INTEGERS):
        return replace(function, result="void" if found == "void" else "int")
    message = f"cannot tell whether {function.name}() fails by its result"
    if found:
        message = f"{function.name}() returns {found}; a function of core returns void or int"
    hint = f": say `cname: void {function.name}` or `cname: int {function.name}`"
    raise DeclarationError(function.loc, f"op '{op.name}': {message}{'' if found else hint}")


def _functions(op: Op) -> tuple[CFunction, ...]:
    """The functions that are called, one for each dtype computed in or one for all."""
    loc = dict(op.places).get("cname", op.loc)
    functions = op.functions or (CFunction("", op.cname, "", loc),)
    table = tables.dtypes()
    for function in functions:
        row = table[function.dtype] if function.dtype else None
        if row is not None and row.compute != row.name:
            message = f"{row.name} is computed as {row.compute}: give the function of that"
            raise DeclarationError(function.loc, f"op '{op.name}': {message}")
    return tuple(_resolved(op, function) for function in functions)


def _with_types(op: Op, functions: tuple[CFunction, ...]) -> Op:
    """The dtypes that there are functions for; an error where the op exists for more."""
    table = tables.dtypes()
    known = {function.dtype for function in functions}
    if known != {""}:
        if not op.options.has(TYPES):
            types = tuple(row.name for row in table.rows if row.compute in known)
            op = replace(op, options=op.options.plus(TYPES, types, functions[0].loc))
        missing = [name for name in dtypes_of(op) if table[name].compute not in known]
        if missing:
            message = f"there is no function for {missing[0]}, which the op exists for"
            raise op.error("cname", f"{message}; say which `types:`")
        return op
    computed = list(dict.fromkeys(table[table[name].compute].python for name in dtypes_of(op)))
    if len(computed) > 1 and not _is_own(op, functions[0].name):
        message = f"{functions[0].name}() is one function, but the op computes in {computed[0]} and"
        hint = "give a cname for each, {Float: f, Double: d}, or say which `types:`"
        raise op.error("cname", f"{message} {computed[1]} too; {hint}")
    return op


def _check_way(op: Op, has_cname: bool) -> None:
    """One thing says what is done with an item."""
    if op.options.has(BODY) and op.options.has(CALL):
        raise op.error(BODY, "has a call, so the body would never run")
    if op.options.has(BODY) and has_cname:
        raise op.error("cname", "has a body, so cname would never be called")
    if not (op.options.has(BODY) or op.options.has(CALL) or has_cname):
        raise op.error(CORE, "core needs a `body:` or a `cname:`")


def _rewrite(op: Op) -> tuple[Op, ...]:
    core = op[CORE]
    if core is None:
        _check_alone(op)
        return (op,)
    if op.options.has(KERNEL):
        raise op.error(KERNEL, "has a core already: a kernel has no core dims")
    if op.name.endswith("_"):
        raise op.error(
            None, "core writes to results of its own; say `inplace: true` without the `_`"
        )
    loc = op.options.loc(CORE) or op.loc
    has_cname = any(key == "cname" for key, _ in op.places)
    _check_way(op, has_cname)
    if not outputs_of(op) and len(core.outputs) == 1:
        name = "result" if op.arg("result") is None else "result_"
        arg = Arg(ARGUMENT_TYPES["THTensor*"], name, loc)
        op = replace(op, args=(replace(arg, options=arg.options.plus(OUTPUT, True, loc)), *op.args))
    _check_counts(op, core)
    _check_args(op, core)
    _check_nullable(op, core)
    _check_dims(op, core)
    if has_cname:
        functions = _functions(op)
        op = replace(_with_types(op, functions), functions=functions)
    else:
        call = op[CALL]
        op = _with_types(op, call.functions) if call else op
        _check_body(op)
    options = op.options.plus(CORE, replace(core, results=outputs_of(op)), loc)
    if not options.has(PROMOTE):
        options = options.plus(PROMOTE, "arithmetic", loc)
    if options.get(INPLACE) == "direct":
        message = "core's results share no memory with its arguments"
        raise op.error(INPLACE, f"{message}: say `inplace: true`")
    if not options.has(INPLACE):
        options = options.plus(INPLACE, "false", loc)
    cname = f"{op.name}_{op.overload}" if op.overload else op.name
    return (replace(op, options=options, cname=cname),)


def _operand(
    core: Signature, arg: Arg, group: tuple[signature.Dim, ...], promote: str
) -> CoreOperand:
    places = [dim.text for dim in core.dims]
    fixed = fixed_dtype(arg)
    if arg[OUTPUT]:
        fixed = arg.type.dtype or arg[DTYPE] or ""
        fixed = ("Bool" if promote == "comparison" else "") if fixed in ("", "compute") else fixed
    return CoreOperand(arg, fixed, tuple(places.index(dim.text) for dim in group))


def words_of(op: Op) -> frozenset[str]:
    """The names that a body or a cname uses."""
    body = op[BODY]
    words = snippets.words(body.text) if body else frozenset[str]()
    return words | {function.name for function in op.functions}


def _may_fail(op: Op) -> bool:
    """Can an item fail when others are done? A call of a library's may at least be without memory."""
    text = op[BODY]
    returns = text is not None and "return" in snippets.words(text.text)
    return returns or op.options.has(CALL) or any(each.result == "int" for each in op.functions)


def _weave(op: Op, body: Body) -> Body:
    core = op[CORE]
    if core is None:
        return body
    places = [dim.text for dim in core.dims]
    names = {name: f"work.size[{places.index(name)}]" for name in core.given if not name.isdigit()}
    names |= {arg.name: arg.kernel_name for arg in _others(op)}
    printer = Printer({}, True, dict.fromkeys(names, "int"), names)
    text = op[BODY]
    promote = op[PROMOTE] or ""
    inputs = zip(inputs_of(op), core.inputs, strict=True)
    own = any(_is_own(op, function.name) for function in op.functions)
    found = all(_found(op, function.name) for function in op.functions)
    return replace(
        body,
        core=Core(
            dims=tuple((dim.text, dim.size) for dim in core.dims),
            outputs=tuple(
                _operand(core, arg, group, promote)
                for arg, group in zip(core.results, core.outputs, strict=True)
            ),
            inputs=tuple(_operand(core, arg, group, promote) for arg, group in inputs),
            sizes=tuple(
                (places.index(size.name), printer.show(size.tree)) for size in op[CORE_DIMS] or ()
            ),
            params=tuple((arg.kernel_name, PARAM_TYPES[arg.type.name], arg) for arg in _others(op)),
            body=tuple(snippets.located(text)) if text else (),
            file=op.loc.file,
            functions=op.functions,
            own=own,
            declared=not own and (found or not op.units.libraries),
            contiguous=text is not None or op.options.has(CALL) or bool(op[CONTIGUOUS]),
            words=words_of(op),
            fails=_may_fail(op),
            source=str(core),
        ),
    )


PLUGIN = Plugin(
    "Core",
    __doc__,
    op_keys=(CORE, CORE_DIMS, BODY, CONTIGUOUS),
    rewrite=_rewrite,
    weave=_weave,
)
