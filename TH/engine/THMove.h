/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to the engine: elements moved by their size (1, 2, 4 or 8 bytes), whatever their dtype.
 * All strides are in bytes. Nothing here may overlap, and nothing fails. */
#ifndef TH_MOVE_H
#define TH_MOVE_H

#include <TH/THEngine.h>
#include <TH/THMachine.h>

/* `rows` rows of `n` elements from anywhere to one contiguous run, and back. */
void THMove_gather(int64_t size, char *to, const char *from, int64_t rows, int64_t rowStride,
                   int64_t n, int64_t stride);
void THMove_scatter(int64_t size, char *to, const char *from, int64_t rows, int64_t rowStride,
                    int64_t n, int64_t stride);

/* Rows from one place to another, and one of any length. */
void THMove_rows(char *to, int64_t toStride, const char *from, int64_t fromStride, int64_t rows,
                 int64_t bytes);
void THMove_run(char *to, const char *from, int64_t bytes);

#define TH_LINE_BYTES 64 /* of the caches */

/* Bytes of the widest operand of what is computed at once where it is streamed, and how far ahead
 * what is read is asked for, of all inputs together. A processor that waits for stores looks no
 * further than their queue is long: with strips of 8 KB, or asking for nothing, the reads of a
 * strip wait until the one before is written. */
#define TH_STREAM_BYTES 1024
#define TH_STREAM_AHEAD 8192

/* Of so many bytes an operand stays in the second cache. */
#define TH_SECOND_BYTES (1 << 19)

/* How many rows of so many bytes, one after the other, are whole lines of the caches. */
static inline int64_t THMove_rowsOfLines(int64_t row)
{
    return TH_LINE_BYTES / THSize_min(row & -row, TH_LINE_BYTES);
}

/* How many of up to TH_STRIP_MOST / 2 bytes are put together to be streamed: about as many as that,
 * in whole lines where these fit, since a line that two strips share is read to be written. */
#define TH_STRIP_MOST (4 * TH_STREAM_BYTES)
static inline int64_t THMove_stripRows(int64_t row)
{
    const int64_t lines = THMove_rowsOfLines(row), some = TH_STRIP_MOST / 2 / row;
    if (lines * row > TH_STRIP_MOST)
        return some < 2 ? 2 : some;
    return some < lines ? lines : some / lines * lines;
}

/* After streaming stores: other threads see them before what is stored next. */
static inline void THMove_fence(void)
{
#if defined(__SSE2__)
    __builtin_ia32_sfence();
#endif
}

/* Asks for memory that is read or (a constant) written soon. Inline: gcc takes a function that only
 * prefetches for one without effect, and drops the call. */
static inline __attribute__((always_inline)) void THMove_prefetch(const void *place, int64_t bytes,
                                                                  bool written)
{
    const uintptr_t begin = (uintptr_t)place; /* may be beyond the memory */
    for (int64_t at = 0; at < bytes; at += TH_LINE_BYTES) {
        if (written)
            __builtin_prefetch((const void *)(begin + (uintptr_t)at), 1);
        else
            __builtin_prefetch((const void *)(begin + (uintptr_t)at));
    }
}

/* The same of what is read so many bytes behind a place. */
static inline __attribute__((always_inline)) void THMove_prefetchAhead(const void *place,
                                                                       int64_t ahead, int64_t bytes)
{
    THMove_prefetch((const void *)((uintptr_t)place + (uintptr_t)ahead), bytes, false);
}

/* ... of what is read beside a row that comes round again (THMachine.h). */
static inline __attribute__((always_inline)) void THMove_ask(const void *place, int64_t bytes)
{
    const uintptr_t begin = (uintptr_t)place;
    if (!THMachine_asksSecond) {
        THMove_prefetch(place, bytes, false);
        return;
    }
    for (int64_t at = 0; at < bytes; at += TH_LINE_BYTES)
        __builtin_prefetch((const void *)(begin + (uintptr_t)at), 0, 2);
}

/* Whether every index plus `shift` is within 0 and `last`. */
static inline bool THMove_areWithin(const int64_t *index, int64_t n, uint64_t shift, uint64_t last)
{
    uint64_t failed = 0; /* in its sign bit, which every instruction set finds in vectors */
    for (int64_t i = 0; i < n; i++) {
        const uint64_t place = (uint64_t)index[i] + shift;
        failed |= place | (last - place);
    }
    return failed >> 63 == 0;
}

/* Rows of `bytes` bytes, one after the other on either side but that an index for each one tells
 * how many times `toScale` and `fromScale` further it lies; `wrap` is added to negative ones. */
typedef struct THIndexedRows {
    const char *index;
    int64_t indexStride, wrap;
    char *to;
    const char *from;
    int64_t toStride, toScale, fromStride, fromScale, rows, bytes;
    int64_t span; /* bytes that they lie among where the index says */
    int64_t all;  /* bytes that are moved, these among them */
} THIndexedRows;

static inline int64_t THIndex_at(int64_t index, int64_t wrap)
{
    return index + (index >> 63 & wrap);
}
static inline int64_t THIndex_place(const char *index, int64_t wrap)
{
    return THIndex_at(*(const int64_t *)(const void *)index, wrap);
}

/* Elements to one run: each lies `step` bytes further than the one before and, as an index tells,
 * so many times `scale`. Beside those of the first `asked`, a multiple of 16, those that come
 * TH_PICK_AHEAD later are asked for, or they are read one by one, by the machine (pick.c). */
#define TH_PICK_AHEAD 128
typedef struct THPicked {
    char *to;
    const char *from;
    const int64_t *index;
    int64_t n, asked, wrap, scale, step;
} THPicked;
typedef void THPick(const THPicked *picked);
/* Whether places among so many bytes are asked for; then, of how many of n elements, which `all`
 * begin with, those that come later are. */
static inline bool THPicked_isFar(int64_t bytes)
{
    return THMachine_isFar(bytes, 8 << 20);
}
static inline int64_t THPicked_asked(bool far, int64_t n, int64_t all)
{
    const int64_t most = all - TH_PICK_AHEAD;
    return far && most > 0 ? (n < most ? n : most) / 16 * 16 : 0;
}

/* Planes of rows from one place to another. */
typedef struct THMovedPlanes {
    char *to;
    const char *from;
    int64_t toPlane, toStride, fromPlane, fromStride, planes, rows, bytes;
} THMovedPlanes;

/* Rows of a tile that are parts of longer rows, `bytes` of each, TH_LINE_BYTES of room before them:
 * of each the last TH_LINE_BYTES are kept, to fill the first line of its next part. Meanwhile lines
 * at `asked` and so on are asked for, a few by each row. */
typedef struct THStreamedParts {
    char *to, *from, *kept;
    int64_t toStride, fromStride, keptStride, rows, bytes;
    bool first, last; /* parts of their rows */
    uintptr_t asked;
    int64_t askedStride, askedEach, nasked;
} THStreamedParts;

#define TH_MIRRORED_BYTES 16
/* What they are made of, for elements of 1, 2, 4 and 8 bytes; for each instruction set. */
typedef void (*THMoveRows)(char *to, const char *from, int64_t rows, int64_t rowStride, int64_t n,
                           int64_t stride);
typedef struct THMoves {
    THMoveRows gather[4], scatter[4];
    /* Two operands with the same steps, which may share lines. */
    void (*gatherPair[4])(char *const to[2], const char *const from[2], int64_t n, int64_t stride);
    /* Single elements from steps to steps: what they wait for, read or written, comes at once. */
    void (*each[4])(char *to, int64_t toStride, const char *from, int64_t fromStride, int64_t n);
    /* Each row with one element n times. */
    void (*fill[4])(char *to, int64_t toStride, const char *from, int64_t fromStride, int64_t rows,
                    int64_t n);
    void (*rows)(char *to, int64_t toStride, const char *from, int64_t fromStride, int64_t rows,
                 int64_t bytes);
    void (*planes)(const THMovedPlanes *planes);
    /* Rows of n elements of `item` bytes, TH_MIRRORED_BYTES at most, side by side: the last element
     * of each first. NULL: no faster than one by one. */
    void (*mirrored)(char *to, const char *from, int64_t rows, int64_t n, int64_t item);
    /* Rows, and 8 bytes that repeat themselves, past the caches but for lines that are not written
     * whole; a fence is the caller's. */
    void (*stream)(char *to, int64_t toStride, const char *from, int64_t fromStride, int64_t rows,
                   int64_t bytes);
    void (*streamParts)(const THStreamedParts *parts); /* the same */
    void (*streamWord)(char *to, int64_t bytes, uint64_t word);
    /* The same to the caches, as THMachine_stringFrom says; `bytes` are whole elements. */
    void (*setWord)(char *to, int64_t bytes, uint64_t word);
    void (*indexedRows)(const THIndexedRows *rows);
    THPick *pick[4];
    /* offset += place of the index * scale. */
    void (*addPlaces)(int64_t *offset, const int64_t *index, int64_t n, int64_t scale,
                      int64_t wrap);
    bool (*areWithin)(const int64_t *index, int64_t n, uint64_t shift, uint64_t last);
} THMoves;
const THMoves *THMove_moves(void);
/* What streams one run of far memory to another best: shorter registers where those are halved
 * (80 MB: 4.9 ms, so 4.6; on two threads 5.8, so 5.1; EPYC 9004). */
const THMoves *THMove_farMoves(void);
/* Elements of `item` bytes to one run; past the caches where there are so many bytes in all: then a
 * fence is the caller's. */
void THMove_pick(const THPicked *picked, int64_t item, int64_t all);
/* Where in their tables elements of 1, 2, 4 and 8 bytes have theirs. */
static inline int THMove_at(int64_t size)
{
    return __builtin_ctz((unsigned)size);
}
#define TH_MOVES_DECLARE(name) extern const THMoves name

/* to[r][c] = from[c][r]: `to` has `rows` rows of `columns` contiguous elements, `from` has
 * `columns` lines of `rows` contiguous elements. Lines so many bytes ahead of what is read and, if
 * not 0, written are asked for: the next ones, and two lines further where the hardware does not
 * look ahead in so many rows at once. */
void THMove_transpose(int64_t size, char *to, int64_t toStride, const char *from,
                      int64_t fromStride, int64_t rows, int64_t columns, int64_t readAhead,
                      int64_t writeAhead);
#define TH_NEXT_LINE TH_LINE_BYTES
#define TH_NEXT_WRITTEN (2 * TH_LINE_BYTES)
typedef struct THTransposes {
    void (*transpose[4])(char *to, int64_t toStride, const char *from, int64_t fromStride,
                         int64_t rows, int64_t columns, int64_t readAhead, int64_t writeAhead);
} THTransposes;
#define TH_TRANSPOSES_DECLARE(name) extern const THTransposes name

/* The loop that converts a contiguous run: data[0] from data[1]. */
THLoop THCast_loop(THDtype to, THDtype from);
THLoop THCast_loopFor(THDtype to, THDtype from, int isa);
/* Converts a contiguous run to `via`, unless it is of that dtype, then to `toDtype`; `room` is for
 * n elements of via. */
void THCast_through(int64_t n, void *to, THDtype toDtype, THDtype via, void *room, const void *from,
                    THDtype fromDtype);

#endif
