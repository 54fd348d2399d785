"""Real work of several operations, each library's written as its users would who care for speed."""

from __future__ import annotations

from typing import Any

from benchmarks.rows.draws import index, normal, square
from benchmarks.rows.row import Given, Row

CENTRES, CLASSES, RATE = 16, 10, 0.1


def stencil(m: Any, u: Any) -> Any:
    """The mean of the four neighbours of each inner point."""
    mean = u[:-2, 1:-1] + u[2:, 1:-1]
    mean += u[1:-1, :-2]
    mean += u[1:-1, 2:]
    mean *= 0.25
    return mean


def distances(m: Any, x: Any) -> Any:
    """Between all pairs of rows."""
    squares = (x * x).sum(1)
    d = m.addmm(squares, x, x.T, alpha=-2)
    d += squares[:, None]
    return d.clamp_(0).sqrt_()


def numpy_distances(m: Any, x: Any) -> Any:
    """The same in NumPy."""
    squares = m.einsum("ij,ij->i", x, x)
    d = x @ x.T
    d *= -2
    d += squares
    d += squares[:, None]
    m.maximum(d, 0, out=d)
    return m.sqrt(d, out=d)


def kmeans(m: Any, x: Any, centres: Any) -> Any:
    """One round: the nearest centre of each point, then the mean of each centre's points."""
    nearness = m.addmm((centres * centres).sum(1), x, centres.T, alpha=-2)
    labels = nearness.argmin(1)
    sums = m.zeros_like(centres).index_add_(0, labels, x)
    counts = m.zeros(CENTRES, dtype=x.dtype).index_add_(0, labels, m.ones(len(x), dtype=x.dtype))
    return sums / counts.clamp_(min=1)[:, None]


def numpy_kmeans(m: Any, x: Any, centres: Any) -> Any:
    """The same in NumPy, which adds fastest by a product."""
    nearness = x @ (centres.T * -2)
    nearness += (centres * centres).sum(1)
    labels = nearness.argmin(1)
    chosen = (labels == m.arange(CENTRES)[:, None]).astype(x.dtype)
    return (chosen @ x) / m.maximum(m.bincount(labels, minlength=CENTRES), 1).astype(x.dtype)[
        :, None
    ]


def step(m: Any, x: Any, y: Any, w1: Any, b1: Any, slope: Any, w2: Any, b2: Any) -> Any:
    """A step of the demo's network: forward, gradients, update."""
    before = m.addmm(b1, x, w1)
    after = m.prelu(before, slope)
    probabilities = m.softmax(m.addmm(b2, after, w2), 1)
    wanted = m.eq(y.unsqueeze(1), m.arange(CLASSES))
    loss = -m.mean(m.log(m.gather(probabilities, 1, y.unsqueeze(1))))
    d_logits = m.where(wanted, probabilities - 1, probabilities) / len(y)
    d_after = m.mm(d_logits, w2.t())
    positive = before > 0
    d_before = m.where(positive, d_after, d_after * slope)
    d_slope = m.where(positive, 0.0, d_after * before).sum()
    w1.sub_(m.mm(x.t(), d_before), alpha=RATE)
    b1.sub_(d_before.sum(0), alpha=RATE)
    slope.sub_(d_slope, alpha=RATE)
    w2.sub_(m.mm(after.t(), d_logits), alpha=RATE)
    b2.sub_(d_logits.sum(0), alpha=RATE)
    return loss


def numpy_step(m: Any, x: Any, y: Any, w1: Any, b1: Any, slope: Any, w2: Any, b2: Any) -> Any:
    """The same in NumPy."""
    before = x @ w1
    before += b1
    positive = before > 0
    after = m.where(positive, before, before * slope)
    logits = after @ w2
    logits += b2
    logits -= logits.max(1, keepdims=True)
    probabilities = m.exp(logits, out=logits)
    probabilities /= probabilities.sum(1, keepdims=True)
    everyone = m.arange(len(y))
    loss = -m.log(probabilities[everyone, y]).mean()
    probabilities[everyone, y] -= 1
    probabilities /= len(y)
    d_after = probabilities @ w2.T
    d_before = m.where(positive, d_after, d_after * slope)
    d_after *= before
    d_slope = m.where(positive, 0.0, d_after).sum(dtype=x.dtype)
    w1 -= RATE * (x.T @ d_before)
    b1 -= RATE * d_before.sum(0)
    slope -= RATE * d_slope
    w2 -= RATE * (after.T @ probabilities)
    b2 -= RATE * probabilities.sum(0)
    return loss


NETWORK: dict[str, Given] = {
    "x": normal(lambda n: (n, 64)),
    "y": index(lambda _: CLASSES),
    "w1": normal(lambda _: (64, 96), scale=0.18),
    "b1": normal(lambda _: (96,), scale=0.1),
    "slope": normal(lambda _: (1,), scale=0.1),
    "w2": normal(lambda _: (96, CLASSES), scale=0.14),
    "b2": normal(lambda _: (CLASSES,), scale=0.1),
    "step": step,
    "numpy_step": numpy_step,
}
POINTS: dict[str, Given] = {
    "x": normal(lambda n: (n, 16)),
    "c": normal(lambda _: (CENTRES, 16)),
    "kmeans": kmeans,
    "numpy_kmeans": numpy_kmeans,
}
ARGUMENTS = "(m, x, y, w1, b1, slope, w2, b2)"

PAIR: dict[str, Given] = {name: normal(lambda n: (n,)) for name in "ab"}
LENGTHS = (1_000, 100_000, 1_000_000, 10_000_000)

ROWS = (
    Row("an expression of temporaries", "abs(a - b) * 2 + 1", PAIR, sizes=LENGTHS),
    Row("mean of squared differences", "((a - b) ** 2).mean()", PAIR, sizes=LENGTHS),
    Row(
        "standardised columns, n x 32",
        "(a - a.mean(0)) / a.std(0)",
        {"a": normal(lambda n: (n, 32))},
        "(a - a.mean(0)) / a.std(0, ddof=1)",
        sizes=(100, 10_000, 100_000),
    ),
    Row(
        "a training step of the demo",
        "step" + ARGUMENTS,
        NETWORK,
        "numpy_step" + ARGUMENTS,
        sizes=(64,),
        writes=True,
        blas=True,
    ),
    Row(
        "k-means, n x 16",
        "kmeans(m, x, c)",
        POINTS,
        "numpy_kmeans(m, x, c)",
        sizes=(1_000, 100_000),
        blas=True,
    ),
    Row(
        "5-point stencil",
        "stencil(m, a)",
        {"a": normal(square), "stencil": stencil},
        sizes=(10_000, 1_000_000),
    ),
    Row(
        "pairwise distances, n x 64",
        "distances(m, x)",
        {
            "x": normal(lambda n: (n, 64)),
            "distances": distances,
            "numpy_distances": numpy_distances,
        },
        "numpy_distances(m, x)",
        "m.cdist(x, x)",
        sizes=(200, 2_000),
        blas=True,
        check="r * (1 - m.eye(len(r)))",
    ),
)
