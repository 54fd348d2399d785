"""th.explain() tells what a call would do, and does nothing."""

from __future__ import annotations

import gc
import operator
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

import thwrap as th
from wrapgen.testing.calling import split, tensors_in, whole
from wrapgen.testing.declared import DTYPES, Case, cases
from wrapgen.testing.drawing import Call, first_call


def target(call: Call, given: dict[str, Any]) -> tuple[Any, list[Any], dict[str, Any]]:
    """The function or method of a call, with its arguments."""
    if call.case.has_function:
        return (call.case.function(), *split(call.case, given))
    rest = {name: value for name, value in given.items() if name != "self"}
    return (getattr(given["self"], call.case.name), *split(call.case, rest))


@pytest.fixture(autouse=True)
def uncollected() -> Iterator[None]:
    """What earlier tests left in cycles does not go while tensors are counted."""
    gc.disable()
    yield
    gc.enable()


def state(tensors: list[th.Tensor]) -> tuple[Any, ...]:
    stats = th.memory_stats()
    live = stats["live_tensors"], stats["live_storages"]
    return live, th.default_generator.get_state().tolist(), [whole(value) for value in tensors]


def told(explanation: th._explain.Explanation) -> list[tuple[str, Any]]:
    return [(result.dtype, result.shape) for result in explanation.results]


def made(value: Any) -> list[tuple[str, Any]]:
    items = value if isinstance(value, tuple) else (value,)
    return [(x.dtype.name, tuple(x.shape)) for x in items if isinstance(x, th.Tensor)]


def dtypes_of(case: Case) -> tuple[str, ...]:
    return case.dtypes if case.operands else DTYPES[6:7]


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.id)
def test_tells_the_results_and_changes_nothing(case: Case) -> None:
    for dtype in dtypes_of(case):
        call = first_call(case, dtype)
        given = call.made()
        function, args, kwargs = target(call, given)
        before = state(tensors_in(given))
        explanation = th.explain(function, *args, **kwargs)
        text = repr(explanation)
        found = told(explanation)
        del explanation
        assert state(tensors_in(given)) == before, f"{call}"
        assert text.startswith(f"{case.name}(")
        if case.op.returns == "THTensorList":
            continue
        if case.op.name.removesuffix("_") in ("resize", "resize_as", "set") or (
            case.op.inplace == "self" and not case.form.body.unlocked
        ):
            continue  # what becomes of self is not known beforehand
        assert found == made(function(*args, **kwargs)), f"{call}"


@pytest.mark.parametrize(
    "case", [case for case in cases() if case.takes_out and len(case.outputs) == 1],
    ids=lambda case: case.id,
)  # fmt: skip
def test_out_is_neither_resized_nor_written(case: Case) -> None:
    call = first_call(case, dtypes_of(case)[-1])
    given = call.made()
    function, args, kwargs = target(call, given)
    result = function(*args, **kwargs)
    for out in (th.ones(7, 1, dtype=result.dtype), th.ones_like(result)):
        before = state([out, *tensors_in(given)])
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            explanation = th.explain(function, *args, **kwargs, out=out)
        assert told(explanation) == made(result)
        del explanation
        assert state([out, *tensors_in(given)]) == before


def test_it_works_for_any_number_of_tensors_in_a_list() -> None:
    explanation = th.explain(th.cat, [th.ones(2, 3)] * 4, dim=1)
    assert explanation.shape == (2, 12)
    with pytest.raises(ValueError, match="at most 256 tensors"):
        th.explain(th.cat, [th.ones(1)] * 300)


def test_a_list_in_itself() -> None:
    odd: list[Any] = [th.ones(2)]
    odd.append(odd)
    with pytest.raises(TypeError, match="must be sequence of Tensors"):
        th.explain(th.cat, odd)


ERRORS = [
    (lambda f, a: f(th.add, a, th.ones(7)), ValueError, "do not broadcast"),
    (lambda f, a: f(a.add_, th.ones(4, 2, 3)), ValueError, "does not fit"),
    (lambda f, a: f(a.add_, "x"), TypeError, "must be Tensor or number, not str"),
    (lambda f, a: f(a.mm, th.ones(2, 2)), ValueError, "mm: expected mat2"),
    (lambda f, a: f(a.sum, 5), IndexError, "between -2 and 1"),
    (lambda f, a: f(a.max, 1, keepdims=True, out=a), TypeError, "tuple of Tensors"),
    (lambda f, a: f(th.add, a, 1, out=a.long()), TypeError, "cannot be cast"),
    (lambda f, a: f(a[:, 1:].add_, a[:, :-1]), RuntimeError, "overlaps an input partly"),
    (lambda f, a: f(a.bogus), AttributeError, "bogus"),
]


@pytest.mark.parametrize(("call", "kind", "text"), ERRORS)
def test_what_would_raise_raises_the_same(call: Any, kind: type[Exception], text: str) -> None:
    a = th.ones(2, 3)

    def really(function: Any, *args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    with pytest.raises(kind, match=text) as explained:
        call(th.explain, a)
    with pytest.raises(kind) as raised:
        call(really, a)
    assert str(explained.value) == str(raised.value)
    assert th.add(a, 1).tolist() == [[2.0] * 3] * 2  # and the next call is done


@pytest.mark.parametrize(
    "function",
    [print, th.tensor, operator.add, th.ones(2).size, th.ones(2).tolist, th.empty_cache, 3, None],
)
def test_only_declared_operations(function: Any) -> None:
    with pytest.raises(TypeError, match="explain: expected a declared operation"):
        th.explain(function, 1)


def test_paths() -> None:
    a = th.ones(300, 400)
    cases = {
        "contiguous": (a, a),
        "staged": (a, a.long()),
        "rows": (th.ones(300, 800)[:, :600], th.ones(300, 600)),
        "tiled": (a, th.ones(400, 300).t()),
        "empty": (a[:0], a[:0]),
    }
    for path, operands in cases.items():
        explanation = th.explain(th.add, *operands)
        assert explanation.path == path
        assert explanation.plan is not None
    assert th.explain(th.add, a[:2, :2].contiguous(), 1).plan["small"]
    assert not th.explain(th.add, a, a).plan["small"]


def test_operands() -> None:
    a, b = th.ones(300, 400), th.arange(400)
    explanation = th.explain(a.add, b.expand(300, 400), alpha=2)
    first, second = explanation.operands
    assert (first.name, first.dtype, first.shape, first.layout) == (
        "input", "float32", (300, 400), "contiguous",
    )  # fmt: skip
    assert first.access == "read as it lies"
    assert (second.staged, second.converted, second.computed) == (True, True, "float32")
    assert second.layout == "expanded, strides (0, 1)"
    assert second.access == "converted to float32 block by block"
    assert explanation.arguments == {"alpha": 2}
    assert explanation.dtype == "float32"
    number = th.explain(a.add, 2).operands[1]
    assert (number.layout, number.access) == ("the number 2", "repeated in a buffer as float32")
    lies = th.explain(th.exp, a.t()).operands[0]  # its result lies as it does
    assert (lies.layout, lies.tiled, lies.access) == ("transposed", False, "read as it lies")
    tiled = th.explain(th.exp, a.t(), out=th.empty(400, 300)).operands[0]
    assert (tiled.layout, tiled.tiled, tiled.access) == ("transposed", True, "transposed by tiles")
    assert th.explain(th.exp, th.zeros(9)[::2]).operands[0].layout == "strided (2,)"


def test_integers_that_make_no_difference_are_not_gathered() -> None:
    a = th.zeros(300, 400).long()
    repeated = "one element for all, repeated in a buffer"
    assert th.explain(th.isnan, a[:, ::2]).operands[0].access == repeated
    assert th.explain(th.isnan, a.double()[:, ::2]).operands[0].access == "gathered in a buffer"
    assert th.explain(th.isnan, a).operands[0].access == "read as it lies"
    assert th.explain(th.signbit, a[:, ::2]).operands[0].access == "gathered in a buffer"


def test_half_is_widened_in_its_loops() -> None:
    """Not on the way to them."""
    a = th.ones(300, 400).half()
    explanation = th.explain(a.mul, a)
    assert (explanation.dtype, explanation.path) == ("float16", "contiguous")
    assert not any(operand.converted for operand in explanation.operands)


def test_absent_tensors() -> None:
    """max of clamp is absent: min keeps its own row of the plan."""
    explanation = th.explain(th.ones(300, 400).clamp, None, th.ones(400).long())
    assert [operand.name for operand in explanation.operands] == ["input", "max"]
    assert [operand.converted for operand in explanation.operands] == [False, True]


def test_operations_on_the_same_elements_are_shared_alike() -> None:
    """Else half of what one wrote would have to reach another core for the next; but for what costs more than that."""
    light, costly = ["neg", "square", "sqrt", "exp"], ["sin", "erf", "sigmoid"]
    for dtype, little in ((th.float32, 65_000), (th.float64, 32_000), (th.int64, 32_000)):
        th.set_num_threads(2)
        floating = dtype.is_floating_point
        for n, threads in ((little, 1), (little + 1_000, 2)):
            x = th.ones(n, dtype=dtype)
            calls = [th.explain(getattr(th, name), x) for name in light if floating]
            calls += [
                th.explain(x.mul, x),
                th.explain(x.sub, x),
                th.explain(x.clamp, 1, 2),
                th.explain(x.pow, 2),
            ]
            assert {call.threads for call in calls} == {threads}, (dtype, n)
            x = x[: n // 2]
            calls = [th.explain(getattr(th, name), x) for name in costly if floating]
            assert {call.threads for call in calls} == ({threads} if floating else set()), (
                dtype,
                n,
            )


def test_threads_and_gil() -> None:
    th.set_num_threads(2)
    small, large = th.ones(10), th.ones(1_000_000)
    assert (th.explain(small.add, 1).threads, th.explain(large.add, 1).threads) == (1, 2)
    near = th.ones(100_000, dtype=th.int32)
    threads = [th.explain(th.bitwise_and, a, a).threads for a in (near, near.to(th.uint8))]
    assert threads == [2, 1]  # vectors have more of little ones
    assert not th.explain(small.add, 1).gil_released
    assert th.explain(large.add, 1).gil_released
    assert th.explain(large.sum).gil_released
    assert not th.explain(th.cat, [large, large]).gil_released
    th.set_num_threads(1)
    assert th.explain(large.add, 1).threads == 1


def test_overloads() -> None:
    a = th.ones(2, 3)
    assert th.explain(a.max, 1).form.startswith("max(Tensor input, int dim")
    assert th.explain(a.max).form.startswith("max(Tensor input")
    assert [result.dtype for result in th.explain(a.max, 1).results] == ["float32", "int64"]
    assert th.explain(a.view, 3, 2).arguments == {"size": (3, 2)}


def test_functions_and_places() -> None:
    a = th.ones(2, 3)
    explanation = th.explain(th.Tensor.add, a, a)
    assert explanation.function == "TH_add, THFloatTensor_add"
    assert explanation.declared.startswith("declarations/pointwise.yaml:")
    assert th.explain(a.max, 1).function == "TH_max_dim, THFloatTensor_max"
    assert th.explain(a.t).function == "TH_t, THTensor_newT"


def test_views_and_copies() -> None:
    a = th.ones(2, 3)
    view = th.explain(a.t)
    assert view.results[0].place == "a view of input: nothing is copied"
    assert (view.copies, view.bytes, view.plan) == ([], 0, None)
    assert th.explain(a.contiguous).results[0].place == "input itself"
    copied = th.explain(a.t().contiguous)
    assert copied.copies == ["6 elements of float32, strided before"]
    assert th.explain(a.sum, dtype=th.float16).copies == ["6 elements from float32 to float16"]
    assert th.explain(a.sum, dtype=th.float64).copies == []  # converted as it is read


def test_overlap() -> None:
    a, b = th.ones(2, 3), th.ones(2, 3)
    assert th.explain(a.add_, b).overlap == {}
    assert th.explain(a.add_, a).overlap == {"other": "full"}
    assert th.explain(th.add, a, b, out=b).overlap == {"other": "full"}
    square = th.ones(3, 3)
    aside = th.explain(th.mm, square, th.ones(3, 3), out=square)
    assert aside.overlap == {"input": "full"}
    assert aside.results[0].place == "computed aside, then copied to out"
    assert th.explain(th.mm, a, b.t(), out=th.empty(0)).results[0].place == "written to out"


def test_bytes_are_those_that_are_moved() -> None:
    a, row = th.ones(300, 400), th.ones(400)
    assert th.explain(a.add, row).bytes == (2 * 300 * 400 + 400) * 4
    assert th.explain(a.add, row).seconds is None
    large = th.ones(2_000_000)
    explanation = th.explain(large.add, large)
    assert explanation.bytes == 24_000_000
    assert 0 < explanation.seconds < 10
    assert explanation.seconds == explanation.bytes / th._explain.memory_speed()


def test_reading_an_argument_may_not_call_operations() -> None:
    class Index:
        def __index__(self) -> int:
            return int(th.ones(3).sum(dim=0).item())

    with pytest.raises(RuntimeError, match="reading an argument calls another operation"):
        th.explain(th.ones(2, 3).sum, Index())
    assert th.ones(3).sum().item() == 3


def test_repr() -> None:
    th.set_num_threads(1)
    th._C._set_isa("base")
    text = repr(th.explain(th.add, th.ones(300, 400), th.arange(400), alpha=2))
    assert text.splitlines()[0].startswith("add(Tensor or number input, Tensor or number other,")
    assert text.splitlines()[1:] == [
        "  operand       input: float32 (300, 400), contiguous, read as it lies",
        "                other: int64 (400,), contiguous, converted to float32 block by block",
        "  argument      alpha=2",
        "  computed in   float32",
        "  result        float32 (300, 400), a new tensor",
        f"  function      TH_add, THFloatTensor_add  ({th.explain(th.add, 1, th.ones(1)).declared})",
        "  engine        staged: block by block, some operands through small buffers; "
        "150 blocks of 800 elements, dims 300x400",
        "  threads       1, the GIL is released",
        "  memory        963 kB",
        "  instructions  base",
    ]


def test_no_memory_is_an_error_and_nothing_leaks() -> None:
    """Every allocation of an explained call may fail."""
    a = th.ones(4, 5)
    function = a.t().sum
    for count in range(1, 12):
        before = th.memory_stats()["live_tensors"]
        th._C.lib.THMemory_failAllocation(count)
        try:
            th.explain(function, 0, dtype=th.float64)
        except MemoryError:
            assert th.memory_stats()["live_tensors"] == before
        finally:
            th._C.lib.THMemory_failAllocation(-1)
