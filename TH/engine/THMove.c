/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Gathering strided elements into contiguous runs and scattering them back. */
#include <TH/THMachine.h>
#include <TH/engine/THMove.h>

#include <string.h>

/* Rows shorter than this are moved element by element. */
#define SHORT_ROW 4
/* Shorter rows are repeated faster together, by doubling what is there. */
#define REPEATED_BYTES 128
/* What is gathered at once before it is mirrored, of up to so many steps, and rows of no fewer
 * elements. */
#define MIRRORED_BYTES 4096
#define MIRRORED_STEPS 4
#define MIRRORED_LEAST 8
/* From this many rows on, lines that lie side by side are worth a transposition. */
#define TRANSPOSED_ROWS 8
#define LIBC_BYTES 2048 /* of a run, which libc moves best */

TH_ISA_DECLARE(TH_MOVES_DECLARE, th_moves);
static const THMoves *const moves[TH_ISA_COUNT] = TH_ISA_TABLE(&th_moves);

TH_ISA_DECLARE(TH_TRANSPOSES_DECLARE, th_transposes);
static const THTransposes *const transposes[TH_ISA_COUNT] = TH_ISA_TABLE(&th_transposes);

const THMoves *THMove_moves(void)
{
    return moves[THIsa_current];
}

const THMoves *THMove_farMoves(void)
{
    return moves[THMachine_halvesRegisters ? THIsa_few : THIsa_current];
}

/* In strips that are whole lines of the caches but for the first and the last one. */
static void streamPicked(const THPicked *picked, int64_t item)
{
    _Alignas(TH_LINE_BYTES) char strip[TH_STREAM_BYTES];
    const THMoves *loops = THMove_moves();
    THPicked part = *picked;
    char *to = picked->to;
    int64_t asked = picked->asked;
    for (int64_t left = picked->n; left > 0; left -= part.n) {
        const int64_t begin = (int64_t)((uintptr_t)to % TH_LINE_BYTES);
        part.n = THSize_min((TH_STREAM_BYTES - begin) / item, left);
        part.to = strip + begin;
        part.asked = THSize_min(part.n, asked) / 16 * 16;
        loops->pick[THMove_at(item)](&part);
        loops->stream(to, 0, part.to, 0, 1, part.n * item);
        to += part.n * item;
        part.index += part.n;
        part.from += part.n * part.step;
        asked = asked > part.n ? asked - part.n : 0;
    }
}

void THMove_pick(const THPicked *picked, int64_t item, int64_t all)
{
    if (all >= THMachine_streamFrom / 2 && picked->n * item >= TH_STREAM_BYTES)
        streamPicked(picked, item);
    else
        THMove_moves()->pick[THMove_at(item)](picked);
}

void THMove_run(char *to, const char *from, int64_t bytes)
{
    if (bytes > LIBC_BYTES) {
        THMove_rows(to, 0, from, 0, 1, bytes);
        return;
    }
    __asm__("" : "+r"(bytes)); /* gcc moves what it knows to be short by slow `rep movsq` */
    memcpy(to, from, (size_t)bytes);
}

/* One row again and again: what is there is doubled. */
static void repeatRow(char *to, const char *from, int64_t rows, int64_t bytes)
{
    THMove_run(to, from, bytes);
    for (int64_t done = bytes, all = rows * bytes; done < all;) {
        const int64_t next = done < all - done ? done : all - done;
        THMove_run(to + done, to, next);
        done += next;
    }
}

void THMove_transpose(int64_t size, char *to, int64_t toStride, const char *from,
                      int64_t fromStride, int64_t rows, int64_t columns, int64_t readAhead,
                      int64_t writeAhead)
{
    transposes[THIsa_for(rows * columns)]->transpose[THMove_at(size)](
        to, toStride, from, fromStride, rows, columns, readAhead, writeAhead);
}

void THMove_rows(char *to, int64_t toStride, const char *from, int64_t fromStride, int64_t rows,
                 int64_t bytes)
{
    moves[THIsa_current]->rows(to, toStride, from, fromStride, rows, bytes);
}

/* Whether rows of elements that lie some steps apart, the last one first, are better gathered
 * forwards, which vectors do, and then mirrored. Parts of longer ones only where they are little.
 */
static bool isMirrored(int64_t size, int64_t rows, int64_t n, int64_t stride)
{
    return stride <= -2 * size && stride >= -MIRRORED_STEPS * size && n >= MIRRORED_LEAST &&
           (size < 4 || (rows > 1 && n * size <= MIRRORED_BYTES));
}

static void gatherMirrored(int64_t size, char *to, const char *from, int64_t rows,
                           int64_t rowStride, int64_t n, int64_t stride)
{
    _Alignas(TH_LINE_BYTES) char room[MIRRORED_BYTES];
    const int64_t most = MIRRORED_BYTES / size, part = n < most ? n : most;
    const bool joined = rowStride == n * -stride;

    for (int64_t r = 0, some; r < rows; r += some) {
        some = rows - r < most / part ? rows - r : most / part;
        for (int64_t at = 0, each; at < n; at += each, to += some * each * size) {
            each = n - at < part ? n - at : part;
            const char *const first = from + r * rowStride + (at + each - 1) * stride;
            if (joined && each == n)
                THMove_gather(size, room, first, 1, 0, some * n, -stride);
            else
                THMove_gather(size, room, first, some, rowStride, each, -stride);
            THMove_gather(size, to, room + (each - 1) * size, some, each * size, each, -size);
        }
    }
}

void THMove_gather(int64_t size, char *to, const char *from, int64_t rows, int64_t rowStride,
                   int64_t n, int64_t stride)
{
    if (n == 1 && rows > 1) {
        n = rows;
        rows = 1;
        stride = rowStride;
    }
    if (stride == size && (rows == 1 || rowStride == n * size)) {
        THMove_run(to, from, rows * n * size);
    } else if (stride == size && rowStride == 0 && n * size < REPEATED_BYTES) {
        repeatRow(to, from, rows, n * size);
    } else if (stride == size && n >= SHORT_ROW) {
        THMove_rows(to, n * size, from, rowStride, rows, n * size);
    } else if (stride != 0 && rowStride == size && rows >= TRANSPOSED_ROWS) {
        THMove_transpose(size, to, n * size, from, stride, rows, n, TH_NEXT_LINE, TH_NEXT_WRITTEN);
    } else if (isMirrored(size, rows, n, stride)) {
        gatherMirrored(size, to, from, rows, rowStride, n, stride);
    } else {
        moves[THIsa_for(rows * n)]->gather[THMove_at(size)](to, from, rows, rowStride, n, stride);
    }
}

void THMove_scatter(int64_t size, char *to, const char *from, int64_t rows, int64_t rowStride,
                    int64_t n, int64_t stride)
{
    if (n == 1 && rows > 1) {
        n = rows;
        rows = 1;
        stride = rowStride;
    }
    if (stride == size && (rows == 1 || rowStride == n * size)) {
        THMove_run(to, from, rows * n * size);
    } else if (stride == size && n >= SHORT_ROW) {
        THMove_rows(to, rowStride, from, n * size, rows, n * size);
    } else if (stride != 0 && rowStride == size && rows >= TRANSPOSED_ROWS) {
        THMove_transpose(size, to, stride, from, n * size, n, rows, TH_NEXT_LINE, TH_NEXT_WRITTEN);
    } else { /* of any number: no other instruction set leaves out what lies between */
        moves[THIsa_current]->scatter[THMove_at(size)](to, from, rows, rowStride, n, stride);
    }
}
