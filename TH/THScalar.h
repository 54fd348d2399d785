/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A number by value with its kind. A double alone would lose int64 values and the category that
 * promotion needs. */
#ifndef TH_SCALAR_H
#define TH_SCALAR_H

#include <TH/THGeneral.h>

#ifdef __cplusplus
extern "C" {
#endif

/* kinds; room is left for complex numbers */
enum {
    TH_SCALAR_BOOL = 0,
    TH_SCALAR_LONG = 1,
    TH_SCALAR_ULONG = 2, /* only for values above INT64_MAX */
    TH_SCALAR_DOUBLE = 3,
};

/* `kind` is as wide as the value: whole words are copied without waiting for their parts. */
typedef struct THScalar {
    int64_t kind;
    union {
        int64_t l; /* BOOL (0 or 1) and LONG */
        uint64_t u;
        double d;
        double z[2]; /* reserved */
    } value;
} THScalar;

static inline THScalar THScalar_fromBool(bool b)
{
    THScalar s = {TH_SCALAR_BOOL, {0}};
    s.value.l = b ? 1 : 0;
    return s;
}
static inline THScalar THScalar_fromLong(int64_t l)
{
    THScalar s = {TH_SCALAR_LONG, {0}};
    s.value.l = l;
    return s;
}
static inline THScalar THScalar_fromDouble(double d)
{
    THScalar s = {TH_SCALAR_DOUBLE, {0}};
    s.value.d = d;
    return s;
}

/* Float to integer on every machine alike: truncation; NaN and what does not fit give the smallest
 * value. */
static inline int64_t THDouble_toLong(double d)
{
    return d >= -9223372036854775808.0 && d < 9223372036854775808.0 ? (int64_t)d : INT64_MIN;
}
static inline int32_t THDouble_toInt(double d)
{
    return d > -2147483649.0 && d < 2147483648.0 ? (int32_t)d : INT32_MIN;
}

static inline double THScalar_toDouble(THScalar s)
{
    return s.kind == TH_SCALAR_DOUBLE  ? s.value.d
           : s.kind == TH_SCALAR_ULONG ? (double)s.value.u
                                       : (double)s.value.l;
}
static inline int64_t THScalar_toLong(THScalar s)
{
    return s.kind == TH_SCALAR_DOUBLE ? THDouble_toLong(s.value.d) : s.value.l; /* a ULONG wraps */
}
static inline bool THScalar_toBool(THScalar s)
{
    return s.kind == TH_SCALAR_DOUBLE ? s.value.d != 0 : s.value.l != 0;
}

#ifdef __cplusplus
}
#endif
#endif
