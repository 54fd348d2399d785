"""What is known of dtypes: their limits, and their names of old."""

from __future__ import annotations

from thwrap import _C
from thwrap._C import dtype

# The name each dtype has in C and in the classes of old: FloatTensor, FloatStorage.
REAL_NAMES = {
    _C.uint8: "Byte",
    _C.int8: "Char",
    _C.int16: "Short",
    _C.int32: "Int",
    _C.int64: "Long",
    _C.float16: "Half",
    _C.float32: "Float",
    _C.float64: "Double",
    _C.bool: "Bool",
}

# Bits of the significand, and the exponent that is out of range.
_FLOATING = {_C.float16: (11, 16), _C.float32: (24, 128), _C.float64: (53, 1024)}
_NOT_INTEGRAL = {*_FLOATING, _C.bool}
# Decimal digits that are always kept.
_DIGITS = {_C.float16: 3, _C.float32: 6, _C.float64: 15}


class finfo:
    """Limits of a floating-point dtype: bits, eps, max, min, tiny, smallest_normal, resolution."""

    __slots__ = ("bits", "dtype", "eps", "max", "min", "resolution", "smallest_normal", "tiny")

    def __new__(cls, type: dtype | None = None) -> finfo:
        try:
            return _finfos[type]  # type: ignore[index]
        except (KeyError, TypeError):
            pass
        kind = _C.get_default_dtype() if type is None else type
        if not isinstance(kind, dtype) or kind not in _FLOATING:
            raise TypeError(f"finfo: expected a floating-point dtype, got {kind}; use iinfo")
        self = super().__new__(cls)
        self._fill(kind)
        _finfos[kind] = self
        return self

    def _fill(self, kind: dtype) -> None:
        digits, limit = _FLOATING[kind]
        self.bits = 8 * kind.itemsize
        self.dtype = kind.name
        self.eps = 2.0 ** (1 - digits)
        self.max = (2.0 - self.eps) * 2.0 ** (limit - 1)
        self.min = -self.max
        self.smallest_normal = self.tiny = 2.0 ** (2 - limit)
        self.resolution = float(f"1e-{_DIGITS[kind]}")

    def __repr__(self) -> str:
        return (
            f"finfo(resolution={self.resolution:g}, min={self.min:g}, max={self.max:g}, eps={self.eps:g}, "
            f"smallest_normal={self.smallest_normal:g}, tiny={self.tiny:g}, dtype={self.dtype})"
        )


class iinfo:
    """Limits of an integer dtype: bits, max, min."""

    __slots__ = ("bits", "dtype", "max", "min")

    def __new__(cls, type: dtype) -> iinfo:
        try:
            return _iinfos[type]
        except (KeyError, TypeError):
            pass
        if not isinstance(type, dtype) or type in _NOT_INTEGRAL:
            raise TypeError(f"iinfo: expected an integer dtype, got {type}")
        self = super().__new__(cls)
        self._fill(type)
        _iinfos[type] = self
        return self

    def _fill(self, type: dtype) -> None:
        self.bits = 8 * type.itemsize
        self.dtype = type.name
        self.max: int = (1 << self.bits - type.is_signed) - 1
        self.min = -self.max - 1 if type.is_signed else 0

    def __repr__(self) -> str:
        return f"iinfo(min={self.min}, max={self.max}, dtype={self.dtype})"


# Each is made once.
_finfos: dict[dtype, finfo] = {}
_iinfos: dict[dtype, iinfo] = {}
