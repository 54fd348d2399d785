/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Dtypes: the enum and the tables are written from declarations/dtypes.yaml. */
#ifndef TH_DTYPE_H
#define TH_DTYPE_H

#include <TH/THHalf.h>
#include <TH/THScalar.h>

/* Generated: `typedef enum THDtype { TH_BYTE = 0, ... }`, TH_DTYPE_LIMIT, TH_FORALL_DTYPES(X), and
 * for each Real the conversions of a scalar: `scalar_t TH<Real>_fromScalar(THScalar)`. */
#include <TH/THDtypeList.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum THCategory {
    TH_CATEGORY_BOOL = 0,
    TH_CATEGORY_INTEGRAL = 1,
    TH_CATEGORY_FLOATING = 2
} THCategory;

/* Generated tables, indexed by THDtype; entries of unused codes are zero. */
TH_API extern const uint8_t THDtype_sizes[TH_DTYPE_LIMIT];
TH_API extern const uint8_t THDtype_categories[TH_DTYPE_LIMIT];
TH_API extern const uint8_t THDtype_computes[TH_DTYPE_LIMIT]; /* dtype whose loops serve this one */
TH_API extern const char *const
    THDtype_names[TH_DTYPE_LIMIT];                        /* "float32", NULL for unused codes */
TH_API extern const char THDtype_formats[TH_DTYPE_LIMIT]; /* PEP 3118: 'f', '?' for bool */
TH_API extern const char *const
    THDtype_aliases[TH_DTYPE_LIMIT]; /* further names, blanks between; NULL for none */
TH_API extern const uint8_t THDtype_promotions[TH_DTYPE_LIMIT][TH_DTYPE_LIMIT];

static inline int64_t THDtype_size(THDtype dtype)
{
    return THDtype_sizes[dtype];
}
static inline THCategory THDtype_category(THDtype dtype)
{
    return (THCategory)THDtype_categories[dtype];
}
static inline const char *THDtype_name(THDtype dtype)
{
    return (unsigned)dtype < TH_DTYPE_LIMIT && THDtype_names[dtype] ? THDtype_names[dtype]
                                                                    : "unknown dtype";
}
static inline bool THDtype_isValid(int code)
{
    return code >= 0 && code < TH_DTYPE_LIMIT && THDtype_sizes[code] != 0;
}
/* The smallest dtype both fit in, by PyTorch's lattice. */
static inline THDtype THDtype_promote(THDtype a, THDtype b)
{
    return (THDtype)THDtype_promotions[a][b];
}
/* May a result of this dtype be stored as `to`? Categories may rise, not fall. */
static inline bool THDtype_canCast(THDtype from, THDtype to)
{
    return THDtype_categories[from] <= THDtype_categories[to];
}

/* The dtype of integers turned into floating point, and of Python floats: TH_FLOAT unless set. */
TH_API THDtype THDtype_default(void);
TH_API int THDtype_setDefault(THDtype dtype); /* TypeError unless floating */

#ifdef __cplusplus
}
#endif
#endif
