"""How the shapes of operands combine, and numbers in their place."""

from __future__ import annotations

import itertools
from typing import Any

import hypothesis
import numpy
import pytest
from hypothesis import strategies

import thwrap as th
from wrapgen.plugins.promote import takes_number
from wrapgen.testing import oracle
from wrapgen.testing.calling import (
    by_keyword,
    call_form,
    contents,
    invoke,
    refused,
    results_of,
    tensors_in,
)
from wrapgen.testing.declared import Case, base_of, cases, expands, fixed, in_place, out_of_place
from wrapgen.testing.drawing import (
    Call,
    draw,
    first_call,
    generator,
    has_free_shapes,
    number_for,
    situations,
)

KERNELS = [
    case
    for case in out_of_place()
    if case.is_kernel and len(case.tensors) > 1 and has_free_shapes(case)
]
SIZES = strategies.integers(0, 4)


@strategies.composite
def broadcastable(pick: Any, count: int) -> list[tuple[int, ...]]:
    """Shapes that go together: each has the last dims of a common one, some of size 1."""
    common = pick(strategies.lists(SIZES, max_size=4))
    shapes = []
    for _ in range(count):
        shape = common[pick(strategies.integers(0, len(common))) :]
        shapes.append(tuple(1 if pick(strategies.booleans()) else size for size in shape))
    return shapes


def drawn(case: Case, dtype: str, shapes: list[tuple[int, ...]]) -> Call:
    rng = generator(case, dtype)
    how = situations(case)[0]
    values = {
        arg.name: draw(rng, fixed(arg) or dtype, shape, how.get(arg.name), False)
        for arg, shape in zip(case.tensors, shapes, strict=True)
    }
    rest = {name: value for name, value in how.items() if name not in values}
    return Call(case, {**values, **rest})


@pytest.mark.parametrize("case", KERNELS, ids=lambda case: case.id)
def test_kernels_broadcast(case: Case) -> None:
    """Any shapes that go together give what their expanded copies give."""
    dtype = case.dtypes[-1]

    @hypothesis.settings(max_examples=12)
    @hypothesis.given(broadcastable(len(case.tensors)))
    def holds(shapes: list[tuple[int, ...]]) -> None:
        call = drawn(case, dtype, shapes)
        common = numpy.broadcast_shapes(*shapes)
        copies = {
            arg.name: numpy.broadcast_to(call.values[arg.name], common).copy()
            for arg in case.tensors
        }
        got = call_form(call)
        assert all(tuple(result.shape) == common for result in results_of(got)), f"{call}"
        assert contents(got) == contents(call_form(call.but(**copies))), f"{call}"

    holds()


@pytest.mark.parametrize("case", KERNELS, ids=lambda case: case.id)
def test_shapes_that_do_not_go_together(case: Case) -> None:
    """A ValueError that names both shapes; in place and out= leave everything alone."""
    first, last = case.tensors[0].name, case.tensors[-1].name
    dtype = case.dtypes[-1]
    one, other = first_call(case, dtype, (2, 3)), first_call(case, dtype, (4, 5))
    call = one.but(
        **{name: one.values[name][:1, :1] for name in (arg.name for arg in case.tensors)}
    )
    call = call.but(**{first: one.values[first], last: other.values[last]})
    given = call.made()
    out = call_form(one)
    tensors = [*tensors_in(given), *results_of(out)]
    with refused(ValueError, tensors, r"\(2, 3\).*\(4, 5\)"):
        invoke(case, given)
    with refused(ValueError, tensors, r"\(2, 3\).*\(4, 5\)"):
        invoke(case, given, out=out)


NUMBERS = [case for case in cases() if any(takes_number(case.op, arg) for arg in case.tensors)]


@pytest.mark.parametrize("case", NUMBERS, ids=lambda case: case.id)
def test_numbers_are_operands(case: Case) -> None:
    """A Python number is a 0-d tensor of the operands' dtype; at most one operand less than all."""
    for dtype in case.dtypes:
        call = first_call(case, dtype)
        for param in case.form.body.params:
            if param.kind != "THP_OPERAND":
                continue
            number = number_for(case, dtype, param.arg.name)
            with_number = call.but(**{param.arg.name: number})
            with_tensor = call.but(**{param.arg.name: numpy.array(number, dtype)})
            got = by_keyword(case, with_number.made())  # max(tensor, 3) is about dim 3
            assert contents(got) == contents(call_form(with_tensor)), f"{with_number}"


@pytest.mark.parametrize(
    "case", [case for case in NUMBERS if case.is_kernel], ids=lambda case: case.id
)
def test_numbers_of_a_higher_category(case: Case) -> None:
    """A float among integers makes the result floating, in the default dtype."""
    if "int32" not in case.dtypes or case.op.inplace:
        return
    call = first_call(case, "int32")
    name = next(arg.name for arg in case.tensors if takes_number(case.op, arg))
    with_number = call.but(**{name: 0.5})
    if "float32" not in case.dtypes:
        with pytest.raises(TypeError):
            call_form(with_number)
        return
    got = [result.dtype.name for result in results_of(call_form(with_number))]
    assert got == oracle.result_dtypes(case, with_number.values), f"{with_number}"


EXPANDING = [
    (case, arg) for case in cases() for arg in case.args if expands(arg) and not case.op.inplace
]


@pytest.mark.parametrize(("case", "arg"), EXPANDING, ids=lambda value: getattr(value, "id", None))
def test_declared_broadcast(case: Case, arg: Any) -> None:
    """An argument with `broadcast:` may lack dims or have size 1 in them."""
    call = first_call(case, "float64")
    array = call.values[arg.name]
    for shrunk in itertools.product((False, True), repeat=array.ndim):
        part = array[tuple(slice(0, 1) if one else slice(None) for one in shrunk)]
        copy = numpy.broadcast_to(part, array.shape).copy()
        expected = contents(call_form(call.but(**{arg.name: copy})))
        for shorter in range(next((i for i, one in enumerate(shrunk) if not one), array.ndim) + 1):
            given = call.but(**{arg.name: part.reshape(part.shape[shorter:])})
            assert contents(call_form(given)) == expected, f"{given}"
    wrong = call.but(**{arg.name: numpy.ones([size + 1 for size in array.shape])})
    with pytest.raises(ValueError, match=case.op.name):
        call_form(wrong)


IN_PLACE = [case for case in in_place() if case.is_kernel and len(case.operands) > 1]


@pytest.mark.parametrize("case", IN_PLACE, ids=lambda case: case.id)
def test_in_place_forms_broadcast_the_others(case: Case) -> None:
    """The other operands are expanded to self."""
    base = base_of(case)
    assert base is not None
    dtype = case.dtypes[-1]
    other = case.operands[-1].name
    call = first_call(case, dtype, (3, 5))
    call = call.but(**{other: call.values[other][:1]})
    expected = call_form(Call(base, call.values)).to(getattr(th, dtype))
    assert contents(call_form(call)) == contents(expected), f"{call}"
