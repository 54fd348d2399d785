/* Exponential smoothing of one row: plain C over a strided array, once for each dtype. */
#include <stdint.h>

#define SMOOTH(name, type)                                                    \
    void name(int64_t n, const type *self, int64_t self_stride, type *result, \
              int64_t result_stride, double weight)                           \
    {                                                                         \
        double level = n > 0 ? self[0] : 0;                                   \
        for (int64_t i = 0; i < n; i++) {                                     \
            level += weight * (self[i * self_stride] - level);                \
            result[i * result_stride] = (type)level;                          \
        }                                                                     \
    }

SMOOTH(smooth_float, float)
SMOOTH(smooth_double, double)
