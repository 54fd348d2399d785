"""Packages whose ops break laws, a defect each: what tests of `wrapgen test` want to be told."""

DECLARATIONS = """
- generic: own.c

- name: apart
  types: [floating_point]
  arguments: [THTensor* self, THTensor* other]
  kernel: "self - other"
  reference: self + other

- name: misspelt
  types: [Float]
  arguments: [THTensor* self]
  kernel: "self"
  reference: nunpy.abs(self)

- name: doubled
  types: [numeric]
  arguments: [{arg: THTensor* result, output: true}, {arg: THTensor* self, assert_ndim: 1}]
  reference: self + self

- name: forgetful
  types: [Float]
  arguments: [{arg: THTensor* result, output: true}, {arg: THTensor* self, assert_ndim: 1}]
  reference: self

- name: hoarding
  types: [Float]
  arguments: [{arg: THTensor* result, output: true}, {arg: THTensor* self, assert_ndim: 1}]
  reference: self

- name: strideless
  types: [Double]
  arguments: [{arg: THTensor* result, output: true}, {arg: THTensor* self, assert_ndim: 1}]
  reference: self

- name: narrow
  types: [Double]
  arguments: [{arg: THTensor* result, output: true}, {arg: THTensor* self, assert_ndim: 1}]
  reference: self

- name: summed
  types: [Float]
  arguments: [{arg: THTensor* result, output: true}, {arg: THTensor* self, assert_ndim: 1}]
  reference: numpy.sum(self)
  sample: {self: {shape: [67], from: -1, to: 1}}

- name: untested
  types: [Float]
  arguments: [{arg: THTensor* result, output: true}, {arg: THTensor* self, assert_ndim: 1}]

- name: elsewhere
  types: [Float]
  test: elsewhere
  arguments: [{arg: THTensor* result, output: true}, {arg: THTensor* self, assert_ndim: 1}]
"""

GENERIC = """
#include <stdlib.h>

static int THTensor_(times)(THTensor *result, THTensor *self, int factor)
{
    const int64_t n = self->size[0];
    const int status = THTensor_resizeOutput("times", result, 1, &n);
    if (status != TH_OK)
        return status;
    const storage_t *from = THTensor_data(self);
    storage_t *to = THTensor_data(result);
    for (int64_t i = 0; i < n; i++)
        TH_STORE(to + i * result->stride[0], (scalar_t)(TH_LOAD(from + i * self->stride[0]) * factor));
    return TH_OK;
}

int THTensor_(doubled)(THTensor *result, THTensor *self)
{
#ifdef TH_REAL_IS_SHORT
    return THTensor_(times)(result, self, 3);
#else
    return THTensor_(times)(result, self, 2);
#endif
}

int THTensor_(forgetful)(THTensor *result, THTensor *self)
{
    THTensor_retain(self);
    return THTensor_(times)(result, self, 1);
}

int THTensor_(hoarding)(THTensor *result, THTensor *self)
{
    static void *volatile last;
    last = malloc(100);
    return last == NULL ? TH_OK : THTensor_(times)(result, self, 1);
}

int THTensor_(strideless)(THTensor *result, THTensor *self)
{
    const int64_t n = self->size[0];
    const int status = THTensor_resizeOutput("strideless", result, 1, &n);
    for (int64_t i = 0; status == TH_OK && i < n; i++) {
        const storage_t x = ((const storage_t *)THTensor_data(self))[i];
        ((storage_t *)THTensor_data(result))[i * result->stride[0]] = x;
    }
    return status;
}

int THTensor_(narrow)(THTensor *result, THTensor *self)
{
    const int64_t n = self->size[0];
    const int status = THTensor_resizeOutput("narrow", result, 1, &n);
    for (int64_t i = 0; status == TH_OK && i < n; i++)
        ((storage_t *)THTensor_data(result))[i] = ((storage_t *)THTensor_data(self))[i * self->stride[0]];
    return status;
}

int THTensor_(summed)(THTensor *result, THTensor *self)
{
    const int status = THTensor_resizeOutput("summed", result, 0, NULL);
    scalar_t sum = 0;
    for (int64_t i = 0; status == TH_OK && i < self->size[0]; i++)
        sum = (scalar_t)(sum + TH_LOAD((storage_t *)THTensor_data(self) + i * self->stride[0]));
    if (status == TH_OK)
        TH_STORE((storage_t *)THTensor_data(result), sum);
    return status;
}

int THTensor_(untested)(THTensor *result, THTensor *self)
{
    return THTensor_(times)(result, self, 1);
}

int THTensor_(elsewhere)(THTensor *result, THTensor *self)
{
    return THTensor_(times)(result, self, 1);
}
"""

# Ops that use memory they may not, and for each the line that does.
FAULTS = """
- generic: own.c

- name: overrun
  types: [Float]
  arguments: [{arg: THTensor* result, output: true}, {arg: THTensor* self, assert_ndim: 1}]
  sample: {self: [10]}
  reference: self

- name: overread
  types: [Float]
  arguments: [{arg: THTensor* result, output: true}, {arg: THTensor* self, assert_ndim: 1}]
  sample: {self: [10]}
  reference: self

- name: stale
  types: [Float]
  arguments: [{arg: THTensor* result, output: true}, {arg: THTensor* self, assert_ndim: 1}]
  sample: {self: [10]}
  reference: self

- name: body_behind
  types: [Double]
  arguments: [THTensor* self]
  core: (n)->(n)
  sample: {self: [10]}
  reference: self
  body: |
    for (int64_t i = 0; i < n; i++)
        result[i] = self[i];
    result[n] = 0; /* body_behind */
"""

FAULTS_C = """
static int THTensor_(copied)(THTensor *result, THTensor *self, int64_t shift, int64_t beyond)
{
    const int64_t n = self->size[0];
    const int status = THTensor_resizeOutput("copied", result, 1, &n);
    if (status != TH_OK)
        return status;
    const storage_t *from = THTensor_data(self);
    storage_t *to = THTensor_data(result);
    for (int64_t i = 0; i < n; i++)
        TH_STORE(to + i * result->stride[0], TH_LOAD(from + (i + shift) * self->stride[0])); // overread
    if (beyond)
        TH_STORE(to + n * result->stride[0], 0); // overrun
    return TH_OK;
}

int THTensor_(overrun)(THTensor *result, THTensor *self)
{
    return THTensor_(copied)(result, self, 0, 1);
}

int THTensor_(overread)(THTensor *result, THTensor *self)
{
    return THTensor_(copied)(result, self, 1, 0);
}

int THTensor_(stale)(THTensor *result, THTensor *self)
{
    THTensor *copy = NULL;
    const int status = THTensor_newZerosLike(&copy, self, -1);
    if (status != TH_OK)
        return status;
    const storage_t *from = THTensor_data(copy);
    THTensor_free(copy);
    if (TH_LOAD(from) != 0) // stale
        return TH_OK;
    return THTensor_(copied)(result, self, 0, 0);
}
"""

CRASHING = """
- generic: own.c

- name: crash
  types: [Float]
  arguments: [{arg: THTensor* result, output: true}, {arg: THTensor* self, assert_ndim: 1}]
  reference: self
"""

CRASHING_C = """
int THTensor_(crash)(THTensor *result, THTensor *self)
{
    (void)result;
    *(volatile int *)(size_t)self->size[0] = 0;
    return TH_OK;
}
"""

# Nothing is wrong with these: an op of every kind.
KINDS = """
- c: |
    static inline scalar_t softer(scalar_t x, scalar_t a) { return x > a ? a + TH_MATH(log1p)(x - a) : x; }

- name: softclip
  types: [Float, Double]
  arguments: [THTensor* self, THTensor* at]
  kernel: "softer(self, at)"
  reference: numpy.where(self > at, at + numpy.log1p(numpy.where(self > at, self - at, 0)), self)
  sample: {self: {from: -9, to: 9}, at: {from: -9, to: 9}}

- name: polar_parts
  types: [floating_point]
  promote: float
  variants: [function]
  arguments:
    - {arg: THTensor* radius, output: true}
    - {arg: THTensor* angle, output: true}
    - THTensor* x
    - THTensor* y
  kernel: |
    squares = x * x + y * y;
    radius = sqrt(squares);
    angle = atan2(y, x);
  reference: (numpy.sqrt(x * x + y * y), numpy.arctan2(y, x))
  sample: {x: {from: -9, to: 9}, y: {from: -9, to: 9}}

- name: tiled
  core: "(n)->(k)"
  core_dims: {k: "times * n"}
  arguments: [THTensor* self, {arg: long times, default: 2}]
  body: |
    for (int64_t i = 0; i < k; i++)
        result[i] = self[i % n];
  reference: numpy.concatenate([self] * times, -1)
  tolerance: []

- name: weighted_mean
  types: [floating_point]
  core: "(n),(n)->()"
  arguments: [THTensor* self, THTensor* weight]
  body: |
    scalar_t sum = 0, all = 0;
    for (int64_t i = 0; i < n; i++) {
        sum += weight[i] * self[i];
        all += weight[i];
    }
    result[0] = sum / all;
  reference: numpy.sum(weight * self, -1) / numpy.sum(weight, -1)
  sample: {weight: {from: 0.5, to: 2}}
"""

SAMPLES = """
- name: misnamed
  arguments: [THTensor* self]
  kernel: "self"
  reference: self
  sample: {slef: positive}

- name: misspelt
  arguments: [THTensor* self]
  kernel: "self"
  reference: self
  sample: {self: postive}

- name: half
  arguments: [THTensor* self]
  kernel: "self"
  reference: self
  sample: [{}, {self: {from: 1, dtype: float23, upto: 2}}]

- name: text
  arguments: [THTensor* self]
  kernel: "self"
  reference: self
  sample: positive

- name: sized
  cname: THTensor_newView
  return: THTensor*
  arguments: [THTensor* self, THSize* size]
  reference: self
"""
