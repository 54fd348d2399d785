"""Random numbers: their distributions, and that they are the same everywhere."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy
import pytest

import thwrap as th
from wrapgen.testing import isas
from wrapgen.testing.calling import contents, invoke
from wrapgen.testing.declared import DTYPES, FLOATS, cases
from wrapgen.testing.drawing import first_call, limits

COUNT = 40000
# The Kolmogorov-Smirnov distance that one sample in ten thousand exceeds is 2.23 / sqrt(n).
DISTANCE = 2.23 / math.sqrt(COUNT)
# Rounding to float16 moves a whole step of its grid.
STEP = {"float16": 2.0**-10, "float32": 0, "float64": 0}


@pytest.fixture(autouse=True)
def _seed() -> None:
    th.manual_seed(12345)


def distance(
    values: numpy.ndarray, distribution: Callable[[numpy.ndarray], numpy.ndarray]
) -> float:
    """The Kolmogorov-Smirnov distance between a sample and a distribution function."""
    ordered = numpy.sort(values.astype("float64"))
    n = len(ordered)
    expected = distribution(ordered)
    steps = numpy.arange(n + 1) / n
    return float(max(numpy.max(steps[1:] - expected), numpy.max(expected - steps[:-1])))


def uncorrelated(values: numpy.ndarray) -> None:
    """Neighbours, and elements some way apart, know nothing of each other."""
    values = values.astype("float64") - values.astype("float64").mean()
    for lag in (1, 2, 3, 8, 64, 1000):
        correlation = (values[:-lag] * values[lag:]).mean() / values.var()
        assert abs(correlation) < 5 / math.sqrt(len(values)), lag


def kind(dtype: str) -> th.dtype:
    return getattr(th, dtype)


@pytest.mark.parametrize("dtype", FLOATS)
def test_uniform(dtype: str) -> None:
    """In [from, to): the end is never reached."""
    samples = [th.rand(COUNT, dtype=kind(dtype)), th.rand_like(th.empty(COUNT, dtype=kind(dtype)))]
    samples.append(th.empty(COUNT, dtype=kind(dtype)).uniform_())
    for sample in samples:
        values = sample.numpy()
        assert sample.dtype is kind(dtype)
        assert values.min() >= 0
        assert values.max() < 1
        assert distance(values, lambda x: x) < DISTANCE + STEP[dtype]
        uncorrelated(values)
    values = th.empty(COUNT, dtype=kind(dtype)).uniform_(-3, 5).numpy()
    assert -3 <= values.min() < -2.9
    assert 4.9 < values.max() < 5
    assert distance(values, lambda x: (x + 3) / 8) < DISTANCE + STEP[dtype]
    value = th.ones(3, dtype=kind(dtype))
    for low, high in ((1, 0), (0, math.inf), (math.nan, 1)):
        with pytest.raises(ValueError, match="uniform_"):
            value.uniform_(low, high)
    assert value.tolist() == [1, 1, 1]
    if dtype != "float64":
        with pytest.raises(ValueError, match=f"uniform_.*{dtype}"):
            value.uniform_(1e300, 1e300)
    assert value.uniform_(2, 2).tolist() == [2, 2, 2]


NORMAL = numpy.vectorize(lambda x: 0.5 * math.erfc(-x / math.sqrt(2)))


@pytest.mark.parametrize("dtype", FLOATS)
def test_normal(dtype: str) -> None:
    samples = [
        th.randn(COUNT, dtype=kind(dtype)),
        th.randn_like(th.empty(COUNT, dtype=kind(dtype))),
    ]
    samples.append(th.empty(COUNT, dtype=kind(dtype)).normal_())
    for sample in samples:
        assert sample.dtype is kind(dtype)
        assert distance(sample.numpy(), NORMAL) < DISTANCE + STEP[dtype]
        uncorrelated(sample.numpy())
    values = th.empty(COUNT, dtype=kind(dtype)).normal_(3, 0.5).numpy()
    assert distance((values.astype("f8") - 3) / 0.5, NORMAL) < DISTANCE + 4 * STEP[dtype]
    assert numpy.abs(th.randn(COUNT).numpy()).max() > 3.5
    with pytest.raises(ValueError, match="normal_"):
        th.ones(3).normal_(0, -1)
    assert th.ones(3).normal_(2, 0).tolist() == [2, 2, 2]


@pytest.mark.parametrize("dtype", FLOATS)
def test_exponential(dtype: str) -> None:
    for rate in (1, 4):
        values = th.empty(COUNT, dtype=kind(dtype)).exponential_(rate).numpy()
        assert values.min() >= 0
        assert numpy.isfinite(values).all()
        assert (
            distance(values, lambda x, rate=rate: 1 - numpy.exp(-rate * x)) < DISTANCE + STEP[dtype]
        )
        uncorrelated(values)
    th.manual_seed(0)
    expected = (-numpy.log1p(-th.rand(3000, dtype=th.float64).numpy()) / 4).astype(dtype)
    th.manual_seed(0)
    values = th.empty(3000, dtype=kind(dtype)).exponential_(4).numpy()
    assert numpy.allclose(values, expected, rtol=4 * numpy.finfo(dtype).eps, atol=0)
    for rate in (0, -1, math.nan):
        with pytest.raises(ValueError, match="exponential_"):
            th.ones(3).exponential_(rate)


def evenly(values: numpy.ndarray, low: int, high: int) -> None:
    """Whole numbers in [low, high), each about as often as the others."""
    counts = numpy.bincount((values.astype("int64") - low).ravel(), minlength=high - low)
    assert len(counts) == high - low
    expected = values.size / (high - low)
    statistic = ((counts - expected) ** 2 / expected).sum()
    freedom = high - low - 1
    assert abs(statistic - freedom) < 6 * math.sqrt(2 * freedom) + 10


@pytest.mark.parametrize("dtype", DTYPES)
def test_whole(dtype: str) -> None:
    """All numbers of the range equally often, whatever the dtype; ranges it does not hold are refused."""
    low, high = (0, 2) if dtype == "bool" else (0, 13) if dtype == "uint8" else (-6, 7)
    for sample in (
        th.randint(low, high, (COUNT,), dtype=kind(dtype)),
        th.empty(COUNT, dtype=kind(dtype)).random_(low, high),
    ):
        assert sample.dtype is kind(dtype)
        evenly(sample.numpy(), low, high)
        uncorrelated(sample.numpy())
    evenly(th.randint(high, (COUNT,), dtype=kind(dtype)).numpy(), 0, high)
    evenly(th.empty(COUNT, dtype=kind(dtype)).random_(high).numpy(), 0, high)
    everything = th.empty(COUNT, dtype=kind(dtype)).random_().numpy()
    assert everything.min() >= 0
    if dtype in ("bool", "uint8", "int8"):
        evenly(everything, 0, {"bool": 2, "uint8": 256, "int8": 128}[dtype])
    for wrong in ((3, 3), (4, 1)):
        with pytest.raises(ValueError, match="randint"):
            th.randint(*wrong, (2,), dtype=kind(dtype))
    least, most = whole_limits(dtype)
    ends = {th.randint(end, end + 1, (), dtype=kind(dtype)).item() for end in (least, most - 1)}
    assert ends == {least, most - 1}
    if dtype != "int64":
        for wrong in ((least - 1, 0), (0, most + 2)):
            with pytest.raises(ValueError, match="holds"):
                th.randint(*wrong, (2,), dtype=kind(dtype))


def whole_limits(dtype: str) -> tuple[int, int]:
    """The whole numbers that a dtype holds without gaps."""
    if dtype in FLOATS:
        most = 2 ** (numpy.finfo(dtype).nmant + 1)
        return -most, most
    return limits(dtype)


def test_whole_of_wide_ranges() -> None:
    """Ranges wider than 32 bits, up to all of int64."""
    for low, high in ((0, 2**40), (-(2**63), 2**63 - 1), (2**62, 2**62 + 3)):
        values = th.randint(low, high, (COUNT,)).numpy()
        assert low <= values.min()
        assert values.max() < high
        scaled = (values.astype("longdouble") - low) / (numpy.longdouble(high) - low)
        if high - low > 1000:
            assert distance(scaled.astype("f8"), lambda x: x) < DISTANCE
    assert th.randint(5, (2,)).dtype is th.int64


def test_permutation() -> None:
    """Every number once, every order as likely as any other."""
    for n in (0, 1, 2, 1000):
        values = th.randperm(n)
        assert values.dtype is th.int64
        assert sorted(values.tolist()) == list(range(n))
    assert sorted(th.randperm(10, dtype=th.float32).tolist()) == list(range(10))
    seen: dict[tuple[int, ...], int] = {}
    for _ in range(2400):
        order = tuple(th.randperm(4).tolist())
        seen[order] = seen.get(order, 0) + 1
    assert len(seen) == 24
    assert sum((count - 100) ** 2 / 100 for count in seen.values()) < 60
    with pytest.raises(ValueError, match="randperm"):
        th.randperm(-1)
    with pytest.raises(ValueError, match="randperm"):
        th.randperm(1000, dtype=th.uint8)


@pytest.mark.parametrize("dtype", DTYPES)
def test_trials(dtype: str) -> None:
    """1 with the probability given, by number or by tensor; probabilities are checked before anything is written."""
    for probability in (0.0, 0.125, 0.5, 1.0):
        values = th.empty(COUNT, dtype=kind(dtype)).bernoulli_(probability).numpy()
        assert set(values.tolist()) <= {0, 1}
        assert abs(values.astype("f8").mean() - probability) < 5 * math.sqrt(0.25 / COUNT)
    chances = th.tensor([0.0, 0.25, 1.0], dtype=th.float64)
    values = th.empty(COUNT // 2, 3, dtype=kind(dtype)).bernoulli_(chances).numpy().astype("f8")
    assert values[:, 0].max() == 0
    assert values[:, 2].min() == 1
    assert abs(values[:, 1].mean() - 0.25) < 5 * math.sqrt(0.5 / COUNT)
    if dtype in FLOATS:  # self's own elements as probabilities
        value = th.tensor([0.0, 1.0] * COUNT, dtype=kind(dtype))
        assert value.bernoulli_(value)[::2].sum() == 0
        assert value[1::2].sum() == COUNT
    value = th.zeros(3, dtype=kind(dtype))
    for wrong in (-0.1, 1.5, math.nan, th.tensor([0.5, 0.5, 2.0]), th.tensor([0.5, math.nan, 0.5])):
        with pytest.raises(ValueError, match="bernoulli"):
            value.bernoulli_(wrong)
        assert value.tolist() == [0, 0, 0]
    if dtype in FLOATS:
        values = th.bernoulli(th.full((COUNT,), 0.25, dtype=kind(dtype)))
        assert values.dtype is kind(dtype)
        assert abs(values.numpy().astype("f8").mean() - 0.25) < 5 * math.sqrt(0.25 / COUNT)


# Generators

RANDOM = [case for case in cases() if any(arg.type.name == "THGenerator*" for arg in case.args)]


def drawn(case, **extra):
    """A sample of the op, of many elements where the op leaves the shape open."""
    call = first_call(case, "float32", (200, 300))
    if "size" in call.values:
        call = call.but(size=[200, 300])
    return contents(invoke(case, call.made(), **extra))


@pytest.mark.parametrize("case", RANDOM, ids=lambda case: case.id)
def test_same_everywhere(case) -> None:
    """A seed gives the same numbers on one thread and two, with every instruction set; other seeds give others."""
    results = []
    for threads in (1, 2):
        th.set_num_threads(threads)
        for isa in isas.available():
            th._C._set_isa(isa)
            th.manual_seed(3)
            results.append(drawn(case))
    assert all(result == results[0] for result in results)
    if case.op.name != "randperm":
        th.manual_seed(4)
        assert drawn(case) != results[0]


@pytest.mark.parametrize("case", RANDOM, ids=lambda case: case.id)
def test_generators_are_independent(case) -> None:
    """A generator of one's own neither moves nor hears of the default one; its state can be kept and set."""
    own = th.Generator().manual_seed(9)
    state, default = own.get_state(), th.get_rng_state()
    first = drawn(case, generator=own)
    assert th.get_rng_state().tolist() == default.tolist()
    th.rand(10)
    second = drawn(case, generator=own)
    own.set_state(state)
    assert drawn(case, generator=own) == first
    assert drawn(case, generator=own) == second
    th.set_rng_state(default)
    th.manual_seed(9)
    assert drawn(case) == first


def test_layout_does_not_matter() -> None:
    """Elements are drawn in row-major order."""
    for fill in ("uniform_", "normal_", "exponential_", "random_", "bernoulli_"):
        th.manual_seed(1)
        rows = getattr(th.empty(30, 50), fill)()
        th.manual_seed(1)
        assert getattr(th.empty(50, 30).t(), fill)().tolist() == rows.tolist()
        th.manual_seed(1)
        assert getattr(th.empty(60, 50)[::2], fill)().tolist() == rows.tolist()


def test_known_numbers() -> None:
    """The numbers of a seed never change: those of MT19937, as NumPy has it, and what follows from them."""
    th.manual_seed(0)
    words = numpy.random.RandomState(0).randint(0, 2**32, 4, dtype=numpy.uint32)
    assert th.empty(4, dtype=th.int64).random_(2**31).tolist() == (words % 2**31).tolist()
    assert th.rand(2, dtype=th.float64).tolist() == [0.6027633705776989, 0.5448831775801376]
    assert th.rand(3)[0].item() == 0.42365479469299316
    assert th.randn(3, dtype=th.float64)[0].item() == -0.28983909591869095
    assert th.empty(3).exponential_()[0].item() == 0.6494463682174683
    assert th.randperm(6).tolist() == [5, 3, 1, 2, 4, 0]
    assert th.initial_seed() == 0


def test_states() -> None:
    """What is no state is refused, and the generator is as it was."""
    own = th.Generator().manual_seed(2)
    assert own.initial_seed() == 2
    before = own.get_state().tolist()
    for wrong in (
        th.zeros(3, dtype=th.uint8),
        th.zeros(len(before)),
        th.zeros(len(before) + 1, dtype=th.uint8),
    ):
        with pytest.raises((ValueError, TypeError, RuntimeError)):
            own.set_state(wrong)
        assert own.get_state().tolist() == before
    assert own.seed() == own.initial_seed() != 2
    assert own.get_state().tolist() != before
    for seed in (0, 2**63 - 1, -1):
        own.manual_seed(seed)
    with pytest.raises((TypeError, OverflowError, ValueError)):
        own.manual_seed("one")


@pytest.mark.parametrize("bound", [2**32, 2**32 + 1, 3 * 2**61, 2**63 - 1, 10**12])
def test_wide_ranges(bound: int) -> None:
    """Two words of the generator, high half first, are one draw; those of the incomplete last run are drawn again."""
    words = numpy.random.RandomState(5).randint(0, 2**32, 20000, dtype="uint64").tolist()
    drawn = [high << 32 | low for high, low in zip(words[::2], words[1::2], strict=True)]
    expected = [number % bound for number in drawn if number >= 2**64 % bound]
    th.manual_seed(5)
    assert th.randint(0, bound, (3001,)).tolist() == expected[:3001]
    least = -(2**62)
    th.manual_seed(5)
    assert th.randint(least, least + bound, (700,)).tolist() == [
        least + number for number in expected[:700]
    ]
