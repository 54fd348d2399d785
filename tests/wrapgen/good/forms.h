int THTensor_(swapped)(THTensor *values, THTensor *indices, THTensor *self, int64_t dim);
int THTensor_(again)(THTensor *result, THTensor *self, THTensor *same, int zero, const char *text, int64_t dim, int64_t same_dim);
int THTensor_(again_direct)(THTensor *result, THTensor *self, THTensor *other, THTensor *same, double factor, THTensor *same_other);
int THTensor_(before_output)(THTensor *result, THTensor *self);
int THTensor_(before_other)(THTensor *result, THTensor *self);
int THTensor_(before_named)(THTensor *result, THTensor *self, THTensor *other);
int THTensor_(ordered)(THTensor *result, THTensor *self, uint64_t dim, bool keepdim);
int THTensor_(ordered_all)(THScalar *result, THTensor *self);
int THTensor_(ordered_two)(THTensor *values, THTensor *indices, THTensor *self, int64_t dim, bool keepdim);
int THTensor_(method_only)(bool *result, THTensor *self, THTensor *other);
int THTensor_(function_only)(double *result, THTensor *x, THTensor *y);
int THTensor_(value_long)(int64_t *result, THTensor *self);
int THTensor_(nothing)(THTensor *self);
int THTensor_(direct)(THTensor *self, scalar_t value);
int THTensor_(with_result)(THTensor *result, THTensor *self, THTensor *other);
int THTensor_(with_the_gil)(THTensor *result, THTensor *self);
int THTensor_(everything)(THTensor *result, THTensor *const *tensors, int ntensors, const int64_t *size, int nsize,
                          const int64_t *stride, int nstride, int dtype, THGenerator *generator, THStorage *storage, const char *mode,
                          const char *upper, int flag, accreal value, THScalar number);
int THTensor_(dtype_given)(THTensor *result, THTensor *self, THTensor *given);
int THTensor_(common_shape)(THTensor *result, THTensor *self, THTensor *other, THTensor *third);
int THTensor_(common_nullable)(THTensor *result, THTensor *self, THTensor *weight);
int THTensor_(lists)(THTensor *result, THTensor *const *tensors, int ntensors, int64_t dim);
int THTensor_(two_lists)(THTensor *result, THTensor *const *a, int na, THTensor *self, THTensor *const *b, int nb);
int THTensor_(renamed)(THTensor *result, THTensor *self, THTensor *index);
int THTensor_(several)(THTensor *result, THTensor *self, THTensor *other);
