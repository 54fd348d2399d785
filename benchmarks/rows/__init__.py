"""The rows of the benchmark, a file for each family. Another row is one more declaration in one of them."""

from benchmarks.rows import (
    calls,
    chains,
    layouts,
    linear,
    pointwise,
    randoms,
    reductions,
    selection,
    sorting,
)
from benchmarks.rows.row import Row

FAMILIES: dict[str, tuple[Row, ...]] = {
    "calls": calls.ROWS,
    "pointwise": pointwise.ROWS,
    "layouts": layouts.ROWS,
    "reductions": reductions.ROWS,
    "selection": selection.ROWS,
    "sorting": sorting.ROWS,
    "linear algebra": linear.ROWS,
    "random": randoms.ROWS,
    "chains": chains.ROWS,
}
