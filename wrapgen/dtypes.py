"""The dtype table: rows of declarations/dtypes.yaml."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from wrapgen.files import table

CATEGORIES = ("bool", "integral", "floating")
LIMIT = 16  # codes are below


@dataclass(frozen=True)
class Dtype:
    """One row."""

    name: str
    code: int
    storage: str
    scalar: str
    accreal: str
    category: str
    bits: int
    python: str
    aliases: tuple[str, ...]
    format: str
    compute: str

    @property
    def enum(self) -> str:
        return f"TH_{self.name.upper()}"

    @property
    def signed(self) -> bool:
        return self.category == "floating" or self.storage.startswith("int")

    @property
    def is_byte(self) -> bool:
        return self.category == "integral" and self.bits == 8


@dataclass(frozen=True)
class DtypeTable:
    """All rows, in the file's order, with the rules that follow from them."""

    rows: tuple[Dtype, ...]

    def __getitem__(self, name: str) -> Dtype:
        return next(row for row in self.rows if row.name == name)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(row.name for row in self.rows)

    def groups(self) -> dict[str, tuple[str, ...]]:
        """Words of the `types` key that stand for several dtypes."""
        by_category = {c: tuple(r.name for r in self.rows if r.category == c) for c in CATEGORIES}
        return {
            "all": self.names,
            "numeric": by_category["integral"] + by_category["floating"],
            "integral": by_category["integral"],
            "floating_point": by_category["floating"],
        }

    def bits_of(self, row: Dtype) -> Dtype:
        """The first dtype whose elements are read as the same bits, but for a sign."""
        if row.category != "integral":
            return row
        return next(r for r in self.rows if (r.category, r.bits) == (row.category, row.bits))

    def word_of(self, row: Dtype) -> Dtype:
        """The first integral dtype whose elements are moved as those of this one; not of a bool, which is read as 0 or
        1."""
        if row.category == "bool":
            return row
        words = (r for r in self.rows if (r.category, r.bits) == ("integral", row.bits))
        return next(words, row)

    def promote(self, a: Dtype, b: Dtype) -> Dtype:
        """The smallest dtype that holds both, by PyTorch's lattice (no integer pair becomes floating)."""
        if a.category != b.category:
            return max(a, b, key=lambda row: CATEGORIES.index(row.category))
        if a.signed == b.signed:
            return max(a, b, key=lambda row: row.bits)
        signed, unsigned = (a, b) if a.signed else (b, a)
        if signed.bits > unsigned.bits:
            return signed
        wider = [
            r for r in self.rows if r.category == a.category and r.signed and r.bits > unsigned.bits
        ]
        return min(wider, key=lambda row: row.bits)


def load(path: Path) -> DtypeTable:
    """Reads dtypes.yaml."""
    rows = []
    for entry in table(path):
        entry["aliases"] = tuple(entry.get("aliases", ()))
        entry.setdefault("compute", entry["name"])
        rows.append(Dtype(**entry))
    codes = [row.code for row in rows]
    if len(set(codes)) != len(codes) or not all(0 <= code < LIMIT for code in codes):
        raise ValueError(f"{path}: dtype codes must be different and below {LIMIT}: {codes}")
    return DtypeTable(tuple(rows))
