"""`library: NAME` with `call: function(argument, ...)`: a function of an existing library, declared argument by
argument.

With a tensor's bare name the function works on single elements: `call: f(self, x)` is what `kernel: f(self, x)` is,
computed in the floating dtypes and given doubles; `kernel:` may call the library's functions too. With `data(x)` and
its like it works on whole tensors and returns a number (`return: double`), for each item of a batch where there is
`core:`. One name serves all dtypes; `cname: {Float: f, Double: g}` with `call: (argument, ...)` names one for each.

`fails: nonzero` or `fails: negative` says which results mean failure; the error has the text of `message:`, the op's
or the library's: a text, or a call like `strerror(status)`.
"""

from __future__ import annotations

import re
from dataclasses import replace

from wrapgen import tables
from wrapgen.errors import DeclarationError, listing, nearest
from wrapgen.model import C_WORDS, Arg, Body, CFunction, LibraryCall, Op, Plugin
from wrapgen.plugins.core import CORE
from wrapgen.plugins.gil_release import WITH_GIL
from wrapgen.plugins.inplace import INPLACE
from wrapgen.plugins.kernel import KERNEL, Expression
from wrapgen.plugins.nullable_arguments import may_be_null
from wrapgen.plugins.outputs import OUTPUT, outputs_of
from wrapgen.plugins.promote import PROMOTE
from wrapgen.plugins.types import TYPES
from wrapgen.syntax import expression
from wrapgen.syntax.calls import CALL, FAILS, LIBRARY, MESSAGE, RESULT, Call, Form
from wrapgen.units import Library

PREFIX = "THCall_"
_RETURNS = ("double", "long", "bool", "void")
_NUMBERS = ("double", "float", "long", "int", "bool", "char*")
# What generated functions call their own things.
_OWN = re.compile(r"(data|copy)_of_\w+|work_\d+|status|code|out|done|op")


def _fail(op: Op, call: Call, offset: int, message: str) -> DeclarationError:
    return DeclarationError(call.text.at(offset), f"op '{op.name}': in call: {message}")


def _library(op: Op) -> Library | None:
    """The library that the op names."""
    name = op[LIBRARY]
    if name is None:
        return None
    known = {library.name: library for library in op.units.libraries}
    if name not in known:
        hint = nearest(name, known) or (
            f" (there is: {listing(known)})"
            if known
            else "; a `- library: NAME` entry declares one"
        )
        raise op.error(LIBRARY, f"no library '{name}' is declared{hint}")
    return known[name]


def _tensors(op: Op) -> dict[str, Arg]:
    return {arg.name: arg for arg in op.args if arg.type.tensor}


def _check_alone(op: Op) -> None:
    """An op that calls no library's function as a whole."""
    for key in (FAILS, MESSAGE):
        if op.options.has(key):
            raise op.error(key, f"{key.name} is for ops with `call:`")
    if op.options.has(LIBRARY) and not (op.options.has(KERNEL) or op.options.has(CORE)):
        message = "library is for ops with `call:`, `kernel:` or `core:`"
        raise op.error(LIBRARY, message)


def _functions(op: Op, call: Call) -> tuple[CFunction, ...]:
    """What is called, for all dtypes or for each."""
    places = dict(op.places)
    if call.function:
        if "cname" in places:
            raise op.error("cname", f"call names its function already: {call.function}()")
        return (CFunction("", call.function, "", call.text.at(0)),)
    if "cname" not in places:
        raise op.error(
            CALL, "call has no function: write `function(arguments)`, or give a `cname:`"
        )
    return op.functions or (CFunction("", op.cname, "", places["cname"]),)


def _elements(op: Op, call: Call) -> bool:
    """Does the function work on single elements? Tensors stand bare in the call then."""
    tensors = _tensors(op)
    bare = [word for word in call.words if word.name in tensors and not word.called]
    arrays = [form for form in call.forms if form.tensor]
    if bare and (arrays or op.options.has(CORE)):
        name = bare[0].name
        message = f"'{name}' alone is an element; the array is data({name})"
        raise _fail(op, call, bare[0].offset, message)
    return bool(bare)


def _pointwise(op: Op, call: Call) -> Op:
    """As a kernel."""
    functions = _functions(op, call)
    if not call.function:
        message = "a function of elements is called for every dtype; name it in `call:`"
        raise DeclarationError(functions[0].loc, f"op '{op.name}': {message}")
    if op.options.has(FAILS):
        message = (
            "a function of elements cannot fail; with `core: ()->()` it is called for each, data(x)"
        )
        raise op.error(FAILS, message)
    if op.options.has(KERNEL):
        raise op.error(
            KERNEL, "has a call already: a kernel may call the library's functions itself"
        )
    text, loc = call.text, op.options.loc(CALL) or op.loc
    try:
        source = Expression(text, expression.parse_statements(text.text), what="call")
    except expression.ExpressionError as error:
        raise _fail(op, call, error.offset, error.message) from None
    options = op.options.plus(KERNEL, source, loc)
    if not options.has(TYPES):
        options = options.plus(TYPES, tables.dtypes().groups()["floating_point"], loc)
    if not options.has(PROMOTE):
        options = options.plus(PROMOTE, "float", loc)
    return replace(op, options=options)


def _check_arguments(op: Op, call: Call) -> None:
    """The op's arguments are things that C can be given."""
    for arg in op.args:
        if not arg.visible:
            raise op.error(None, f"a call says itself what is passed; '{arg}' has no use", arg)
        if arg.name in C_WORDS or _OWN.fullmatch(arg.name):
            raise op.error(None, f"a call cannot name '{arg.name}' in C; rename the argument", arg)
        if arg.type.tensor and may_be_null(arg):
            raise op.error(None, f"a call needs its tensors; '{arg.name}' may be None", arg)
        if not op.options.has(CORE) and not arg.type.tensor and arg.type.name not in _NUMBERS:
            raise op.error(
                None, f"a call cannot use '{arg}': it takes tensors, {listing(_NUMBERS)}", arg
            )
    used = {form.tensor for form in call.forms} | {form.source for form in call.forms} | call.names
    unused = next((arg for arg in op.args if arg.name not in used), None)
    if unused is not None:
        raise op.error(None, f"the call has no use for '{unused}'", unused)


def _check_form(op: Op, call: Call, form: Form) -> None:
    tensors = _tensors(op)
    for name in filter(None, (form.tensor, form.source)):
        if name not in tensors:
            hint = nearest(name, tensors) or f" (it has: {listing(tensors) or 'none'})"
            raise _fail(
                op, call, form.offset, f"{form.kind}() is of a tensor, '{name}' is none{hint}"
            )
    is_core = op.options.has(CORE)
    if form.source and not (is_core and tensors[form.tensor].options.has(OUTPUT)):
        raise _fail(
            op, call, form.offset, f"'{form.tensor}' in {form.text} is no result of `core:`"
        )
    if form.source and tensors[form.source].options.has(OUTPUT):
        raise _fail(op, call, form.offset, f"'{form.source}' in {form.text} is a result too")
    if form.kind == "copy" and tensors[form.tensor].options.has(OUTPUT):
        raise _fail(
            op, call, form.offset, f"'{form.tensor}' is a result; write data({form.tensor})"
        )
    if is_core and form.kind in ("size", "stride", "ndim"):
        message = f"{form.kind}() is for calls without `core:`, whose dims have names"
        raise _fail(op, call, form.offset, message)


def _check_words(op: Op, call: Call) -> None:
    """A name that is nearly an argument's is a mistake; others may be the library's."""
    core = op[CORE]
    known = {arg.name for arg in op.args} | {RESULT}
    known |= {dim.text for dim in core.dims} if core else set()
    for word in call.words:
        if word.name in known or word.called or not word.name.islower() or word.name in C_WORDS:
            continue
        hint = nearest(word.name, known)
        if hint and len(word.name) > 2:
            raise _fail(op, call, word.offset, f"unknown name '{word.name}'{hint}")


def _check_result(op: Op, call: Call) -> None:
    """A call on whole tensors gives a number; one that reports failure stores it."""
    if op.name.endswith("_"):
        raise op.error(None, "a call only reads its tensors, so the op cannot be in place")
    if outputs_of(op) or op.returns not in _RETURNS:
        message = (
            "a call on whole tensors returns a number: say `return: double`, long, bool or void"
        )
        raise op.error("return", f"{message}; results that are tensors need `core:`")
    place = next((word for word in call.words if word.name == RESULT), None)
    stores = op.options.has(FAILS) and op.returns != "void"
    if stores and place is None:
        message = (
            f"the function returns whether it failed; where does it store the {op.returns}? &result"
        )
        raise op.error(CALL, message)
    if place is not None and not stores:
        message = "result is what a function with `fails:` stores; this one returns it"
        raise _fail(op, call, place.offset, message)


def _whole(op: Op, call: Call) -> Op:
    """A function of ours, TH_CALL<op>, around the library's."""
    _check_result(op, call)
    loc = op.options.loc(CALL) or op.loc
    options = op.options
    dtypes = tuple(function.dtype for function in call.functions if function.dtype)
    if dtypes and not _tensors(op):
        raise op.error("cname", "there is no tensor whose dtype could choose the function")
    if dtypes:
        missing = [name for name in op[TYPES] or () if name not in dtypes]
        if missing:
            message = f"there is no function for {missing[0]}, which the op exists for"
            raise DeclarationError(call.functions[0].loc, f"op '{op.name}': {message}")
        options = options.plus(TYPES, dtypes, loc)
        options = options if options.has(PROMOTE) else options.plus(PROMOTE, "none", loc)
    if op[PROMOTE] not in (None, "none"):
        raise op.error(PROMOTE, "a call gets its tensors as they are; they are not promoted")
    for key, value in ((WITH_GIL, False), (INPLACE, "false")):
        if not options.has(key):
            options = options.plus(key, value, loc)
    return replace(op, options=options, cname=f"{PREFIX}{op.symbol}")


def _rewrite(op: Op) -> tuple[Op, ...]:
    call = op[CALL]
    library = _library(op)
    if call is None:
        _check_alone(op)
        return (op,)
    if library is None:
        raise op.error(CALL, "call is for functions of a library; say `library: NAME` too")
    if op.options.has(MESSAGE) and not op.options.has(FAILS):
        raise op.error(MESSAGE, "message needs `fails:`, which says when there is one")
    if _elements(op, call):
        return (_pointwise(op, call),)
    if op.options.has(KERNEL):
        raise op.error(KERNEL, "has a call already, of whole arrays; a kernel works on elements")
    call = replace(call, functions=_functions(op, call))
    options = op.options.plus(CALL, call, op.options.loc(CALL) or op.loc)
    message = op[MESSAGE] or library.message
    if message is not None and op.options.has(FAILS):
        options = options.plus(MESSAGE, message, options.loc(MESSAGE) or message.text.loc)
    places = tuple(place for place in op.places if place[0] != "cname")
    op = replace(op, options=options, places=places, functions=())
    if op.options.has(CORE):
        return (op,)
    _check(op, call)
    return (_whole(op, call),)


def _check(op: Op, call: Call) -> None:
    _check_arguments(op, call)
    for form in call.forms:
        _check_form(op, call, form)
    _check_words(op, call)


def _weave(op: Op, body: Body) -> Body:
    call = op[CALL]
    if call is None or op.options.has(KERNEL):
        return body
    if op.options.has(CORE):
        _check(op, call)  # now that core has added its results
    return replace(body, library=LibraryCall(call, op[FAILS] or "", op[MESSAGE]))


PLUGIN = Plugin(
    "Library",
    __doc__,
    op_keys=(LIBRARY, CALL, FAILS, MESSAGE),
    rewrite=_rewrite,
    weave=_weave,
)
