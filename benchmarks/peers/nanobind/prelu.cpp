#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <vector>
namespace nb = nanobind;
template <class T> using In = nb::ndarray<const T, nb::numpy, nb::device::cpu>;
template <class T> static inline void row(T *y, const T *x, const T *w, size_t n, int64_t a, int64_t b) {
    for (size_t i = 0; i < n; i++) {
        const T p = x[i * a], q = w[i * b];
        y[i] = p > 0.0 ? p : q * p;
    }
}
template <class T> nb::ndarray<T, nb::numpy> prelu(In<T> x, In<T> w) {
    const size_t nd = x.ndim() > w.ndim() ? x.ndim() : w.ndim();
    std::vector<size_t> shape(nd), at(nd);
    std::vector<int64_t> sx(nd), sw(nd);
    size_t rows = 1;
    for (size_t d = 0; d < nd; d++) {
        const size_t back = nd - d;
        const size_t a = back <= x.ndim() ? x.shape(x.ndim() - back) : 1;
        const size_t b = back <= w.ndim() ? w.shape(w.ndim() - back) : 1;
        if (a != b && a != 1 && b != 1)
            throw nb::value_error("prelu: shapes do not broadcast");
        shape[d] = a == 1 ? b : a;
        sx[d] = a == 1 ? 0 : x.stride(x.ndim() - back);
        sw[d] = b == 1 ? 0 : w.stride(w.ndim() - back);
        rows *= back > 1 ? shape[d] : 1;
    }
    const size_t n = nd ? shape[nd - 1] : 1;
    const int64_t a = nd ? sx[nd - 1] : 0, b = nd ? sw[nd - 1] : 0;
    T *y = new T[rows * n];
    nb::capsule owner(y, [](void *p) noexcept { delete[] (T *)p; });
    const T *px = x.data(), *pw = w.data();
    for (size_t r = 0; r < rows; r++) {
        if (a == 1 && b == 1)
            row(y + r * n, px, pw, n, 1, 1);
        else if (a == 1 && b == 0)
            row(y + r * n, px, pw, n, 1, 0);
        else
            row(y + r * n, px, pw, n, a, b);
        for (size_t d = nd > 1 ? nd - 1 : 0; d-- > 0;) {
            px += sx[d], pw += sw[d];
            if (++at[d] < shape[d])
                break;
            px -= sx[d] * shape[d], pw -= sw[d] * shape[d], at[d] = 0;
        }
    }
    return nb::ndarray<T, nb::numpy>(y, nd, shape.data(), owner);
}
NB_MODULE(mod, m) {
    m.def("prelu", prelu<float>, nb::arg("x").noconvert(), nb::arg("w"));
    m.def("prelu", prelu<double>, nb::arg("x"), nb::arg("w"));
}
