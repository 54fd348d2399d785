/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The driver of reductions: it knows shapes and strides, the loops know elements.
 *
 * A result element stands for the reduced elements in row-major order, where `anyOrder` says so of
 * the dims by decreasing stride. They are cut into chunks, of TH_REDUCE_CHUNK if nothing else is
 * said; these are combined from left to right. A chunk is accumulated in one of these ways:
 *
 * - Loops along the reduced dim ("lines") keep TH_REDUCE_LANES interleaved lanes and fold them by
 *   halves to 8; what is left behind whole groups of them is added to these 8, which are folded by
 *   halves. A term meets at most 64 + 3 + 8 + 3 additions.
 * - Loops across it ("rows", for a reduced dim that is not the innermost) add 8 rows from left to
 *   right, at most 16 such sums from left to right, and at most 32 of those: 8 + 16 + 32. Narrow
 *   rows that are adjacent are taken as one row, whose columns are then folded by halves: 6 more.
 *   So are, of several dims whose inner one has short pieces, those of neighbouring results, in
 *   chunks of 128 of these rows and of 4096 elements at least: up to 16 more.
 * - Of several dims whose inner one has adjacent elements, lines of these are added from left to
 *   right, or by halves those of a result by itself, where they have 768 bytes or, of words, 384,
 *   or 192 where those of few results follow one another, or 40 elements of floating point where
 *   there are several results: at most 128 in a chunk of 96 KB; and where each result has few of
 *   them: 128 if those of the next result lie beside them, else 16. 129 + 4 + 3 additions at most.
 *   Others are brought side by side, 8 KB at a time, which are added from left to right.
 *
 * Variances add in 32 lanes of a line, 128 + 2 + 8 + 3 additions at most, and to rows as others do,
 * what is off a number near the mean, and its square (TH/loops/moments.c). Their chunks and blocks
 * of TH_REDUCE_ROWS rows are merged by their means, of which what rounding took is kept. They are
 * within twice the bound that follows, relative to themselves, across memory within nine times.
 *
 * So with u the unit roundoff of the accumulator, a sum is within (140 + n / 4096) u of the sum of
 * absolute values, before it is rounded to its dtype; terms of float are exact in double or rounded
 * once. Sums of halves, of which conversions to double take most of the time, are those of four
 * elements each added as floats, where a line has 4 * TH_REDUCE_LANES (so many apart) and of eight
 * rows: within 2^-23 more. A result depends on how its elements lie in memory, but neither on
 * threads nor, but for exponentials (exp.h) and powers, on the instruction set. */
#ifndef TH_REDUCTION_H
#define TH_REDUCTION_H

#include <TH/THIsa.h>
#include <TH/THMachine.h>
#include <TH/THTensor.h>
#include <TH/ops/THDimList.h>

#include <math.h>

#define TH_REDUCE_CHUNK 4096
#define TH_REDUCE_LONG_CHUNK 16384 /* of lines that lie in memory, where reductions are exact */
#define TH_REDUCE_LANES 64
#define TH_REDUCE_TURNED 4        /* elements of lines that loops take as columns, at most, ... */
#define TH_REDUCE_TURNED_LINES 64 /* ... of so many lines */
#define TH_REDUCE_ROWS 128        /* rows a `rows` loop gets at most */
#define TH_REDUCE_COLUMN_LANES 3  /* accreal of a column, where `rows` has a `fold`, at most */
/* Columns with the room that whole vectors of accumulators need. */
#define TH_REDUCE_PADDED(width) (((width) + 7) & ~(int64_t)7)

#define TH_AHEAD_SOON 8192 /* bytes ahead of rows that are read in turn, which are asked for */

/* What a term needs beside its element. */
typedef struct THReduceTerm {
    double p;
    int64_t follow;  /* elements of each line behind those in hand; of each row, if read soon */
    bool far;        /* they are not in the caches near a core */
    const char *end; /* of the operand's memory, if that has left the last cache, else NULL */
    int64_t beside;  /* not 0: so many bytes from what is in hand lies what is to be asked for */
} THReduceTerm;

/* How many bytes ahead is still memory of the line, whose elements have `size` bytes, or of the
 * `more` elements that adjacent lines have behind it. Hardware alone fetches a single stream from
 * the last cache too late: asking ahead made sums of 10^7 float32 1.5 times faster. Only for what
 * is there: asking for pages that are not took three times as long as a chunk does. Nor where it
 * all is in the near caches. While copies are reduced, what is copied next comes nearer. */
static inline int64_t THReduceTerm_ahead(const THReduceTerm *self, int64_t size, int64_t more)
{
    if (self->beside != 0 || !self->far)
        return self->beside;
    const int64_t ahead = THMachine_readAhead;
    return ahead > 0 && self->follow + more >= ahead / size ? ahead : 0;
}

/* A function compiled once: clones for arguments that are constants here and there would only take
 * time to compile. */
#if defined(__clang__)
#define TH_ONCE static __attribute__((noinline))
#else
#define TH_ONCE static __attribute__((noinline, noclone))
#endif

/* Accumulators are accreal, of counts int64, for argmax and argmin a THReduceExtreme, for amax and
 * amin what the loops see, for aminmax two of these, for variances THReduceMoments. */
typedef struct THReduceExtreme {
    int64_t index; /* of the first extreme element, or of the first NaN */
    union {
        int64_t l;
        double d;
    } value; /* exact for every dtype */
} THReduceExtreme;

typedef struct THReduceMoments {
    double mean, rest; /* of the mean, that it has been rounded by */
    double deviations; /* from the mean: the sum of their squares */
    double count;
} THReduceMoments;

#define TH_REDUCE_ACC_BYTES sizeof(THReduceMoments) /* of an accumulator at most */

typedef struct THReduceLoops {
    /* acc[i] of the n adjacent elements of line i, at most those of a chunk; lines are `stride`
     * bytes apart. */
    void (*lines)(int64_t nlines, int64_t n, const void *x, int64_t stride, void *acc,
                  const THReduceTerm *term);
    /* acc[i] of column i of at most TH_REDUCE_ROWS rows, where `first` is 0; else these are added
     * to what is there, as rows from `first` (a multiple of 8) on. acc has room for
     * TH_REDUCE_PADDED(width) accreal. With a `fold`, acc is aligned and has room for
     * TH_REDUCE_COLUMN_LANES times as many, and rows are those of a chunk. */
    void (*rows)(int64_t nrows, int64_t width, const void *const *rows, int64_t first, void *acc,
                 const THReduceTerm *term);
    /* acc[i] of column i of a chunk of nrows rows; NULL where `rows` makes that. */
    void (*fold)(int64_t nrows, int64_t width, void *lanes, void *acc);
    /* acc[i] with the next chunk's, whose first element has the index `first`; of equal elements
     * the one with the smaller index counts. */
    void (*combine)(int64_t n, void *acc, const void *next, int64_t first);
    THDtype dtype; /* of elements; others are converted first */
    /* `lines` of every second element; NULL: these are brought side by side first. */
    void (*everySecond)(int64_t nlines, int64_t n, const void *x, int64_t stride, void *acc,
                        const THReduceTerm *term);
    /* Bytes of the longest of adjacent lines that are asked for by who calls `lines`, since it does
     * not ask for all of them itself; 0: it does. */
    int64_t unasked;
} THReduceLoops;

/* ... of loops that only ask for a part of lines of some KB (max of dim 1 of 33333 x 300 float64:
 * 2.9 ms, so 2.15; of 20000 x 500 2.4, so 2.8; EPYC 9005). */
#define TH_REDUCE_UNASKED 2560
#define TH_REDUCE_UNASKED_SHORT 512 /* ... of those that ask for all of longer lines */

/* Every reduction, dtype and instruction set has its own: th_sumLoops_<Real>_<isa>. A library
 * without an op that needs a reduction (see wrapgen/selection.py) is without its loops. */
#define TH_REDUCE_DECLARE(name) extern const THReduceLoops name[1]
/* In a generic file of loops: the table of one, made of functions whose first argument, a constant,
 * says what is done. */
#define TH_REDUCE_DEFINE(name, op, LINES, ROWS, COMBINE, everySecond, unasked)                   \
    static void THLoop_(name##_lines)(int64_t nlines, int64_t n, const void *x, int64_t stride,  \
                                      void *acc, const THReduceTerm *term)                       \
    {                                                                                            \
        LINES(op, nlines, n, x, stride, acc, term);                                              \
    }                                                                                            \
    static void THLoop_(name##_rows)(int64_t nrows, int64_t width, const void *const *rows,      \
                                     int64_t first, void *acc, const THReduceTerm *term)         \
    {                                                                                            \
        ROWS(op, nrows, width, rows, first == 0, acc, term);                                     \
    }                                                                                            \
    static void THLoop_(name##_combine)(int64_t n, void *acc, const void *next, int64_t first)   \
    {                                                                                            \
        (void)first;                                                                             \
        COMBINE(op, n, acc, next);                                                               \
    }                                                                                            \
    TH_REDUCE_DECLARE(THLoop_(name##Loops));                                                     \
    const THReduceLoops THLoop_(name##Loops)[1] = {{THLoop_(name##_lines), THLoop_(name##_rows), \
                                                    NULL, THLoop_(name##_combine), TH_DTYPE,     \
                                                    everySecond, unasked}};
/* In a generic file: those of the dtype or of another one, for each instruction set. */
#define TH_REDUCE_LOOPS(name) TH_REDUCE_LOOPS_OF(name, TH_COMPUTE_REAL)
#define TH_REDUCE_LOOPS_OF(name, real)                                       \
    TH_LOOPS_DECLARE(TH_REDUCE_DECLARE, name##Loops, real);                  \
    static const THReduceLoops *const THTensor_(name##Loops)[TH_ISA_COUNT] = \
        TH_LOOPS(name##Loops, real)

/* Divides n accumulators by a number, and takes their square roots if these are wanted; a loop for
 * each instruction set, with the same bits. Those of a dtype that is `narrow` are 0 or far from the
 * least double. */
typedef void THReduceScale(int64_t n, double *acc, double divisor, bool narrow, bool rooted);
static inline void THReduce_scale(int64_t n, double *acc, double divisor, bool rooted)
{
    for (int64_t i = 0; i < n && divisor != 1; i++)
        acc[i] /= divisor;
    for (int64_t i = 0; i < n && rooted; i++)
        acc[i] = sqrt(acc[i]);
}
#define TH_REDUCE_SCALE_DECLARE(name) THReduceScale name

/* Raises n numbers, a multiple of 8, to a power; instruction sets differ in the last bits. */
typedef void THReduceRaise(int64_t n, double *numbers, double power);
#define TH_REDUCE_RAISE_DECLARE(name) THReduceRaise name

#define TH_REDUCE_RESULTS TH_DIM_OUTPUTS

/* Where finished elements go: `n` of them at byte strides. An absent result has NULL data. */
typedef struct THReduceTarget {
    char *data[TH_REDUCE_RESULTS];
    int64_t stride[TH_REDUCE_RESULTS];
    uint8_t dtype[TH_REDUCE_RESULTS];
} THReduceTarget;

struct THReduction;
/* Stores n results, which may change acc. */
typedef void THReduceFinish(const struct THReduction *reduction, int64_t n, int64_t reduced,
                            void *acc, const THReduceTarget *target);

typedef struct THReduction {
    const char *op;
    THDtype compute; /* dtype the loops read */
    int accSize;     /* bytes of an accumulator */
    bool anyOrder;   /* reduced dims are walked as they lie in memory */
    bool exact;      /* in any order, but of equal elements the first counts */
    bool dear;       /* an element takes longer to reduce than to move */
    bool blocks;     /* bits depend on how many rows loops get: TH_REDUCE_ROWS */
    uint8_t itself;  /* bit r: of one element result r is that element, converted; where
                        any bit is set, other results are its index */
    const THReduceLoops *loops;
    const THReduceLoops *loopsOfFew; /* the same for THIsa_few */
    double p;                        /* of THReduceTerm */
    double argument;                 /* for `finish` */
    THReduceFinish *finish;
    /* Do the first `seen` elements decide all n results, whose accumulators these are? NULL: never.
     * Then accumulators of zeros may stand for what comes after them. */
    bool (*isDecided)(const struct THReduction *reduction, int64_t n, int64_t seen,
                      const void *acc);
} THReduction;

/* Reduces the dims in the bit mask `dim` (0: all of them). results[1] may be NULL, they are resized
 * here and have a dtype already. Without `identity` a reduction of no elements to some is an
 * error. */
int THReduction_run(const THReduction *reduction, THTensor *const *results, int nresults,
                    THTensor *self, uint64_t dim, bool keepdim, bool identity);

#endif
