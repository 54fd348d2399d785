"""Writes what C needs to know of the dtypes: the enum, the tables, the drivers of generic files."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from wrapgen.dtypes import CATEGORIES, LIMIT, Dtype, DtypeTable
from wrapgen.emit.template import fill

LITTLE = 16  # bits of integers and bool that take no less time in the widest vectors, where a kernel is light
STRIDED = (
    64  # bits of elements that are computed where they lie: of smaller ones a vector gathers more
)
BANNER = "/* Written by wrapgen from declarations/dtypes.yaml; edit that one. */\n"

LIST = """\
#ifndef TH_DTYPE_LIST_H
#define TH_DTYPE_LIST_H

#include <TH/THScalar.h>

typedef enum THDtype {
    $enum
} THDtype;
#define TH_DTYPE_LIMIT $limit

/* X(Real, CODE) for every dtype. */
#define TH_FORALL_DTYPES(X) \\
    $forall

/* Groups of dtypes as sets of bits. */
$groups

/* A number as an element is computed. */
$conversions

#endif
"""

DRIVER = """\
#ifndef TH_GENERIC_FILE
#error "define TH_GENERIC_FILE, then include TH/THGenerate${real_name}Type.h"
#endif
$widened
#define Real $real_name
#define TH_DTYPE $enum
#define TH_REAL_IS_$upper
#define TH_CATEGORY_IS_$category
#define TH_COMPUTE_REAL $compute
#define TH_COMPUTE $compute_enum
#define storage_t $storage
#define scalar_t $scalar
#define TH_LITTLE $little
#define TH_LITTLE_BITS $little_bits
#define TH_BYTES $bytes
#define TH_STRIDED $strided
#define TH_INTEGRAL $integral
#define TH_BITS_REAL $bits_real
#define TH_OWN_BITS $own_bits
#define TH_WORD_REAL $word_real
#define TH_OWN_WORD $own_word
#define accreal $accreal
#define TH_LOAD(pointer) $load
#define TH_STORE(pointer, value) (*(pointer) = $store)
#define THTensor_(name) TH_CONCAT_4(TH, Real, Tensor_, name)
#define TH_MATH(name) TH_CONCAT_4(TH, $math, _, name)
#define TH_WIDE(name) TH_CONCAT_4(TH, $wide, _, name)
#include TH_GENERIC_FILE
$undefined
#undef Real
#undef TH_DTYPE
#undef TH_REAL_IS_$upper
#undef TH_CATEGORY_IS_$category
#undef TH_COMPUTE_REAL
#undef TH_COMPUTE
#undef storage_t
#undef scalar_t
#undef TH_LITTLE
#undef TH_LITTLE_BITS
#undef TH_BYTES
#undef TH_STRIDED
#undef TH_INTEGRAL
#undef TH_BITS_REAL
#undef TH_OWN_BITS
#undef TH_WORD_REAL
#undef TH_OWN_WORD
#undef accreal
#undef TH_LOAD
#undef TH_STORE
#undef THTensor_
#undef TH_MATH
#undef TH_WIDE
"""

TABLES = """\
#include <TH/TH.h>

const uint8_t THDtype_sizes[TH_DTYPE_LIMIT] = {
    $sizes
};
const uint8_t THDtype_categories[TH_DTYPE_LIMIT] = {
    $categories
};
const uint8_t THDtype_computes[TH_DTYPE_LIMIT] = {
    $computes
};
const char *const THDtype_names[TH_DTYPE_LIMIT] = {
    $names
};
const char THDtype_formats[TH_DTYPE_LIMIT] = {
    $formats
};
const char *const THDtype_aliases[TH_DTYPE_LIMIT] = {
    $aliases
};
const uint8_t THDtype_promotions[TH_DTYPE_LIMIT][TH_DTYPE_LIMIT] = {
    $promotions
};
"""


def _from_scalar(row: Dtype) -> str:
    if row.category == "bool":
        body = "THScalar_toBool(s)"
    elif row.category == "integral":
        body = "THScalar_toLong(s)"
    else:
        body = "THScalar_toDouble(s)"
    return (
        f"static inline {row.scalar} TH{row.name}_fromScalar(THScalar s) "
        f"{{ return ({row.scalar}){body}; }}"
    )


def _macro(parts: Iterable[str]) -> str:
    """A macro's text on as many lines as it needs."""
    return " \\\n".join(
        textwrap.wrap(" ".join(part.replace(" ", "\0") for part in parts), 80)
    ).replace("\0", " ")


def _group(table: DtypeTable, members: tuple[str, ...]) -> str:
    return _macro(
        f"{'(' if m == members[0] else ''}1u << {table[m].enum}{')' if m == members[-1] else ' |'}"
        for m in members
    )


def dtype_list(table: DtypeTable) -> str:
    """TH/THDtypeList.h"""
    return BANNER + fill(
        LIST,
        {
            "enum": [f"{row.enum} = {row.code}," for row in table.rows],
            "limit": str(LIMIT),
            "forall": _macro(f"X({row.name}, {row.enum})" for row in table.rows),
            "groups": [
                f"#define TH_TYPES_{name.upper()} \\\n"
                + textwrap.indent(_group(table, members), "    ")
                for name, members in table.groups().items()
            ],
            "conversions": [_from_scalar(row) for row in table.rows],
        },
    )


def driver(table: DtypeTable, row: Dtype, block: bool = False) -> str:
    """TH/THGenerate<Real>Type.h; `block`: the loops of kernels over elements that were widened (TH/loops/widened.h).
    Other dtypes may have its loops that see no sign, or only move elements."""
    bits, word = table.bits_of(row), table.word_of(row)
    loads = {"THHalf": "THHalf_toFloat(*(pointer))", "bool": "(scalar_t)(*(pointer) != 0)"}
    stores = {"THHalf": "THHalf_fromFloat(value)", "bool": "(storage_t)((value) != 0)"}
    storage = row.scalar if block else row.storage
    kind = "bool" if row.category == "bool" else storage
    math = row.compute if block else "Real"
    return BANNER + fill(
        DRIVER,
        {
            "real_name": f"{row.name}Block" if block else row.name,
            "widened": ["#include <TH/loops/widened.h>", f"#define TH_WIDENED {row.name}"]
            if block
            else [],
            "undefined": ["#undef TH_WIDENED"] if block else [],
            "enum": row.enum,
            "math": math,
            "wide": math if row.category == "floating" else "Long",
            "upper": row.name.upper(),
            "category": row.category.upper(),
            "compute": row.compute,
            "compute_enum": f"TH_{row.compute.upper()}",
            "storage": storage,
            "scalar": row.scalar,
            "little": str(int(row.category != "floating" and row.bits <= LITTLE)),
            "little_bits": str(int(row.category != "bool" and row.bits <= LITTLE)),
            "bytes": str(int(row.bits == 8)),
            "strided": str(int(row.bits == STRIDED)),
            "integral": str(int(row.category != "floating")),
            "bits_real": bits.name,
            "own_bits": str(int(bits == row)),
            "word_real": word.name,
            "own_word": str(int(word == row)),
            "accreal": row.accreal,
            "load": loads.get(kind, "(*(pointer))"),
            "store": stores.get(kind, "(storage_t)(value)"),
        },
    )


def driver_list(rows: Iterable[Dtype], selectable: bool = False) -> str:
    """A header that includes the drivers of several dtypes, then forgets the generic file.

    Selectable, for loops: -DTH_ONLY_DTYPES=<bits> takes just some of them, so that they compile in parallel.
    """
    lines = [BANNER]
    for row in rows:
        block = "Block" if selectable and row.compute != row.name else ""
        include = f"#include <TH/THGenerate{row.name}{block}Type.h>\n"
        if selectable:
            condition = f"!defined(TH_ONLY_DTYPES) || TH_ONLY_DTYPES >> {row.code} & 1"
            include = f"#if {condition}\n{include}#endif\n"
        lines.append(include)
    return "".join(lines) + "#undef TH_GENERIC_FILE\n"


def tables(table: DtypeTable) -> str:
    """THDtypeTables.c"""

    def entries(values: Iterable[tuple[Dtype, str]]) -> list[str]:
        return [f"[{row.enum}] = {value}," for row, value in values]

    promotions = []
    for a in table.rows:
        cells = [f"[{b.enum}] = {table.promote(a, b).enum}," for b in table.rows]
        promotions += [f"[{a.enum}] = {{", *(f"    {cell}" for cell in cells), "},"]
    return BANNER + fill(
        TABLES,
        {
            "sizes": entries((row, str(row.bits // 8)) for row in table.rows),
            "categories": entries((row, str(CATEGORIES.index(row.category))) for row in table.rows),
            "computes": entries((row, table[row.compute].enum) for row in table.rows),
            "names": entries((row, f'"{row.python}"') for row in table.rows),
            "formats": entries((row, f"'{row.format}'") for row in table.rows),
            "aliases": entries(
                (row, f'"{" ".join(row.aliases)}"') for row in table.rows if row.aliases
            ),
            "promotions": promotions,
        },
    )


def emit(table: DtypeTable) -> dict[str, str]:
    """All files about dtypes, by path below the output folder."""
    files = {"TH/THDtypeList.h": dtype_list(table), "THDtypeTables.c": tables(table)}
    for row in table.rows:
        files[f"TH/THGenerate{row.name}Type.h"] = driver(table, row)
        if row.compute != row.name:
            files[f"TH/THGenerate{row.name}BlockType.h"] = driver(table, row, block=True)
    groups = table.groups()
    for name, key in (("All", "all"), ("Float", "floating_point"), ("Int", "integral")):
        rows = [table[real] for real in groups[key]]
        files[f"TH/THGenerate{name}Types.h"] = driver_list(rows)
    computing = [row for row in table.rows if row.compute == row.name]
    files["TH/THGenerateLoopTypes.h"] = driver_list(computing, selectable=True)
    files["TH/THGenerateKernelTypes.h"] = driver_list(table.rows, selectable=True)
    return files
