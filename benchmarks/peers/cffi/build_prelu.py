import cffi
ffi = cffi.FFI()
NAMES = {"f": "float", "d": "double"}
ffi.cdef("".join(f"void prelu_{k}(long n, {t} *x, {t} *w, {t} *y);" for k, t in NAMES.items()))
ffi.set_source("_prelu", "".join(
    f"static void prelu_{k}(long n, {t} *x, {t} *w, {t} *y) {{"
    f" for (long i = 0; i < n; i++) {{ const {t} a = x[i], b = w[i]; y[i] = a > 0.0 ? a : b * a; }} }}\n"
    for k, t in NAMES.items()), extra_compile_args=["-O3", "-march=native"])
ffi.compile()
