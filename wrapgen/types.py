"""The argument types: one row says how a type looks in TH_<op>, in TH<Real>Tensor_<op>, in kernels and in Python."""

from __future__ import annotations

from dataclasses import dataclass

from wrapgen.dtypes import Dtype


@dataclass(frozen=True)
class ArgType:
    """One row. `$` stands for the argument's name."""

    name: str  # as written in declarations
    c: tuple[str, ...]  # parameters of TH_<op>
    passed: tuple[str, ...]  # expressions handed on to the C function
    generic: tuple[str, ...]  # parameters of TH<Real>Tensor_<op> and types in kernels
    kind: str  # THPKind of the Python argument
    python: str  # its annotation; `_int` because methods named int and dtypes shadow the builtins
    shown: str  # its type in messages
    tensor: bool = False  # a THTensor*
    dtype: str = ""  # the only dtype a tensor may have

    @property
    def chooses(self) -> bool:
        """Callers choose a form by it, and C is not told again."""
        return bool(self.kind) and not self.c

    def declare(self, name: str) -> tuple[str, ...]:
        return tuple(text.replace("$", name) for text in self.c)

    def declare_generic(self, name: str) -> tuple[str, ...]:
        return tuple(text.replace("$", name) for text in self.generic)

    def hand_on(self, name: str, real: Dtype | None) -> tuple[str, ...]:
        """Expressions for a call; `real` is the dtype dispatched to, if any."""
        return tuple(_for_dtype(text, real).replace("$", name) for text in self.passed)


def _for_dtype(text: str, real: Dtype | None) -> str:
    if real is None:
        return "$" if text.startswith("@") else text
    if text == "@accreal":
        return "THScalar_toDouble($)" if real.accreal == "double" else "THScalar_toLong($)"
    if text == "@real":
        return f"TH{real.name}_fromScalar($)"
    return text


def _tensor(name: str, dtype: str = "") -> ArgType:
    c = ("THTensor *$",)
    return ArgType(name, c, ("$",), c, "THP_TENSOR", "Tensor", "Tensor", tensor=True, dtype=dtype)


def _value(name: str, c: str, kind: str, python: str, shown: str) -> ArgType:
    return ArgType(name, (c + " $",), ("$",), (c + " $",), kind, python, shown)


def _sizes(name: str, generic: tuple[str, ...], passed: tuple[str, ...], shown: str) -> ArgType:
    c = ("const int64_t *$", "int $_n")
    return ArgType(name, c, passed, generic, "THP_SIZE", "_int | Sequence[_int]", shown)


_SIZES_C = ("const int64_t *$", "int $_n")

TYPES: dict[str, ArgType] = {
    row.name: row
    for row in (
        _tensor("THTensor*"),
        _tensor("THIndexTensor*", "Long"),
        _tensor("THBoolTensor*", "Bool"),
        _tensor("THByteTensor*", "Byte"),
        _tensor("THIntegerTensor*", "Int"),
        ArgType(
            "THTensorList",
            ("THTensor *const *$", "int $_n"),
            ("$", "$_n"),
            ("THTensor *const *$", "int $_n"),
            "THP_TENSOR_LIST",
            "Sequence[Tensor]",
            "sequence of Tensors",
        ),
        ArgType(
            "real", ("THScalar $",), ("@real",), ("scalar_t $",), "THP_SCALAR", "Number", "Number"
        ),
        ArgType(
            "accreal",
            ("THScalar $",),
            ("@accreal",),
            ("accreal $",),
            "THP_SCALAR",
            "Number",
            "Number",
        ),
        ArgType(
            "THScalar", ("THScalar $",), ("$",), ("THScalar $",), "THP_SCALAR", "Number", "Number"
        ),
        _value("double", "double", "THP_DOUBLE", "_float", "float"),
        _value("float", "double", "THP_DOUBLE", "_float", "float"),
        _value("long", "int64_t", "THP_LONG", "_int", "int"),
        _value("int", "int64_t", "THP_LONG", "_int", "int"),
        _value("bool", "bool", "THP_BOOL", "_bool", "bool"),
        # A bool by which a call chooses the form.
        ArgType("True", (), (), (), "THP_TRUE", "Literal[True]", "True"),
        ArgType("False", (), (), (), "THP_FALSE", "Literal[False]", "False"),
        _sizes("THSize*", _SIZES_C, ("$", "$_n"), "tuple of ints"),
        _sizes("THStride*", _SIZES_C, ("$", "$_n"), "tuple of ints"),
        _sizes("THDims*", ("uint64_t $",), ("$",), "int or tuple of ints"),
        _value("THDtype", "int", "THP_DTYPE", "_dtype", "dtype"),
        ArgType(
            "char*", ("const char *$",), ("$",), ("const char *$",), "THP_STRING", "str", "str"
        ),
        ArgType(
            "THGenerator*",
            ("THGenerator *$",),
            ("$",),
            ("THGenerator *$",),
            "THP_GENERATOR",
            "Generator",
            "Generator",
        ),
        ArgType(
            "THStorage*",
            ("THStorage *$",),
            ("$",),
            ("THStorage *$",),
            "THP_STORAGE",
            "Storage",
            "Storage",
        ),
        # A text passed on as it is, and an argument passed again: neither is visible to callers.
        ArgType("CONSTANT", (), ("$",), (), "", "", ""),
        ArgType("argument", (), ("$",), (), "", "", ""),
    )
}


@dataclass(frozen=True)
class ReturnType:
    """What a C function returns through its first parameter."""

    name: str
    c: str  # type behind the pointer `out`
    python: str
    result: str  # reader of the binding runtime: THP_result<...>
    initial: str


RETURNS: dict[str, ReturnType] = {
    row.name: row
    for row in (
        ReturnType("THTensor*", "THTensor *", "Tensor", "THP_result", "NULL"),
        ReturnType(
            "THTensorList",
            "THTensorArray ",
            "tuple[Tensor, ...]",
            "THP_resultArray",
            "{0, NULL}",
        ),
        ReturnType("bool", "bool ", "_bool", "THP_resultBool", "false"),
        ReturnType("long", "int64_t ", "_int", "THP_resultLong", "0"),
        ReturnType("double", "double ", "_float", "THP_resultDouble", "0"),
        ReturnType("real", "THScalar ", "Number", "THP_resultScalar", "{0}"),
    )
}
