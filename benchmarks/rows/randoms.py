"""Random numbers; NumPy draws from its fastest generator."""

import numpy as np

from benchmarks.rows.draws import uniform
from benchmarks.rows.row import FLOATS, Given, Row

SIZES = (1_000, 1_000_000)
SOURCE: dict[str, Given] = {
    "g": np.random.Generator(np.random.SFC64(1)),
    "n": uniform(0, 1, lambda n: (n,)),
}
SHAPE = "m.shape(r)"


def _row(
    name: str, ours: str, numpy: str | None, dtypes: tuple[str, ...] = FLOATS, torch: str = ""
) -> Row:
    return Row(name, ours, SOURCE, numpy, torch, dtypes=dtypes, sizes=SIZES, check=SHAPE)


ROWS = (
    _row("rand", "m.rand(size, dtype=dtype)", "g.random(size, dtype)"),
    _row("randn", "m.randn(size, dtype=dtype)", "g.standard_normal(size, dtype)"),
    _row("randint", "m.randint(0, 1000, (size,))", "g.integers(0, 1000, size)", ("int64",)),
    _row("randperm", "m.randperm(size)", "g.permutation(size)", ("int64",)),
    _row("bernoulli", "m.bernoulli(n)", "m.less(g.random(size, dtype), n).astype(dtype)"),
    _row("normal_", "m.empty(size, dtype=dtype).normal_()", "g.standard_normal(size, dtype)"),
    _row(
        "exponential_",
        "m.empty(size, dtype=dtype).exponential_()",
        "g.standard_exponential(size, dtype)",
    ),
)
