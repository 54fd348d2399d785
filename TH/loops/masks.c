/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Inner loops over masks (TH/ops/THMaskLoops.h). */
#define LANE_long
#include <TH/loops/lanes.h>
#include <TH/ops/THMaskLoops.h>

/* Items blend bit by bit: a conditional store would be a branch. */
#define DEFINE_LOOPS(bits)                                                                        \
    static TH_LOOP_DECLARE(fill##bits)                                                            \
    {                                                                                             \
        typedef uint##bits##_t __attribute__((may_alias)) item_t;                                 \
        item_t *to = data[0];                                                                     \
        const uint8_t *mask = data[1];                                                            \
        const item_t *from = data[2];                                                             \
        const item_t value = *(const item_t *)params;                                             \
        _Pragma("omp simd") for (int64_t i = 0; i < n; i++) to[i] = mask[i] ? value : from[i];    \
    }                                                                                             \
    static void nonzero##bits(int64_t n, uint8_t *restrict mask, const void *from, bool floating) \
    {                                                                                             \
        typedef uint##bits##_t __attribute__((may_alias)) item_t;                                 \
        const item_t *restrict items = from;                                                      \
        const item_t keep = (item_t)((item_t) ~(item_t)0 >> (floating ? 1 : 0));                  \
        for (int64_t i = 0; i < n; i++)                                                           \
            mask[i] = (items[i] & keep) != 0;                                                     \
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

/* A bit for each of eight bytes that is not zero. */
static inline unsigned bitsOf(const uint8_t *bytes)
{
    const uint64_t low = UINT64_C(0x7f7f7f7f7f7f7f7f);
    uint64_t x = 0;
    for (int i = 0; i < 8; i++)
        x |= (uint64_t)bytes[i] << 8 * i;
    x = (((x & low) + low) | x) >> 7 & UINT64_C(0x0101010101010101);
    return (unsigned)(x * UINT64_C(0x0102040810204080) >> 56);
}

static int64_t placesOf(int64_t n, int64_t *to, const uint8_t *mask, int64_t first)
{
    const Words numbers = (Words)(Lanes)LANES_XOR(0);
    int64_t *const begin = to;
    int64_t i = 0;
    for (; i + 8 <= n; i += 8) {
        const unsigned bits = bitsOf(mask + i);
        for (int lane = 0; lane < 8; lane += LANES) {
            const unsigned some = bits >> lane & ((1u << LANES) - 1);
            *(Words *)(void *)to = compress(numbers + (first + i + lane), some);
            to += __builtin_popcount(some);
        }
    }
    for (; i < n; i++) {
        *to = first + i;
        to += mask[i] != 0;
    }
    return to - begin;
}

TH_MASK_LOOPS_DECLARE(TH_ISA_(th_maskLoops));
const THMaskLoops TH_ISA_(th_maskLoops) = {
    {fill8, fill16, fill32, fill64},
    {nonzero8, nonzero16, nonzero32, nonzero64},
    countTrue,
    placesOf,
};
