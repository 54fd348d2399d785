/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Inner loops of equality (TH/ops/THEqualLoops.h), by registers: gcc compares longer vectors
 * element by element. */
#ifndef TH_GENERIC_FILE

#include <TH/THDtype.h>
#include <TH/THHalf.h>
#include <TH/loops/registers.h>
#include <TH/ops/THEqualLoops.h>

#define INLINE static inline __attribute__((always_inline))
#define PARTS 4 /* registers, which do not wait for each other */

#define TH_GENERIC_FILE "TH/loops/equal.c"
#include <TH/THGenerateFloatTypes.h>
#define TH_GENERIC_FILE "TH/loops/equal.c"
#include <TH/THGenerateBoolType.h>

#else

#if defined(TH_REAL_IS_DOUBLE)
typedef int64_t THLoop_(Bits) __attribute__((vector_size(VECTOR_BYTES)));
#elif defined(TH_REAL_IS_FLOAT)
typedef int32_t THLoop_(Bits) __attribute__((vector_size(VECTOR_BYTES)));
#elif defined(TH_REAL_IS_HALF)
typedef int16_t THLoop_(Bits) __attribute__((vector_size(VECTOR_BYTES)));
#else
typedef int8_t THLoop_(Bits) __attribute__((vector_size(VECTOR_BYTES)));
#endif

/* Not 0 where the elements of a register's length differ. */
INLINE THLoop_(Bits) THLoop_(differences)(const void *from, const void *others)
{
#if defined(TH_REAL_IS_HALF) || defined(TH_REAL_IS_BOOL)
    THLoop_(Bits) x, y;
#else
    storage_t __attribute__((vector_size(VECTOR_BYTES))) x, y;
#endif
    memcpy(&x, from, VECTOR_BYTES);
    memcpy(&y, others, VECTOR_BYTES);
#if defined(TH_REAL_IS_HALF)   /* the same are those of the same bits, but for NaN, and zeros */
    return ~(((x == y) & ((x & 0x7fff) <= 0x7c00)) | (((x | y) & 0x7fff) == 0));
#elif defined(TH_REAL_IS_BOOL) /* true is any byte but 0 */
    return (x == 0) ^ (y == 0);
#else
    return x != y;
#endif
}

TH_EQUAL_LOOP_DECLARE(THLoop_(equal));
bool THLoop_(equal)(int64_t n, const void *x, const void *y)
{
    const char *a = x, *b = y;
    THLoop_(Bits) part[PARTS] = {{0}};
    int64_t rest = n * (int64_t)sizeof(storage_t);
    for (; rest >= PARTS * VECTOR_BYTES; rest -= PARTS * VECTOR_BYTES) {
#pragma GCC unroll 4 /* PARTS */
        for (int k = 0; k < PARTS; k++)
            part[k] |= THLoop_(differences)(a + k * VECTOR_BYTES, b + k * VECTOR_BYTES);
        a += PARTS * VECTOR_BYTES;
        b += PARTS * VECTOR_BYTES;
    }
    for (; rest >= VECTOR_BYTES; rest -= VECTOR_BYTES, a += VECTOR_BYTES, b += VECTOR_BYTES)
        part[0] |= THLoop_(differences)(a, b);
    if (rest > 0 && n * (int64_t)sizeof(storage_t) >= VECTOR_BYTES) { /* some again */
        part[1] |= THLoop_(differences)(a + rest - VECTOR_BYTES, b + rest - VECTOR_BYTES);
    } else if (rest > 0) {
        char end[2][VECTOR_BYTES] = {{0}};
        memcpy(end[0], a, (size_t)rest);
        memcpy(end[1], b, (size_t)rest);
        part[0] |= THLoop_(differences)(end[0], end[1]);
    }
    part[0] |= part[1] | part[2] | part[3];
    return !THRegister_isAny(part);
}

#endif
