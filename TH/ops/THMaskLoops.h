/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Internal: inner loops over masks, contiguous all; for each instruction set, and for items of 1,
 * 2, 4 and 8 bytes. */
#ifndef TH_MASK_LOOPS_H
#define TH_MASK_LOOPS_H

#include <TH/THEngine.h>

#define TH_MASK_SLACK 8 /* what is selected: items behind the last that may be written */

#define TH_MASK_BLOCK 512 /* elements compacted, or whose places are told, at a time */

/* How places are told apart along a dim, counted from the first of a block of TH_MASK_BLOCK
 * elements: in longer dims the block passes at most one end, and they count as being as long as it.
 * All are small numbers, so that a product and a shift divide. */
typedef struct THMaskDim {
    uint32_t size, inverse; /* the latter rounded up */
    uint32_t first;         /* added to what is divided */
    int64_t shift;          /* added to indices before the end of a longer dim */
} THMaskDim;
#define TH_MASK_INVERSE_BITS 20

/* Places from `begin` to before `end`; negative indices count from `wrap`. */
typedef struct THMaskPlaces {
    int64_t wrap, begin, end;
} THMaskPlaces;

typedef struct THMaskLoops {
    /* Data: result, mask, items. The result is those, but the item `params` where the mask is true.
     */
    THLoop fill[4];
    /* The same in place, of items that lie `stride` bytes apart: only those are touched. */
    void (*fillSteps[4])(int64_t n, char *to, int64_t stride, const uint8_t *mask,
                         const void *value);
    /* Where items are not zero; of floating ones the sign does not count. */
    void (*nonzero[4])(int64_t n, uint8_t *mask, const void *from, bool floating);
    /* The items where the mask is true, one after the other; returns how many. */
    int64_t (*select[4])(int64_t n, void *selected, const uint8_t *mask, const void *from);
    /* The same of items that lie `stride` bytes apart: only those are touched. */
    int64_t (*selectSteps[4])(int64_t n, void *selected, const uint8_t *mask, const char *from,
                              int64_t stride);
    /* The indices that are within such places, as places, and their items unless `from` is NULL;
     * returns how many. */
    int64_t (*within[4])(int64_t n, int64_t *places, void *selected, const int64_t *index,
                         const void *from, const THMaskPlaces *range);
    /* Where the mask is true, one item after the other of those from `source` on. */
    void (*scatter[4])(int64_t n, void *result, const uint8_t *mask, const void *source);
    int64_t (*count)(int64_t n, const uint8_t *mask);
    /* The places at which the mask is true, counted from `first`; returns how many. */
    int64_t (*places)(int64_t n, int64_t *to, const uint8_t *mask, int64_t first);
    /* Rows of indices of places that are counted from the first of their block. What follows in
     * `places` may be read, up to a multiple of 16. */
    void (*indices)(int64_t n, int64_t *to, const int64_t *places, int nDimension,
                    const THMaskDim *dims);
} THMaskLoops;
#define TH_MASK_LOOPS_DECLARE(name) extern const THMaskLoops name

/* Those of an instruction set; and for n elements. */
const THMaskLoops *THMaskLoops_of(int isa);
const THMaskLoops *THMaskLoops_for(int64_t n);

/* Which of four loops serves items of a size. */
static inline int THMaskLoops_at(int64_t itemSize)
{
    return __builtin_ctzll((uint64_t)itemSize);
}

#endif
