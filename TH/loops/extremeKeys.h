/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to extreme.c and extremeHalves.c, within their generic parts: what is compared, and how.
 */

#define INLINE static inline __attribute__((always_inline))
#define ONCE TH_ONCE
#define BLOCK_ROWS (VECTOR_BYTES > 16 ? 8 : 16)
#define CHECKED 64 /* blocks after which a line is left where there is NaN ... */
#define ANY_NAN(lanes) (HAS_NAN && THRegister_isAny(lanes)) /* ... if there can be */

#if defined(TH_REAL_IS_DOUBLE) || defined(TH_REAL_IS_LONG)
#define index_t int64_t
#define place_t int64_t
#elif defined(TH_REAL_IS_FLOAT) || defined(TH_REAL_IS_INT)
#define index_t int32_t
#define place_t int32_t
#elif defined(TH_REAL_IS_SHORT) || defined(TH_REAL_IS_HALF)
#define index_t int16_t
#define place_t int16_t
#else
#define index_t int8_t
#define place_t int16_t /* within a block */
#endif
/* Loops compare keys, and return values: VALUE of a key, unless this HAS_SIGN, as zeros have, or
 * other bits by which equal elements differ: then that of the first one. */
#if defined(TH_REAL_IS_HALF)
#define key_t int16_t
#define KEY(x, flip) keyOfHalf(x, flip)
#define KEYS(x, flip) keysOfHalves(x, flip)
#define value_t scalar_t
#define VALUE(key, flip) valueOfKey(key, flip)
#define VALUE_AT(x) TH_HALF_LOAD(x)
#define UNORDERED(x, y) ((void)(x), (void)(y), false)
#define HAS_NAN 0 /* among keys */
#define HAS_SIGN(key, flip) ((key) == KEY_OF_NAN || (key) == KEY((storage_t){0}, flip))
#define UNORDERED_LANES(x, y) ((void)(x), (void)(y), (THLoop_(Places)){0})
#define MOST_OF THRegister_mostShort
#elif defined(TH_CATEGORY_IS_FLOATING)
#define key_t scalar_t
#define MOST_OF TH_CONCAT_2(THRegister_most, Real)
#define EXTREME_VALUE d
#define KEY(x, flip) ((void)(flip), (x))
#define KEYS(x, flip) KEY(x, flip)
#define value_t key_t
#define VALUE(key, flip) KEY(key, flip)
#define VALUE_AT(x) (*(x))
#define UNORDERED(x, y) __builtin_isunordered(x, y)
#define UNORDERED_LANES(x, y) TH_CONCAT_2(THRegister_unordered, Real)(x, y)
#define HAS_NAN 1
#define HAS_SIGN(key, flip) ((key) == 0)
#define HAVE_SIGN(keys) ((keys) == 0)
#define FOR_NAN ONCE
#else
#define key_t index_t
#define MOST_OF TH_CONCAT_2(THRegister_most, Real)
#define EXTREME_VALUE l
#define KEY(x, flip) ((key_t)((x) ^ (flip)))
#define KEYS(x, flip) ((x) ^ (flip))
#define value_t key_t
#define VALUE(key, flip) KEY(key, flip)
#define VALUE_AT(x) ((key_t) * (x))
#define UNORDERED(x, y) ((void)(x), (void)(y), false)
#define UNORDERED_LANES(x, y) ((void)(x), (void)(y), (THLoop_(Places)){0})
#define HAS_NAN 0
#define HAS_SIGN(key, flip) ((void)(key), false)
#define HAVE_SIGN(keys) ((void)(keys), (THLoop_(Places)){0})
#define FOR_NAN INLINE /* and gone; with a call gcc's -O1 makes no vectors */
#endif
/* Lanes of a line are a register. */
typedef key_t THLoop_(Keys) __attribute__((vector_size(VECTOR_BYTES)));
typedef index_t THLoop_(Places) __attribute__((vector_size(VECTOR_BYTES)));
#define LANES ((int)(VECTOR_BYTES / sizeof(key_t)))
#define FEW_LANES ((int)(16 / sizeof(key_t)))
#define BLOCK (BLOCK_ROWS * LANES)
#define SHORT_LINE (3 * BLOCK)
#define MOST ((index_t)(~UINT64_C(0) >> (65 - 8 * sizeof(index_t)))) /* an index_t holds */
_Static_assert(TH_REDUCE_LONG_CHUNK / BLOCK < MOST && TH_REDUCE_ROWS - 1 <= MOST,
               "places fit in index_t");

INLINE bool THLoop_(beats)(bool max, key_t x, key_t y)
{
    return max ? x > y : x < y;
}
