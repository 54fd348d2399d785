/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Vectors of what is sorted, one in each lane: what instruction sets name differently. The file
 * that includes this says what lanes have: LANE_double, _float, _int, _short or _long is defined.
 * There are no NaN among them. */
#ifndef TH_LANES_H
#define TH_LANES_H

#include <TH/THIsa.h>
#include <TH/loops/registers.h>

#include <math.h>
#include <string.h>

#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

#if defined(LANE_double)
typedef double lane_t __attribute__((may_alias));
#define LANE_NAME pd
#define LANE_MOST ((lane_t)INFINITY)
#elif defined(LANE_float)
typedef float lane_t __attribute__((may_alias));
#define LANE_NAME ps
#define LANE_MOST ((lane_t)INFINITY)
#elif defined(LANE_int)
typedef int32_t lane_t __attribute__((may_alias));
#define LANE_NAME epi32
#define LANE_MOST INT32_MAX
#elif defined(LANE_short)
typedef int16_t lane_t __attribute__((may_alias));
#define LANE_NAME epi16
#define LANE_MOST INT16_MAX
#define LANES_STAY
#else
typedef int64_t lane_t __attribute__((may_alias));
#define LANE_NAME epi64
#define LANE_MOST INT64_MAX
#endif

#if defined(LANE_double) || defined(LANE_long)
#define LANE_BYTES 8
typedef int64_t whole_t;
#elif defined(LANE_short)
#define LANE_BYTES 2
typedef int16_t whole_t;
#else
#define LANE_BYTES 4
typedef int32_t whole_t;
#endif

#define LANES (VECTOR_BYTES / LANE_BYTES)

/* The number of each lane, with bits of g turned. */
#define TWO_XOR(i, g) (i) ^ (g), ((i) + 1) ^ (g)
#define FOUR_XOR(i, g) TWO_XOR(i, g), TWO_XOR((i) + 2, g)
#define EIGHT_XOR(i, g) FOUR_XOR(i, g), FOUR_XOR((i) + 4, g)
#define SIXTEEN_XOR(i, g) EIGHT_XOR(i, g), EIGHT_XOR((i) + 8, g)
#if VECTOR_BYTES / LANE_BYTES == 32
#define LANES_XOR(g) {SIXTEEN_XOR(0, g), SIXTEEN_XOR(16, g)}
#elif VECTOR_BYTES / LANE_BYTES == 16
#define LANES_XOR(g) {SIXTEEN_XOR(0, g)}
#elif VECTOR_BYTES / LANE_BYTES == 8
#define LANES_XOR(g) {EIGHT_XOR(0, g)}
#elif VECTOR_BYTES / LANE_BYTES == 4
#define LANES_XOR(g) {FOUR_XOR(0, g)}
#else
#define LANES_XOR(g) {TWO_XOR(0, g)}
#endif

typedef lane_t Words __attribute__((vector_size(VECTOR_BYTES), aligned(LANE_BYTES), may_alias));
typedef whole_t Lanes __attribute__((vector_size(VECTOR_BYTES)));

#define INLINE static inline __attribute__((always_inline))

/* ---- the least and the most of two ---- */

#if defined(__AVX512F__)
#define LANES_FUNCTION(name) TH_CONCAT_4(_mm512_, name, _, LANE_NAME)
#elif defined(__AVX2__) && !defined(LANE_long)
#define LANES_FUNCTION(name) TH_CONCAT_4(_mm256_, name, _, LANE_NAME)
#elif defined(__SSE2__) && !defined(LANE_int) && !defined(LANE_long)
#define LANES_FUNCTION(name) TH_CONCAT_4(_mm_, name, _, LANE_NAME)
#endif

#if defined(LANES_FUNCTION)
#if defined(LANE_double) || defined(LANE_float)
typedef Words Register;
#elif defined(__AVX512F__)
typedef __m512i Register;
#elif defined(__AVX2__)
typedef __m256i Register;
#else
typedef __m128i Register;
#endif

INLINE Words least(Words a, Words b)
{
    return (Words)LANES_FUNCTION(min)((Register)a, (Register)b);
}

/* Ints of 64 bytes are compared by one of the two units of a core: the other one turns the least
 * into the most. */
#if defined(__AVX512F__) && defined(LANE_int)
#define LANES_XORED
#endif

INLINE Words most(Words a, Words b)
{
#ifdef LANES_XORED
    return a ^ b ^ least(a, b);
#else
    return (Words)LANES_FUNCTION(max)((Register)a, (Register)b);
#endif
}
#else
INLINE Words least(Words a, Words b)
{
    return TH_REGISTER_CHOOSE((Lanes)(a > b), b, a);
}

INLINE Words most(Words a, Words b)
{
    return TH_REGISTER_CHOOSE((Lanes)(a > b), a, b);
}
#endif

/* ---- lanes by a condition ---- */

/* above: a bit for each lane of a that is above that of b.
 * part: lanes without a bit of the mask to `low` and behind, the `count` others before `high`. As
 * many lanes as a vector has may be written on either side: these are all, or twice as many.
 * compress: the lanes of a mask one after the other, then anything. */
#if defined(__AVX512F__)
#if defined(LANE_double) || defined(LANE_float)
#define LANES_GREATER _CMP_GT_OQ
#else
#define LANES_GREATER _MM_CMPINT_NLE
#endif
#if LANE_BYTES == 2
typedef __mmask32 LaneMask;
#elif LANE_BYTES == 4
typedef __mmask16 LaneMask;
#else
typedef __mmask8 LaneMask;
#endif

INLINE unsigned above(Words a, Words b)
{
    return TH_CONCAT_3(_mm512_cmp_, LANE_NAME, _mask)((Register)a, (Register)b, LANES_GREATER);
}

#elif defined(__AVX2__) && LANE_BYTES > 2
INLINE unsigned above(Words a, Words b)
{
#if LANE_BYTES == 8
    return (unsigned)_mm256_movemask_pd((__m256d)(a > b));
#else
    return (unsigned)_mm256_movemask_ps((__m256)(a > b));
#endif
}

#else
INLINE unsigned above(Words a, Words b)
{
    const Lanes more = (Lanes)(a > b);
    unsigned mask = 0;
    for (int i = 0; i < LANES; i++)
        mask |= (unsigned)(more[i] & 1) << i;
    return mask;
}
#endif

#if defined(LANES_STAY) /* none of these but `above`: the table takes long to read */
#elif defined(__AVX512F__) && LANE_BYTES == 4
/* Into the register of v: Zen 5 waits for what another one held, even to zero it. */
INLINE Words compress(Words v, unsigned mask)
{
    return (Words)_mm512_mask_compress_epi32((__m512i)v, (__mmask16)mask, (__m512i)v);
}

/* Stores of a compressing kind would save an instruction here, and take a hundred on Zen 4. */
INLINE void part(Words v, unsigned mask, int count, lane_t *low, lane_t *high)
{
    *(Words *)(void *)low = compress(v, ~mask);
    _mm512_mask_storeu_epi32(high - count, (__mmask16)((1u << count) - 1),
                             (__m512i)compress(v, mask));
}

#elif defined(__AVX2__)
/* For eight bits of a mask, in bytes: which of eight lanes are not in it, then which are. */
#define PLACE(m, i)                                                                   \
    (uint64_t)(i) << 8 * (m >> i & 1 ? 8 - __builtin_popcount(m & (0xff << i) & 0xff) \
                                     : __builtin_popcount(~m & ((1 << i) - 1)))
#define ORDER(m)                                                                    \
    PLACE((m), 0) | PLACE((m), 1) | PLACE((m), 2) | PLACE((m), 3) | PLACE((m), 4) | \
        PLACE((m), 5) | PLACE((m), 6) | PLACE((m), 7)
#define ORDERS4(m) ORDER(m), ORDER(m + 1), ORDER(m + 2), ORDER(m + 3)
#define ORDERS16(m) ORDERS4(m), ORDERS4(m + 4), ORDERS4(m + 8), ORDERS4(m + 12)
#define ORDERS64(m) ORDERS16(m), ORDERS16(m + 16), ORDERS16(m + 32), ORDERS16(m + 48)
static const uint64_t orders[256] = {ORDERS64(0), ORDERS64(64), ORDERS64(128), ORDERS64(192)};

/* The lanes that are not in a mask, then the others. */
INLINE Words partLanes(Words v, unsigned mask)
{
#if VECTOR_BYTES / LANE_BYTES == 4
    const uint64_t order = orders[_pdep_u32(mask, 0x55) * 3];
#else
    const uint64_t order = orders[mask];
#endif
    const __m128i bytes = _mm_cvtsi64_si128((long long)order);
#if defined(__AVX512F__)
    return (Words)_mm512_permutexvar_epi64(_mm512_cvtepu8_epi64(bytes), (__m512i)v);
#else
    return (Words)_mm256_permutevar8x32_epi32((__m256i)v, _mm256_cvtepu8_epi32(bytes));
#endif
}

INLINE Words compress(Words v, unsigned mask)
{
    return partLanes(v, ~mask & ((1u << LANES) - 1));
}

INLINE void part(Words v, unsigned mask, int count, lane_t *low, lane_t *high)
{
    const Words parted = partLanes(v, mask);
    (void)count;
    *(Words *)(void *)low = parted;
    *(Words *)(void *)(high - LANES) = parted;
}

#else
INLINE Words compress(Words v, unsigned mask)
{
    lane_t lanes[LANES];
    int at = 0;
    for (int i = 0; i < LANES; i++) {
        lanes[at] = v[i];
        at += mask >> i & 1;
    }
    memcpy(&v, lanes, sizeof v);
    return v;
}

INLINE void part(Words v, unsigned mask, int count, lane_t *low, lane_t *high)
{
    (void)count;
    for (int i = 0; i < LANES; i++) {
        const int up = (int)(mask >> i & 1);
        *low = high[-1] = v[i];
        low += 1 - up;
        high -= up;
    }
}
#endif

/* A bit for each of 16 bytes that is not zero, and of 64. */
INLINE uint64_t bitsOfSixteen(const uint8_t *bytes)
{
#if defined(__SSE2__)
    const __m128i some = _mm_loadu_si128((const __m128i *)(const void *)bytes);
    return ~(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(some, _mm_setzero_si128())) & 0xffff;
#else
    uint64_t bits = 0;
    for (int i = 0; i < 16; i++)
        bits |= (uint64_t)(bytes[i] != 0) << i;
    return bits;
#endif
}

INLINE uint64_t bitsOf(const uint8_t *bytes)
{
    uint64_t bits = 0;
    for (int i = 0; i < 64; i += 16)
        bits |= bitsOfSixteen(bytes + i) << i;
    return bits;
}

/* ---- all lanes ---- */

/* The same in all lanes. */
INLINE Words spread(lane_t x)
{
    return x - (Words){0};
}

INLINE Words loadRow(const lane_t *from)
{
    return *(const Words *)(const void *)from;
}

INLINE void storeRow(void *to, Words row)
{
    *(Words *)to = row;
}

/* Kept in a register: where it is needed several times, compilers would load it as often. */
INLINE Words held(Words v)
{
#if defined(__AVX512F__)
    __asm__("" : "+v"(v));
#endif
    return v;
}

/* Lane i has what lane i ^ g had. */
INLINE Words exchangeLanes(Words v, int g)
{
#if defined(__clang__)
    Words result;
    for (int i = 0; i < LANES; i++)
        result[i] = v[i ^ g];
    return result;
#else
    return __builtin_shuffle(v, (Lanes)LANES_XOR(g));
#endif
}

/* Lanes whose number has this bit are b's, the others a's. */
INLINE Words chooseLanes(Words a, Words b, int bit)
{
#if defined(__clang__)
    for (int i = 0; i < LANES; i++)
        a[i] = i & bit ? b[i] : a[i];
    return a;
#else
    const Lanes numbers = LANES_XOR(0);
    return __builtin_shuffle(a, b, numbers + (numbers & (whole_t)bit) * (whole_t)(LANES / bit));
#endif
}

/* The most of two lanes where their number has this bit (`with`) or has not, else the least. */
INLINE Words orderedLanes(Words a, Words b, int bit, bool with)
{
#if defined(__AVX512F__)
    const unsigned bits = bit == 1   ? 0xaaaaaaaa
                          : bit == 2 ? 0xcccccccc
                          : bit == 4 ? 0xf0f0f0f0
                          : bit == 8 ? 0xff00ff00
                                     : 0xffff0000;
    const LaneMask mask = (LaneMask)(with ? bits : ~bits);
#ifdef LANES_XORED
    return (Words)_mm512_mask_ternarylogic_epi32((Register)least(a, b), mask, (Register)a,
                                                 (Register)b, 0x96);
#else
    return (Words)LANES_FUNCTION(mask_max)((Register)least(a, b), mask, (Register)a, (Register)b);
#endif
#else
    const Words low = least(a, b), high = most(a, b);
    return with ? chooseLanes(low, high, bit) : chooseLanes(high, low, bit);
#endif
}

/* Lane i, or b's where it has the bit: what lane i without the bit but `of`, 0 or the bit, had. */
INLINE Words pairLanes(Words a, Words b, int bit, int of)
{
#if defined(__clang__)
    Words result;
    for (int i = 0; i < LANES; i++)
        result[i] = (i & bit ? b : a)[(i & ~bit) + of];
    return result;
#else
    const Lanes numbers = LANES_XOR(0);
    return __builtin_shuffle(a, b,
                             (numbers & (whole_t)~bit) + (whole_t)of +
                                 (numbers & (whole_t)bit) * (whole_t)(LANES / bit));
#endif
}

/* The first, or the last, half of the lanes of a and of b: one of a, one of b, and so on. */
INLINE Words zipLanes(Words a, Words b, int half)
{
#if defined(__clang__)
    Words result;
    for (int i = 0; i < LANES; i++)
        result[i] = (i & 1 ? b : a)[i / 2 + half * (LANES / 2)];
    return result;
#else
    const Lanes numbers = LANES_XOR(0);
    return __builtin_shuffle(
        a, b, (numbers >> 1) + (whole_t)(half * (LANES / 2)) + (numbers & 1) * (whole_t)LANES);
#endif
}

/* ---- some lanes ---- */

/* The first `count` lanes, those of `rest` in the others; loops may do so where LANES_MASKED, as it
 * costs no more than all lanes do. */
#if defined(__AVX512F__)
#define LANES_MASKED 1
INLINE Words loadPartOf(const lane_t *from, int count, Words rest)
{
    return (Words)LANES_FUNCTION(mask_loadu)((Register)rest, (LaneMask)((1u << count) - 1), from);
}

INLINE void storePart(lane_t *to, Words v, int count)
{
    LANES_FUNCTION(mask_storeu)(to, (LaneMask)((1u << count) - 1), (Register)v);
}
#elif defined(__AVX2__) && LANE_BYTES > 2
#define LANES_MASKED 0
#define LANES_MASK(name) TH_CONCAT_4(_mm256_, name, _, LANE_NAME)

INLINE Lanes firstLanes(int count)
{
    const Lanes numbers = LANES_XOR(0);
    return (Lanes)(numbers < (whole_t)count);
}

INLINE Words loadPartOf(const lane_t *from, int count, Words rest)
{
    if (count == LANES)
        return loadRow(from);
    const Lanes first = firstLanes(count);
    const Lanes part = (Lanes)LANES_MASK(maskload)((const void *)from, (__m256i)first);
    return (Words)(part | ((Lanes)rest & ~first));
}

/* In pieces, which AMD's processors store in less time than by masks (1000 x 6 by 6 x 6
 * float32: 8.9 us, so 5.3; EPYC 7003). */
INLINE void storePart(lane_t *to, Words v, int count)
{
    __m128i low = _mm256_castsi256_si128((__m256i)v);
    if (count == LANES) {
        *(Words *)(void *)to = v;
        return;
    }
    if (count & (LANES / 2)) {
        _mm_storeu_si128((__m128i *)(void *)to, low);
        low = _mm256_extracti128_si256((__m256i)v, 1);
        to += LANES / 2;
    }
    if (LANES == 8 && count & 2) {
        _mm_storel_epi64((__m128i *)(void *)to, low);
        low = _mm_unpackhi_epi64(low, low);
        to += 2;
    }
    if (count & 1)
        *to = ((Words)_mm256_castsi128_si256(low))[0];
}
#else
#define LANES_MASKED 0
INLINE Words loadPartOf(const lane_t *from, int count, Words rest)
{
    lane_t lanes[LANES];
    if (count == LANES)
        return loadRow(from);
    *(Words *)(void *)lanes = rest;
    memcpy(lanes, from, (size_t)count * LANE_BYTES);
    return loadRow(lanes);
}

/* Vectors whose address is taken would be kept in memory. */
INLINE void storePart(lane_t *to, Words v, int count)
{
    if (count == LANES) {
        *(Words *)(void *)to = v;
        return;
    }
    lane_t lanes[LANES];
    *(Words *)(void *)lanes = v;
    memcpy(to, lanes, (size_t)count * LANE_BYTES);
}
#endif

INLINE Words loadPart(const lane_t *from, int count)
{
    return loadPartOf(from, count, (Words){0});
}

/* The same where the count does not change in a loop that asks for it where LANES_PARTED: it costs
 * a load, and no branch. Else all lanes. */
INLINE Words loadFirst(const lane_t *from, int count)
{
#if defined(__AVX512F__)
    return loadPart(from, count);
#elif defined(LANES_MASK)
    return (Words)LANES_MASK(maskload)((const void *)from, (__m256i)firstLanes(count));
#else
    (void)count;
    return loadRow(from);
#endif
}
#if defined(__AVX512F__) || defined(LANES_MASK)
#define LANES_PARTED 1
#else
#define LANES_PARTED 0
#endif

/* What may be read beside the `count` elements of a part: nothing, what is behind it, or what is
 * before. Only masked loads read nothing, and they take several times as long as loads of all lanes
 * where lines of the cache are missed (100000 rows of 10 of 100 float64 times a vector: 1.2 ms, so
 * .22; EPYC 9005). */
typedef enum { NOTHING, BEHIND, BEFORE } Beside;
INLINE Words loadBeside(Beside beside, const lane_t *from, int count)
{
#if LANES_MASKED
    const Lanes numbers = LANES_XOR(0);
    if (beside == BEFORE)
        return (Words)LANES_FUNCTION(maskz_permutexvar)(
            (LaneMask)((1u << count) - 1), (__m512i)(numbers + (whole_t)(LANES - count)),
            (Register)loadRow(from + count - LANES));
    if (beside == BEHIND) /* held, or it were a masked load again */
        return (Words)((Lanes)loadRow(from) & (Lanes)held((Words)(numbers < (whole_t)count)));
#else
    (void)beside;
#endif
    return loadPart(from, count);
}

/* ---- sums of products ---- */

#if defined(LANE_double) || defined(LANE_float)
/* x * y + z, rounded once where the machine can. */
INLINE Words fused(Words x, Words y, Words z)
{
#if defined(__FMA__)
    return (Words)LANES_FUNCTION(fmadd)((Register)x, (Register)y, (Register)z);
#else
    return x * y + z;
#endif
}

#if defined(LANES_HALVE) /* for files that read its part AVX512VL */
/* Half a vector, in the lower lanes: machines with units of half the width take half the time. */
#if defined(__AVX512VL__)
#define LANES_HALVED 1
#define LANES_HALF(name) TH_CONCAT_4(_mm256_, name, _, LANE_NAME)
typedef lane_t Half __attribute__((vector_size(VECTOR_BYTES / 2), aligned(LANE_BYTES), may_alias));

INLINE Half loadHalf(const lane_t *from, int count)
{
    return (Half)LANES_HALF(maskz_loadu)((__mmask8)((1u << count) - 1), from);
}

INLINE Half spreadHalf(lane_t x)
{
    return x - (Half){0};
}

INLINE Half lowHalf(Words v)
{
#if defined(LANE_double)
    return (Half)_mm512_castpd512_pd256((__m512d)v);
#else
    return (Half)_mm512_castps512_ps256((__m512)v);
#endif
}

INLINE Half fusedHalf(Half x, Half y, Half z)
{
    return (Half)LANES_HALF(fmadd)(x, y, z);
}

/* With any lanes above. */
INLINE Words widened(Half v)
{
#if defined(LANE_double)
    return (Words)_mm512_castpd256_pd512((__m256d)v);
#else
    return (Words)_mm512_castps256_ps512((__m256)v);
#endif
}
#else
#define LANES_HALVED 0
typedef Words Half;

INLINE Half loadHalf(const lane_t *from, int count)
{
    return loadPart(from, count);
}

INLINE Half spreadHalf(lane_t x)
{
    return spread(x);
}

INLINE Half lowHalf(Words v)
{
    return v;
}

INLINE Half fusedHalf(Half x, Half y, Half z)
{
    return fused(x, y, z);
}

INLINE Words widened(Half v)
{
    return v;
}
#endif
#endif
#endif

#endif
