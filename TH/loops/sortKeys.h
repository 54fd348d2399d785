/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to sort.c, within its generic part: the keys of elements, and words of them. */
#if defined(TH_REAL_IS_LONG) || defined(TH_REAL_IS_DOUBLE)
#define sortkey_t uint64_t
#elif defined(TH_REAL_IS_INT) || defined(TH_CATEGORY_IS_FLOATING)
#define sortkey_t uint32_t
#elif defined(TH_REAL_IS_SHORT)
#define sortkey_t uint16_t
#else
#define sortkey_t uint8_t
#endif
/* Long integers are often near to one another, and then words are short. */
#ifdef TH_CATEGORY_IS_FLOATING
#define MEASURED_FROM MEASURED
#else
#define MEASURED_FROM (sizeof(storage_t) < 4 ? MEASURED : 32)
#endif
#define KEY_BITS ((int)sizeof(sortkey_t) * 8)
#define KEY_TOP ((sortkey_t)((sortkey_t)1 << (KEY_BITS - 1)))

/* Of integers all bits to turn are in `flip`. -0 has the key of 0, and all NaN have one. */
static inline sortkey_t THLoop_(sortKey)(scalar_t x, sortkey_t flip)
{
    sortkey_t key;
#ifdef TH_CATEGORY_IS_FLOATING
    x = x == 0 ? 0 : x;
    memcpy(&key, &x, sizeof key);
    key = key & KEY_TOP ? -key : key | KEY_TOP; /* as far from the middle as x from 0 */
    key = x != x ? (sortkey_t)-1 : key;
#else
    key = (sortkey_t)x;
#endif
    return (sortkey_t)(key ^ flip);
}

/* An element of a key, and whether there are others: zeros of either sign, and NaN. */
static inline storage_t THLoop_(elementOf)(sortkey_t key)
{
#ifdef TH_CATEGORY_IS_FLOATING
    storage_t x;
    key = key & KEY_TOP ? key ^ KEY_TOP : -key;
    memcpy(&x, &key, sizeof x);
    return x;
#else
    return (storage_t)key;
#endif
}
#ifdef TH_CATEGORY_IS_FLOATING
#define IS_VAGUE(key) (((key) == KEY_TOP) | ((key) == (sortkey_t) - 1))
#else
#define IS_VAGUE(key) ((void)(key), false)
#endif

/* From the middle. */
static inline sortkey_t THLoop_(distance)(sortkey_t key)
{
    return (sortkey_t)(key & KEY_TOP ? key ^ KEY_TOP : (sortkey_t)~key ^ KEY_TOP);
}

/* Of keys that are long, or `sorts`, as few bits as tell them apart: without what all have in
 * common at their end and at their beginning, where the distance from the middle, which is 0, does
 * not have fewer. */
static THSortPacking THLoop_(packing)(int64_t n, const storage_t *x, sortkey_t flip, bool sorts)
{
    const int bits = TH_ISA_(bitsBelow)((uint64_t)n - 1);
    int keyBits = KEY_BITS, common = 0;
    sortkey_t least = 0;
    if (KEY_BITS + bits > TH_WORD_BITS || (sorts && n >= (int64_t)MEASURED_FROM)) {
        const sortkey_t first = THLoop_(sortKey)(TH_LOAD(x), flip);
        sortkey_t differing = 0, distance = THLoop_(distance)(first);
        for (int64_t i = 1; i < n; i++) { /* from the second: gcc would make no vectors otherwise */
            const sortkey_t key = THLoop_(sortKey)(TH_LOAD(x + i), flip);
            differing |= key ^ first;
            distance |= THLoop_(distance)(key);
        }
        const int below = TH_ISA_(bitsBelow)(differing), within = TH_ISA_(bitsBelow)(distance) + 1;
        keyBits = below < within ? below : within;
        least = (sortkey_t)(below < within ? first & ~(((uint64_t)1 << below) - 1)
                                           : KEY_TOP - ((uint64_t)1 << (within - 1)));
        common = differing ? __builtin_ctzll(differing) : 0;
        least |= first & (sortkey_t)(((uint64_t)1 << common) - 1);
        keyBits -= common;
    }
    const int lost = keyBits + bits > TH_WORD_BITS ? keyBits + bits - TH_WORD_BITS : 0;
    return (THSortPacking){flip, least, common + lost,         lost,
                           bits, bits,  bits + keyBits - lost, ((uint64_t)1 << bits) - 1};
}

static inline sortkey_t THLoop_(keyAt)(const THSortPacking *packing, const storage_t *x)
{
    const sortkey_t key = THLoop_(sortKey)(TH_LOAD(x), (sortkey_t)packing->flip);
    return (sortkey_t)(key - (sortkey_t)packing->least);
}

/* The words of elements from `begin` on. */
static void THLoop_(pack)(const THSortPacking *packing, int64_t begin, int64_t n,
                          const void *restrict line, uint64_t *restrict words)
{
    const THSortPacking p = *packing;
    const storage_t *x = line;
    for (int64_t i = 0; i < n; i++)
        words[i] = TH_WORD_FIRST |
                   (uint64_t)(THLoop_(keyAt)(&p, x + begin + i) >> p.shift) << p.bits |
                   (uint64_t)(begin + i);
}

/* The same of elements whose indices words have, by those bits of keys that are `among` some. */
static void THLoop_(packAgain)(const THSortPacking *packing, uint64_t among, int64_t n,
                               const void *line, uint64_t *words)
{
    const THSortPacking p = *packing;
    const storage_t *x = line;
    for (int64_t i = 0; i < n; i++) {
        const uint64_t index = words[i] & p.mask;
        const uint64_t key = THLoop_(keyAt)(&p, x + index) & among;
        words[i] = TH_WORD_FIRST | key >> p.shift << p.bits | index;
    }
}

static void THLoop_(keysOf)(const THSortPacking *packing, int64_t n, const void *line,
                            uint16_t *restrict keys)
{
    const storage_t *restrict x = line;
    const THSortPacking p = *packing;
    for (int64_t i = 0; i < n; i++)
        keys[i] = (uint16_t)(THLoop_(keyAt)(&p, x + i) >> p.shift);
}
