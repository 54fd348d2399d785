"""Prints the slots of the tensor type: the functions behind Python's operators."""

from __future__ import annotations

from dataclasses import dataclass

from wrapgen.chain import Form, Operation
from wrapgen.emit.template import fill

BINARY_SLOT = """\
PyObject *THPSlot_$slot(PyObject *left, PyObject *right)
{
    if (!THP_isOperand(left) || !THP_isOperand(right))
        $otherwise
    PyObject *objects[$nparams] = {NULL};
    objects[$first] = left;
    objects[$second] = right;
    $spends
    return THPRun_$symbol(objects);
}
"""

# Of pow(left, right, modulus) there is nothing with a modulus.
POWER_SLOT = """\
PyObject *THPSlot_$slot(PyObject *left, PyObject *right, PyObject *modulus)
{
    if (modulus != Py_None)
        Py_RETURN_NOTIMPLEMENTED;
    return THPSlot_$binary(left, right);
}
"""

UNARY_SLOT = """\
PyObject *THPSlot_$slot(PyObject *self)
{
    PyObject *objects[$nparams] = {NULL};
    objects[$first] = self;
    $spends
    return THPRun_$symbol(objects);
}
"""

# A result of pointwise operations may take the memory of an operand that is a temporary.
SPENDS = """\
if (TH_UNLIKELY($may))
    return THP_runSpending(THPRun_$symbol, objects, $operands);
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
    parameters: tuple[str, ...]

    @property
    def prototype(self) -> str:
        return f"PyObject *{self.function}({', '.join(f'PyObject *{name}' for name in self.parameters)})"


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
    common = {"symbol": form.op.symbol, "nparams": str(len(params)), "first": str(required[0])}
    common["spends"] = _spends(form, ["self"] if operands == 1 else ["left", "right"])
    if operands == 1:
        return Slot(id, f"THPSlot_{name}", ("self",)), fill(UNARY_SLOT, {**common, "slot": name})
    is_power = name.endswith("power")
    binary = f"{name}_binary" if is_power else name
    # In place, Python computes `a = a + array` where we know of no `a += array`.
    operate = f"return THP_operate(THPSlot_{binary}, left, right);"
    otherwise = "Py_RETURN_NOTIMPLEMENTED;" if form.op.inplace else operate
    holes = {**common, "slot": binary, "second": str(required[1]), "otherwise": otherwise}
    text = fill(BINARY_SLOT, holes)
    parameters = ("left", "right", "modulus") if is_power else ("left", "right")
    if is_power:
        text += "\n" + fill(POWER_SLOT, {"slot": name, "binary": binary})
    return Slot(id, f"THPSlot_{name}", parameters), text


def _spends(form: Form, operands: list[str]) -> str:
    if form.op.inplace or form.op.operator in COMPARISONS or not form.body.shaped:
        return ""
    may = " || ".join(f"THP_maySpend({name})" for name in operands)
    given = ", ".join([*operands, "NULL"][:2])
    return fill(SPENDS, {"may": may, "symbol": form.op.symbol, "operands": given})
