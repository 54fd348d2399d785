/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Conversions of all pairs of dtypes, copies between all layouts, fills. */
#include "random_tensors.h"

#include <float.h>
#include <math.h>

/* Conversions */

static int64_t longFromDouble(double x)
{
    return x >= -0x1p63 && x < 0x1p63 ? (int64_t)x : INT64_MIN;
}

/* By the rule, one element at a time. */
static void castOne(void *to, THDtype toDtype, const void *from, THDtype fromDtype)
{
    double d = 0;
    int64_t l = 0;
    const bool floating = THDtype_category(fromDtype) == TH_CATEGORY_FLOATING;
    switch ((int)fromDtype) {
    case TH_BYTE:
        l = *(const uint8_t *)from;
        break;
    case TH_CHAR:
        l = *(const int8_t *)from;
        break;
    case TH_SHORT:
        l = *(const int16_t *)from;
        break;
    case TH_INT:
        l = *(const int32_t *)from;
        break;
    case TH_LONG:
        l = *(const int64_t *)from;
        break;
    case TH_BOOL:
        l = *(const uint8_t *)from != 0;
        break;
    case TH_HALF:
        d = THHalf_toFloat(*(const THHalf *)from);
        break;
    case TH_FLOAT:
        d = *(const float *)from;
        break;
    default:
        d = *(const double *)from;
    }
    const int32_t i =
        floating ? (d > -2147483649.0 && d < 2147483648.0 ? (int32_t)d : INT32_MIN) : (int32_t)l;
    switch ((int)toDtype) {
    case TH_BYTE:
        *(uint8_t *)to = (uint8_t)i;
        break;
    case TH_CHAR:
        *(int8_t *)to = (int8_t)i;
        break;
    case TH_SHORT:
        *(int16_t *)to = (int16_t)i;
        break;
    case TH_INT:
        *(int32_t *)to = i;
        break;
    case TH_LONG:
        *(int64_t *)to = floating ? longFromDouble(d) : l;
        break;
    case TH_BOOL:
        *(uint8_t *)to = floating ? d != 0 : l != 0;
        break;
    case TH_FLOAT:
        *(float *)to = floating ? (float)d : (float)l;
        break;
    case TH_DOUBLE:
        *(double *)to = floating ? d : (double)l;
        break;
    default: {
        /* The nearest of all finite halves, ties to the even one; half the last gap is infinity. */
        const double x = floating ? d : (double)l, m = fabs(x);
        uint16_t low = 0, high = 0x7c00;
        if (isnan(x)) {
            ((THHalf *)to)->x = 0x7e00;
            return;
        }
        while (high - low > 1) {
            const uint16_t middle = (uint16_t)((low + high) / 2);
            if ((double)THHalf_toFloat((THHalf){middle}) <= m)
                low = middle;
            else
                high = middle;
        }
        const double below = THHalf_toFloat((THHalf){low});
        const double above = high == 0x7c00 ? 65536 : THHalf_toFloat((THHalf){high});
        const bool up = m >= 65536 || m - below > above - m || (m - below == above - m && low & 1);
        ((THHalf *)to)->x = (uint16_t)((up ? high : low) | (signbit(x) ? 0x8000 : 0));
    }
    }
}

static bool sameElement(const void *a, const void *b, THDtype dtype)
{
    if (dtype == TH_HALF) {
        const float x = THHalf_toFloat(*(const THHalf *)a), y = THHalf_toFloat(*(const THHalf *)b);
        return (isnan(x) && isnan(y)) || memcmp(a, b, 2) == 0;
    }
    if (dtype == TH_FLOAT && isnan(*(const float *)a))
        return isnan(*(const float *)b);
    if (dtype == TH_DOUBLE && isnan(*(const double *)a))
        return isnan(*(const double *)b);
    return memcmp(a, b, (size_t)THDtype_size(dtype)) == 0;
}

/* Values at the edges of every dtype, as the dtype itself, then random bits. */
#define CASES 1000
static void fillCases(char *buffer, THDtype dtype)
{
    static const double edges[] = {0.0,
                                   -0.0,
                                   0.4,
                                   -0.6,
                                   1,
                                   -1,
                                   127,
                                   128,
                                   -128,
                                   -129,
                                   255,
                                   256,
                                   300.7,
                                   32767,
                                   32768,
                                   -32769,
                                   65504,
                                   65519.99,
                                   65520,
                                   65535,
                                   65536,
                                   2147483647,
                                   2147483648.0,
                                   -2147483648.0,
                                   -2147483649.0,
                                   2147483647.5,
                                   4294967296.0,
                                   0x1p63,
                                   -0x1p63,
                                   0x1p64,
                                   1e30,
                                   -1e30,
                                   1e300,
                                   INFINITY,
                                   -INFINITY,
                                   NAN,
                                   0x1p-24,
                                   0x1p-25,
                                   0x1.8p-25,
                                   0x1.0000001p-25,
                                   5e-324,
                                   FLT_MAX,
                                   FLT_MIN,
                                   1.00048828125,
                                   1.000488281250001,
                                   1.0014648437499999,
                                   1.0014648437500002,
                                   0x1p-14,
                                   0x1.ffcp-15,
                                   0x1.ffep-15,
                                   16777217,
                                   9007199254740993.0};
    const int64_t size = THDtype_size(dtype);
    for (int i = 0; i < CASES; i++) {
        const uint64_t bits = draw(UINT64_C(1) << 53) * 2049;
        const double d = ldexp((double)draw(UINT64_C(1) << 53) + 1, (int)draw(60) - 80);
        char *to = buffer + i * size;
        memcpy(to, &bits, (size_t)size);
        if (i < (int)(sizeof edges / sizeof edges[0]))
            castOne(to, dtype, &edges[i], TH_DOUBLE);
        else if (i % 2 && THDtype_category(dtype) == TH_CATEGORY_FLOATING)
            castOne(to, dtype, &d, TH_DOUBLE);
    }
}

static void checkCast(THDtype to, THDtype from, int64_t toStep, int64_t fromStep)
{
    static _Alignas(8) char source[CASES * 8 * 3], target[CASES * 8 * 3], packed[CASES * 8];
    const int64_t toSize = THDtype_size(to), fromSize = THDtype_size(from);
    bool good = true;
    fillCases(packed, from);
    memset(target, 0x55, sizeof target);
    for (int i = 0; i < CASES; i++)
        memcpy(source + i * fromSize * fromStep, packed + i * fromSize, (size_t)fromSize);
    THCast(CASES, target, to, toSize * toStep, source, from, fromSize * fromStep);
    for (int i = 0; i < CASES; i++) {
        uint64_t expected = 0;
        const char *one = packed + i * fromSize, *got = target + i * toSize * toStep;
        if (to == from)
            memcpy(&expected, one, (size_t)toSize);
        else
            castOne(&expected, to, one, from);
        if (!sameElement(&expected, got, to) && good) {
            good = false;
            fprintf(stderr, "  case %d: %s to %s\n", i, THDtype_name(from), THDtype_name(to));
        }
    }
    CHECK(good);
}

static void testCasts(void)
{
    for (int i = 0; i < DTYPES; i++)
        for (int j = 0; j < DTYPES; j++) {
            checkCast(dtypes[i], dtypes[j], 1, 1);
            checkCast(dtypes[i], dtypes[j], 2, 1);
            checkCast(dtypes[i], dtypes[j], 1, 3);
            checkCast(dtypes[i], dtypes[j], 3, 2);
        }
}

/* Every float that is a tie or beside one between two halves. */
static void testHalf(void)
{
    bool good = true;
    for (uint32_t h = 0; h < 0x7c00; h++) {
        const float a = THHalf_toFloat((THHalf){(uint16_t)h});
        const float b = h == 0x7bff ? 65536 : THHalf_toFloat((THHalf){(uint16_t)(h + 1)});
        const float middle = (a + b) / 2;
        const float x[4] = {a, nextafterf(middle, 0), middle, nextafterf(middle, 1e6f)};
        const double y[2] = {nextafter(middle, 0), nextafter(middle, 1e6)};
        THHalf fromX[4], fromY[2], expected[6];
        THCast(4, fromX, TH_HALF, 2, x, TH_FLOAT, 4);
        THCast(2, fromY, TH_HALF, 2, y, TH_DOUBLE, 8);
        for (int i = 0; i < 6; i++)
            expected[i].x = (uint16_t)(h + (i == 3 || i == 5 || (i == 2 && h % 2)));
        good = good && memcmp(fromX, expected, 8) == 0 && memcmp(fromY, expected + 4, 4) == 0;
    }
    CHECK(good);
}

/* Copies */

static void testCopies(void)
{
    for (int i = 0; i < 1500; i++) {
        int64_t size[8], index[8] = {0};
        const int n = randomShape(size);
        THTensor *to = randomStrided(dtypes[draw(DTYPES)], n, size);
        THTensor *from = randomInput(draw(2) ? (THDtype)to->dtype : dtypes[draw(DTYPES)], n, size);
        bool good = true;
        THThreads_set(1 + (int)draw(3));
        CHECK(THTensor_copy(to, from) == TH_OK);
        if (THTensor_nElement(to) > 0)
            do
                good = good && at(to, n, index) == stored(at(from, n, index), (THDtype)to->dtype);
            while (next(n, size, index));
        CHECK(good);
        THTensor_free(to);
        THTensor_free(from);
    }
}

static void testOverlaps(void)
{
    const int64_t size[2] = {50, 40};
    THTensor *a = NULL, *head = NULL, *tail = NULL, *before = NULL, *spread = NULL, *row = NULL;
    int64_t index[2] = {0};
    bool good = true;
    CHECK(THTensor_newWithSize(&a, TH_INT, 2, size) == TH_OK);
    fillRandom(a);
    CHECK(THTensor_newNarrow(&head, a, 0, 0, 49) == TH_OK);
    CHECK(THTensor_newNarrow(&tail, a, 0, 1, 49) == TH_OK);
    CHECK(THTensor_newLike(&before, TH_INT, head) == TH_OK);
    CHECK(THTensor_copy(before, head) == TH_OK);
    CHECK(THTensor_copy(tail, head) == TH_OK);
    do
        good = good && at(tail, 2, index) == at(before, 2, index);
    while (next(2, before->size, index));
    CHECK(good);
    CHECK(THTensor_copy(a, a) == TH_OK);
    CHECK(THTensor_newNarrow(&row, a, 0, 0, 1) == TH_OK);
    CHECK(THTensor_newExpand(&spread, row, size, 2) == TH_OK);
    CHECK(THTensor_copy(spread, a) == TH_ERROR_RUNTIME);
    CHECK(THTensor_fill(spread, THScalar_fromLong(1)) == TH_ERROR_RUNTIME);
    CHECK(THTensor_copy(a, spread) == TH_OK);
    CHECK(THTensor_copy(head, a) == TH_ERROR_VALUE);
    CHECK(strcmp(THError_message(), "copy: shape (50, 40) does not broadcast to (49, 40)") == 0);
    THTensor_free(a);
    THTensor_free(head);
    THTensor_free(tail);
    THTensor_free(before);
    THTensor_free(spread);
    THTensor_free(row);
}

static int fillWith(THDtype dtype, THScalar value, double *element)
{
    const int64_t size = 3;
    THTensor *t = NULL;
    CHECK(THTensor_newWithSize(&t, dtype, 1, &size) == TH_OK);
    const int status = THTensor_fill(t, value);
    *element = THScalar_toDouble(THTensor_getAt(t, 2));
    THTensor_free(t);
    return status;
}

static void testFill(void)
{
    double e;
    CHECK(fillWith(TH_CHAR, THScalar_fromLong(300), &e) == TH_ERROR_VALUE);
    CHECK(strcmp(THError_message(),
                 "fill: value cannot be converted to int8 without overflow: 300") == 0);
    CHECK(fillWith(TH_CHAR, THScalar_fromLong(-128), &e) == TH_OK && e == -128);
    CHECK(fillWith(TH_CHAR, THScalar_fromDouble(127.5), &e) == TH_ERROR_VALUE);
    CHECK(fillWith(TH_CHAR, THScalar_fromDouble(-2.7), &e) == TH_OK && e == -2);
    CHECK(fillWith(TH_BYTE, THScalar_fromLong(255), &e) == TH_OK && e == 255);
    CHECK(fillWith(TH_BYTE, THScalar_fromLong(-1), &e) == TH_OK && e == 255);
    CHECK(fillWith(TH_BYTE, THScalar_fromLong(-256), &e) == TH_ERROR_VALUE);
    CHECK(fillWith(TH_LONG, THScalar_fromDouble(0x1p63), &e) == TH_ERROR_VALUE);
    CHECK(fillWith(TH_LONG, THScalar_fromDouble(-0x1p63), &e) == TH_OK && e == -0x1p63);
    CHECK(fillWith(TH_INT, THScalar_fromDouble(NAN), &e) == TH_ERROR_VALUE);
    CHECK(fillWith(TH_BOOL, THScalar_fromDouble(0.5), &e) == TH_OK && e == 1);
    CHECK(fillWith(TH_FLOAT, THScalar_fromDouble(1e300), &e) == TH_OK && isinf(e));
    CHECK(fillWith(TH_HALF, THScalar_fromLong(100000), &e) == TH_OK && isinf(e));
    THScalar large = {TH_SCALAR_ULONG, {.u = UINT64_C(1) << 63}};
    CHECK(fillWith(TH_DOUBLE, large, &e) == TH_OK && e == 0x1p63);
    CHECK(fillWith(TH_LONG, large, &e) == TH_ERROR_VALUE);
}

static void testZero(void)
{
    const int64_t size[2] = {7, 9};
    int64_t index[2] = {0};
    THTensor *t = randomStrided(TH_HALF, 2, size);
    bool good = true;
    CHECK(THTensor_zero(t) == TH_OK);
    do
        good = good && at(t, 2, index) == 0;
    while (next(2, size, index));
    CHECK(good);
    THTensor_free(t);
}

/* Every allocation of what may allocate fails once; nothing leaks. */
static void testFailures(void)
{
    const int64_t size[2] = {30, 20};
    THTensor *a = randomStrided(TH_FLOAT, 2, size), *head = NULL, *tail = NULL;
    THMemoryStats before, after;
    CHECK(THTensor_newNarrow(&head, a, 0, 0, 29) == TH_OK);
    CHECK(THTensor_newNarrow(&tail, a, 0, 1, 29) == TH_OK);
    THMemory_stats(&before);
    for (int i = 0; i < 5; i++) {
        THTensor *cast = NULL;
        THMemory_failAllocation(i);
        const int status = THTensor_copy(tail, head);
        CHECK(status == TH_OK || status == TH_ERROR_MEMORY);
        THMemory_failAllocation(i);
        const int castStatus = THTensor_newCast(&cast, a, TH_HALF);
        CHECK((castStatus == TH_OK) == (cast != NULL));
        THMemory_failAllocation(-1);
        THTensor_free(cast);
    }
    THMemory_stats(&after);
    CHECK(before.liveTensors == after.liveTensors && before.liveBytes == after.liveBytes);
    THTensor_free(a);
    THTensor_free(head);
    THTensor_free(tail);
}

int main(void)
{
    THMemoryStats before, after;
    THMemory_stats(&before);
    for (int i = 0; i < TH_ISA_COUNT; i++) {
        if (THIsa_set(THIsa_name(i)) != TH_OK)
            continue;
        testCasts();
        testHalf();
        testCopies();
    }
    testOverlaps();
    testFill();
    testZero();
    testFailures();
    THMemory_stats(&after);
    CHECK(before.liveTensors == after.liveTensors && before.liveStorages == after.liveStorages);
    return check_finish("copy");
}
