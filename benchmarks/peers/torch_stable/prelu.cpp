#include <torch/csrc/stable/library.h>
#include <torch/csrc/stable/ops.h>
#include <torch/csrc/stable/tensor.h>
using torch::headeronly::ScalarType;
using torch::stable::Tensor;
template <class T> static void loop(T *y, const T *x, const T *w, int64_t n, int64_t step) {
    for (int64_t i = 0; i < n; i++) {
        const T a = x[i], b = w[i * step];
        y[i] = a > 0.0 ? a : b * a;
    }
}
template <class T> static void run(const Tensor &y, const Tensor &x, const Tensor &w, bool one) {
    T *to = y.mutable_data_ptr<T>();
    one ? loop(to, x.const_data_ptr<T>(), w.const_data_ptr<T>(), x.numel(), 0)
        : loop(to, x.const_data_ptr<T>(), w.const_data_ptr<T>(), x.numel(), 1);
}
static Tensor prelu(const Tensor &x, const Tensor &w) {
    STD_TORCH_CHECK(x.scalar_type() == w.scalar_type(), "prelu: expected operands of one dtype");
    bool one = true;
    for (int64_t d = 0; d < w.dim(); d++)
        one = one && (w.stride(d) == 0 || w.size(d) == 1);
    const Tensor from = torch::stable::contiguous(x), by = one ? w : torch::stable::contiguous(w);
    Tensor y = torch::stable::new_empty(from, from.sizes());
    if (x.scalar_type() == ScalarType::Float) run<float>(y, from, by, one);
    else if (x.scalar_type() == ScalarType::Double) run<double>(y, from, by, one);
    else STD_TORCH_CHECK(false, "prelu: expected float32 or float64");
    return y;
}
STABLE_TORCH_LIBRARY(peer, m) { m.def("prelu(Tensor x, Tensor w) -> Tensor"); }
STABLE_TORCH_LIBRARY_IMPL(peer, CPU, m) { m.impl("prelu", TORCH_BOX(&prelu)); }
