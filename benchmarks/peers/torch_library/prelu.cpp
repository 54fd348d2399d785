#include <ATen/Dispatch.h>
#include <ATen/TensorIterator.h>
#include <ATen/native/cpu/Loops.h>
#include <torch/library.h>
static at::Tensor run(const at::Tensor &y, const at::Tensor &x, const at::Tensor &w) {
    auto iter = at::TensorIteratorConfig().add_owned_output(y).add_const_input(x).add_const_input(w)
        .promote_inputs_to_common_dtype(true).cast_common_dtype_to_outputs(true).build();
    AT_DISPATCH_FLOATING_TYPES(iter.common_dtype(), "prelu", [&] {
        using Vec = at::vec::Vectorized<scalar_t>;
        at::native::cpu_kernel_vec(iter, [](scalar_t x, scalar_t w) -> scalar_t { return x > 0.0 ? x : w * x; },
                                   [](Vec x, Vec w) { return Vec::blendv(w * x, x, x > Vec(0.0)); });
    });
    return iter.output();
}
static at::Tensor prelu(const at::Tensor &x, const at::Tensor &w) { return run({}, x, w); }
static at::Tensor &prelu_out(const at::Tensor &x, const at::Tensor &w, at::Tensor &y) { return run(y, x, w), y; }
TORCH_LIBRARY(peer, m) {
    m.def("prelu(Tensor x, Tensor w) -> Tensor");
    m.def("prelu.out(Tensor x, Tensor w, *, Tensor(a!) out) -> Tensor(a!)");
}
TORCH_LIBRARY_IMPL(peer, CPU, m) {
    m.impl("prelu", prelu);
    m.impl("prelu.out", prelu_out);
}
