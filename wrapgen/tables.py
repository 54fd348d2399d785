"""The facts that declarations are read against: dtypes and the functions kernels may call."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path

import yaml

from wrapgen import dtypes as _dtypes


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
    """A function of kernel expressions: TH_MATH(name)."""

    name: str
    arguments: int
    types: str  # group of dtypes it exists for
    vector: bool  # vector and scalar code may round differently


@functools.cache
def math() -> dict[str, MathFunction]:
    rows = yaml.load(
        (data_folder() / "math.yaml").read_text(), getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    )
    return {
        row["name"]: MathFunction(
            row["name"], int(row["arguments"]), row["types"], bool(row.get("vector", False))
        )
        for row in rows
    }
