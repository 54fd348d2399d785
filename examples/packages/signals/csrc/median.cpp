// The lower median of one row, in C++. Anything but 0 makes the call fail.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <new>
#include <vector>

namespace
{

template <typename T> int median(std::int64_t n, const T *self, T *result) noexcept
try {
    if (n == 0 || std::any_of(self, self + n, [](T x) { return std::isnan(x); }))
        return 1;
    std::vector<T> sorted(self, self + n);
    const auto middle = sorted.begin() + (n - 1) / 2;
    std::nth_element(sorted.begin(), middle, sorted.end());
    *result = *middle;
    return 0;
} catch (const std::bad_alloc &) {
    return 2;
}

} // namespace

int median_float(std::int64_t n, const float *self, float *result)
{
    return median(n, self, result);
}

int median_double(std::int64_t n, const double *self, double *result)
{
    return median(n, self, result);
}
