/* Plain C functions of core operations: nothing of TH. */
#define _GNU_SOURCE
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define WEIGH(type)                                                                            \
    type *out = result;                                                                        \
    for (int64_t i = 0; i < n; i++, out += result_i) {                                         \
        double sum = 0;                                                                        \
        for (int64_t j = 0; j < m; j++)                                                        \
            sum += pow((double)self[i * self_i + j * self_j] * (double)scale, (double)power) * \
                   (double)weight[j * weight_j];                                               \
        *out = (type)((negate ? -sum : sum) + shift);                                          \
    }

void weigh_float(int64_t n, int64_t m, const float *self, int64_t self_i, int64_t self_j,
                 const float *weight, int64_t weight_j, float *result, int64_t result_i,
                 float scale, int64_t power, double shift, bool negate)
{
    WEIGH(float)
}

void weigh_double(int64_t n, int64_t m, const double *self, int64_t self_i, int64_t self_j,
                  const double *weight, int64_t weight_j, double *result, int64_t result_i,
                  double scale, int64_t power, double shift, bool negate)
{
    WEIGH(double)
}

void weigh_long(int64_t n, int64_t m, const int64_t *self, int64_t self_i, int64_t self_j,
                const int64_t *weight, int64_t weight_j, int64_t *result, int64_t result_i,
                int64_t scale, int64_t power, double shift, bool negate)
{
    WEIGH(int64_t)
}

/* The first number of a row; one that begins with a negative one fails with that. */
int first_double(int64_t n, const double *self, double *result)
{
    if (n == 0)
        return -1;
    *result = self[0];
    return self[0] < 0 ? (int)self[0] : 0;
}

/* Each number times that of `scale`, where there is one. */
void scaled_rows(int64_t n, const double *self, int64_t step, const double *scale,
                 int64_t scale_step, double *result, int64_t result_step)
{
    for (int64_t i = 0; i < n; i++)
        result[i * result_step] = self[i * step] * (scale ? scale[i * scale_step] : 1);
}
