"""What type checkers must accept of op packages, and the types they must find.

It is run as well: then `assert_type` checks the values. The packages have test_foreign.py's ops; the results of the
one are tensors, those of the other alike.
"""

from __future__ import annotations

import array
import copy
import pickle
from typing import Any, TypeAlias, assert_type

import numpy
import stublike
import stubtensor

import thwrap as th
from thwrap import Tensor
from thwrap.typing import Array

NumPy: TypeAlias = numpy.ndarray[Any, Any]
tensor: Tensor = th.ones(2)
numbers: NumPy = numpy.ones(2, "f4")
flags: NumPy = numpy.ones(2, "?")
memory = bytearray(b"\1\2")


class Foreign:
    def __dlpack__(self) -> Any:
        return tensor.__dlpack__()


foreign = Foreign()


def tensors() -> None:
    """Whatever came in, results are tensors; what was given as out= comes back."""
    assert_type(stubtensor.ramp(tensor, 0.5), Tensor)
    assert_type(stubtensor.ramp(numbers, tensor), Tensor)
    assert_type(stubtensor.ramp(flags, weight=foreign), Tensor)
    assert_type(stubtensor.ramp(memory, array.array("f", [1, 2])), Tensor)
    assert_type(stubtensor.ramp(b"\1\2", memoryview(memory), out=None), Tensor)
    assert_type(stubtensor.ramp(numbers, 2, out=numbers), NumPy)
    assert_type(stubtensor.ramp(numbers, 2, out=tensor), Tensor)
    assert_type(stubtensor.ramp_(numbers, 2), NumPy)
    assert_type(stubtensor.joined([tensor, numbers, foreign]), Tensor)
    low, high = stubtensor.extremes(numbers)
    assert_type(low, Tensor)
    assert_type(high, Tensor)
    named = stubtensor.extremes(numbers)
    assert_type(named.high, Tensor)
    assert_type(stubtensor.extremes(tensor, out=(low, high))[0], Tensor)
    assert_type(pickle.loads(pickle.dumps(named)), Any)
    assert_type(copy.deepcopy(named).low, Tensor)


def alike() -> None:
    """Arrays of NumPy alone give arrays of NumPy, with a Tensor among them it is a Tensor."""
    assert_type(stublike.ramp(numbers, 0.5), NumPy)
    assert_type(stublike.ramp(numbers, flags), NumPy)
    assert_type(stublike.ramp(tensor, 0.5), Tensor)
    assert_type(stublike.ramp(numbers, tensor), Tensor)
    assert_type(stublike.ramp(tensor, numbers), Tensor)
    assert_type(stublike.ramp(memory, foreign), Any)
    assert_type(stublike.ramp(memory, 2, out=numbers), NumPy)
    assert_type(stublike.joined([numbers, numbers]), NumPy)
    assert_type(stublike.joined([tensor, tensor]), Tensor)
    assert_type(stublike.joined([tensor, numbers]), Any)
    assert_type(stublike.extremes(tensor).low, Tensor)
    place: NumPy = numpy.zeros((), "f4")
    pair = stublike.extremes(tensor, out=(place, th.zeros(())))
    assert_type(pair[0], NumPy)
    assert_type(pair[1], Tensor)


def own(values: Array) -> Tensor:
    """A function of the user's that takes what the ops take."""
    return stubtensor.halved(values)


tensors()
alike()
own(numbers)
