/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Internal: nested loops over up to three operands that share one shape, for code the engine has no
 * form for: indexed access, masks, mirrored and repeated dims. Strides are in bytes and may be
 * negative. Dims of size 1 are dropped and neighbours merged as they are pushed, outermost first.
 *
 * A dim along which elements written may coincide is pushed as ordered: it is walked in order and
 * never divided among threads, so the last write wins on any number of threads. */
#ifndef TH_NEST_H
#define TH_NEST_H

#include <TH/THMachine.h>
#include <TH/THTensor.h>
#include <TH/THThreads.h>
#include <TH/engine/THMove.h>

#define TH_NEST_OPERANDS 3

typedef struct THNest {
    int nDimension;
    int64_t elements;
    uint64_t ordered; /* bit per dim */
    bool takesLines;  /* the loop may get several lines at once */
    int64_t size[TH_MAX_DIMS];
    int64_t stride[TH_NEST_OPERANDS][TH_MAX_DIMS];
    char *data[TH_NEST_OPERANDS];
} THNest;

/* One run of the innermost loop. `block` is how many bytes an item has: those of an element, or
 * more where the inner dims are contiguous in operands 1 and 2 and not seen by operand 0. */
typedef struct THLine {
    int64_t n;
    int64_t block;
    int64_t stride[TH_NEST_OPERANDS];
    char *data[TH_NEST_OPERANDS];
    const void *context;
    int64_t bytes;                   /* of the items of all lines, other threads' too; 0: unknown */
    int64_t more;                    /* lines behind this one, for loops that take many */
    int64_t apart[TH_NEST_OPERANDS]; /* bytes from one to the next */
} THLine;
typedef void (*THLineLoop)(const THLine *line);

void THNest_init(THNest *nest, void *data0, void *data1, void *data2); /* NULL: not used */
void THNest_push(THNest *nest, int64_t size, bool ordered, int64_t stride0, int64_t stride1,
                 int64_t stride2);
/* Puts the dims, all pushed, in the order in which operand `op` lies in memory, but for ordered
 * ones among themselves. Dims of indices, which it does not see, count as steps of `scale` bytes.
 */
void THNest_order(THNest *nest, int op, int64_t scale);
/* `block` 0: the loop wants single elements; takesLines may be set then. Where an inner dim is
 * divided among threads, each part spans TH_NEST_SPAN bytes at least, or another number: its
 * neighbours in memory are another thread's. */
#define TH_NEST_SPAN 1024
void THNest_run(const THNest *nest, THLineLoop loop, int64_t block, const void *context);
void THNest_runParts(const THNest *nest, THLineLoop loop, int64_t block, const void *context,
                     int64_t span);
/* The same by the calling thread alone; the nest is another one afterwards. */
void THNest_walk(THNest *nest, THLineLoop loop, int64_t block, const void *context);
/* Without the room for more dims. */
void THNest_copy(THNest *to, const THNest *from);

/* Elements that are worth a thread: of rows, which move as fast as memory, as many as of pointwise
 * operations; else 32 KB, or 8192 that are looked at. */
static inline int64_t THNest_part(const THNest *nest, int64_t block)
{
    const int last = nest->nDimension - 1;
    if (last > 0 && nest->stride[0][last] == 0)
        return TH_THREAD_BYTES / (block ? block : TH_THREAD_WORD);
    return block ? 32768 / block : 8192;
}
/* Steps for each thread with which a dim is long enough to be divided. */
#define TH_NEST_PARTS 4
/* Elements that are repeated along longer rows take no more time one row at a time. */
#define TH_NEST_ROW_BYTES 4096
/* From so many bytes on what is read or written is asked for before. */
#define TH_NEST_FAR_BYTES (4 << 20)

/* Lines from this length on are worth the engine's moves, if their blocks have the size of an
 * element. */
#define TH_LONG_LINE 16
static inline bool THLine_isItem(int64_t block)
{
    return block == 1 || block == 2 || block == 4 || block == 8;
}

/* Items of operand 1 that lie before it in the same line of the caches. */
static inline int64_t THLine_begun(const THLine *line)
{
    const int64_t bytes = (int64_t)((uintptr_t)line->data[1] % TH_LINE_BYTES);
    return THLine_isItem(line->block) ? bytes / line->block : 0;
}

/* Loops of THNestLines.c. Moves items of data[2] to data[1]. */
void THLine_copy(const THLine *line);
/* The same past the caches, where lines are runs in data[1]. */
void THLine_stream(const THLine *line);

/* Operand 0 is int64 indices, operand 1 has the shape of the nest, operand 2 is what is indexed:
 * its item lies `index * scale` bytes further. `wrap` is added to negative indices. */
typedef struct THIndexing {
    int64_t scale;
    int64_t wrap;
    int64_t span; /* bytes that the items of a line lie among */
} THIndexing;
void THLine_gather(const THLine *line);  /* data[1] = data[2][index] */
void THLine_scatter(const THLine *line); /* data[2][index] = data[1] */

/* Of writing by indices, which threads share if that is worth it: THNestShared.c. The loop is one
 * over a THIndexing, with which the context begins. */
void THLine_write(const THLine *line, THLineLoop loop);
void THNest_write(const THNest *nest, THLineLoop loop, int64_t block, const void *context);

/* Whether indices and the items of operand 1 are adjacent, and indices count items of operand 2:
 * loops with strides known at compile time are twice as fast. */
static inline bool THLine_isDense(const THLine *line, int64_t item)
{
    return line->stride[0] == 8 && line->stride[1] == item && line->stride[2] == 0 &&
           ((const THIndexing *)line->context)->scale == item;
}

/* Items in no order are asked for so many indices before they are written, where they lie among so
 * many bytes that they are far from the processor: more where it looks ahead of what is written. */
#define TH_WRITE_AHEAD 128
#define TH_WRITE_NEAR (1 << 18)
static inline bool THIndexing_isFar(int64_t bytes)
{
    return bytes >= (THMachine_asksForWrites ? TH_WRITE_NEAR : 4 << 20);
}
/* Of how many of n items those that come later are asked for. */
static inline int64_t THIndexing_asked(const THIndexing *indexing, int64_t n)
{
    return n > TH_WRITE_AHEAD && THIndexing_isFar(indexing->span) ? n - TH_WRITE_AHEAD : 0;
}

static inline int64_t THIndexing_offset(const THIndexing *indexing, const char *index)
{
    const int64_t k = *(const int64_t *)(const void *)index;
    return (k + ((k >> 63) & indexing->wrap)) * indexing->scale;
}

/* From the item at this index on. */
static inline __attribute__((always_inline)) void THIndexing_ask(const THLine *line,
                                                                 const char *index, const char *to)
{
    const char *const later = index + TH_WRITE_AHEAD * line->stride[0];
    const int64_t there =
        THIndexing_offset(line->context, later) + TH_WRITE_AHEAD * line->stride[2];
    __builtin_prefetch((const void *)((uintptr_t)to + (uintptr_t)there), 1);
}

/* Calls function(argument, itemSize) with a constant item size where it is that of a dtype. */
#define TH_ITEM_SWITCH(itemSize, function, argument) \
    do {                                             \
        switch (itemSize) {                          \
        case 1:                                      \
            function(argument, 1);                   \
            break;                                   \
        case 2:                                      \
            function(argument, 2);                   \
            break;                                   \
        case 4:                                      \
            function(argument, 4);                   \
            break;                                   \
        case 8:                                      \
            function(argument, 8);                   \
            break;                                   \
        default:                                     \
            function(argument, (size_t)(itemSize));  \
        }                                            \
    } while (0)
#define TH_ITEM_INLINE static inline __attribute__((always_inline)) void

#endif
