/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Moving rows of bytes: strided, in planes, past the caches, and where indices say. */
#include <TH/THIsa.h>
#include <TH/THMachine.h>
#include <TH/engine/THMove.h>
#include <TH/loops/moves.h>
#include <TH/loops/registers.h>
#include <TH/loops/streamed.h>
#include <TH/loops/strings.h>
#include <TH/loops/triples.h>

#include <string.h>

/* From so many bytes of rows on, what comes next is asked for: more than is ever staged. */
#define FAR_BYTES 16384
/* From so many on, what indices name is no longer in the second-level cache. Of fewer, rows up to
 * SHORT_BYTES are moved fastest with nothing asked for. */
#define CACHED_BYTES (512 << 10)
#define SHORT_BYTES 8192
/* Rows that an index names are streamed by so many bytes at least, which are worth a fence. */
#define STREAMED_LEAST (16 << 10)

/* `part` bytes, a constant, by registers as long as there are: gcc's own moves are of 16 bytes. */
INLINE void movePart(char *to, const char *from, int64_t part)
{
    typedef char Vector __attribute__((vector_size(VECTOR_BYTES)));
    for (int64_t at = 0; at < part && part >= VECTOR_BYTES; at += VECTOR_BYTES) {
        Vector some;
        memcpy(&some, from + at, sizeof some);
        memcpy(to + at, &some, sizeof some);
    }
    if (part < VECTOR_BYTES)
        memcpy(to, from, (size_t)part);
}

/* Rows of at least `part` bytes, whose last part may overlap the one before it; those that come
 * AHEAD bytes later are asked for if there is `far` to go: the hardware does not look from row to
 * row. */
INLINE void moveParts(char *restrict to, int64_t toStride, const char *restrict from,
                      int64_t fromStride, int64_t rows, int64_t bytes, int64_t part, bool far)
{
    const int64_t next = rows > 1 ? AHEAD / bytes : 1;
    const int64_t toNext = rows > 1 ? next * toStride : AHEAD;
    const int64_t fromNext = rows > 1 ? next * fromStride : AHEAD;
    for (int64_t r = 0; r < rows; r++, to += toStride, from += fromStride) {
        for (int64_t at = 0; at < bytes - part; at += part) {
            if (far)
                askFor(to + at, toNext, from + at, fromNext);
            movePart(to + at, from + at, part);
        }
        if (far)
            askFor(to + bytes - part, toNext, from + bytes - part, fromNext);
        movePart(to + bytes - part, from + bytes - part, part);
    }
}

/* The same of rows that are whole parts and a rest, which a smaller part holds. */
INLINE void moveRest(char *restrict to, int64_t toStride, const char *restrict from,
                     int64_t fromStride, int64_t rows, int64_t bytes, int64_t part, int64_t rest)
{
    for (int64_t r = 0; r < rows; r++, to += toStride, from += fromStride) {
        for (int64_t at = 0; at <= bytes - part; at += part)
            movePart(to + at, from + at, part);
        movePart(to + bytes - rest, from + bytes - rest, rest);
    }
}

/* The same of rows, the last one first: those that come later are asked for. */
INLINE void moveBackwards(char *restrict to, int64_t toStride, const char *restrict from,
                          int64_t fromStride, int64_t rows, int64_t bytes, int64_t later)
{
    const int64_t part = 64;
    for (; rows > 0; rows--, to += toStride, from += fromStride) {
        for (int64_t at = 0; at < bytes - part; at += part) {
            askToRead(from + at, later);
            movePart(to + at, from + at, part);
        }
        movePart(to + bytes - part, from + bytes - part, part);
    }
}

/* A long row, to whole lines of the caches. Where bytes are written a little behind, in their
 * pages, where they are read, libc's memcpy takes AMD's processors up to fifteen times as long (400
 * KB: 7.6 us, by memcpy 114; EPYC 9004). */
#define RUN_VECTORS (VECTOR_BYTES == 64 ? 4 : 8) /* at once, in registers */
#define RUN_BYTES (RUN_VECTORS * VECTOR_BYTES)
static void moveRun(char *restrict to, const char *restrict from, int64_t bytes)
{
    typedef char Vector __attribute__((vector_size(VECTOR_BYTES)));
    if (bytes >= THMachine_stringFrom) {
        moveString(to, from, bytes);
        return;
    }
    char first[64], last[64];
    int64_t at = 64 - (int64_t)((uintptr_t)to & 63);
    memcpy(first, from, sizeof first);
    memcpy(last, from + bytes - 64, sizeof last);
    for (; at + RUN_BYTES <= bytes; at += RUN_BYTES) {
        Vector run[RUN_VECTORS];
#pragma GCC unroll 8
        for (int i = 0; i < RUN_VECTORS; i++)
            memcpy(&run[i], from + at + i * VECTOR_BYTES, VECTOR_BYTES);
#pragma GCC unroll 8
        for (int i = 0; i < RUN_VECTORS; i++)
            memcpy(to + at + i * VECTOR_BYTES, &run[i], VECTOR_BYTES);
    }
    for (; at + 64 <= bytes; at += 64)
        movePart(to + at, from + at, 64);
    memcpy(to, first, sizeof first);
    memcpy(to + bytes - 64, last, sizeof last);
}

/* Are so many bytes, in long rows, moved fastest with nothing asked for? The second-level cache has
 * no room for them twice, and the third has. */
static inline bool isNearLast(int64_t bytes)
{
    return bytes >= 512 << 10 && bytes < 4 << 20;
}

/* By parts: a call of memcpy for each row would take longer than the row. */
void TH_ISA_(th_moveRows)(char *to, int64_t toStride, const char *from, int64_t fromStride,
                          int64_t rows, int64_t bytes)
{
    const bool isNear = isNearLast(rows * bytes);
    const int64_t askedFrom = THMachine_asksForWrites ? FAR_BYTES : CACHED_BYTES;
    const bool isShort = bytes < SHORT_BYTES && rows * bytes < CACHED_BYTES;
    const int64_t later = bytes > AHEAD && fromStride < 0 ? rowsLater(fromStride) : 0;
    if (toStride == bytes && areTriples(bytes, fromStride))
        gatherTriples(to, from, rows, fromStride, bytes);
    else if (later != 0)
        moveBackwards(to, toStride, from, fromStride, rows, bytes, later);
    else if (bytes > AHEAD)
        for (int64_t r = 0; r < rows; r++, to += toStride, from += fromStride)
            if (isNear || isShort || !THMachine_asksForWrites)
                moveRun(to, from, bytes);
            else
                moveParts(to, 0, from, 0, 1, bytes, 64, true);
    else if (bytes >= 32 && rows * bytes >= askedFrom)
        moveParts(to, toStride, from, fromStride, rows, bytes, 32, true);
    else if (bytes >= 64 && bytes % 64 > 0 && bytes % 64 <= 8)
        moveRest(to, toStride, from, fromStride, rows, bytes, 64, 8);
    else if (bytes >= 64)
        moveParts(to, toStride, from, fromStride, rows, bytes, 64, false);
    else if (bytes > 32 && bytes <= 40)
        moveRest(to, toStride, from, fromStride, rows, bytes, 32, 8);
    else if (bytes >= 32)
        moveParts(to, toStride, from, fromStride, rows, bytes, 32, false);
    else if (bytes >= 16)
        moveParts(to, toStride, from, fromStride, rows, bytes, 16, false);
    else if (bytes >= 8)
        moveParts(to, toStride, from, fromStride, rows, bytes, 8, false);
    else if (bytes >= 4)
        moveParts(to, toStride, from, fromStride, rows, bytes, 4, false);
    else
        moveParts(to, toStride, from, fromStride, rows, bytes, 1, false);
}

/* The same of planes of rows, in the order of what is written. */
INLINE void movePlaneParts(const THMovedPlanes *m, int64_t bytes, int64_t part)
{
    char *to = m->to;
    const char *from = m->from;
    for (int64_t p = 0; p < m->planes; p++, to += m->toPlane, from += m->fromPlane)
        moveParts(to, m->toStride, from, m->fromStride, m->rows, bytes, part, false);
}

void TH_ISA_(th_movePlanes)(const THMovedPlanes *planes)
{
    const int64_t bytes = planes->bytes;
    if (bytes >= 64)
        movePlaneParts(planes, bytes, 64);
    else if (bytes >= 32)
        movePlaneParts(planes, bytes, 32);
    else if (bytes == 16)
        movePlaneParts(planes, 16, 16);
    else if (bytes >= 16)
        movePlaneParts(planes, bytes, 16);
    else if (bytes >= 8)
        movePlaneParts(planes, bytes, 8);
    else if (bytes >= 4)
        movePlaneParts(planes, bytes, 4);
    else
        movePlaneParts(planes, bytes, 1);
}

/* The bytes before the first whole line of `bytes` at `to`. */
INLINE int64_t beforeLines(const char *to, int64_t bytes)
{
    return THSize_min((int64_t)(-(uintptr_t)to & (TH_LINE_BYTES - 1)), bytes);
}

/* One row; what lies `next` further, if that is not 0, is asked for meanwhile. */
INLINE void streamRow(char *to, const char *from, int64_t next, int64_t bytes)
{
    int64_t at = beforeLines(to, bytes);
    if (at > 0)
        memcpy(to, from, (size_t)at);
    for (; at + TH_LINE_BYTES <= bytes; at += TH_LINE_BYTES) {
        if (next != 0)
            THMove_ask(from + at + next, 1);
        streamLine(to + at, from + at);
    }
    if (at < bytes)
        memcpy(to + at, from + at, (size_t)(bytes - at));
}

#define APART_ROW 8192 /* bytes of a row, far from the next one, that is asked for at most */
#define GAPS 4         /* one part of so many of a row lies between it and the next one */

/* How far those of rows that are not adjacent lie that are asked for: none of long ones, which the
 * processor foresees by then. Where that is into the second cache, some are of longer ones, but not
 * if all lie in one stream (10^6 float64 in rows of 640, dims exchanged: 6.7 ms, so 5); and where
 * rows are read in turn, those with gaps between them (2236 float32 of 4472: 2.3, so 1.6). */
static int64_t rowsAsked(int64_t fromStride, int64_t bytes)
{
    if (fromStride < 0)
        return rowsLater(fromStride);
    if (bytes < AHEAD)
        return AHEAD / bytes * fromStride;
    const bool gaps = bytes <= FORESEEN_ROW && fromStride >= bytes + bytes / GAPS;
    const bool apart = bytes <= APART_ROW && fromStride >= 2 * bytes;
    const int64_t ahead = THMachine_readsInTurn && gaps   ? TH_STREAM_AHEAD
                          : THMachine_asksSecond && apart ? 2 * AHEAD
                                                          : 0;
    return (ahead + bytes - 1) / bytes * fromStride;
}

void TH_ISA_(th_streamRows)(char *to, int64_t toStride, const char *from, int64_t fromStride,
                            int64_t rows, int64_t bytes)
{
    if (toStride == bytes && fromStride == bytes) { /* a line that rows share is written once */
        bytes *= rows;
        rows = rows > 0;
    }
    const bool asks = rows > 1 && bytes > 0 && fromStride != bytes;
    const int64_t next = asks ? rowsAsked(fromStride, bytes) : 0;
    for (; rows > 0; rows--, to += toStride, from += fromStride)
        streamRow(to, from, next, bytes);
}

void TH_ISA_(th_streamParts)(const THStreamedParts *parts)
{
    const THStreamedParts p = *parts;
    const uintptr_t within = TH_LINE_BYTES - 1;
    char *to = p.to, *from = p.from, *kept = p.kept;
    uintptr_t asked = p.asked;
    for (int64_t r = 0, left = p.nasked; r < p.rows; r++, left -= p.askedEach) {
        const int64_t before = p.first ? 0 : (int64_t)((uintptr_t)to & within);
        const int64_t rest = p.last ? 0 : (int64_t)((uintptr_t)(to + p.bytes) & within);
        for (int64_t k = THSize_min(p.askedEach, left); k > 0;
             k--, asked += (uintptr_t)p.askedStride)
            __builtin_prefetch((const void *)asked, 0, 2);
        if (!p.first && kept != from - TH_LINE_BYTES)
            movePart(from - TH_LINE_BYTES, kept, TH_LINE_BYTES);
        streamRow(to - before, from - before, 0, before + p.bytes - rest);
        if (!p.last)
            movePart(kept, from + p.bytes - TH_LINE_BYTES, TH_LINE_BYTES);
        to += p.toStride;
        from += p.fromStride;
        kept += p.keptStride;
    }
}

void TH_ISA_(th_streamWord)(char *to, int64_t bytes, uint64_t word)
{
    char line[2 * TH_LINE_BYTES];
    for (size_t k = 0; k < sizeof line; k += sizeof word)
        memcpy(line + k, &word, sizeof word);
    const int64_t begin = beforeLines(to, bytes);
    int64_t at = begin;
    memcpy(to, line, (size_t)at);
    for (; at + TH_LINE_BYTES <= bytes; at += TH_LINE_BYTES)
        streamLine(to + at, line + begin);
    if (at < bytes)
        memcpy(to + at, line + begin, (size_t)(bytes - at));
}

/* The same of indexed rows; what is asked for may be in the next row. */
INLINE void moveIndexed(const THIndexedRows *rows, int64_t part, bool far)
{
    THIndexedRows m = *rows;
    const int64_t next = m.bytes < AHEAD ? AHEAD / m.bytes : 1;
    const int64_t within = m.bytes < AHEAD ? 0 : m.bytes - AHEAD;
    for (int64_t left = m.rows - 1; left >= 0; left--) {
        const int64_t place = THIndex_place(m.index, m.wrap), steps = THSize_min(next, left);
        char *const to = m.to + place * m.toScale;
        const char *const from = m.from + place * m.fromScale;
        const int64_t later =
            far ? THIndex_place(m.index + steps * m.indexStride, m.wrap) - place : 0;
        const int64_t toNext = steps * m.toStride + later * m.toScale - within;
        const int64_t fromNext = steps * m.fromStride + later * m.fromScale - within;
        for (int64_t at = 0; at < m.bytes - part; at += part) {
            const bool stays = at < within;
            if (far)
                askFor(to + at, stays ? AHEAD : toNext, from + at, stays ? AHEAD : fromNext);
            movePart(to + at, from + at, part);
            ONE_BY_ONE;
        }
        movePart(to + m.bytes - part, from + m.bytes - part, part);
        m.index += m.indexStride;
        m.to += m.toStride;
        m.from += m.fromStride;
    }
}

/* The same of rows that are moved as strings (THMachine_stringFrom). */
static void moveIndexedStrings(const THIndexedRows *rows)
{
    const char *index = rows->index, *from = rows->from;
    char *to = rows->to;
    for (int64_t r = 0; r < rows->rows; r++) {
        const int64_t place = THIndex_place(index, rows->wrap);
        moveString(to + place * rows->toScale, from + place * rows->fromScale, rows->bytes);
        index += rows->indexStride;
        to += rows->toStride;
        from += rows->fromStride;
    }
}

/* Rows that lie one after the other, each of one part, to others that do. */
INLINE void moveWhole(const THIndexedRows *rows, int64_t begin, int64_t end, int64_t part, bool far)
{
    const int64_t *const index = (const int64_t *)(const void *)rows->index;
    const char *const from = rows->from;
    char *const to = rows->to;
#pragma GCC unroll 4
    for (int64_t r = begin; r < end; r++) {
        if (far)
            __builtin_prefetch(from + index[r + TH_PICK_AHEAD] * part);
        movePart(to + r * part, from + index[r] * part, part);
        ONE_BY_ONE;
    }
}

/* The same of rows of one part, or of two that may overlap. */
INLINE void moveParted(const THIndexedRows *rows, int64_t part, int64_t toScale, int64_t fromScale)
{
    const int64_t n = rows->rows, last = rows->bytes - part, wrap = rows->wrap;
    const int64_t indexStride = rows->indexStride, toStride = rows->toStride,
                  fromStride = rows->fromStride;
    const char *index = rows->index, *from = rows->from;
    char *to = rows->to;
#pragma GCC unroll 2
    for (int64_t r = 0; r < n; r++) {
        const int64_t place = THIndex_place(index, wrap);
        const char *const source = from + place * fromScale;
        char *const target = to + place * toScale;
        movePart(target, source, part);
        if (last > 0)
            movePart(target + last, source + last, part);
        ONE_BY_ONE;
        index += indexStride;
        to += toStride;
        from += fromStride;
    }
}

INLINE void moveShort(const THIndexedRows *rows, int64_t part)
{
    const bool whole = rows->bytes == part && rows->toStride == part && rows->fromStride == 0 &&
                       rows->fromScale == part && rows->indexStride == 8 && rows->wrap == 0;
    if (whole) {
        const int64_t n = rows->rows, asked = THPicked_asked(THPicked_isFar(rows->span), n, n);
        moveWhole(rows, 0, asked, part, true);
        moveWhole(rows, asked, n, part, false);
    } else if (rows->toScale == 0) {
        moveParted(rows, part, 0, rows->fromScale);
    } else {
        moveParted(rows, part, rows->toScale, 0);
    }
}

/* The same of rows that are written one after the other, past the caches. */
static void streamIndexed(const THIndexedRows *rows)
{
    const int64_t next = rows->bytes < AHEAD ? AHEAD / rows->bytes : 1;
    char *to = rows->to;
    for (int64_t r = 0; r < rows->rows; r++, to += rows->bytes) {
        const int64_t later = THSize_min(r + next, rows->rows - 1);
        const char *const index = rows->index + r * rows->indexStride;
        const char *const ahead = rows->index + later * rows->indexStride;
        const int64_t place = THIndex_place(index, rows->wrap);
        const int64_t further = THIndex_place(ahead, rows->wrap) - place;
        streamRow(to, rows->from + r * rows->fromStride + place * rows->fromScale,
                  (later - r) * rows->fromStride + further * rows->fromScale, rows->bytes);
    }
    THMove_fence();
}

void TH_ISA_(th_moveIndexedRows)(const THIndexedRows *rows)
{
    const int64_t bytes = rows->bytes;
    const bool dense = rows->toScale == 0 && rows->toStride == bytes;
    const bool asks = THMachine_asksForWrites || !dense || THPicked_isFar(rows->span);
    const bool far = asks && rows->rows * bytes >= CACHED_BYTES;
    if (bytes >= 256 && dense && rows->rows * bytes >= STREAMED_LEAST &&
        rows->all >= THMachine_streamFrom / 2)
        streamIndexed(rows);
    else if (bytes >= THMachine_stringFrom)
        moveIndexedStrings(rows);
    else if (bytes >= 256 && far)
        moveIndexed(rows, 64, true);
    else if ((bytes == 128 || bytes == 64) && rows->toScale == 0)
        moveShort(rows, 64); /* one store to two lines far away would wait for both */
    else if (bytes >= 256 || bytes == 192)
        moveIndexed(rows, 64, false);
    else if (bytes >= 64)
        moveIndexed(rows, 32, false);
    else if (bytes >= 32)
        moveShort(rows, 32);
    else if (bytes >= 16)
        moveShort(rows, 16);
    else if (bytes >= 8)
        moveShort(rows, 8);
    else if (bytes >= 4)
        moveShort(rows, 4);
    else
        moveShort(rows, 2);
}
