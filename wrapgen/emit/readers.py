"""Prints the Python side: THP_<op> readers over TH_<op>, number slots, and the method tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from wrapgen.chain import Form, Operation
from wrapgen.emit import result_types
from wrapgen.emit.signatures import ARRAY_KINDS, documentation, shown_parameters
from wrapgen.emit.slots import slots_of
from wrapgen.emit.template import fill
from wrapgen.emit.wrappers import returns_of, wrap
from wrapgen.model import Op, Param
from wrapgen.plugins.common import literal, quoted
from wrapgen.plugins.outputs import OUT, outputs_of
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

$result_types
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

ARRAYS = """\
static PyObject *THPTake_$symbol(PyObject **objects)
{
    const bool isPlain =
        $plain
    if (TH_LIKELY(isPlain))
        return THPRun_$symbol(objects);
    return THP_runForeign(&${symbol}_signature, THPRun_$symbol, objects);
}
"""

SINGLE = """\
$signature
{
    PyObject *objects[$nparams];
    if (THP_bind(&${symbol}_signature, self, args, nargs, kwnames, objects) < 0)
        return NULL;
    return $run(objects);
}
"""

OVERLOADED = """\
$signature
{
    static const THPSignature *const forms[] = {
        $forms
    };
    PyObject *objects[$nparams];
    switch (THP_bindOverload(forms, $count, self, args, nargs, kwnames, objects)) {
    $cases
    default:
        return NULL;
    }
}
"""


def _flags(param: Param, written: bool) -> str:
    flags = []
    if param.default:
        flags.append("THP_OPTIONAL")
    if param.kwarg_only:
        flags.append("THP_KEYWORD_ONLY")
    if param.nullable:
        flags.append("THP_NULLABLE")
    if param.varargs:
        flags.append("THP_VARARGS")
    if written:
        flags.append("THP_WRITTEN")
    return " | ".join(flags) or "0"


def _signature(op: Op, params: Sequence[Param], arrays: bool) -> str:
    noutputs = len(outputs_of(op)) or 1
    rows = []
    for param in params:
        alias = quoted(param.alias) if param.alias else "NULL"
        count = noutputs if param.kind == "THP_OUT" else 0
        flags = _flags(param, arrays and bool(op.inplace) and param.arg.name == "self")
        rows.append(f"{{{quoted(param.name)}, {alias}, {param.kind}, {flags}, {count}}},")
    receiver = next((i for i, param in enumerate(params) if param.arg.name == "self"), -1)
    return fill(
        SIGNATURE,
        {
            "symbol": op.symbol,
            "params": rows or ["{NULL, NULL, 0, 0, 0},"],
            "name": op.python_name,
            "text": "\n".join(literal(shown_parameters(params, arrays))) + ",",
            "nparams": str(len(params)),
            "npositional": str(sum(not param.kwarg_only for param in params)),
            "self": str(receiver),
        },
    )


def _reading(op: Op, param: Param, index: int) -> tuple[list[str], list[str], list[str]]:
    """Locals, statements and C arguments for one parameter."""
    name, kind = param.arg.cname, param.kind
    if param.arg.type.chooses:
        return [], [], []
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
    """How a form's results leave THPRun_<op>."""

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
    # A function that makes its result (`out: true`) has no output argument.
    count = len(outputs_of(op)) or 1
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


def _result_type(operation: Operation, op: Op, package: str) -> str:
    fields = ", ".join(quoted(arg.name) for arg in returns_of(op))
    name = quoted(f"{package}.return_types.{result_types.type_name(operation, op)}")
    return f"static THPResultType {op.symbol}_type = {{{name}, {{{fields}, NULL}}, NULL}};\n"


def _result_types(chapter: str, operations: Iterable[Operation]) -> list[str]:
    """The table of those types; none where there are none."""
    rows = [f"    &{op.symbol}_type," for op in result_types.ops(operations)]
    head = f"THPResultType *const THPResultTypes_{chapter}[] = {{"
    return [head, *rows, "    NULL,", "};"] if rows else []


def _entry(operation: Operation) -> list[str]:
    """The head of the function that the interpreter calls, as a method and as a function of the module."""
    arguments = "PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames"
    return wrap(f"static PyObject *THPCall_{operation.name}({arguments})", 110)


def _runner(form: Form, arrays: bool) -> str:
    """The function that runs a form on bound arguments."""
    takes = arrays and any(param.kind in ARRAY_KINDS for param in form.body.params)
    return f"THPTake_{form.op.symbol}" if takes else f"THPRun_{form.op.symbol}"


def _arrays(form: Form) -> str:
    """The function that lets arrays in."""
    params = enumerate(form.body.params)
    plain = [
        f"THP_isPlain{'Operand' if param.kind == 'THP_OPERAND' else ''}(objects[{i}])"
        for i, param in params
        if param.kind in ARRAY_KINDS
    ]
    lines = [*(f"{line} &&" for line in plain[:-1]), f"{plain[-1]};"]
    return fill(ARRAYS, {"symbol": form.op.symbol, "plain": lines})


def _call(operation: Operation, arrays: bool) -> str:
    forms = operation.forms
    nparams = str(max(1, *(len(form.body.params) for form in forms)))
    if len(forms) == 1:
        return fill(
            SINGLE,
            {
                "signature": _entry(operation),
                "symbol": forms[0].op.symbol,
                "nparams": nparams,
                "run": _runner(forms[0], arrays),
            },
        )
    cases = []
    for index, form in enumerate(forms):
        cases += [f"case {index}:", f"    return {_runner(form, arrays)}(objects);"]
    signatures = [f"&{form.op.symbol}_signature," for form in forms]
    return fill(
        OVERLOADED,
        {
            "signature": _entry(operation),
            "forms": signatures,
            "nparams": nparams,
            "count": str(len(forms)),
            "cases": cases,
        },
    )


def _table(operations: Iterable[Operation], variant: str, arrays: bool) -> list[str]:
    rows = []
    for operation in operations:
        op = operation.forms[0].op
        if variant not in operation.variants:
            continue
        doc = "\n ".join(literal(documentation(operation, variant == "method", arrays)))
        rows.append(
            f'{{"{op.python_name}", (PyCFunction)(void (*)(void))THPCall_{operation.name},\n'
            f" METH_FASTCALL | METH_KEYWORDS,\n {doc}}},"
        )
    return rows


def reader(form: Form) -> str:
    """The parameters of a form, and what reads them: for explain."""
    return _signature(form.op, form.body.params, False) + "\n" + _run(form)


def _operation_text(operation: Operation, arrays: bool, package: str) -> list[str]:
    lines = []
    for form in operation.forms:
        if result_types.several(form.op):
            lines.append(_result_type(operation, form.op, package))
        lines += [_signature(form.op, form.body.params, arrays), _run(form)]
        if _runner(form, arrays).startswith("THPTake_"):
            lines.append(_arrays(form))
    lines.append(_call(operation, arrays))
    return lines + [text for _, text in slots_of(operation)]


def chapter(
    source: str,
    name: str,
    operations: Sequence[Operation],
    ops_header: str,
    arrays: bool = False,
    package: str = "thwrap",
) -> str:
    """py_<chapter>.c; `arrays`: ops take arrays of others where they take tensors; `package` names result types."""
    return fill(
        CHAPTER,
        {
            "source": source,
            "ops_header": ops_header,
            "chapter": name,
            "functions": "\n".join(
                text
                for operation in operations
                for text in _operation_text(operation, arrays, package)
            ),
            "function_table": _table(operations, "function", arrays),
            "method_table": _table(operations, "method", arrays),
            "result_types": _result_types(name, operations),
        },
    )
