int THTensor_(wrapper_locals)(THTensor *result, THTensor *self, THTensor *self_cast, THTensor *self_expanded,
                              THTensor *inputs, THTensor *others, scalar_t status, double work, bool touched, int64_t shape);
int THTensor_(binding_locals)(THTensor *result, THTensor *self, THTensor *x, THTensor *x_number, int64_t objects,
                              double results, bool outcome, const char *signature);
int THTensor_(lengths)(THTensor *result, THTensor *self, uint64_t dim, int64_t ndim, bool dim_mask, const int64_t *size,
                       int n, int64_t nsize, int64_t size_n, double self_size, int64_t dim_n);
int THTensor_(expansions)(THTensor *result, THTensor *self, THTensor *mat, THTensor *self_size, THTensor *self_expanded,
                          scalar_t broadcast);
int THTensor_(library_names)(THTensor *result, THTensor *self, THTensor *tensor, int64_t promote, bool try, double width,
                             scalar_t object, int64_t none);
int THTensor_(out_names)(THTensor *values, THTensor *indices, THTensor *self, THTensor *out_values, scalar_t out_indices);
int THTensor_(output_names)(THTensor *out, THTensor *status, THTensor *other, THTensor *self);
int THTensor_(in_place)(THTensor *self, THTensor *result, THTensor *others, scalar_t inputs);
