/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Conversions of contiguous runs between all pairs of dtypes.
 *
 * One rule on every machine and in every vector: integers wrap; floating point becomes an integer
 * by truncation, and what does not fit (NaN too) gives the smallest int32, cut to the width, or the
 * smallest int64; Bool is whether the element differs from zero; to floating point everything is
 * rounded once. The file includes itself twice for each dtype: first as a target (how one element
 * is made), then as a source (its loops to all targets). */
#if !defined(TH_GENERIC_FILE)

#include <TH/engine/THMove.h>
#include <TH/loops/longs.h>
#include <TH/loops/widened.h>

#include <string.h>

/* That of what does not fit is the rule of x86's instructions, too, to which compilers leave it. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define TRUNCATE(type, x, otherwise) ((type)(x))
#else
#define TRUNCATE(type, x, otherwise) (otherwise)
#endif
static inline int32_t truncateFloat(float x)
{
    return TRUNCATE(int32_t, x, x >= -2147483648.0f && x < 2147483648.0f ? (int32_t)x : INT32_MIN);
}
static inline int64_t truncateFloatLong(float x)
{
    return TRUNCATE(int64_t, x,
                    x >= -9223372036854775808.0f && x < 9223372036854775808.0f ? (int64_t)x
                                                                               : INT64_MIN);
}
static inline int32_t truncateDouble(double x)
{
    return TRUNCATE(int32_t, x, THDouble_toInt(x));
}
static inline int64_t truncateDoubleLong(double x)
{
    return TRUNCATE(int64_t, x, THDouble_toLong(x));
}
#undef TRUNCATE

/* Cut to 24 significant bits, the last one set if anything was lost: such a number can be rounded
 * to 22 bits or fewer by way of float without being rounded twice. */
static inline double roundToOdd(double x)
{
    const uint64_t mask = (UINT64_C(1) << 29) - 1;
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = (bits & ~mask) | (bits & mask ? mask + 1 : 0);
    memcpy(&x, &bits, sizeof bits);
    return x;
}

/* What rounds to the same Half. */
#define NEAR_FLOAT(x) ((float)_Generic(x, double: roundToOdd, default: sameFloat)(x))
static inline float sameFloat(float x)
{
    return x;
}

/* Without AVX-512, AVX2 has no conversions between int64 and floating point: one element at a time
 * takes twice as long as memory. */
#if defined(__AVX2__) && !defined(__AVX512DQ__)
#define LONGS_BY_BITS 1
#else
#define LONGS_BY_BITS 0
#endif
#define LONGS_BLOCK 32
/* Elements of a block of bytes, and what is left of such that is converted one by one. */
#define ENDED INT64_C(64)
#define ENDED_LEFT 4

/* The sum with 1.5 * 2^52 has the integer in its last bits. */
static inline int64_t smallLong(double x)
{
    const double sum = __builtin_trunc(x) + 0x1.8p52;
    int64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    return bits - INT64_C(0x4338000000000000);
}

static inline double doubleOfLong(int64_t x)
{
    return THDouble_ofBits64((uint64_t)x, true);
}

/* By way of double, from which what lies beyond its bits is kept as the last one that it has: so
 * that it is rounded once. */
static inline float floatOfLong(int64_t x)
{
    const bool isLarge = x < -(INT64_C(1) << 53) || x > INT64_C(1) << 53;
    const int64_t odd = (((x & 2047) + 2047) | x) & ~INT64_C(2047);
    return (float)doubleOfLong(isLarge ? odd : x);
}

/* Blocks of which every element is small, others one by one. */
#define DEFINE_LONGS(name, To, From, convert, one, isSmall)                                  \
    static inline void name(int64_t n, To *restrict to, const From *restrict from)           \
    {                                                                                        \
        int64_t i = 0;                                                                       \
        for (; i + LONGS_BLOCK <= n; i += LONGS_BLOCK) {                                     \
            int64_t large = 0;                                                               \
            _Pragma("omp simd reduction(|: large)") for (int k = 0; k < LONGS_BLOCK; k++)    \
            {                                                                                \
                const From x = from[i + k];                                                  \
                large |= isSmall ? 0 : -1;                                                   \
                to[i + k] = convert;                                                         \
            }                                                                                \
            const int left = large != 0 ? LONGS_BLOCK : 0;                                   \
            _Pragma("omp simd") for (int k = 0; k < left; k++) to[i + k] = one(from[i + k]); \
        }                                                                                    \
        for (; i < n; i++)                                                                   \
            to[i] = one(from[i]);                                                            \
    }
DEFINE_LONGS(longsOfDoubles, int64_t, double, smallLong(x), truncateDoubleLong,
             __builtin_fabs(x) < 0x1p51)
DEFINE_LONGS(longsOfFloats, int64_t, float, smallLong((double)x), truncateFloatLong,
             __builtin_fabs((double)x) < 0x1p51)
DEFINE_LONGS(doublesOfLongs, double, int64_t, doubleOfLong(x), doubleOfLong, true)
DEFINE_LONGS(floatsOfLongs, float, int64_t, (float)doubleOfLong(x), floatOfLong,
             x >= -(INT64_C(1) << 53) && x <= INT64_C(1) << 53)
#undef DEFINE_LONGS

#define DECLARE_CAST(to, code) TH_LOOP_DECLARE(TH_CONCAT_2(th_cast_Byte_##to##_, TH_ISA));
TH_FORALL_DTYPES(DECLARE_CAST)
#undef DECLARE_CAST

#define TH_CAST_TARGET
#define TH_GENERIC_FILE "TH/loops/cast.c"
#include <TH/THGenerateAllTypes.h>
#undef TH_CAST_TARGET
#define TH_GENERIC_FILE "TH/loops/cast.c"
#include <TH/THGenerateAllTypes.h>

/* Half and Float by the machine's own instruction where it has one. The last vector may overlap the
 * one before. */
#if TH_HALVES > 1
#define DEFINE_HALVES(name, To, From, convert)                  \
    TH_LOOP_DECLARE(TH_ISA_(name))                              \
    {                                                           \
        To *const to = data[0];                                 \
        const From *const from = data[1];                       \
        (void)params;                                           \
        for (int64_t i = 0; i + TH_HALVES <= n; i += TH_HALVES) \
            convert(to + i, from + i);                          \
        if (n > TH_HALVES) {                                    \
            convert(to + n - TH_HALVES, from + n - TH_HALVES);  \
        } else if (n % TH_HALVES != 0) {                        \
            To someTo[TH_HALVES];                               \
            From some[TH_HALVES] = {0};                         \
            memcpy(some, from, (size_t)n * sizeof some[0]);     \
            convert(someTo, some);                              \
            memcpy(to, someTo, (size_t)n * sizeof someTo[0]);   \
        }                                                       \
    }
DEFINE_HALVES(th_widen, float, uint16_t, TH_HALVES_WIDEN)
DEFINE_HALVES(th_narrow, uint16_t, float, TH_HALVES_NARROW)
#undef DEFINE_HALVES
#else
TH_LOOP_DECLARE(TH_ISA_(th_widen))
{
    TH_CONCAT_2(th_cast_Half_Float_, TH_ISA)(n, data, params);
}

TH_LOOP_DECLARE(TH_ISA_(th_narrow))
{
    TH_CONCAT_2(th_cast_Float_Half_, TH_ISA)(n, data, params);
}
#endif

#elif defined(TH_CAST_TARGET)

#define element_t TH_CONCAT_2(Element, Real)
#define MAKE(kind) TH_CONCAT_3(make, Real, kind)
typedef storage_t element_t;

#if defined(TH_CATEGORY_IS_FLOATING)
static inline element_t MAKE(Int)(int32_t x)
{
    element_t result;
    TH_STORE(&result, (scalar_t)x);
    return result;
}
static inline element_t MAKE(Long)(int64_t x)
{
    element_t result;
    TH_STORE(&result, (scalar_t)x);
    return result;
}
static inline element_t MAKE(Float)(float x)
{
    element_t result;
    TH_STORE(&result, (scalar_t)x);
    return result;
}
static inline element_t MAKE(Double)(double x)
{
    element_t result;
    TH_STORE(&result, (scalar_t)(sizeof(element_t) < sizeof(scalar_t) ? roundToOdd(x) : x));
    return result;
}
#else
#if defined(TH_CATEGORY_IS_BOOL)
#define FROM_INTEGER(x) ((x) != 0)
#define FROM_FLOATING(x, narrow, wide) ((x) != 0)
#else
#define FROM_INTEGER(x) (x)
#define FROM_FLOATING(x, narrow, wide) (sizeof(element_t) == 8 ? wide(x) : narrow(x))
#endif
static inline element_t MAKE(Int)(int32_t x)
{
    return (element_t)FROM_INTEGER(x);
}
static inline element_t MAKE(Long)(int64_t x)
{
    return (element_t)FROM_INTEGER(x);
}
static inline element_t MAKE(Float)(float x)
{
    return (element_t)FROM_FLOATING(x, truncateFloat, truncateFloatLong);
}
static inline element_t MAKE(Double)(double x)
{
    return (element_t)FROM_FLOATING(x, truncateDouble, truncateDoubleLong);
}
#undef FROM_INTEGER
#undef FROM_FLOATING
#endif
#undef element_t
#undef MAKE

#else

/* To Half by way of blocks of floats, of which the last may overlap the one before. */
static inline void TH_CONCAT_2(halvesOf, Real)(int64_t n, THHalf *to, const storage_t *from)
{
    storage_t someSource[TH_WIDENED_LANES];
    THHalf someResult[TH_WIDENED_LANES], *target = to;
    const int64_t most = n < TH_WIDENED_LANES ? 0 : n - TH_WIDENED_LANES;
    if (n < TH_WIDENED_LANES) {
        from = memcpy(someSource, from, (size_t)n * sizeof someSource[0]);
        target = someResult;
    }
    for (int64_t i = 0; i < n; i += TH_WIDENED_LANES) {
        const int64_t at = i < most ? i : most;
        _Alignas(64) float block[TH_WIDENED_LANES];
#pragma omp simd
        for (int k = 0; k < TH_WIDENED_LANES; k++)
            block[k] = NEAR_FLOAT(TH_LOAD(&from[at + k]));
        THHalf_narrow(target, block, at);
    }
    if (n < TH_WIDENED_LANES)
        memcpy(to, someResult, (size_t)n * sizeof someResult[0]);
}

#if defined(TH_REAL_IS_HALF) && TH_HALVES > 1
/* By way of blocks of floats, of which the last may overlap the one before. */
#define CONVERT(to)                                                          \
    const THHalf *from = source;                                             \
    THHalf someSource[TH_WIDENED_LANES];                                     \
    Element##to *target = result, someResult[TH_WIDENED_LANES];              \
    const int64_t most = n < TH_WIDENED_LANES ? 0 : n - TH_WIDENED_LANES;    \
    if (n < TH_WIDENED_LANES) {                                              \
        from = memcpy(someSource, source, (size_t)n * sizeof someSource[0]); \
        target = someResult;                                                 \
    }                                                                        \
    for (int64_t i = 0; i < n; i += TH_WIDENED_LANES) {                      \
        const int64_t at = i < most ? i : most;                              \
        _Alignas(64) float block[TH_WIDENED_LANES];                          \
        THHalf_widen(block, from, at);                                       \
        for (int k = 0; k < TH_WIDENED_LANES; k++)                           \
            target[at + k] = make##to##Float(block[k]);                      \
    }                                                                        \
    if (n < TH_WIDENED_LANES)                                                \
        memcpy(result, someResult, (size_t)n * sizeof someResult[0]);
#else
#define CONVERT_FROM(to, begin, end)            \
    for (int64_t i = (begin); i < (end); i++) { \
        const scalar_t x = TH_LOAD(&source[i]); \
        result[i] = _Generic(x,                 \
            float: make##to##Float,             \
            double: make##to##Double,           \
            int64_t: make##to##Long,            \
            default: make##to##Int)(x);         \
    }
/* Of bytes the last ones, which vectors leave, in a block that overlaps the one before: what is
 * converted twice, where bytes are converted in place, stays as it is. */
#define CONVERT(to)                                                                         \
    if (sizeof *result > 1 || sizeof *source > 4 || n < ENDED || n % ENDED <= ENDED_LEFT) { \
        CONVERT_FROM(to, 0, n)                                                              \
    } else {                                                                                \
        const int64_t whole = n & -ENDED;                                                   \
        CONVERT_FROM(to, 0, whole)                                                          \
        CONVERT_FROM(to, n - ENDED, n)                                                      \
    }
#endif

#define DEFINE_CAST(to, code)                                                                \
    __attribute__((noinline)) TH_LOOP_DECLARE(TH_CONCAT_4(th_cast_, Real, _##to##_, TH_ISA)) \
    {                                                                                        \
        const storage_t *restrict source = data[1];                                          \
        Element##to *restrict result = data[0];                                              \
        (void)params;                                                                        \
        if (code == TH_DTYPE && code != TH_BYTE)                                             \
            return; /* never called: the engine copies */                                    \
        if (TH_HALVES > 1 && code == TH_HALF) {                                              \
            TH_CONCAT_2(halvesOf, Real)(n, data[0], source);                                 \
            return;                                                                          \
        }                                                                                    \
        if (code == TH_CHAR) { /* has the bits of a Byte */                                  \
            TH_CONCAT_4(th_cast_, Real, _Byte_, TH_ISA)(n, data, params);                    \
            return;                                                                          \
        }                                                                                    \
        if (TH_DTYPE == TH_CHAR && (code == TH_BYTE || code == TH_BOOL)) {                   \
            TH_CONCAT_2(th_cast_Byte_##to##_, TH_ISA)(n, data, params);                      \
            return;                                                                          \
        }                                                                                    \
        if (TH_DTYPE == TH_BOOL && code == TH_BYTE) {                                        \
            TH_ISA_(th_cast_Byte_Bool)(n, data, params);                                     \
            return;                                                                          \
        }                                                                                    \
        if (LONGS_BY_BITS && TH_DTYPE == TH_DOUBLE && code == TH_LONG)                       \
            longsOfDoubles(n, data[0], data[1]);                                             \
        else if (LONGS_BY_BITS && TH_DTYPE == TH_FLOAT && code == TH_LONG)                   \
            longsOfFloats(n, data[0], data[1]);                                              \
        else if (LONGS_BY_BITS && TH_DTYPE == TH_LONG && code == TH_DOUBLE)                  \
            doublesOfLongs(n, data[0], data[1]);                                             \
        else if (LONGS_BY_BITS && TH_DTYPE == TH_LONG && code == TH_FLOAT)                   \
            floatsOfLongs(n, data[0], data[1]);                                              \
        else {                                                                               \
            CONVERT(to)                                                                      \
        }                                                                                    \
    }
TH_FORALL_DTYPES(DEFINE_CAST)
#undef DEFINE_CAST
#undef CONVERT
#undef CONVERT_FROM

#endif
