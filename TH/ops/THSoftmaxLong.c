/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Softmax of long lines, which are shared among threads. */
#include <TH/THEngine.h>
#include <TH/engine/THMove.h>
#include <TH/ops/THSoftmaxing.h>
#include <math.h>

#define PIECE 4096 /* elements that are one thread's at a time */
/* Bytes of terms that wait in memory of our own: of more the second cache does not keep them until
 * they are read again, and they are sooner made again. */
#define KEPT_BYTES (1 << 20)

/* A piece as loops see it. */
typedef struct Piece {
    int64_t n;
    const char *in, *next; /* what of the next one is asked for, NULL: nothing */
    char *out, *terms;     /* where these wait, NULL: they are made again */
} Piece;

/* Terms that wait in the result are written over there. Far results would be read again. */
static bool isInPlace(const THSoftmax *softmax)
{
    return softmax->loops->ofTerms && softmax->directOut && !softmax->streamed;
}

static Piece pieceAt(const THSoftmax *softmax, int64_t i, char *staged)
{
    const THDim *along = &softmax->lines.along;
    const int64_t first = i * PIECE, left = along->size - first;
    Piece piece = {.n = THSize_min(PIECE, left),
                   .in = softmax->in + first * along->in,
                   .out = softmax->out + first * along->out[0]};
    if (isInPlace(softmax))
        piece.terms = piece.out;
    else if (softmax->kept)
        piece.terms = softmax->kept + first * THDtype_size(softmax->compute);
    if (softmax->far && left >= 2 * PIECE && along->in > 0 && along->in <= TH_LINE_BYTES)
        piece.next = piece.in + PIECE * along->in;
    if (!softmax->directIn && staged) {
        THCast(piece.n, staged, softmax->compute, THDtype_size(softmax->compute), piece.in,
               softmax->lines.dtype, along->in);
        piece.in = staged;
    }
    return piece;
}

/* Terms over that of a piece's own maximum, of -inf alone 0. */
static void pieceRange(int64_t begin, int64_t end, void *context)
{
    const THSoftmax *softmax = context;
    const THSoftmaxLoops *loops = softmax->loops;
    const int64_t size = THDtype_size(softmax->compute), step = softmax->lines.along.in;
    THSoftmaxMemory memory;
    for (int64_t i = begin; i < end; i++) {
        const Piece piece = pieceAt(softmax, i, memory.staged);
        char *terms = piece.terms ? piece.terms : memory.staged;
        loops->lowest(&memory.state);
        loops->maximum(piece.n, 1, piece.in, &memory.state);
        for (int64_t first = 0, n; first < piece.n; first += n) {
            n = piece.next ? THSize_min(TH_SOFTMAX_BLOCK, piece.n - first) : piece.n;
            for (int64_t at = 0; piece.next && at < n * step; at += TH_LINE_BYTES)
                __builtin_prefetch(piece.next + first * step + at, 0, 2);
            loops->terms(n, first, piece.in + first * size, &memory.state, terms + first * size);
        }
        softmax->pieces[i] = loops->exps(&memory.state);
    }
}

static void resultRange(int64_t begin, int64_t end, void *context)
{
    const THSoftmax *softmax = context;
    const THSoftmaxLoops *loops = softmax->loops;
    const int64_t size = THDtype_size(softmax->compute), step = softmax->lines.along.out[0];
    const bool direct = softmax->directOut && !softmax->streamed;
    THSoftmaxMemory memory;
    for (int64_t i = begin; i < end; i++) {
        const bool again = !isInPlace(softmax) && !softmax->kept;
        const Piece piece = pieceAt(softmax, i, again ? memory.staged : NULL);
        loops->take(&softmax->pieces[i], softmax->wholes, &memory.state);
        for (int64_t first = 0, n; first < piece.n; first += n) {
            char *to = piece.out + first * step, *made = direct ? to : (char *)memory.out;
            const char *x = (again ? piece.in : piece.terms) + first * size;
            n = THSize_min(TH_SOFTMAX_BLOCK, piece.n - first);
            if (loops->ofTerms && again) {
                loops->again(n, x, &memory.state, made);
                x = made;
            }
            loops->ofPiece(n, x, &memory.state, made);
            if (softmax->streamed)
                THMove_moves()->stream(to, 0, made, 0, 1, n * size);
            else if (!direct)
                THCast(n, to, softmax->lines.resultDtype[0], step, made, softmax->compute, size);
        }
    }
    if (softmax->streamed)
        THMove_fence();
}

/* From left to right. */
THSoftmaxExps THSoftmax_join(const THSoftmaxExps *pieces, int64_t count, int64_t step)
{
    THSoftmaxExps whole = pieces[0];
    for (int64_t i = 1; i < count; i++) {
        const THSoftmaxExps *piece = &pieces[i * step];
        if (piece->maximum > whole.maximum) {
            whole.sum = whole.sum * exp(whole.maximum - piece->maximum) + piece->sum;
            whole.maximum = piece->maximum;
        } else {
            whole.sum += piece->sum * exp(piece->maximum - whole.maximum);
        }
    }
    return whole;
}

/* Line after line, the pieces of each in parallel. */
int THSoftmax_shareLines(THSoftmax *softmax)
{
    const THLines *lines = &softmax->lines;
    const int64_t columns = lines->column.size, count = (lines->along.size - 1) / PIECE + 1;
    const int64_t bytes = lines->along.size * THDtype_size(softmax->compute);
    const bool keeps = softmax->loops->ofTerms && !softmax->directOut && bytes <= KEPT_BYTES;
    softmax->pieces = THAlloc((size_t)(count + 1) * sizeof *softmax->pieces);
    if (!softmax->pieces)
        return TH_ERROR_MEMORY;
    softmax->wholes = softmax->pieces + count;
    softmax->kept = keeps ? THAlloc((size_t)bytes) : NULL; /* without it terms are made again */
    for (int64_t line = 0; line < lines->rows * columns; line++) {
        char *out[TH_DIM_OUTPUTS];
        const char *in = THLines_at(lines, line / columns, out);
        softmax->in = in + line % columns * lines->column.in;
        softmax->out = out[0] + line % columns * lines->column.out[0];
        TH_parallel_for(count, TH_SOFTMAX_WORK / PIECE, pieceRange, softmax);
        *softmax->wholes = THSoftmax_join(softmax->pieces, count, 1);
        TH_parallel_for(count, TH_SOFTMAX_WORK / PIECE, resultRange, softmax);
    }
    THFree(softmax->kept);
    THFree(softmax->pieces);
    return TH_OK;
}
