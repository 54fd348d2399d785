/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Elements sorted as lanes (quick.h; few of them, network.h) that may have other bits. Included for
 * each type of them, with
 *   ELEMENTS    its name
 *   TO_LANE     the lane of an element; of vectors of bits (Lanes), as are the next two
 *   FROM_LANE   the other way
 *   ODD         negative where an element is odd (THSorting.h), if any may be
 *   LAST        the lane that no other is behind, but for that of an odd one
 *   TURNED      the bits by which the order of lanes turns around. */
#ifndef TH_ELEMENTS_H
#define TH_ELEMENTS_H

#define SIGN ((whole_t)((uint64_t)1 << (8 * LANE_BYTES - 1)))
#define INFINITE (LANE_BYTES == 8 ? (whole_t)((uint64_t)0x7ff << 52) : (whole_t)0x7f800000)

/* All bits of a lane with a sign. */
INLINE Lanes signsOf(Lanes bits)
{
    return bits >> (8 * LANE_BYTES - 1);
}

INLINE Lanes areNan(Lanes bits)
{
    return signsOf(INFINITE - (bits & ~SIGN));
}

/* NaN and -0, negative. */
INLINE Lanes oddOfFloating(Lanes bits)
{
    return areNan(bits) | (((bits & ~SIGN) - 1) & bits);
}

typedef struct Line {
    const lane_t *x;
    lane_t *lanes;
    whole_t flip;
    bool anyOdd;
} Line;

INLINE void noteOdd(Line *line, Lanes odd)
{
    const Lanes numbers = (odd & SIGN) | INFINITE >> 1;
    if (above((Words){0}, (Words)numbers))
        __atomic_store_n(&line->anyOdd, true, __ATOMIC_RELAXED);
}

#endif

#define ELEMENTS_(name) TH_CONCAT_3(ELEMENTS, _, name)

INLINE Words ELEMENTS_(toRow)(Words row, whole_t flip, Lanes *odd)
{
    const Lanes bits = (Lanes)row;
#ifdef ODD
    *odd |= ODD(bits);
#else
    (void)odd;
#endif
    return (Words)(TO_LANE(bits) ^ flip);
}

INLINE Words ELEMENTS_(fromRow)(Words row, whole_t flip)
{
    const Lanes lane = (Lanes)row ^ flip;
    return (Words)FROM_LANE(lane);
}

/* From `begin` on, of which `to` has room for whole rows, the rest of the last one, or for
 * elements alone. */
INLINE void ELEMENTS_(toRows)(Line *line, int64_t begin, int64_t end, lane_t *to, bool whole,
                              Words rest)
{
    const lane_t *x = line->x;
    const whole_t flip = line->flip;
    Lanes odd = {0};
    int64_t i = begin;
    for (; i + LANES <= end; i += LANES)
        storeRow(to + i, ELEMENTS_(toRow)(loadRow(x + i), flip, &odd));
    if (i < end) {
        const Words row = ELEMENTS_(toRow)(loadPartOf(x + i, (int)(end - i), rest), flip, &odd);
        if (whole)
            storeRow(to + i, row);
        else
            storePart(to + i, row, (int)(end - i));
    }
#ifdef ODD
    noteOdd(line, odd);
#endif
}

INLINE void ELEMENTS_(fromRows)(const Line *line, int64_t begin, int64_t end, const lane_t *from)
{
    lane_t *to = line->lanes;
    const whole_t flip = line->flip;
    int64_t i = begin;
    for (; i + LANES <= end; i += LANES)
        storeRow(to + i, ELEMENTS_(fromRow)(loadRow(from + i), flip));
    if (i < end)
        storePart(to + i, ELEMENTS_(fromRow)(loadPart(from + i, (int)(end - i)), flip),
                  (int)(end - i));
}

/* From memory to memory, what a network holds. */
INLINE void ELEMENTS_(sortFew)(Line *line, int64_t n)
{
    lane_t padded[NETWORK];
    const int size = networkOf(n);
    const Words last = (Words)((Lanes){0} + (whole_t)LAST);
    for (int64_t i = n; i < LANES << size; i += LANES)
        storeRow(padded + i / LANES * LANES, last);
    ELEMENTS_(toRows)(line, 0, n, padded, true, ELEMENTS_(fromRow)(last, line->flip));
    networks[size](padded);
    ELEMENTS_(fromRows)(line, 0, n, padded);
}

#ifdef TH_QUICK_H
static void ELEMENTS_(toLanes)(int64_t begin, int64_t end, void *line)
{
    ELEMENTS_(toRows)(line, begin, end, ((Line *)line)->lanes, false, (Words){0});
}

static void ELEMENTS_(fromLanes)(int64_t begin, int64_t end, void *line)
{
    ELEMENTS_(fromRows)(line, begin, end, ((Line *)line)->lanes);
}

THValuesSort TH_ISA_(TH_CONCAT_3(TH, ELEMENTS, _sort));
bool TH_ISA_(TH_CONCAT_3(TH, ELEMENTS, _sort))(const void *x, void *values, int64_t n,
                                               bool descending)
{
    const bool isSame = (FROM_LANE(((Lanes){0} + SIGN)))[0] == SIGN; /* as its lane */
    Line line = {x, values, descending ? (whole_t)TURNED : 0, false};
    if (n > 0 && n <= NETWORK / 2) {
        ELEMENTS_(sortFew)(&line, n);
        return line.anyOdd;
    }
    TH_parallel_for(n, TH_SORT_RANGE, ELEMENTS_(toLanes), &line);
    sortAll(values, n);
    if (descending || !isSame)
        TH_parallel_for(n, TH_SORT_RANGE, ELEMENTS_(fromLanes), &line);
    return line.anyOdd;
}
#else
THFewSort TH_ISA_(TH_CONCAT_3(TH, ELEMENTS, _sortFew));
bool TH_ISA_(TH_CONCAT_3(TH, ELEMENTS, _sortFew))(const void *x, void *values, int64_t n,
                                                  bool descending)
{
    Line line = {x, values, descending ? (whole_t)TURNED : 0, false};
    if (n <= 0 || n > NETWORK)
        return false;
    ELEMENTS_(sortFew)(&line, n);
    return true;
}
#endif

#undef ELEMENTS
#undef ELEMENTS_
#undef TO_LANE
#undef FROM_LANE
#undef ODD
#undef LAST
#undef TURNED
