"""Types for annotations: what op packages take where they take arrays of others, without copying them."""

from typing import TYPE_CHECKING, Any, Protocol, TypeAlias


class SupportsBuffer(Protocol):
    """An object with the buffer protocol."""

    def __buffer__(self, flags: int, /) -> memoryview: ...


class SupportsDlpack(Protocol):
    """An object with `__dlpack__`, as arrays of the array API standard have it."""

    def __dlpack__(self) -> Any: ...


if TYPE_CHECKING:
    import numpy

    Array: TypeAlias = (
        SupportsBuffer | SupportsDlpack | numpy.ndarray[Any, Any] | numpy.generic[Any]
    )
else:
    Array = SupportsBuffer | SupportsDlpack
