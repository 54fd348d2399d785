/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to the driver of reductions: how dims become tiles, and how a chunk of one is
 * accumulated. */
#ifndef TH_REDUCE_TILE_H
#define TH_REDUCE_TILE_H

#include <TH/THThreads.h>
#include <TH/ops/THReduction.h>

#define TH_REDUCE_PACKED 64      /* columns of narrow rows taken as one, */
#define TH_REDUCE_PACKED_FAR 256 /* ... of much memory */
#define TH_REDUCE_WORK 32768     /* elements of columns, or of lines, worth a thread's while */
#define TH_REDUCE_STACK 4096     /* bytes of scratch that need no allocation */
/* Bytes of a tile of rows at most, if what is asked for behind it is to be there in its turn. */
#define TH_REDUCE_SOON 131072

/* Bytes of the parts of a THReduceScratch, and `beyond` of all, if the stack has not enough. */
typedef struct THReduceSizes {
    int64_t lanes, packed, raw, stage, parts, acc;
    int64_t beyond;
} THReduceSizes;

typedef struct THReduceJob {
    const THReduction *reduction;
    const THReduceLoops *loops; /* the reduction's, of this machine's registers or of half ones */
    const char *data, *end;     /* `end` as in a THReduceTerm */
    THReduceTarget target;
    THDimList kept, reduced; /* innermost last; `kept` without the columns */
    THDim column;
    int64_t elements; /* reduced to one */
    int64_t tileWidth, tilesPerRow, tiles;
    int64_t done;    /* tiles that are finished before others are shared */
    int64_t chunk;   /* elements accumulated at a time */
    int64_t pack;    /* adjacent rows taken as one */
    bool folds;      /* ... which are all of the inner reduced dim; blocks of them are adjacent */
    int64_t every;   /* elements from one column to the next, of which loops reduce all */
    int64_t block;   /* not 0: columns of a block; those of a tile are staged side by side, or
                        adjacent lines, or (`folds`) rows taken as one lie side by side */
    int64_t blocks;  /* ... bytes from one to the next */
    bool rows;       /* loops run across the reduced dims, not along them */
    bool direct;     /* elements are adjacent, or `every` apart, and of the loops' dtype */
    bool runs;       /* ... in runs, which the inner reduced dim has */
    bool alone;      /* ... of each result by itself, on any number of threads */
    bool stagedRuns; /* short runs of many lines are brought side by side */
    uint8_t dtype;
    bool far;      /* more than the caches near a core hold */
    bool isLittle; /* all is one thread's */
    int64_t work;  /* elements worth a thread's while, where not */
    THReduceSizes sizes;
    THScratch scratch; /* of ranges, if the stack has not enough */
} THReduceJob;

typedef struct THReduceTile {
    const char *in;
    THReduceTarget target;
    int64_t width;
    int64_t behind; /* lines of other tiles, right behind these in memory */
} THReduceTile;

/* Memory for a tile of one thread. */
typedef struct THReduceScratch {
    char *lanes, *packed, *raw, *stage, *parts, *next, *acc;
    void *taken; /* from the job's, or NULL */
    _Alignas(64) char stack[TH_REDUCE_STACK];
} THReduceScratch;

/* Is an accumulator a THReduceExtreme? */
static inline bool THReduceJob_isPlaced(const THReduceJob *job)
{
    return job->reduction->exact && !job->reduction->anyOrder;
}

/* Is there one result? */
static inline bool THReduceJob_isOne(const THReduceJob *job)
{
    return job->column.size == 1 && job->kept.count == 0;
}

static inline int64_t THReduce_round64(int64_t n)
{
    return (n + 63) & ~(int64_t)63;
}

/* The dims and tiles of a job (THReducePlan.c) whose reduction, dtype and elements are known. */
void THReduceJob_plan(THReduceJob *job, THTensor *const *results, int nresults,
                      const THTensor *self, uint64_t mask, bool keepdim);
THReduceSizes THReduceJob_sizes(const THReduceJob *job);
/* `taken`: `beyond` bytes. */
void THReduceScratch_init(THReduceScratch *scratch, const THReduceJob *job, void *taken);
/* acc[i] of column or line i of the chunk that begins with element `first` and has `most`, or those
 * that are left. */
void THReduceTile_chunk(const THReduceJob *job, const THReduceTile *tile, int64_t first,
                        int64_t most, THReduceScratch *scratch, void *acc);
/* The same of `count` whole chunks of a line that lies in memory, one accumulator after the other.
 */
void THReduceTile_chunks(const THReduceJob *job, const THReduceTile *tile, int64_t first,
                         int64_t count, void *acc);

/* acc[i] of column i of `n` rows of a tile, or of what pretends to be one, along `dims` from row
 * `first` on (THReduceRows.c). */
void THReduceTile_rows(const THReduceJob *job, const THDimList *dims, const THReduceTile *tile,
                       int64_t first, int64_t n, THReduceScratch *scratch, void *acc,
                       const THReduceTerm *term);
/* `lines` lines of n elements each, converted and side by side. Since a conversion is a call, it is
 * of all of them, of short ones in a copy in `raw`. */
void THReduceTile_stage(const THReduceJob *job, char *raw, char *to, const char *from,
                        int64_t lines, int64_t lineStride, int64_t n, int64_t stride);

#endif
