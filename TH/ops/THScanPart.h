/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to the driver of scans: what there is to do, and a part of it. */
#ifndef TH_SCAN_PART_H
#define TH_SCAN_PART_H

#include <TH/THThreads.h>
#include <TH/ops/THLines.h>
#include <TH/ops/THScanning.h>

#define TH_SCAN_WORK 32768 /* elements worth a thread's while */
/* Of results of a row, what is staged at once, what is streamed at once, and of all rows with the
 * lines that they share. */
#define TH_SCAN_PART 2048
#define TH_SCAN_STREAMED 1024
#define TH_SCAN_STAGED (TH_SCAN_ROWS * TH_SCAN_PART + 1024)
#define TH_SCAN_IN_TURN 512      /* of a row of several */
#define TH_SCAN_NEXT (384 << 10) /* bytes of rows that are asked for while others are scanned */
#define TH_SCAN_SHORT_ROW 64     /* elements of a row that is not worth a call */

/* A line that all threads are at. */
typedef struct THScanChain {
    THScanTotal offset;   /* before the first block whose totals are not known yet */
    int64_t taken, known; /* atomic: blocks that threads have begun with, whose totals are known */
    int64_t until;        /* atomic: blocks before this one run on */
} THScanChain;

typedef struct THScanJob {
    const THScanLoops *loops;
    THDtype from, to;
    THLines lines;
    bool asIs;                /* nothing is converted */
    bool isBeside;            /* lines are few, and elements of each between those of others */
    bool directIn, directOut; /* what a loop reads or writes is adjacent and of its dtype */
    int64_t width, perRow;    /* columns of a tile, tiles of a row */
    const char *in;           /* one long line ... */
    char *out;
    THScanChain *chain; /* ... and how far it is */
    bool isFar;         /* so that lines of the caches are asked for */
    bool asksForLines;  /* short lines are, into the second cache */
    bool streamed;      /* results go past the caches */
    bool inPlace;       /* results are where the elements were */
    THScratch scratch;  /* of tiles */
} THScanJob;

/* The room of a thread. */
typedef struct THScanRoom {
    _Alignas(64) char stageIn[TH_SCAN_STAGED], stageOut[TH_SCAN_STAGED];
    THScanTotal running[TH_SCAN_LINES], offset[TH_SCAN_LINES], kept[TH_SCAN_BLOCK];
} THScanRoom;

/* How a part of a tensor is scanned: as rows, of which each has an element of every line, as rows
 * that are lines or segments of one whose running totals were kept, or as a line. */
typedef enum THScanWay {
    TH_SCAN_ACROSS,
    TH_SCAN_SIDE_BY_SIDE,
    TH_SCAN_KEPT,
    TH_SCAN_LINE
} THScanWay;

/* Rows of columns: what is scanned at once, and the room for it. */
typedef struct THScanTile {
    THScanWay way;
    int64_t width, rows, columns; /* the tile's, and of a part */
    int64_t rowIn, rowOut, columnIn, columnOut;
    int64_t pitch, ahead; /* bytes from row to row of staged results, to what is read next */
    const char *next;     /* the rows after these, asked for in the order of memory, or NULL */
    bool isWhole;         /* results are one run, streamed as such */
    char *stageIn, *stageOut;
    THScanTotal *running, *offset;
    THScanTotal *kept; /* where the way is TH_SCAN_KEPT */
} THScanTile;

/* `rows` rows of n elements each, one after the other and converted. Since a conversion is a call,
 * it is of all of them, of short ones in a copy in `room`, unless that is NULL. */
void THScanJob_load(const THScanJob *scan, int64_t rows, int64_t rowStride, int64_t n,
                    int64_t stride, const char *from, char *stage, char *room);
/* The same back to where results are. */
void THScanJob_store(const THScanJob *scan, int64_t rows, int64_t rowStride, int64_t n,
                     int64_t stride, char *to, const char *stage, char *room);
/* What is staged at once of rows of a width. */
void THScanTile_setParts(const THScanJob *scan, THScanTile *tile, int64_t width);
/* What a loop reads of a part: as it lies, or staged; *step is from row to row. */
const char *THScanTile_read(const THScanJob *scan, const THScanTile *tile, int64_t rows,
                            int64_t columns, const char *x, int64_t *step);
/* TH_SCAN_LINES of them; those that are not there are the last one. */
void THScan_setLines(int64_t rows, const char *x, int64_t step, const void **lines);
/* The rows that come after `rows` of a tile along lines, if asking for them helps, else NULL. */
const char *THScanTile_nextRows(const THScanJob *scan, const THScanTile *tile, int64_t rows,
                                const char *next);
/* At most a part: from an index of lines and a column on; whether it is the first one or the last
 * one of its rows or, where these are one run, of that. */
void THScanTile_part(const THScanJob *scan, const THScanTile *tile, int64_t index, int64_t rows,
                     int64_t first, int64_t columns, const char *x, char *to, bool isFirst,
                     bool isLast);
/* All of it, as rows across the lines. */
int THScanJob_across(THScanJob *scan);

#endif
