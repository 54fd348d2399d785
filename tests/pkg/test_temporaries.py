"""Operators take the memory of operands that are temporaries, and of nothing that anybody can still see."""

from __future__ import annotations

import functools
import itertools
import operator
import threading
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy
import pytest

import thwrap as th
from wrapgen.testing.calling import content

SHAPE = (600, 500)
WARM = 40  # calls, after which the interpreter calls a built-in function at once
DTYPES = [th.uint8, th.int8, th.int16, th.int32, th.int64, th.float16, th.float32, th.float64]
INTEGERS = DTYPES[:5]


class Maker:
    """Makes equal tensors, and knows where the last one was."""

    def __init__(self, values: th.Tensor) -> None:
        self.values, self.place = values, 0

    def __call__(self) -> th.Tensor:
        made = self.values.clone()
        self.place = made.data_ptr()
        return made


def numbers(dtype: th.dtype, layout: str = "rows") -> th.Tensor:
    """1 to 7."""
    shape = SHAPE if layout == "rows" else SHAPE[::-1]
    made = (th.arange(shape[0] * shape[1]) % 7 + 1).reshape(*shape).to(dtype)
    return made if layout == "rows" else made.t()


def is_taken() -> bool:
    make = Maker(numbers(th.float64))
    return (-make()).data_ptr() == make.place


taking = pytest.mark.skipif(
    not is_taken(), reason="where nobody can tell who calls, nothing is taken"
)


@taking
@pytest.mark.parametrize("layout", ["rows", "columns"])
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("other", ["same", "rows", "a row", "a column", "float64", "2"])
def test_results_are_the_same_wherever_they_lie(layout: str, dtype: th.dtype, other: str) -> None:
    """And what has the result's dtype and strides is taken, on whichever side it stands."""
    make = Maker(numbers(dtype, layout))
    beside = {
        "same": make.values.clone(),
        "rows": numbers(dtype),
        "a row": numbers(dtype)[0],
        "a column": numbers(dtype)[:, :1],
        "float64": numbers(th.float64, layout),
        "2": 2,
    }[other]
    symbols = ["+", "-", "*", "/", "//", "%", "**"]
    if dtype in INTEGERS and other != "float64":
        symbols += ["&", "|", "^", "<<", ">>"]
    for symbol in symbols:
        for text in (f"make() {symbol} beside", f"beside {symbol} make()"):
            scope = {"make": make, "beside": beside, "named": make()}
            expected = eval(text.replace("make()", "named"), scope)
            result = eval(text, scope)
            assert content(result) == content(expected), text
            assert result.stride() == expected.stride(), text
            fits = expected.dtype == dtype and expected.stride() == make.values.stride()
            assert (result.data_ptr() == make.place) == fits, text


@taking
@pytest.mark.parametrize("layout", ["rows", "columns"])
@pytest.mark.parametrize("call", ["-make()", "abs(make())", "~make()", "make() + make()"])
def test_one_operand_or_two(layout: str, call: str) -> None:
    make = Maker(numbers(th.int32, layout))
    function = eval(f"lambda: {call}", {"make": make})
    expected = eval(call.replace("make()", "named"), {"named": make()})
    for _ in range(WARM):
        result = function()
    assert content(result) == content(expected)
    assert result.stride() == expected.stride()
    if "+" not in call:
        assert result.data_ptr() == make.place


@taking
def test_a_chain_needs_few_blocks() -> None:
    """One for each operand of the last operator; the result is in one of them."""
    a, b = (numbers(th.float64) for _ in range(2))
    th.empty_cache()
    result = (a * 2 + b) ** 2 - 1 / (b + 1)
    assert th.memory_stats()["cached_bytes"] < 2 * result.nbytes
    expected = th.sub(th.pow(th.add(th.mul(a, 2), b), 2), th.div(1, th.add(b, 1)))
    assert content(result) == content(expected)


class Holder:
    def __init__(self, tensor: th.Tensor) -> None:
        self.tensor = tensor

    def __neg__(self) -> th.Tensor:
        return -self.tensor


def test_what_somebody_sees_stays() -> None:
    """Names, containers, attributes and closures keep what they refer to, also where theirs is the only reference."""
    make = Maker(numbers(th.float32))

    def check(tensor: th.Tensor) -> None:
        assert th.equal(tensor, make.values)

    for _ in range(WARM):
        name, several, keyed, holder = make(), [make()], {1: make()}, Holder(make())
        _ = -name, name * 2, abs(name), (lambda: 1 - name)()
        _ = -several[0], several[0] - 1, abs(several[0]), [-tensor for tensor in several]
        _ = -keyed[1], keyed[1] % 2, -holder, holder.tensor / 2
        for tensor in (name, several[0], keyed[1], holder.tensor):
            check(tensor)


def generated() -> Iterator[tuple[th.Tensor, th.Tensor]]:
    """Values, and what C code that keeps the only reference to one gives back after it was an operand."""
    make = Maker(numbers(th.float32))
    for key in (operator.neg, abs, operator.pos):
        for _ in range(WARM):
            yield max((make() for _ in range(1)), key=key), make.values
            yield sorted((make() for _ in range(1)), key=key)[0], make.values
            for _, group in itertools.groupby((make() for _ in range(1)), key=key):
                yield next(group), make.values
            call = functools.partial(key, make())
            call()
            yield call.args[0], make.values
    for call in (functools.partial(operator.sub, make()), functools.partial(operator.mul, make())):
        for _ in range(WARM):
            call(2)
            yield call.args[0], make.values


def test_what_c_code_keeps_stays() -> None:
    for kept, values in generated():
        assert th.equal(kept, values)


@pytest.mark.parametrize(
    "call",
    [
        lambda array: array + 1,
        lambda array: 1 - array,
        lambda array: -array,
        abs,
        lambda array: array * array,
        numpy.add.reduce,
        numpy.add.accumulate,
    ],
)
def test_arrays_of_objects_keep_theirs(call: Callable[[Any], Any]) -> None:
    make = Maker(numbers(th.float32))
    array = numpy.empty(2, dtype=object)
    for _ in range(WARM):
        array[0], array[1] = make(), make()
        call(array)
        assert th.equal(array[0], make.values)
        assert th.equal(array[1], make.values)


def test_shared_memory_stays() -> None:
    """Views, storages, arrays and weak references see what is not to be written."""
    make = Maker(numbers(th.float32))
    base = make()
    _ = -base[:], base.t() * 2, base.view(-1) + 1, abs(base[100:])
    assert th.equal(base, make.values)
    kept: list[Any] = []

    def keep(of: Callable[[th.Tensor], Any]) -> th.Tensor:
        made = make()
        kept.append(of(made))
        return made

    _ = -keep(th.Tensor.storage)
    assert kept[-1].tolist() == make.values.reshape(-1).tolist()
    for of in (th.Tensor.numpy, th.Tensor.__dlpack__, memoryview):
        _ = 2 * keep(of)
        array = numpy.asarray(kept[-1]) if of is not th.Tensor.__dlpack__ else None
        assert array is None or (array == make.values.numpy()).all()
    seen: list[th.Tensor | None] = []
    reference: list[weakref.ref[th.Tensor]] = []

    def refer() -> th.Tensor:
        made = make()
        reference.append(weakref.ref(made, lambda _: seen.append(None)))
        return made

    result = -refer()
    assert result.data_ptr() != make.place
    assert seen == [None]
    array = numpy.ones(SHAPE, "float32")
    _ = -th.from_numpy(array)
    assert (array == 1).all()


def test_subclasses_and_comparisons_take_nothing() -> None:
    class Other(th.Tensor):
        pass

    make = Maker(numbers(th.float32))
    result = -Other(make())
    assert result.data_ptr() != make.place
    flags = Maker(numbers(th.uint8) > 3)
    result = flags() == flags.values
    assert result.dtype is flags.values.dtype
    assert result.data_ptr() != flags.place
    assert result.all()


def test_errors_leave_nothing_behind() -> None:
    make = Maker(numbers(th.float32))
    for call in (lambda: make() + th.ones(3, 7), lambda: make() << 1, lambda: make() + "one"):
        with pytest.raises((TypeError, ValueError)):
            call()
    assert th.equal(make() + 0, make.values)


def test_threads_take_their_own() -> None:
    values = [numbers(th.float64) * factor for factor in range(1, 3)]
    wrong: list[int] = []

    def work(index: int) -> None:
        make = Maker(values[index])
        expected = th.sub(th.mul(values[index], 3), 1)
        for _ in range(50):
            if not th.equal(make() * 3 - 1, expected):
                wrong.append(index)

    threads = [threading.Thread(target=work, args=(index,)) for index in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
