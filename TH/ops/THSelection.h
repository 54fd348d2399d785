/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Internal: what a mask selects, found in two passes over fixed chunks: count, then read or write
 * each chunk's share where the counts before it say. */
#ifndef TH_SELECTION_H
#define TH_SELECTION_H

#include <TH/engine/THMove.h>
#include <TH/ops/THMaskLoops.h>
#include <TH/ops/THNest.h>

#define TH_SELECTION_CHUNK 16384 /* elements a thread counts or selects at a time */

typedef struct THSelection {
    const uint8_t *mask;
    const char *data;
    char *result;
    const THNest *steps; /* of items where they lie; NULL: `data` has them in one run */
    bool picked;         /* one by one, not gathered in blocks */
    bool streamed;       /* the result goes past the caches */
    int64_t n, itemSize;
    int64_t *starts; /* per chunk: its count, later where its share begins; and the end */
    int64_t one[2];  /* those of a single chunk */
} THSelection;

/* Counts what a mask selects in each chunk; the sum is in *total. To be ended, and not to be moved
 * till then. */
int THSelection_count(THSelection *self, int64_t *total);
void THSelection_end(const THSelection *self);

static inline int64_t THSelection_chunks(const THSelection *self)
{
    return (self->n + TH_SELECTION_CHUNK - 1) / TH_SELECTION_CHUNK;
}

/* The elements of a chunk, and where its share begins and the next one's. */
typedef struct THShare {
    int64_t first, stop;
    char *to, *end;
} THShare;

static inline THShare THSelection_share(const THSelection *self, int64_t chunk, int64_t itemSize)
{
    const int64_t first = chunk * TH_SELECTION_CHUNK;
    return (THShare){first, THSize_min(first + TH_SELECTION_CHUNK, self->n),
                     self->result + self->starts[chunk] * itemSize,
                     self->result + self->starts[chunk + 1] * itemSize};
}

/* Whether n items of a size, and what may be written behind them, stay within the share: else they
 * go through a buffer, since what is behind may be another thread's. */
static inline bool THShare_hasRoom(const THShare *self, int64_t n, int64_t itemSize)
{
    return self->end - self->to >= (n + TH_MASK_SLACK) * itemSize;
}

#define TH_HELD_ITEM 24 /* bytes of an item at most */

/* The share's bytes that do not make up a line of the caches yet, where others go past these, and
 * room for what comes next. */
typedef struct THHeld {
    int64_t n;
    _Alignas(8) char bytes[TH_LINE_BYTES + (TH_MASK_BLOCK + TH_MASK_SLACK) * TH_HELD_ITEM];
} THHeld;

/* Whether what is read and written is worth that: much, and not little of it written. */
static inline bool THSelection_streams(int64_t read, int64_t written)
{
    return read + written >= THMachine_streamFrom && written >= read / 4;
}
/* `more` bytes were put behind those held: writes whole lines; in the end, what is left. */
void THShare_stream(THShare *self, THHeld *held, int64_t more);
void THShare_end(THShare *self, THHeld *held);

#endif
