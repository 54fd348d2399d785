import numpy
from _prelu import ffi, lib
def prelu(x, w):
    x, w = numpy.broadcast_arrays(x, w)
    dtype = numpy.result_type(x, w)
    kind = {"float32": "f", "float64": "d"}[dtype.name]
    x, w = (numpy.ascontiguousarray(a, dtype) for a in (x, w))
    y = numpy.empty(x.shape, dtype)
    of = "float[]" if kind == "f" else "double[]"
    getattr(lib, "prelu_" + kind)(x.size, *(ffi.from_buffer(of, a) for a in (x, w, y)))
    return y
