import numba
@numba.vectorize(["float32(float32, float32)", "float64(float64, float64)"], cache=True)
def prelu(x, w):
    return x if x > 0.0 else w * x
