cimport cython
@cython.ufunc
cdef cython.floating prelu(cython.floating x, cython.floating w) noexcept nogil:
    return x if x > 0.0 else w * x
