"""A small C library with a function of every form, and their declarations; test_libraries.py calls them."""

HEADER = """\
#include <stdint.h>
#define OWN_TWICE 2
double own_mean(const double *x, int64_t stride, unsigned int n);
float own_meanf(const float *x, int64_t stride, unsigned int n);
int own_smallest(const double *x, int n, double *smallest);
double own_sorted_middle(double *x, int n, double *work);
int own_reversed(double *x, int n, int positive);
double own_scaled(double x, int factor, double y);
const char *own_error(int status);
double own_setting(void);
void own_prepare(void);
int own_extent(const double *x, int64_t n, double *mean, double *ends, int64_t *used);
int64_t own_positive(const double *x, int64_t n, double *kept);
double own_split(double x, double *rest);
typedef struct own_sum {
    double total;
    int64_t count, limit;
} own_sum;
extern int own_open;
int own_begin(own_sum *sum, int64_t limit);
int own_add(own_sum *sum, const double *x, int64_t n);
int own_end(own_sum *sum);
own_sum *own_new(int64_t limit);
void own_delete(own_sum *sum);
int own_still_open(void);
"""
SOURCE = """\
#include "own.h"
#include <stdlib.h>
#include <string.h>
static double setting;
double own_mean(const double *x, int64_t stride, unsigned int n)
{
    double sum = 0;
    for (unsigned int i = 0; i < n; i++)
        sum += x[i * stride];
    return sum / n;
}
float own_meanf(const float *x, int64_t stride, unsigned int n)
{
    double sum = 0;
    for (unsigned int i = 0; i < n; i++)
        sum += x[i * stride];
    return (float)(sum / n);
}
int own_smallest(const double *x, int n, double *smallest)
{
    if (n == 0)
        return 7;
    *smallest = x[0];
    for (int i = 1; i < n; i++)
        *smallest = x[i] < *smallest ? x[i] : *smallest;
    return *smallest < 0 ? -3 : 0;
}
double own_sorted_middle(double *x, int n, double *work)
{
    memcpy(work, x, (size_t)n * sizeof *x);
    for (int i = 0; i < n; i++)
        for (int k = i; k > 0 && work[k] < work[k - 1]; k--) {
            const double other = work[k];
            work[k] = work[k - 1];
            work[k - 1] = other;
        }
    for (int i = 0; i < n; i++)
        x[i] = -1;
    return work[n / 2];
}
int own_reversed(double *x, int n, int positive)
{
    for (int i = 0; i < n / 2; i++) {
        const double other = x[i];
        x[i] = x[n - 1 - i];
        x[n - 1 - i] = other;
    }
    return n > 0 && x[0] < 0 ? (positive ? 5 : -5) : positive ? 0 : 2;
}
double own_scaled(double x, int factor, double y) { return x * factor + y; }
const char *own_error(int status) { return status == 7 ? "there is nothing" : "it is negative"; }
double own_setting(void) { return setting; }
void own_prepare(void) { setting = 42; }
int own_extent(const double *x, int64_t n, double *mean, double *ends, int64_t *used)
{
    *mean = own_mean(x, 1, (unsigned int)n);
    ends[0] = ends[1] = x[0];
    for (int64_t i = 1; i < n; i++) {
        ends[0] = x[i] < ends[0] ? x[i] : ends[0];
        ends[1] = x[i] > ends[1] ? x[i] : ends[1];
    }
    *used = n;
    return *mean < 0 ? -3 : 0;
}
int64_t own_positive(const double *x, int64_t n, double *kept)
{
    int64_t count = 0;
    for (int64_t i = 0; i < n; i++)
        if (x[i] > 0)
            kept[count++] = x[i];
    return n > 0 && x[0] == 99 ? -9 : n > 0 && x[0] == 98 ? n + 1 : count;
}
double own_split(double x, double *rest)
{
    *rest = x - (int64_t)x;
    return (double)(int64_t)x;
}
int own_open;
int own_begin(own_sum *sum, int64_t limit)
{
    sum->limit = limit;
    own_open += limit >= 0;
    return limit < 0 ? -3 : 0;
}
int own_add(own_sum *sum, const double *x, int64_t n)
{
    for (int64_t i = 0; i < n; i++, sum->count++)
        sum->total += x[i];
    return sum->count > sum->limit ? 7 : 0;
}
int own_end(own_sum *sum)
{
    own_open--;
    return (int)sum->count;
}
own_sum *own_new(int64_t limit)
{
    own_sum *made = limit < 0 ? NULL : calloc(1, sizeof *made);
    return made != NULL && own_begin(made, limit) == 0 ? made : NULL;
}
void own_delete(own_sum *sum)
{
    own_end(sum);
    free(sum);
}
int own_still_open(void) { return own_open; }
"""
DECLARATIONS = """\
- sources: [own.c]
- library: own
  headers: [own.h]
  include_dirs: [.]
  setup: |
    own_prepare();
  message: own_error(status)

- name: mean
  library: own
  arguments: [{arg: THTensor* self, assert_ndim: 1}]
  cname: {Float: own_meanf, Double: own_mean}
  call: (data(self), stride(self, 0), uint(size(self, 0)))
  return: double

- name: mean_of_all
  library: own
  types: [Double]
  arguments: [THTensor* self]
  call: own_mean(data(self), 1, uint(count(self)))
  return: double

- name: smallest
  library: own
  types: [Double]
  arguments: [THTensor* self]
  call: own_smallest(data(self), int(count(self)), &result)
  fails: nonzero
  return: double

- name: middle
  library: own
  types: [Double]
  arguments: [THTensor* self]
  call: own_sorted_middle(copy(self), int(count(self)), work(double, 2 * count(self)))
  return: double

- name: rows
  library: own
  types: [Double]
  arguments: [THTensor* self, long extra]
  call: own_mean(data(self), (int64_t)0 * ndim(self) + 1, uint(size(self, 1) + extra - extra))
  return: double

- name: check_all
  library: own
  arguments: [THTensor* self, bool positive]
  types: [Double]
  call: own_reversed(copy(self), int(nbytes(self) / 8), positive)
  fails: negative
  message: "100% wrong \\"way\\""
  return: void

- name: backwards
  library: own
  types: [Double]
  arguments: [THTensor* self, {arg: bool positive, default: true}]
  core: "(n)->(n)"
  call: own_reversed(data(result = self), int(n), positive)
  fails: nonzero

- name: backwards_unless
  library: own
  types: [Double]
  arguments: [THTensor* self, {arg: bool positive, default: false}]
  core: "(n)->(n)"
  call: own_reversed(data(result = self), int(count(self) + 0 * nbytes(self)), positive)
  fails: negative
  message: it begins with a negative number

- name: middles
  library: own
  types: [Double]
  arguments: [THTensor* self]
  core: "(n)->(n)"
  call: own_sorted_middle(copy(self), int(n), data(result))

- name: too_large
  library: own
  types: [Double]
  arguments: [THTensor* self]
  core: "(n)->()"
  call: own_smallest(data(self), int(4000000000 * n), data(result))

- name: scaled
  library: own
  arguments: [THTensor* self, long factor, THTensor* other]
  call: own_scaled(self, factor, other)

- name: twice
  library: own
  types: [floating_point]
  promote: float
  arguments: [THTensor* self]
  kernel: "own_scaled(self, OWN_TWICE, 0) + own_setting() - exp(log(42.0))"

- name: own_body
  library: own
  types: [Double]
  arguments: [THTensor* self]
  core: "(n)->()"
  body: "*result = own_mean(self, 1, (unsigned int)n);"

- name: extent
  library: own
  types: [Double]
  arguments:
    - {arg: THTensor* mean, output: true}
    - {arg: THTensor* ends, output: true, shape: [2]}
    - {arg: THIndexTensor* used, output: true}
    - THTensor* self
  call: own_extent(data(self), count(self), data(mean), data(ends), data(used))
  fails: nonzero

- name: positive
  library: own
  types: [Double]
  arguments: [{arg: THTensor* result, output: true, shape: self, filled: status}, THTensor* self]
  call: own_positive(data(self), count(self), data(result))
  fails: negative

- name: turned_about
  library: own
  types: [Double]
  arguments: [{arg: THTensor* result, output: true, shape: self}, THTensor* self]
  call: own_reversed(data(result = self), int(count(result)), true)

- name: split
  library: own
  types: [Double]
  arguments:
    - {arg: THTensor* whole, output: true}
    - {arg: THTensor* rest, output: true}
    - THTensor* self
  core: "()->(),()"
  call: whole = own_split(*data(self), data(rest))

- name: split_one
  library: own
  arguments:
    - {arg: THTensor* whole, output: true, dtype: Long}
    - {arg: THTensor* rest, output: true, dtype: Double}
    - double x
  call: whole = own_split(x, data(rest))

- name: extents
  library: own
  types: [Double]
  arguments:
    - {arg: THTensor* mean, output: true}
    - {arg: THTensor* ends, output: true}
    - {arg: THIndexTensor* used, output: true}
    - THTensor* self
  core: "(n)->(),(2),()"
  call: own_extent(data(self), n, data(mean), data(ends), data(used))
  fails: status < 0 || status > 5

- name: fills
  library: own
  types: [Double]
  arguments: [THTensor* self, long limit]
  locals:
    sum: {type: own_sum *, value: own_new(limit), close: own_delete(sum)}
  call: own_add(sum, data(self), count(self))
  fails: nonzero
  return: void

- name: rows_fill
  library: own
  types: [Double]
  arguments: [{arg: THTensor* result, output: true}, THTensor* self, long limit]
  core: "(n)->(n)"
  locals:
    sum: {type: own_sum, open: "own_begin(&sum, limit)", close: own_end(&sum)}
  call: own_add(&sum, data(result = self), n)
  fails: nonzero

- name: still_open
  library: own
  return: long
  call: own_still_open()
"""
