/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The driver of cumulative sums and products.
 *
 * For sums, a line is cut into segments of TH_SCAN_SEGMENT elements. An element's result is the
 * offset of its segment plus the running total since the segment began; offsets are added from left
 * to right. Segments are thus independent but for their offsets, whether they run
 * side by side in one thread or for many columns, or are shared among threads, and the results are
 * the same. Products run on from element to element: that of a segment alone may overflow where
 * that of the line is small or 0. Only a single long line of floating numbers is cut into blocks
 * of segments, whose products are multiplied where all of these, and what they are multiplied by,
 * are far from both ends of the range of doubles; a block where one is not runs on, and so do the
 * next TH_SCAN_PATIENCE. */
#ifndef TH_SCANNING_H
#define TH_SCANNING_H

#include <TH/THIsa.h>
#include <TH/THTensor.h>

#define TH_SCAN_SEGMENT 1024
#define TH_SCAN_SHORT 32
#define TH_SCAN_LINES 8 /* that are scanned at once, in lanes of registers */
#define TH_SCAN_FEW 3   /* that are at most read and written where they are */
#define TH_SCAN_ROWS 8  /* that are scanned at once, while their totals stay in registers */
#define TH_SCAN_PATIENCE 32
#define TH_SCAN_BLOCK (TH_SCAN_SEGMENT * TH_SCAN_LINES)

/* Totals of so many columns, and of those that a register has besides. */
#define TH_SCAN_ROOM(width) ((width) + 8)

typedef enum THScanOp { TH_SCAN_SUM, TH_SCAN_PROD, TH_SCAN_OPS } THScanOp;

/* An accreal. */
typedef union THScanTotal {
    int64_t l;
    double d;
} THScanTotal;

/* Short rows of lines, at most TH_SCAN_SEGMENT of them, and more such tiles; steps are in bytes. */
typedef struct THScanTiles {
    int64_t nrows, width, step, resultStep, tileStep, resultTileStep;
} THScanTiles;

/* Steps from element to element and from line to line, in bytes. */
typedef struct THScanSteps {
    int64_t step, resultStep, lineStep, resultLineStep;
} THScanSteps;

/* Results are int64 for integers and bool, else of the loops' dtype. */
typedef struct THScanLoops {
    THScanTotal identity;
    bool runsOn; /* segments can be joined only where `totals` and `join` say so */
    /* n elements of a line from a segment's first on; *offset goes on to the next one. */
    void (*line)(int64_t n, const void *x, void *results, void *offset);
    /* The n elements from `index` on of TH_SCAN_LINES lines, all of them in one segment; where
     * there are fewer lines the last one stands for others. */
    void (*lines)(int64_t n, int64_t index, const void *const *x, void *const *results,
                  void *running, void *offset);
    /* Adds n elements, a multiple of 8, of as many segments to their totals, and keeps these where
     * `kept` is not NULL, TH_SCAN_LINES for each element; NULL where elements cannot be joined out
     * of order, false where these cannot. */
    bool (*totals)(int64_t n, const void *const *x, void *totals, void *kept);
    /* The results from the offsets of segments and what was kept of them; NULL where `line` takes
     * less time. */
    void (*kept)(int64_t n, const void *kept, const void *offset, void *const *results);
    /* *offset joined with n totals; false where that may have lost something. */
    bool (*join)(int64_t n, const void *totals, void *offset);
    /* The elements from `index` on of `width` lines, in rows that are `step` and `resultStep` bytes
     * apart; `running` and `offset` hold TH_SCAN_ROOM(width) totals. */
    void (*rows)(int64_t nrows, int64_t width, int64_t index, const void *x, int64_t step,
                 void *results, int64_t resultStep, void *running, void *offset);
    /* All n elements of 1 to TH_SCAN_FEW lines, at any steps. */
    void (*few)(int64_t n, int64_t nlines, const THScanSteps *steps, const void *x, void *results);
    /* All of `ntiles`; results are not where elements are. */
    void (*tiles)(int64_t ntiles, const THScanTiles *tiles, const void *x, void *results);
    /* All of lines of n <= TH_SCAN_SHORT elements; results lie one after the other. */
    void (*shortLines)(int64_t nlines, int64_t n, const void *x, int64_t lineStride, int64_t stride,
                       void *results);
} THScanLoops;

/* Dtypes of 4 and of 8 bytes have a table for every instruction set: th_scan_<Real>_<isa>[op]. */
#define TH_SCAN_DECLARE(name) extern const THScanLoops name[TH_SCAN_OPS]

/* Loops read `from` and write `to`. */
int THScan_run(const char *op, const THScanLoops *loops, THDtype from, THDtype to, THTensor *result,
               THTensor *self, int64_t dim);

#endif
