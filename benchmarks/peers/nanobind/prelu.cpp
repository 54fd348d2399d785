#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <vector>
namespace nb = nanobind;
template <class T> using In = nb::ndarray<const T, nb::numpy, nb::device::cpu>;
template <class T> nb::ndarray<T, nb::numpy> prelu(In<T> x, In<T> w) {
    const size_t nd = x.ndim() > w.ndim() ? x.ndim() : w.ndim();
    std::vector<size_t> shape(nd);
    std::vector<int64_t> sx(nd), sw(nd), at(nd);
    size_t n = 1;
    for (size_t d = 0; d < nd; d++) {
        const size_t back = nd - d;
        const size_t a = back <= x.ndim() ? x.shape(x.ndim() - back) : 1;
        const size_t b = back <= w.ndim() ? w.shape(w.ndim() - back) : 1;
        if (a != b && a != 1 && b != 1)
            throw nb::value_error("prelu: shapes do not broadcast");
        shape[d] = a == 1 ? b : a;
        sx[d] = a == 1 ? 0 : x.stride(x.ndim() - back);
        sw[d] = b == 1 ? 0 : w.stride(w.ndim() - back);
        n *= shape[d];
    }
    T *y = new T[n];
    nb::capsule owner(y, [](void *p) noexcept { delete[] (T *)p; });
    const T *px = x.data(), *pw = w.data();
    for (size_t i = 0; i < n; i++) {
        y[i] = *px > 0.0 ? *px : *pw * *px;
        for (size_t d = nd; d-- > 0;) {
            px += sx[d], pw += sw[d];
            if (++at[d] < (int64_t)shape[d])
                break;
            px -= sx[d] * at[d], pw -= sw[d] * at[d], at[d] = 0;
        }
    }
    return nb::ndarray<T, nb::numpy>(y, nd, shape.data(), owner);
}
NB_MODULE(mod, m) {
    m.def("prelu", prelu<float>, nb::arg("x").noconvert(), nb::arg("w"));
    m.def("prelu", prelu<double>, nb::arg("x"), nb::arg("w"));
}
