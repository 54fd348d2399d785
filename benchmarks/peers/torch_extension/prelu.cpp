#include <torch/extension.h>
#include <ATen/native/cpu/Loops.h>
static at::Tensor prelu(const at::Tensor &x, const at::Tensor &w, const std::optional<at::Tensor> &out) {
    auto iter = at::TensorIteratorConfig().add_owned_output(out.value_or(at::Tensor())).add_const_input(x).add_const_input(w)
        .promote_inputs_to_common_dtype(true).cast_common_dtype_to_outputs(true).build();
    AT_DISPATCH_FLOATING_TYPES(iter.common_dtype(), "prelu", [&] {
        using Vec = at::vec::Vectorized<scalar_t>;
        at::native::cpu_kernel_vec(iter, [](scalar_t x, scalar_t w) -> scalar_t { return x > 0.0 ? x : w * x; },
                                   [](Vec x, Vec w) { return Vec::blendv(w * x, x, x > Vec(0.0)); });
    });
    return iter.output();
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("prelu", &prelu, py::arg("x"), py::arg("w"), py::arg("out") = py::none());
}
