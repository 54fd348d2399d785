"""`library: NAME` with `call: function(argument, ...)`: a function of an existing library, declared argument by
argument.

With a tensor's bare name the function works on single elements: `call: f(self, x)` is what `kernel: f(self, x)` is,
computed in the floating dtypes and given doubles; `kernel:` may call the library's functions too. With `data(x)` and
its like it works on whole tensors and returns a number (`return: double`) or fills results (`output: true`, with a
`shape:`), for each item of a batch where there is `core:`. One name serves all dtypes; `cname: {Float: f, Double: g}`
with `call: (argument, ...)` names one for each. `locals:` are C variables of the call, as what is opened and closed.

`fails: nonzero`, `fails: negative` or a condition over `status` says which results mean failure; the error has the
text of `message:`, the op's or the library's: a text, or a call like `strerror(status)`.
"""

from __future__ import annotations

import re
from dataclasses import replace

from wrapgen import tables
from wrapgen.errors import DeclarationError, listing, nearest
from wrapgen.model import C_WORDS, Arg, Body, CallResult, CFunction, LibraryCall, Op, Plugin
from wrapgen.plugins.core import CORE
from wrapgen.plugins.gil_release import WITH_GIL
from wrapgen.plugins.inplace import INPLACE
from wrapgen.plugins.kernel import KERNEL, Expression
from wrapgen.plugins.nullable_arguments import may_be_null
from wrapgen.plugins.outputs import OUTPUT, named_dtype, outputs_of
from wrapgen.plugins.promote import PROMOTE
from wrapgen.plugins.types import TYPES
from wrapgen.syntax import expression
from wrapgen.syntax.call_parts import FILLED, LOCALS, SHAPE, Shape
from wrapgen.syntax.calls import (
    CALL,
    FAILS,
    LIBRARY,
    MESSAGE,
    RESULT,
    STATUS,
    Call,
    Form,
    Formula,
)
from wrapgen.types import RETURNS
from wrapgen.units import Library

PREFIX = "THCall_"
_RETURNS = ("double", "long", "bool", "void")
_NUMBERS = ("double", "float", "long", "int", "bool", "char*")
# What generated functions call their own things.
_OWN = re.compile(
    r"(data|copy|size)_of_\w+|(made|opened|filled)_\w+|work_\d+|status|code|returned|results|out|done|op"
)
_LATER = ("work", "copy")  # forms of the call's own arguments


def _fail(op: Op, part: Call | Formula, offset: int, message: str) -> DeclarationError:
    what = "call" if isinstance(part, Call) else part.what
    return DeclarationError(part.text.at(offset), f"op '{op.name}': in {what}: {message}")


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
    for key in (FAILS, MESSAGE, LOCALS):
        if op.options.has(key):
            raise op.error(key, f"{key.name} is for ops with `call:`")
    _check_no_shapes(op, "is for results of a `call:` on whole tensors")
    if op.options.has(LIBRARY) and not (op.options.has(KERNEL) or op.options.has(CORE)):
        message = "library is for ops with `call:`, `kernel:` or `core:`"
        raise op.error(LIBRARY, message)


def _check_no_shapes(op: Op, message: str) -> None:
    for arg in op.args:
        for key in (SHAPE, FILLED):
            if arg.options.has(key):
                raise op.error(key, f"{key.name} {message}", arg)


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
    if op.options.has(LOCALS):
        raise op.error(LOCALS, "a function of elements has no locals; with `core:` it may have")
    _check_no_shapes(op, "is not for a function of elements, which broadcast")
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
    used = call.names | {call.assigned}
    for part in _parts(op, call):
        used |= {word.name for word in part.words}
        used |= {name for form in part.forms for name in (form.tensor, form.source)}
    used |= {result.shape.like for result in _results(op)}
    unused = next((arg for arg in op.args if arg.name not in used), None)
    if unused is not None:
        raise op.error(None, f"the call has no use for '{unused}'", unused)


def _parts(op: Op, call: Call) -> list[Call | Formula]:
    """All that has forms."""
    parts: list[Call | Formula] = [call]
    parts += [formula for variable in op[LOCALS] or () for formula in variable.formulas]
    for result in _results(op):
        parts += [*result.shape.sizes, *([result.filled] if result.filled else [])]
    fails = op[FAILS]
    return [*parts, fails] if fails else parts


def _results(op: Op) -> tuple[CallResult, ...]:
    """The results of a call on whole tensors."""
    if op.options.has(CORE):
        return ()
    return tuple(CallResult(arg, arg[SHAPE] or Shape(), arg[FILLED]) for arg in outputs_of(op))


def _check_form(op: Op, part: Call | Formula, form: Form) -> None:
    tensors = _tensors(op)
    if isinstance(part, Formula) and form.kind in _LATER:
        raise _fail(op, part, form.offset, f"{form.kind}() is for the arguments of the call")
    for name in filter(None, (form.tensor, form.source)):
        if name not in tensors:
            hint = nearest(name, tensors) or f" (it has: {listing(tensors) or 'none'})"
            raise _fail(
                op, part, form.offset, f"{form.kind}() is of a tensor, '{name}' is none{hint}"
            )
    is_core = op.options.has(CORE)
    if form.source and not tensors[form.tensor].options.has(OUTPUT):
        what = "`core:`" if is_core else "the call"
        raise _fail(op, part, form.offset, f"'{form.tensor}' in {form.text} is no result of {what}")
    if form.source and tensors[form.source].options.has(OUTPUT):
        raise _fail(op, part, form.offset, f"'{form.source}' in {form.text} is a result too")
    if form.kind == "copy" and tensors[form.tensor].options.has(OUTPUT):
        raise _fail(
            op, part, form.offset, f"'{form.tensor}' is a result; write data({form.tensor})"
        )
    if form.kind == "stride" and tensors[form.tensor].options.has(OUTPUT):
        raise _fail(op, part, form.offset, f"'{form.tensor}' is a result, which is contiguous")
    if is_core and form.kind in ("size", "stride", "ndim"):
        message = f"{form.kind}() is for calls without `core:`, whose dims have names"
        raise _fail(op, part, form.offset, message)


def _check_shapes(op: Op) -> None:
    """Shapes follow from inputs; what is kept of them from what the function says."""
    for result in _results(op):
        like = op.arg(result.shape.like) if result.shape.like else None
        if result.shape.like and (like is None or not like.type.tensor or like[OUTPUT]):
            message = f"expected sizes as a list, or an argument that is a tensor; got '{result.shape.like}'"
            raise op.error(SHAPE, message, result.arg)
        for size in result.shape.sizes:
            for form in size.forms:
                if form.kind == STATUS:
                    raise _fail(op, size, form.offset, "the function has not been called yet")
                if form.tensor and _tensors(op)[form.tensor].options.has(OUTPUT):
                    raise _fail(op, size, form.offset, f"'{form.tensor}' is a result")
        if result.filled and not (result.shape.sizes or result.shape.like):
            raise op.error(
                FILLED, "one number has no dim of which a part could be filled", result.arg
            )


def _check_locals(op: Op) -> None:
    for variable in op[LOCALS] or ():
        name = variable.name
        if op.arg(name) or name in C_WORDS or _OWN.fullmatch(name):
            taken = "an argument" if op.arg(name) else "a word of C or of the wrapper's"
            message = f"op '{op.name}': variable '{name}' has the name of {taken}"
            raise DeclarationError(variable.loc, message)
        if variable.open and not variable.close:
            raise DeclarationError(
                variable.loc, f"op '{op.name}': variable '{name}' is opened, but never closed"
            )
        for formula in variable.formulas:
            for form in formula.forms:
                if form.kind == STATUS:
                    raise _fail(op, formula, form.offset, "the function has not been called yet")


def _check_words(op: Op, call: Call) -> None:
    """A name that is nearly an argument's is a mistake; others may be the library's."""
    core = op[CORE]
    known = {arg.name for arg in op.args} | {RESULT} | {each.name for each in op[LOCALS] or ()}
    known |= {dim.text for dim in core.dims} if core else set()
    for part, word in ((each, word) for each in _parts(op, call) for word in each.words):
        if word.name in known or word.called or not word.name.islower() or word.name in C_WORDS:
            continue
        hint = nearest(word.name, known)
        if hint and len(word.name) > 2:
            raise _fail(op, part, word.offset, f"unknown name '{word.name}'{hint}")


def _check_result(op: Op, call: Call) -> None:
    """A call on whole tensors gives a number, or fills its results; one that reports failure stores it."""
    if op.name.endswith("_"):
        raise op.error(None, "a call only reads its tensors, so the op cannot be in place")
    if not outputs_of(op) and op.returns not in _RETURNS:
        message = (
            "a call on whole tensors returns a number: say `return: double`, long, bool or void"
        )
        raise op.error("return", f"{message}; results that are tensors are `output: true`")
    place = next((word for word in call.words if word.name == RESULT), None)
    stores = op.options.has(FAILS) and op.returns in RETURNS
    if stores and place is None:
        message = (
            f"the function returns whether it failed; where does it store the {op.returns}? &result"
        )
        raise op.error(CALL, message)
    if place is not None and not stores:
        message = "result is what a function with `fails:` stores; this one returns it"
        raise _fail(op, call, place.offset, message)


def _check_assigned(op: Op, call: Call) -> None:
    """What gets the function's value is a result, of which C knows the type."""
    if not call.assigned:
        return
    arg = op.arg(call.assigned)
    if arg is None or not arg[OUTPUT]:
        raise _fail(op, call, 0, f"'{call.assigned}' is no result (`output: true`) of the op")
    if op.options.has(FAILS):
        message = f"the function returns whether it failed, so it cannot return '{arg.name}'"
        raise _fail(op, call, 0, message)
    if op.options.has(CORE):
        return
    dtype = named_dtype(arg)
    if not dtype and not call.functions[0].dtype and len(op[TYPES] or ()) != 1:
        raise op.error(None, f"'{arg.name}' gets what the function returns: say its `dtype:`", arg)
    if dtype and tables.dtypes()[dtype].compute != dtype:
        raise op.error(None, f"'{arg.name}' cannot be {dtype}, which C has no type for", arg)
    if arg.options.has(SHAPE):
        raise op.error(SHAPE, f"'{arg.name}' is the one number that the function returns", arg)


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
        _check_no_shapes(op, "is for calls without `core:`, whose dims have names")
        return (op,)
    _check(op, call)
    return (_whole(op, call),)


def _check(op: Op, call: Call) -> None:
    _check_assigned(op, call)
    _check_arguments(op, call)
    for part in _parts(op, call):
        for form in part.forms:
            _check_form(op, part, form)
    _check_words(op, call)
    _check_locals(op)
    _check_shapes(op)


def _weave(op: Op, body: Body) -> Body:
    call = op[CALL]
    if call is None or op.options.has(KERNEL):
        return body
    if op.options.has(CORE):
        _check(op, call)  # now that core has added its results
    variables = op[LOCALS] or ()
    return replace(body, library=LibraryCall(call, op[FAILS], op[MESSAGE], variables, _results(op)))


PLUGIN = Plugin(
    "Library",
    __doc__,
    op_keys=(LIBRARY, CALL, FAILS, MESSAGE, LOCALS),
    arg_keys=(SHAPE, FILLED),
    rewrite=_rewrite,
    weave=_weave,
)
