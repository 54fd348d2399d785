"""The loops over the elements of a kernel: one by one, bytes by pairs, or along steps."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from wrapgen import tables
from wrapgen.dtypes import Dtype
from wrapgen.emit.template import of_file
from wrapgen.model import Kernel, Op

STRIDED_COSTLY = 7  # steps from which on elements of 8 bytes are gathered first in less time


def indented(lines: Iterable[str]) -> list[str]:
    return [line if line.lstrip().startswith("#") else f"    {line}" for line in lines]


def takes_rows(kernel: Kernel) -> bool:
    """Whether one call of the loop may be for many rows."""
    return not kernel.whole_vectors and not kernel.arrays


def takes_strides(kernel: Kernel) -> bool:
    """Whether elements of 8 bytes are computed where they lie: it gains time where that takes few steps, and loses some
    where others, of bytes, are taken apart or put together."""
    fixed = any(dtype for _, dtype in operand_dtypes(kernel))
    return takes_rows(kernel) and kernel.cost < STRIDED_COSTLY and not fixed


def row_of(dtype: str) -> Dtype:
    """What the loop sees of a fixed dtype."""
    table = tables.dtypes()
    return table[table[dtype].compute]


def storage(dtype: str) -> str:
    return row_of(dtype).storage if dtype else "storage_t"


def operand_dtypes(kernel: Kernel) -> list[tuple[str, str]]:
    """Results, then inputs: names, and dtypes where they are fixed."""
    return [(result.name, result.dtype) for result in kernel.results] + [*kernel.inputs]


def folded(line: str) -> list[str]:
    """A long statement on several lines."""
    return textwrap.wrap(
        line, 92, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False
    )


def _place(name: str, way: str) -> str:
    """The index of an operand's element."""
    return {"strided": f"i * {name}_step", "truths": "i + k"}.get(way, "i")


def _computing(kernel: Kernel, way: str) -> list[tuple[str, int]]:
    """The statements of the expressions, each with its line in the YAML."""
    lines = []
    for step in kernel.steps:
        if step.stored:
            declared = [(f"{step.ctype} {step.name};", step.line)] if step.ctype else []
            lines += [*declared, (f"TH_STORE(&{step.name}, {step.value});", step.line)]
        else:
            lines.append((f"{step.ctype} {step.name} = {step.value};".lstrip(), step.line))
    for result in kernel.results:
        row = row_of(result.dtype) if result.dtype else None
        place = _place(result.name, way)
        text = f"{result.name}_data[{place}] = {result.value};"
        if way == "truths":
            text = f"truths[k] = ({result.value}) ? -1 : 0;"
        elif row is None:
            text = f"TH_STORE({result.name}_data + {place}, {result.value});"
        elif row.category == "bool":
            text = f"{result.name}_data[{place}] = ({result.value}) ? {result.name}_true : 0;"
        lines.append((text, result.line))
    return lines


def _element(kernel: Kernel, located: Op | None, known: Sequence[str], way: str = "") -> list[str]:
    """What is done for an element; inputs that are `known` have been read before the loop. In a `way` that is "strided"
    or of "truths"."""
    lines = []
    for name, dtype in kernel.inputs:
        if name not in kernel.used or name in known:
            continue
        row = row_of(dtype) if dtype else None
        place = _place(name, way)
        if row is None:
            lines.append(f"const scalar_t {name} = TH_LOAD({name}_data + {place});")
        elif row.category == "bool":
            lines.append(f"const bool {name} = {name}_data[{place}] != 0;")
        else:
            lines.append(f"const {row.storage} {name} = {name}_data[{place}];")
    for text, line in _computing(kernel, way):
        lines += of_file([text], located.loc.file, line) if located else folded(text)
    return lines


def _one_by_one(kernel: Kernel, located: Op | None, known: Sequence[str]) -> list[str]:
    return [
        "#pragma omp simd",
        "for (int64_t i = 0; i < n; i++) {",
        *indented(_element(kernel, located, known)),
        "}",
    ]


def _pairs(kernel: Kernel, located: Op | None, known: Sequence[str]) -> list[str]:
    """The loop over all elements of a byte each, two at once: products of bytes are those of words."""
    (result,) = kernel.results
    read = [name for name, _ in kernel.inputs if name in kernel.used and name not in known]
    value = f"pair |= TH_TO_PAIR({kernel.paired}, bits);"
    lines = of_file([value], located.loc.file, result.line) if located else folded(value)
    return [
        "#pragma omp simd",
        "for (int64_t i = 0; i < n / 2; i++) {",
        "    THPair pair = 0;",
        "#pragma GCC unroll 2",
        "    for (int bits = 0; bits < 16; bits += 8) {",
        *(f"        const THPair {name} = TH_OF_PAIR({name}_data, i, bits);" for name in read),
        *indented(indented(lines)),
        "    }",
        f"    ((THPair *){result.name}_data)[i] = pair;",
        "}",
        "if (n % 2 != 0) {",
        "    const int64_t i = n - 1;",
        *indented(_element(kernel, located, known)),
        "}",
    ]


def _has_truths(kernel: Kernel) -> bool:
    """Is the result bool, of elements of the dtype that is computed in?"""
    (result, *others) = kernel.results
    plain = not others and not kernel.whole_vectors and kernel.inputs
    return bool(plain and result.dtype == "Bool" and not any(dtype for _, dtype in kernel.inputs))


def _truths(kernel: Kernel, located: Op | None, known: Sequence[str]) -> list[str]:
    """The loop over so many elements at once; the last ones end with the last element."""
    (result,) = kernel.results
    return [
        "if (n >= TH_TRUTHS) {",
        "    const int64_t last = (n - 1) / TH_TRUTHS;",
        "    for (int64_t part = 0; part <= last; part++) {",
        "        const int64_t i = part < last ? part * TH_TRUTHS : n - TH_TRUTHS;",
        "        int64_t truths[TH_TRUTHS];",
        "#pragma omp simd",
        "        for (int k = 0; k < TH_TRUTHS; k++) {",
        *indented(indented(indented(_element(kernel, located, known, "truths")))),
        "        }",
        f"        THTruths_store({result.name}_data + i, truths);",
        "    }",
        "} else {",
        *indented(_one_by_one(kernel, located, known)),
        "}",
    ]


def elements(kernel: Kernel, located: Op | None, known: Sequence[str] = ()) -> list[str]:
    """The loop over n elements; `known` inputs have been read before. `located` with lines that name the YAML."""
    if _has_truths(kernel):
        return [
            "#if defined(TH_HAVE_TRUTHS) && (defined(TH_REAL_IS_LONG) || defined(TH_REAL_IS_DOUBLE))",
            *_truths(kernel, located, known),
            "#else",
            *_one_by_one(kernel, located, known),
            "#endif",
        ]
    if kernel.paired:
        plain = _one_by_one(kernel, located, known)
        return [
            "#if TH_BYTES && !defined(TH_CATEGORY_IS_BOOL)",
            *_pairs(kernel, located, known),
            "#else",
            *plain,
            "#endif",
        ]
    return _one_by_one(kernel, located, known)


def strided_elements(kernel: Kernel, located: Op | None) -> list[str]:
    """The loop over elements that lie steps apart, which `rows` has: rows of one element each."""
    operands = operand_dtypes(kernel)
    results = len(kernel.results)
    steps = [
        f"const int64_t {name}_step = rows[{place + 1}] / (int64_t)sizeof *{name}_data;"
        for place, (name, _) in enumerate(operands)
        if place < results or name in kernel.used
    ]
    return [
        f"const int64_t *const rows = data[{len(operands)}];",
        *steps,
        "#pragma omp simd",
        "for (int64_t i = 0; i < rows[0]; i++) {",
        *indented(_element(kernel, located, (), "strided")),
        "}",
    ]
