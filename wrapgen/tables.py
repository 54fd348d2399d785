"""The facts that declarations are read against: dtypes and the functions kernels may call."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path

from wrapgen import dtypes as _dtypes
from wrapgen.files import table


def data_folder() -> Path:
    """The folder of dtypes.yaml and math.yaml: in the source tree, or inside the installed package."""
    here = Path(__file__).resolve().parent
    installed = here / "share" / "declarations"
    return installed if installed.is_dir() else here.parent / "declarations"


@functools.cache
def dtypes() -> _dtypes.DtypeTable:
    return _dtypes.load(data_folder() / "dtypes.yaml")


@dataclass(frozen=True)
class MathFunction:
    """A function of kernel expressions: TH_MATH(name), TH_HELPER(name) of a package's own, `name` of a library."""

    name: str
    arguments: int
    types: str  # group of dtypes it exists for
    vector: bool  # vector and scalar code may round differently
    own: bool = False
    foreign: bool = False
    ulp: float = 0  # bound on the error, of thwrap's own
    doc: str = ""  # what the name does not say
    stated: int = 0  # elementary steps, where there are other than such functions have
    bits: bool = False  # it is there for elements as they are stored too, where those are widened
    arrays: str = ""  # the instruction set from which on it is there for arrays of elements too
    longs: str = ""  # it is there for "arrays" of int64 too, for an array and a "number"
    light: bool = False  # of little integers it takes as long in wider vectors
    signless: bool = False  # the same for the bits of signed and of unsigned integers
    kept: bool = False  # integers are left as they are
    integers: bool | None = None  # what it is of them, whatever they are
    operator: str = ""  # C's operator of its arguments that gives the same

    @property
    def called(self) -> str:
        """Its name in C, where it is that of a dtype."""
        if self.foreign:
            return self.name
        return f"TH_HELPER({self.name})" if self.own else f"TH_MATH({self.name})"

    @property
    def steps(self) -> int:
        """Elementary steps that a call takes, roughly."""
        return self.stated or (64 if self.foreign else 16 if self.vector else 4)

    @property
    def hoisted(self) -> bool:
        """Called before a conditional that it stands in, so that the loop vectorises: it is defined for all values."""
        return self.vector and not self.own


@functools.cache
def math() -> dict[str, MathFunction]:
    rows = table(data_folder() / "math.yaml")
    return {
        row["name"]: MathFunction(
            row["name"],
            int(row["arguments"]),
            row["types"],
            bool(row.get("vector", False)),
            ulp=float(row["ulp"]),
            doc=row.get("doc", ""),
            stated=int(row.get("steps", 0)),
            bits=bool(row.get("bits", False)),
            arrays=row.get("arrays", ""),
            longs=row.get("longs", ""),
            light=bool(row.get("light", False)),
            signless=bool(row.get("signless", False)),
            kept=bool(row.get("kept", False)),
            integers=row.get("integers"),
            operator=row.get("operator", ""),
        )
        for row in rows
    }
