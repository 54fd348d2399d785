/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Inner loops over masks (TH/ops/THMaskLoops.h). */
#define LANE_long
#include <TH/loops/lanes.h>
#include <TH/ops/THMaskLoops.h>

#define AT_A_TIME 64                     /* elements whose mask is looked at as one word */
#define FEW (LANES > 2 ? 24 : AT_A_TIME) /* of them whose places are faster found one by one */

/* The same of items, which are compressed as lanes: gcc has no vectors of 4 short ones. */
#define FEW_OF(bits) (LANES >= 8 ? 16 : LANES == 4 && (bits) >= 32 ? 32 : AT_A_TIME)

/* A bit for each of 8 bytes that is not zero. */
INLINE uint64_t bitsOfEight(const uint8_t *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    word |= word >> 4;
    word |= word >> 2;
    word |= word >> 1;
    return (word & 0x0101010101010101) * 0x0102040810204080 >> 56;
}

/* The same of n bytes, less than 64, some of which may be looked at twice: a copy, which a vector
 * must wait for, takes longer. Not inline: by so much code longer loops would take longer, too. */
static __attribute__((noinline)) uint64_t bitsOfEnd(const uint8_t *bytes, int64_t n)
{
    uint64_t bits = 0;
    if (n < 8) {
        for (int64_t i = 0; i < n; i++)
            bits |= (uint64_t)(bytes[i] != 0) << i;
        return bits;
    }
    if (n < 16)
        return bitsOfEight(bytes) | bitsOfEight(bytes + n - 8) << (n - 8);
    for (int64_t i = 0; i < n - 16; i += 16)
        bits |= bitsOfSixteen(bytes + i) << i;
    return bits | bitsOfSixteen(bytes + n - 16) << (n - 16);
}

/* The same of n bytes, up to 64. */
INLINE uint64_t bitsOfSome(const uint8_t *bytes, int64_t n)
{
    return n >= AT_A_TIME ? bitsOf(bytes) : bitsOfEnd(bytes, n);
}

#define FEW_FILLED 8 /* of them that are faster filled one by one */

/* Items blend: a conditional store would be a branch, and where no instruction loads short items by
 * a mask, a conditional load, too; these blend bit by bit. Selected ones are found by their bits,
 * so that one branch of many elements is mispredicted. */
#define DEFINE_LOOPS(bits)                                                                        \
    typedef uint##bits##_t __attribute__((may_alias)) item##bits##_t;                             \
    static void fillInPlace##bits(int64_t n, item##bits##_t *to, const uint8_t *mask,             \
                                  item##bits##_t value)                                           \
    {                                                                                             \
        for (int64_t i = 0; i < n; i += AT_A_TIME, to += AT_A_TIME, mask += AT_A_TIME) {          \
            const int64_t m = n - i < AT_A_TIME ? n - i : AT_A_TIME;                              \
            uint64_t some = bitsOfSome(mask, m);                                                  \
            if (__builtin_popcountll(some) > FEW_FILLED)                                          \
                _Pragma("omp simd") for (int64_t j = 0; j < m; j++) to[j] =                       \
                    mask[j] ? value : to[j];                                                      \
            else                                                                                  \
                for (; some; some &= some - 1)                                                    \
                    to[__builtin_ctzll(some)] = value;                                            \
        }                                                                                         \
    }                                                                                             \
    static TH_LOOP_DECLARE(fill##bits)                                                            \
    {                                                                                             \
        item##bits##_t *to = data[0];                                                             \
        const uint8_t *mask = data[1];                                                            \
        const item##bits##_t *from = data[2];                                                     \
        const item##bits##_t value = *(const item##bits##_t *)params;                             \
        if (bits == 64 && from == to) { /* shorter ones blend as fast */                          \
            fillInPlace##bits(n, to, mask, value);                                                \
            return;                                                                               \
        }                                                                                         \
        _Pragma("omp simd") for (int64_t i = 0; i < n; i++) to[i] =                               \
            (item##bits##_t)(from[i] ^ ((from[i] ^ value) & -(item##bits##_t)(mask[i] != 0)));    \
    }                                                                                             \
    static void fillSteps##bits(int64_t n, char *to, int64_t stride, const uint8_t *mask,         \
                                const void *value)                                                \
    {                                                                                             \
        const item##bits##_t one = *(const item##bits##_t *)value;                                \
        for (int64_t i = 0; i < n; i += AT_A_TIME, to += AT_A_TIME * stride)                      \
            for (uint64_t some = bitsOfSome(mask + i, n - i); some; some &= some - 1)             \
                *(item##bits##_t *)(void *)(to + __builtin_ctzll(some) * stride) = one;           \
    }                                                                                             \
    static void nonzero##bits(int64_t n, uint8_t *restrict mask, const void *from, bool floating) \
    {                                                                                             \
        const item##bits##_t *restrict items = from;                                              \
        const item##bits##_t keep =                                                               \
            (item##bits##_t)((item##bits##_t) ~(item##bits##_t)0 >> (floating ? 1 : 0));          \
        for (int64_t i = 0; i < n; i++)                                                           \
            mask[i] = (items[i] & keep) != 0;                                                     \
    }                                                                                             \
    typedef item##bits##_t                                                                        \
        __attribute__((vector_size(LANES * sizeof(item##bits##_t)))) Items##bits;                 \
    INLINE item##bits##_t *compressed##bits(item##bits##_t *to, const item##bits##_t *items,      \
                                            uint64_t some)                                        \
    {                                                                                             \
        for (int lane = 0; lane < AT_A_TIME; lane += LANES) {                                     \
            const unsigned mask = some >> lane & ((1u << LANES) - 1);                             \
            Words v;                                                                              \
            for (int i = 0; i < LANES; i++)                                                       \
                v[i] = (lane_t)items[lane + i];                                                   \
            const Items##bits one = __builtin_convertvector(compress(v, mask), Items##bits);      \
            memcpy(to, &one, sizeof one);                                                         \
            to += __builtin_popcount(mask);                                                       \
        }                                                                                         \
        return to;                                                                                \
    }                                                                                             \
    static int64_t select##bits(int64_t n, void *selected, const uint8_t *mask, const void *from) \
    {                                                                                             \
        item##bits##_t *to = selected;                                                            \
        const item##bits##_t *items = from;                                                       \
        for (int64_t i = 0; i < n; i += AT_A_TIME, items += AT_A_TIME) {                          \
            uint64_t some = bitsOfSome(mask + i, n - i);                                          \
            if (n - i >= AT_A_TIME && __builtin_popcountll(some) > FEW_OF(bits))                  \
                to = compressed##bits(to, items, some);                                           \
            else                                                                                  \
                for (; some; some &= some - 1)                                                    \
                    *to++ = items[__builtin_ctzll(some)];                                         \
        }                                                                                         \
        return to - (item##bits##_t *)selected;                                                   \
    }                                                                                             \
    static int64_t selectSteps##bits(int64_t n, void *selected, const uint8_t *mask,              \
                                     const char *from, int64_t stride)                            \
    {                                                                                             \
        item##bits##_t *to = selected;                                                            \
        for (int64_t i = 0; i < n; i += AT_A_TIME, from += AT_A_TIME * stride)                    \
            for (uint64_t some = bitsOfSome(mask + i, n - i); some; some &= some - 1)             \
                *to++ = *(const item##bits##_t *)(const void *)(from +                            \
                                                                __builtin_ctzll(some) * stride);  \
        return to - (item##bits##_t *)selected;                                                   \
    }                                                                                             \
    static int64_t within##bits(int64_t n, int64_t *places, void *selected, const int64_t *index, \
                                const void *from, const THMaskPlaces *range)                      \
    {                                                                                             \
        item##bits##_t *to = selected;                                                            \
        const item##bits##_t *items = from;                                                       \
        const int64_t wrap = range->wrap, begin = range->begin, end = range->end;                 \
        const int64_t whole = LANES > 2 ? n & -LANES : 0; /* fewer are faster one by one */       \
        int64_t found = 0;                                                                        \
        for (int64_t i = 0; i < whole; i += LANES) {                                              \
            Words place = loadRow(index + i), v;                                                  \
            place += place >> 63 & wrap;                                                          \
            const unsigned mask = above(place, spread(begin - 1)) & above(spread(end), place);    \
            storeRow(places + found, compress(place, mask));                                      \
            if (items != NULL) {                                                                  \
                for (int k = 0; k < LANES; k++)                                                   \
                    v[k] = (lane_t)items[i + k];                                                  \
                const Items##bits some = __builtin_convertvector(compress(v, mask), Items##bits); \
                memcpy(to + found, &some, sizeof some);                                           \
            }                                                                                     \
            found += __builtin_popcount(mask);                                                    \
        }                                                                                         \
        for (int64_t i = whole; i < n; i++) {                                                     \
            const int64_t place = index[i] + (index[i] >> 63 & wrap);                             \
            places[found] = place;                                                                \
            if (items != NULL)                                                                    \
                to[found] = items[i];                                                             \
            found += (place >= begin) & (place < end);                                            \
        }                                                                                         \
        return found;                                                                             \
    }                                                                                             \
    static void scatter##bits(int64_t n, void *result, const uint8_t *mask, const void *source)   \
    {                                                                                             \
        item##bits##_t *to = result;                                                              \
        const item##bits##_t *from = source;                                                      \
        for (int64_t i = 0; i < n; i += AT_A_TIME, to += AT_A_TIME)                               \
            for (uint64_t some = bitsOfSome(mask + i, n - i); some; some &= some - 1)             \
                to[__builtin_ctzll(some)] = *from++;                                              \
    }
DEFINE_LOOPS(8)
DEFINE_LOOPS(16)
DEFINE_LOOPS(32)
DEFINE_LOOPS(64)

static int64_t countTrue(int64_t n, const uint8_t *mask)
{
    int32_t count = 0;
    for (int64_t i = 0; i < n; i++)
        count += mask[i] != 0;
    return count;
}

static int64_t placesOf(int64_t n, int64_t *to, const uint8_t *mask, int64_t first)
{
    const Words numbers = (Words)(Lanes)LANES_XOR(0);
    int64_t *const begin = to;
    for (int64_t i = 0; i < n; i += AT_A_TIME, first += AT_A_TIME) {
        uint64_t some = bitsOfSome(mask + i, n - i);
        if (__builtin_popcountll(some) <= FEW) {
            for (; some; some &= some - 1)
                *to++ = first + __builtin_ctzll(some);
            continue;
        }
        for (int lane = 0; lane < AT_A_TIME; lane += LANES) {
            const unsigned bits = some >> lane & ((1u << LANES) - 1);
            *(Words *)(void *)to = compress(numbers + (first + lane), bits);
            to += __builtin_popcount(bits);
        }
    }
    return to - begin;
}

#define GROUP 16  /* places that are divided together, whole vectors */
#define PLACES 64 /* whose indices are in columns before they are in rows */
#define COLUMNS 4

/* The indices along a dim of what is left; then what is left is their quotients. */
INLINE void divideLeft(int64_t n, uint32_t *restrict left, int64_t *restrict index,
                       const THMaskDim *dim)
{
    const uint32_t size = dim->size, inverse = dim->inverse, first = dim->first;
    const int64_t shift = dim->shift;
    for (int64_t k = 0; k < n; k++) {
        const uint32_t place = left[k] + first;
        const uint32_t quotient = place * inverse >> TH_MASK_INVERSE_BITS;
        left[k] = quotient;
        index[k] = (int64_t)(place - quotient * size) + (quotient ? 0 : shift);
    }
}

/* The number of dims is a constant where it is usual. */
INLINE void interleave(int64_t n, int64_t *restrict to, int nDimension,
                       int64_t (*restrict columns)[PLACES])
{
    for (int64_t k = 0; k < n; k++)
        for (int d = 0; d < nDimension; d++)
            to[k * nDimension + d] = columns[d][k];
}

static void indicesOf(int64_t n, int64_t *to, const int64_t *places, int nDimension,
                      const THMaskDim *dims)
{
    int64_t columns[COLUMNS][PLACES];
    uint32_t left[PLACES];
    for (int64_t done = 0; done < n; done += PLACES, places += PLACES) {
        const int64_t m = n - done < PLACES ? n - done : PLACES;
        const int64_t whole = (m + GROUP - 1) & -GROUP;
        for (int64_t k = 0; k < whole; k++)
            left[k] = (uint32_t)places[k];
        for (int d = nDimension - 1; d >= 0; d--) {
            int64_t *column = columns[nDimension > COLUMNS ? 0 : d];
            divideLeft(whole, left, column, dims + d);
            for (int64_t k = 0; nDimension > COLUMNS && k < m; k++)
                to[k * nDimension + d] = column[k];
        }
        if (nDimension == 2)
            interleave(m, to, 2, columns);
        else if (nDimension == 3)
            interleave(m, to, 3, columns);
        else if (nDimension == 4)
            interleave(m, to, 4, columns);
        to += m * nDimension;
    }
}

TH_MASK_LOOPS_DECLARE(TH_ISA_(th_maskLoops));
const THMaskLoops TH_ISA_(th_maskLoops) = {
    {fill8, fill16, fill32, fill64},
    {fillSteps8, fillSteps16, fillSteps32, fillSteps64},
    {nonzero8, nonzero16, nonzero32, nonzero64},
    {select8, select16, select32, select64},
    {selectSteps8, selectSteps16, selectSteps32, selectSteps64},
    {within8, within16, within32, within64},
    {scatter8, scatter16, scatter32, scatter64},
    countTrue,
    placesOf,
    indicesOf,
};
