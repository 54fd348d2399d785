"""Prints the Python side: THP_<op> readers over TH_<op>, number slots, and the method tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from wrapgen.chain import Form, Operation
from wrapgen.emit_c import returns_of, wrap
from wrapgen.model import Op, Param
from wrapgen.plugins.common import literal, quoted
from wrapgen.plugins.outputs import OUT, outputs_of
from wrapgen.template import fill
from wrapgen.types import RETURNS, ReturnType

CHAPTER = """\
/* Written by wrapgen from $source; edit that one. */
#include "THP.h"
#include "$ops_header"

$functions

PyMethodDef THPFunctions_$chapter[] = {
    $function_table
    {NULL, NULL, 0, NULL},
};

PyMethodDef THPMethods_$chapter[] = {
    $method_table
    {NULL, NULL, 0, NULL},
};
"""

SIGNATURE = """\
static const THPParam ${symbol}_params[] = {
    $params
};
static const THPSignature ${symbol}_signature = {
    "$name",
    $text
    ${symbol}_params,
    $nparams,
    $npositional,
    $self,
};
"""

RUN = """\
static PyObject *THPRun_$symbol(PyObject *const *objects)
{
    $locals
    $readers

    $call
    $result
}
"""

SINGLE = """\
$signature
{
    PyObject *objects[$nparams];
    if (THP_bind(&${symbol}_signature, receiver, args, nargs, kwnames, objects) < 0)
        return NULL;
    return THPRun_$symbol(objects);
}
"""

OVERLOADED = """\
$signature
{
    static const THPSignature *const forms[] = {
        $forms
    };
    PyObject *objects[$nparams];
    switch (THP_bindOverload(forms, $count, receiver, args, nargs, kwnames, objects)) {
    $cases
    default:
        return NULL;
    }
}
"""

METHOD = """\
$signature
{
    return THPCall_$name(self, args, nargs, kwnames);
}
"""

FUNCTION = """\
$signature
{
    (void)module;
    return THPCall_$name(NULL, args, nargs, kwnames);
}
"""

BINARY_SLOT = """\
PyObject *THPSlot_$slot(PyObject *left, PyObject *right)
{
    if (!THP_isOperand(left) || !THP_isOperand(right))
        Py_RETURN_NOTIMPLEMENTED;
    PyObject *objects[$nparams] = {NULL};
    objects[$first] = left;
    objects[$second] = right;
    return THPRun_$symbol(objects);
}
"""

POWER_SLOT = """\
PyObject *THPSlot_$slot(PyObject *left, PyObject *right, PyObject *modulus)
{
    if (!THP_isOperand(left) || !THP_isOperand(right) || modulus != Py_None)
        Py_RETURN_NOTIMPLEMENTED;
    PyObject *objects[$nparams] = {NULL};
    objects[$first] = left;
    objects[$second] = right;
    return THPRun_$symbol(objects);
}
"""

UNARY_SLOT = """\
PyObject *THPSlot_$slot(PyObject *self)
{
    PyObject *objects[$nparams] = {NULL};
    objects[$first] = self;
    return THPRun_$symbol(objects);
}
"""

# Python's operators: the slot, its in-place twin, and how many operands it has.
NUMBER_SLOTS = {
    "+": ("nb_add", 2),
    "-": ("nb_subtract", 2),
    "*": ("nb_multiply", 2),
    "/": ("nb_true_divide", 2),
    "//": ("nb_floor_divide", 2),
    "%": ("nb_remainder", 2),
    "**": ("nb_power", 2),
    "@": ("nb_matrix_multiply", 2),
    "&": ("nb_and", 2),
    "|": ("nb_or", 2),
    "^": ("nb_xor", 2),
    "<<": ("nb_lshift", 2),
    ">>": ("nb_rshift", 2),
    "-x": ("nb_negative", 1),
    "+x": ("nb_positive", 1),
    "~x": ("nb_invert", 1),
    "abs(x)": ("nb_absolute", 1),
}
COMPARISONS = {
    "<": "Py_LT",
    "<=": "Py_LE",
    "==": "Py_EQ",
    "!=": "Py_NE",
    ">": "Py_GT",
    ">=": "Py_GE",
}


@dataclass(frozen=True)
class Slot:
    """A slot function printed in some chapter."""

    id: str  # Py_nb_add; Py_EQ for comparisons
    function: str


def _flags(param: Param) -> str:
    flags = []
    if param.default:
        flags.append("THP_OPTIONAL")
    if param.kwarg_only:
        flags.append("THP_KEYWORD_ONLY")
    if param.nullable:
        flags.append("THP_NULLABLE")
    if param.varargs:
        flags.append("THP_VARARGS")
    return " | ".join(flags) or "0"


def _shown(params: Sequence[Param]) -> str:
    """`(Tensor input, Tensor or number other, *, Number alpha=1)`"""
    parts, star = [], False
    for param in params:
        if param.kwarg_only and not star:
            parts.append("*")
            star = True
        default = f"={param.shown_default}" if param.default else ""
        parts.append(f"{param.shown} {param.name}{default}")
    return f"({', '.join(parts)})"


def text_signature(op: Op, params: Sequence[Param], method: bool) -> str:
    """`($self, other, *, alpha=1)`: what inspect.signature reads."""
    parts, star = ["$self" if method else "$module"], False
    rest = [param for param in params if not (method and param.arg.name == "self")]
    late_required = any(
        a.default and not b.default
        for i, a in enumerate(rest)
        for b in rest[i + 1 :]
        if not a.kwarg_only and not b.kwarg_only
    )
    for param in rest:
        if param.kwarg_only and not star:
            parts.append("*")
            star = True
        default = (
            f"={param.shown_default}" if param.default and not (late_required and not star) else ""
        )
        default = default if "float(" not in default else "=None"
        parts.append(param.identifier + default)
    return f"({', '.join(parts)})"


def _signature(op: Op, params: Sequence[Param]) -> str:
    noutputs = len(outputs_of(op)) or 1
    rows = []
    for param in params:
        alias = quoted(param.alias) if param.alias else "NULL"
        count = noutputs if param.kind == "THP_OUT" else 0
        rows.append(f"{{{quoted(param.name)}, {alias}, {param.kind}, {_flags(param)}, {count}}},")
    receiver = next((i for i, param in enumerate(params) if param.arg.name == "self"), -1)
    return fill(
        SIGNATURE,
        {
            "symbol": op.symbol,
            "params": rows or ["{NULL, NULL, 0, 0, 0},"],
            "name": op.python_name,
            "text": "\n".join(literal(_shown(params))) + ",",
            "nparams": str(len(params)),
            "npositional": str(sum(not param.kwarg_only for param in params)),
            "self": str(receiver),
        },
    )


def _reading(op: Op, param: Param, index: int) -> tuple[list[str], list[str], list[str]]:
    """Locals, statements and C arguments for one parameter."""
    name, kind = param.arg.cname, param.kind
    where = f"&{op.symbol}_signature, {index}, objects[{index}]"
    absent = bool(param.default) or param.nullable
    present = f"objects[{index}] != NULL && " if absent else ""
    if kind in ("THP_TENSOR", "THP_OPERAND"):
        box = [f"THScalarTensor {name}_number;"] if kind == "THP_OPERAND" else []
        read = f"THP_readOperand({where}, &{name}_number)" if box else f"THP_readTensor({where})"
        return (
            [*box, f"THTensor *{name} = NULL;"],
            [f"if ({present}({name} = {read}) == NULL)", "    return NULL;"],
            [name],
        )
    if kind == "THP_SIZE":
        size = f"objects[{index}] != NULL ? {name}.size : NULL" if absent else f"{name}.size"
        return (
            [f"THPSize {name};", f"{name}.n = 0;"],
            [f"if ({present}THP_readSize({where}, &{name}) < 0)", "    return NULL;"],
            [size, f"{name}.n"],
        )
    if kind == "THP_TENSOR_LIST":
        return (
            [f"THPTensorList {name};"],
            [f"if ({present}THP_readTensorList({where}, &{name}) < 0)", "    return NULL;"],
            [f"{name}.tensors", f"{name}.n"],
        )
    reader, ctype = _READERS[kind]
    null = "-1" if kind == "THP_DTYPE" else "0"
    initial = param.default or _INITIAL.get(kind, null)
    return (
        [f"{ctype}{name} = {initial};"],
        [f"if ({present}{reader}({where}, &{name}) < 0)", "    return NULL;"],
        [name],
    )


_READERS = {
    "THP_SCALAR": ("THP_readScalar", "THScalar "),
    "THP_LONG": ("THP_readLong", "int64_t "),
    "THP_DOUBLE": ("THP_readDouble", "double "),
    "THP_BOOL": ("THP_readBool", "bool "),
    "THP_DTYPE": ("THP_readDtype", "int "),
    "THP_STRING": ("THP_readString", "const char *"),
    "THP_GENERATOR": ("THP_readGenerator", "THGenerator *"),
    "THP_STORAGE": ("THP_readStorage", "THStorage *"),
}
_INITIAL = {
    "THP_SCALAR": "{0}",
    "THP_BOOL": "false",
    "THP_STRING": "NULL",
    "THP_GENERATOR": "NULL",
    "THP_STORAGE": "NULL",
}


@dataclass(frozen=True)
class _Results:
    """How a form's results leave THP_<op>_run."""

    locals: list[str]
    readers: list[str]
    arguments: list[str]
    statements: list[str]


def _results(op: Op, params: Sequence[Param]) -> _Results:
    self_index = next((i for i, param in enumerate(params) if param.arg.name == "self"), 0)
    if op.returns == "THTensor*" and not op[OUT] and op.arg("self") is not None:
        return _made_result(self_index)
    if op.returns in RETURNS and not op[OUT]:
        return _value_result(RETURNS[op.returns])
    if op.returns == "void":
        return _Results([], [], [], ["return THP_resultNone(status);"])
    if op.inplace:
        return _Results([], [], [], [f"return THP_result(status, NULL, objects[{self_index}]);"])
    out_index = next(i for i, param in enumerate(params) if param.kind == "THP_OUT")
    where = f"&{op.symbol}_signature, {out_index}, objects[{out_index}]"
    outputs = outputs_of(op)
    count = (
        len(outputs) or 1
    )  # a function that makes its result (`out: true`) has no output argument
    given = f"objects[{out_index}] != NULL && THP_readOut({where}, results, {count}) < 0"
    readers = [f"if ({given})", "    return NULL;"]
    locals_ = [f"THTensor *results[{count}] = {{NULL}};"]
    places = [returns_of(op).index(arg) for arg in outputs_of(op)] or [0]
    arguments = [f"&results[{place}]" for place in places]
    if count == 1:
        return _Results(
            locals_,
            readers,
            arguments,
            [f"return THP_result(status, results[0], objects[{out_index}]);"],
        )
    statement = f"return THP_resultTuple(status, &{op.symbol}_type, {count}, results, objects[{out_index}]);"
    return _Results(locals_, readers, arguments, [statement])


def _made_result(self_index: int) -> _Results:
    """A tensor that the C function makes of self, or self again."""
    return _Results(
        ["THTensor *outcome = NULL;"],
        [],
        ["&outcome"],
        [f"return THP_resultOf(status, outcome, objects[{self_index}]);"],
    )


def _value_result(row: ReturnType) -> _Results:
    given = ", NULL" if row.name == "THTensor*" else ""
    return _Results(
        [f"{row.c}outcome = {row.initial};"],
        [],
        ["&outcome"],
        [f"return {row.result}(status, outcome{given});"],
    )


def _run(form: Form) -> str:
    op, params = form.op, form.body.params
    results = _results(op, params)
    locals_, readers, passed = list(results.locals), [], []
    lists = []
    ordered = sorted(range(len(params)), key=lambda i: _turn(params[i]))
    arguments: dict[str, list[str]] = {}
    for index in ordered:
        param = params[index]
        if param.kind == "THP_OUT":
            continue
        names, statements, expressions = _reading(op, param, index)
        locals_ += names
        readers += statements
        arguments[param.arg.name] = expressions
        if param.kind == "THP_TENSOR_LIST":
            lists.append(param.arg.cname)
    for arg in op.args:
        passed += arguments.get(arg.name, []) if arg.visible else []
    call = [
        "THP_ENTER();",
        *wrap(
            f"const int status = TH_{op.symbol}({', '.join([*results.arguments, *passed])});", 96
        ),
        "THP_LEAVE();",
        *(f"THP_freeTensorList(&{name});" for name in lists),
    ]
    return fill(
        RUN,
        {
            "symbol": op.symbol,
            "locals": _declarations_first(locals_),
            "readers": [*results.readers, *readers],
            "call": call,
            "result": results.statements,
        },
    )


def _turn(param: Param) -> int:
    """Separate ints are read before Python code can run, lists last: nothing may fail while they are held."""
    if param.kind in ("THP_TENSOR", "THP_OPERAND"):
        return 0
    return 1 if param.varargs else 3 if param.kind == "THP_TENSOR_LIST" else 2


def _declarations_first(lines: list[str]) -> list[str]:
    """Assignments (`dim.n = 0;`) after all declarations."""
    assignments = [line for line in lines if line.split(" ")[0].endswith(".n")]
    return [line for line in lines if line not in assignments] + assignments


def _result_type(op: Op) -> str:
    fields = ", ".join(quoted(arg.name) for arg in returns_of(op))
    name = quoted(f"thwrap.return_types.{op.python_name}")
    return f"static THPResultType {op.symbol}_type = {{{name}, {{{fields}, NULL}}, NULL}};\n"


def _entry(kind: str, name: str, first: str) -> list[str]:
    """The head of a function that the interpreter calls."""
    arguments = "PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames"
    return wrap(f"static PyObject *THP{kind}_{name}(PyObject *{first}, {arguments})", 110)


def _call(operation: Operation) -> str:
    forms = operation.forms
    nparams = str(
        max(1, *(len(form.body.params) for form in forms))
        if len(forms) > 1
        else max(1, len(forms[0].body.params))
    )
    if len(forms) == 1:
        return fill(
            SINGLE,
            {
                "signature": _entry("Call", operation.name, "receiver"),
                "symbol": forms[0].op.symbol,
                "nparams": nparams,
            },
        )
    cases = []
    for index, form in enumerate(forms):
        cases += [f"case {index}:", f"    return THPRun_{form.op.symbol}(objects);"]
    signatures = [f"&{form.op.symbol}_signature," for form in forms]
    return fill(
        OVERLOADED,
        {
            "signature": _entry("Call", operation.name, "receiver"),
            "forms": signatures,
            "nparams": nparams,
            "count": str(len(forms)),
            "cases": cases,
        },
    )


def slots_of(operation: Operation) -> list[tuple[Slot, str]]:
    """The slots an operation fills, with their text."""
    found = []
    for form in operation.forms:
        op = form.op
        if op.operator in COMPARISONS and not op.inplace:
            name = "compare_" + COMPARISONS[op.operator].removeprefix("Py_").lower()
            found.append(_slot(form, COMPARISONS[op.operator], name, 2))
        elif op.operator in NUMBER_SLOTS:
            name, operands = NUMBER_SLOTS[op.operator]
            if op.inplace and operands == 1:
                continue
            if op.inplace:
                name = name.replace("nb_", "nb_inplace_")
            found.append(_slot(form, f"Py_{name}", name, operands))
    return [slot for slot in found if slot is not None][:1]


def _slot(form: Form, id: str, name: str, operands: int) -> tuple[Slot, str] | None:
    params = form.body.params
    required = [i for i, param in enumerate(params) if not param.default]
    if len(required) != operands:
        return None
    holes: dict[str, str | list[str]] = {
        "slot": name,
        "symbol": form.op.symbol,
        "nparams": str(len(params)),
        "first": str(required[0]),
    }
    template = UNARY_SLOT
    if operands == 2:
        holes["second"] = str(required[1])
        template = POWER_SLOT if name.endswith("power") else BINARY_SLOT
    return Slot(id, f"THPSlot_{name}"), fill(template, holes)


def documentation(operation: Operation, method: bool) -> str:
    """The docstring with its text signature line."""
    op = operation.forms[0].op
    single = len(operation.forms) == 1
    head = (
        op.python_name + text_signature(op, operation.forms[0].body.params, method) + "\n--\n\n"
        if single
        else ""
    )
    docs = list(dict.fromkeys(form.op.doc for form in operation.forms if form.op.doc))
    forms = (
        ""
        if single
        else "\n".join(
            f"{form.op.python_name}{_shown(form.body.params)}" for form in operation.forms
        )
        + "\n\n"
    )
    return head + forms + "\n\n".join(docs)


def _table(operations: Iterable[Operation], variant: str) -> list[str]:
    rows = []
    for operation in operations:
        op = operation.forms[0].op
        if variant not in op.variants:
            continue
        method = variant == "method"
        prefix = "THPMethod_" if method else "THPFunction_"
        doc = "\n ".join(literal(documentation(operation, method)))
        rows.append(
            f'{{"{op.python_name}", (PyCFunction)(void (*)(void)){prefix}{operation.name},\n'
            f" METH_FASTCALL | METH_KEYWORDS,\n {doc}}},"
        )
    return rows


def _operation_text(operation: Operation) -> list[str]:
    lines = []
    for form in operation.forms:
        if len(outputs_of(form.op)) > 1 and not form.op.inplace:
            lines.append(_result_type(form.op))
        lines += [_signature(form.op, form.body.params), _run(form)]
    lines.append(_call(operation))
    variants = operation.forms[0].op.variants
    name = operation.name
    if "method" in variants:
        lines.append(fill(METHOD, {"name": name, "signature": _entry("Method", name, "self")}))
    if "function" in variants:
        lines.append(
            fill(FUNCTION, {"name": name, "signature": _entry("Function", name, "module")})
        )
    return lines + [text for _, text in slots_of(operation)]


def chapter(source: str, name: str, operations: Sequence[Operation], ops_header: str) -> str:
    """py_<chapter>.c"""
    return fill(
        CHAPTER,
        {
            "source": source,
            "ops_header": ops_header,
            "chapter": name,
            "functions": "\n".join(
                text for operation in operations for text in _operation_text(operation)
            ),
            "function_table": _table(operations, "function"),
            "method_table": _table(operations, "method"),
        },
    )
