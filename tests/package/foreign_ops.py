"""The declarations that test_foreign.py builds: an op of every kind that meets arrays differently."""

DECLARATIONS = """
- name: ramp
  types: [floating_point]
  promote: float
  arguments: [THTensor* self, THTensor* weight]
  kernel: "self > 0 ? self : weight * self"

- name: halved
  arguments: [THTensor* self]
  types: [numeric]
  kernel: "self / 2"

- name: joined
  variants: [function]
  arguments:
    - {arg: THTensor* result, output: true}
    - THTensorList tensors

- name: extremes
  types: [numeric]
  arguments:
    - {arg: THTensor* low, output: true}
    - {arg: THTensor* high, output: true}
    - {arg: THTensor* self, assert_ndim: 1}

- name: whole
  types: [numeric]
  arguments:
    - {arg: THTensor* result, output: true}
    - {arg: THTensor* self, assert_ndim: 1}

- name: turned
  cname: THTensor_newT
  return: THTensor*
  arguments: [THTensor* self]

- name: gathered
  cname: THTensor_newContiguous
  return: THTensor*
  arguments: [THTensor* self]

- name: shaped
  cname: THTensor_newView
  return: THTensor*
  arguments: [THTensor* self, {arg: THSize* size, long_args: true}]

- name: raised
  types: [numeric]
  options:
    - overload: Tensor
      arguments: [THTensor* self, {arg: THTensor* other, number: false}]
      kernel: "self + other"
    - overload: Scalar
      arguments: [THTensor* self, real other]
      kernel: "self + other + 100"
"""

GENERIC = """
int THTensor_(joined)(THTensor *result, THTensor *const *tensors, int tensors_n)
{
    int64_t n = 0, at = 0;
    for (int i = 0; i < tensors_n; i++)
        n += THTensor_nElement(tensors[i]);
    const int status = THTensor_resizeOutput("joined", result, 1, &n);
    for (int i = 0; status == TH_OK && i < tensors_n; i++) {
        const storage_t *from = THTensor_data(tensors[i]);
        storage_t *to = THTensor_data(result);
        for (int64_t k = 0; k < tensors[i]->size[0]; k++, at++)
            TH_STORE(to + at * result->stride[0], TH_LOAD(from + k * tensors[i]->stride[0]));
    }
    return status;
}

int THTensor_(extremes)(THTensor *low, THTensor *high, THTensor *self)
{
    int status = THTensor_resizeOutput("extremes", low, 0, NULL);
    if (status == TH_OK)
        status = THTensor_resizeOutput("extremes", high, 0, NULL);
    if (status != TH_OK || self->size[0] == 0)
        return status;
    const storage_t *data = THTensor_data(self);
    scalar_t least = TH_LOAD(data), most = least;
    for (int64_t i = 1; i < self->size[0]; i++) {
        const scalar_t value = TH_LOAD(data + i * self->stride[0]);
        least = value < least ? value : least;
        most = value > most ? value : most;
    }
    TH_STORE((storage_t *)THTensor_data(low), least);
    TH_STORE((storage_t *)THTensor_data(high), most);
    return TH_OK;
}

int THTensor_(whole)(THTensor *result, THTensor *self)
{
    const int status = THTensor_resizeOutput("whole", result, 0, NULL);
    scalar_t sum = 0;
    if (status != TH_OK)
        return status;
    const storage_t *data = THTensor_data(self);
    for (int64_t i = 0; i < self->size[0]; i++)
        sum = (scalar_t)(sum + TH_LOAD(data + i * self->stride[0]));
    TH_STORE((storage_t *)THTensor_data(result), sum);
    return TH_OK;
}
"""
