"""Prints the module file: tables of all chapters, the type's slots, the module's definition."""

from __future__ import annotations

from collections.abc import Sequence

from wrapgen.chain import Operation
from wrapgen.emit import result_types
from wrapgen.emit.slots import COMPARISONS, slots_of
from wrapgen.emit.template import fill
from wrapgen.plugins.common import quoted

MODULE = """\
/* Written by wrapgen: the module $module. */
#include "THP.h"

$externs

static PyMethodDef *const functions[] = {
    $functions
    NULL,
};

static PyMethodDef *const methods[] = {
    $methods
    NULL,
};

static THPResultType *const *const resultTypes[] = {
    $result_types
    NULL,
};

$compare
$slots
static const THPPackage package = {
    "$module", functions, methods, resultTypes, $slot_table, $origin, $flags,
};

PyObject *THP_cffiInit(void); /* cffi's PyInit, renamed where it is compiled */

static PyObject *create(PyObject *spec, PyModuleDef *definition)
{
    (void)spec;
    (void)definition;
    return THP_packageCreate(THP_cffiInit);
}

static int execute(PyObject *module)
{
    return THP_packageExec(module, &package);
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_create, (void *)create},
    {Py_mod_exec, (void *)execute},
    {0, NULL},
};

static PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "$module", NULL, 0, NULL, module_slots, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit_$stem(void)
{
    return PyModuleDef_Init(&definition);
}
"""

COMPARE = """\
static PyObject *compare(PyObject *self, PyObject *other, int operator)
{
    switch (operator) {
    $cases
    default:
        Py_RETURN_NOTIMPLEMENTED;
    }
}
"""


def _slot_lines(operations: Sequence[Operation]) -> tuple[list[str], list[str], str]:
    """Declarations, entries of the slot table, the comparison function."""
    slots = [slot for operation in operations for slot, _ in slots_of(operation)]
    externs, entries, cases = [], [], []
    for slot in slots:
        externs.append(f"{slot.prototype};")
        if slot.id in COMPARISONS.values():
            cases += [f"case {slot.id}:", f"    return {slot.function}(self, other);"]
        else:
            entries.append(f"{{{slot.id}, (void *){slot.function}}},")
    if cases:
        entries.append("{Py_tp_richcompare, (void *)compare},")
    return externs, entries, fill(COMPARE, {"cases": cases}) if cases else ""


def module(
    name: str,
    chapters: Sequence[str],
    operations: Sequence[Operation],
    origin: str = "",
    flags: Sequence[str] = (),
) -> str:
    """py_module.c of the module `package._C`."""
    externs = [
        f"extern PyMethodDef THP{kind}_{chapter}[];"
        for chapter in chapters
        for kind in ("Functions", "Methods")
    ]
    named = list(dict.fromkeys(op.chapter for op in result_types.ops(operations)))
    externs += [f"extern THPResultType *const THPResultTypes_{chapter}[];" for chapter in named]
    slot_externs, entries, compare = _slot_lines(operations)
    table = [
        "static const PyType_Slot slots[] = {",
        *("    " + entry for entry in entries),
        "    {0, NULL},",
        "};",
    ]
    return fill(
        MODULE,
        {
            "module": name,
            "stem": name.rsplit(".", 1)[-1],
            "externs": [*externs, *slot_externs],
            "functions": [f"THPFunctions_{chapter}," for chapter in chapters],
            "methods": [f"THPMethods_{chapter}," for chapter in chapters],
            "result_types": [f"THPResultTypes_{chapter}," for chapter in named],
            "compare": compare,
            "slots": table if entries else [],
            "slot_table": "slots" if entries else "NULL",
            "origin": quoted(origin) if origin else "NULL",
            "flags": " | ".join(flags) or "0",
        },
    )
