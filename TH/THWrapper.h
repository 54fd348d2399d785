/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What generated wrappers use beside the engine's checks: small things that are inlined into them.
 */
#ifndef TH_WRAPPER_H
#define TH_WRAPPER_H

#include <TH/THExplain.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Sets of dtypes; TH_TYPES_<GROUP> are generated. */
#define TH_TYPE_BIT(dtype) (1u << (dtype))

/* TypeError that lists the dtypes of the set: "prelu: expected float16, float32 or float64, got
 * int64". */
TH_API int THError_types(const char *op, THDtype dtype, uint32_t types);
static inline int THCheck_types(const char *op, THDtype dtype, uint32_t types)
{
    return TH_LIKELY(types >> dtype & 1) ? TH_OK : THError_types(op, dtype, types);
}

/* TypeError unless the tensor has one of two dtypes. */
TH_API int THCheck_eitherDtype(const char *op, const char *argument, const THTensor *tensor,
                               THDtype one, THDtype other);

/* A list that is not empty and has no NULL in it. */
TH_API int THCheck_list(const char *op, const char *argument, THTensor *const *tensors, int n);

TH_API int THCheck_ndimAtLeast(const char *op, const char *argument, const THTensor *tensor,
                               int nDimension);

/* The argument expanded to these sizes, which it must go with. */
TH_API int THWrapper_newExpanded(const char *op, const char *argument, THTensor **out,
                                 THTensor *tensor, const int64_t *size, int nsize);

/* A list of dims as a bit mask; no dims at all stand for every dim. */
TH_API int THCheck_dimMask(const char *op, const char *argument, const THTensor *tensor,
                           const int64_t *dims, int ndims, uint64_t *mask);

/* An argument in the dtype of the call, until THWrapper_freeCast: itself where it has that dtype.
 */
static inline int THWrapper_cast(THTensor **out, THTensor *tensor, THDtype dtype)
{
    if (TH_UNLIKELY(tensor->dtype != dtype || THTensor_isNumber(tensor)))
        return THTensor_newCast(out, tensor, dtype);
    *out = tensor;
    return TH_OK;
}
/* The same for a function that converts what it reads itself, to the dtype that it computes in,
 * unless elements are to be rounded (float16), or become 0 and 1 (bool), before they get there.
 * Integers wrap alike in wider ones. */
static inline int THWrapper_castRead(THTensor **out, THTensor *tensor, THDtype dtype)
{
    const bool isRead = THDtype_computes[dtype] == dtype && dtype != TH_BOOL;
    if (!isRead || THTensor_isNumber(tensor))
        return THWrapper_cast(out, tensor, dtype);
    *out = tensor;
    return TH_OK;
}
static inline void THWrapper_freeCast(THTensor *cast, const THTensor *tensor)
{
    if (cast != tensor)
        THTensor_free(cast);
}

/* A dtype asked for by the caller (-1: none) replaces the promoted one. */
static inline int THCheck_dtypeGiven(const char *op, int given, THDtype *dtype)
{
    if (given < 0)
        return TH_OK;
    TH_CHECK(THDtype_isValid(given), TH_ERROR_TYPE, "%s: %d is not a dtype", op, given);
    *dtype = (THDtype)given;
    return TH_OK;
}

/* The dtype sums have: integers and bool are summed as int64. */
static inline THDtype THDtype_accumulate(THDtype dtype)
{
    return THDtype_category(dtype) == TH_CATEGORY_FLOATING ? dtype : TH_LONG;
}

/* The dtype of truth values: bool; of uint8, which bool once was, uint8 unless the caller's tensor
 * is bool. */
static inline THDtype THDtype_truth(THDtype dtype, const THTensor *given)
{
    return dtype == TH_BYTE && (given == NULL || given->dtype != TH_BOOL) ? TH_BYTE : TH_BOOL;
}

/* Announces the elements of the tensors, each of `cost` elementary steps; free without hooks. */
static inline void THWork_enter(THWork *work, int cost, THTensor *const *tensors, int n)
{
    if (THWork_hooks != NULL)
        THWork_beginElements(work, cost, tensors, n);
}

/* The same for operands that broadcast to a shape. */
static inline void THWork_enterShaped(THWork *work, int cost, const THShape *shape,
                                      THTensor *const *tensors, int n)
{
    if (THWork_hooks != NULL &&
        (shape->run == 0 || (int64_t)shape->run * cost * n >= TH_WORK_LEAST ||
         THExplain_current != NULL))
        THWork_beginElements(work, cost, tensors, n);
}

#ifdef __cplusplus
}
#endif
#endif
