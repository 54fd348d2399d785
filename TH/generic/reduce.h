/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reductions. `dim` is a bit mask of dims, 0 means all of them. Sums, products and counts are
 * stored in whatever result dtype holds them: Long, or the dtype itself. */
TH_API int THTensor_(sum)(THTensor *result, THTensor *self, uint64_t dim, bool keepdim);
TH_API int THTensor_(prod)(THTensor *result, THTensor *self, uint64_t dim, bool keepdim);
TH_API int THTensor_(all)(THTensor *result, THTensor *self, uint64_t dim, bool keepdim);
TH_API int THTensor_(any)(THTensor *result, THTensor *self, uint64_t dim, bool keepdim);
TH_API int THTensor_(count_nonzero)(THTensor *result, THTensor *self, uint64_t dim);

/* Extremes: NaN wins, the index is that of the first extreme element; with several dims it counts
 * them in row-major order. */
TH_API int THTensor_(max)(THTensor *values, THTensor *indices, THTensor *self, int64_t dim,
                          bool keepdim);
TH_API int THTensor_(min)(THTensor *values, THTensor *indices, THTensor *self, int64_t dim,
                          bool keepdim);
TH_API int THTensor_(maxall)(THTensor *result, THTensor *self);
TH_API int THTensor_(minall)(THTensor *result, THTensor *self);
TH_API int THTensor_(amax)(THTensor *result, THTensor *self, uint64_t dim, bool keepdim);
TH_API int THTensor_(amin)(THTensor *result, THTensor *self, uint64_t dim, bool keepdim);
TH_API int THTensor_(aminmax)(THTensor *min, THTensor *max, THTensor *self, uint64_t dim,
                              bool keepdim);
TH_API int THTensor_(argmax)(THTensor *result, THTensor *self, uint64_t dim, bool keepdim);
TH_API int THTensor_(argmin)(THTensor *result, THTensor *self, uint64_t dim, bool keepdim);

#ifdef TH_CATEGORY_IS_FLOATING
TH_API int THTensor_(mean)(THTensor *result, THTensor *self, uint64_t dim, bool keepdim);
/* The divisor is n - correction, or 0 where that is negative. */
TH_API int THTensor_(var)(THTensor *result, THTensor *self, uint64_t dim, double correction,
                          bool keepdim);
TH_API int THTensor_(std)(THTensor *result, THTensor *self, uint64_t dim, double correction,
                          bool keepdim);
TH_API int THTensor_(norm)(THTensor *result, THTensor *self, double p, uint64_t dim, bool keepdim);
TH_API int THTensor_(normNamed)(THTensor *result, THTensor *self, const char *p, uint64_t dim,
                                bool keepdim);
TH_API int THTensor_(logsumexp)(THTensor *result, THTensor *self, uint64_t dim, bool keepdim);
#endif
