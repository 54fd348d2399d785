// Plain C++ functions of core operations; the linkage is that of the generated prototypes.
#include <algorithm>
#include <cstdint>

void ordered_float(std::int64_t n, const float *self, float *result)
{
    std::copy_n(self, n, result);
    std::sort(result, result + n);
}

void ordered_double(std::int64_t n, const double *self, double *result)
{
    std::copy_n(self, n, result);
    std::sort(result, result + n);
}
