/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to the chapter softmax: what its plan says to those who run it. */
#ifndef TH_SOFTMAXING_H
#define TH_SOFTMAXING_H

#include <TH/THTensor.h>
#include <TH/loops/softmax.h>
#include <TH/ops/THLines.h>

#define TH_SOFTMAX_WORK 32768 /* elements worth a thread's while */
#define TH_SOFTMAX_BLOCK 1024 /* elements of a line that is staged */
/* Elements of a tile that is staged as a whole. Lines of few elements, which do not fill the lanes,
 * are staged, too: transposed, as they take longer along than across; so are few columns, the other
 * way round. */
#define TH_SOFTMAX_STAGED 16384
/* The same of terms that are widened: three times, and exponentials made twice, if they are not
 * kept (softmax of 1000 x 1000 float16: 1.30 ms, so .94; EPYC 9004); and of fewer columns, of which
 * rows take long to be converted or gathered one by one. */
#define TH_SOFTMAX_STAGED_LARGE 65536
#define TH_SOFTMAX_LEAST_GROUP 4 /* rows that are one step together */

typedef struct THSoftmax {
    const THSoftmaxLoops *loops;
    THDtype compute;
    THLines lines;
    bool across, staged;
    bool tiles;               /* Does one loop take all of a tile? */
    bool lies;                /* ... and do blocks of columns lie one after the other? */
    bool isLarge;             /* is what is staged too much for a thread's stack? */
    int64_t many;             /* whole lines side by side, 0: tiles */
    bool directIn, directOut; /* what a loop reads or writes is adjacent and of its dtype */
    bool streamed;            /* results go past the caches */
    bool waits;               /* ... all of a tile at a time */
    bool keeps;               /* Are terms kept in a tile of our own? */
    bool asks;                /* ... and, across lines, each pass asks for the rows it comes to */
    int64_t width, perRow;    /* columns of a tile, tiles of a row; a tile along is one line */
    int64_t group;  /* across, rows that are one step: a long one, as they are adjacent, */
    bool gathers;   /* ... or become so where they are read */
    bool inPieces;  /* Are all columns of some rows one thread's at a time? */
    THDim others;   /* of a size above 1: blocks of columns, staged side by side in a tile */
    const char *in; /* one long line ... */
    char *out;
    bool far;              /* from the caches: what is read next is asked for */
    char *kept;            /* all of its terms, NULL: they are not kept here */
    THSoftmaxExps *pieces; /* ... and what its pieces come to, or those of columns */
    THSoftmaxExps *wholes; /* what it comes to, or each column */
} THSoftmax;

/* Memory of a thread. */
typedef struct THSoftmaxMemory {
    THSoftmaxState state;
    double in[TH_SOFTMAX_BLOCK], out[TH_SOFTMAX_BLOCK];
    char staged[TH_SOFTMAX_STAGED * sizeof(double)]; /* or floats, with halves behind them */
    char *tile;                                      /* the same, or where there is more room */
} THSoftmaxMemory;

/* All columns of a row. */
static inline int64_t THSoftmax_columns(const THSoftmax *softmax)
{
    return softmax->lines.column.size * softmax->others.size;
}

/* Tiles, or so many whole lines at once, `begin` to `end` of those of all rows. */
void THSoftmax_tiles(int64_t begin, int64_t end, void *softmax);

/* Long columns, of which pieces of rows are worked on in parallel. */
int THSoftmax_shareColumns(THSoftmax *softmax);
/* What pieces of one long line come to, together. */
THSoftmaxExps THSoftmax_join(const THSoftmaxExps *pieces, int64_t count, int64_t step);

/* Long lines, one after the other, the pieces of each in parallel. */
int THSoftmax_shareLines(THSoftmax *softmax);

#endif
