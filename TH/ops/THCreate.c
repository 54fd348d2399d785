/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tensors made from numbers. Sequences are computed in doubles, those of whole numbers in int64,
 * and converted a piece at a time; the rest fills, copies and makes views. */
#include <TH/THCreate.h>
#include <TH/THEngine.h>
#include <TH/THShape.h>
#include <TH/THWrapper.h>
#include <TH/engine/THMove.h>
#include <TH/ops/THPowers.h>
#include <TH/ops/THSequence.h>

#include <inttypes.h>
#include <math.h>

#define SEQUENCE_GRAIN 16384
#define SEQUENCE_PIECE 1024

TH_ISA_DECLARE(TH_POWERS_DECLARE, th_powers);
static THPowers *const powers[TH_ISA_COUNT] = TH_ISA_TABLE(th_powers);

TH_ISA_DECLARE(TH_SEQUENCE_DECLARE, th_sequences);
static const THSequenceLoops *const sequences[TH_ISA_COUNT] = TH_ISA_TABLE(th_sequences);

/* ---- of one value ---- */

static int newSized(const char *op, THTensor **out, const int64_t *size, int nsize, int dtype,
                    THDtype otherwise)
{
    TH_CHECK(dtype < 0 || THDtype_isValid(dtype), TH_ERROR_TYPE, "%s: %d is not a dtype", op,
             dtype);
    return THTensor_newWithSize(out, dtype < 0 ? otherwise : (THDtype)dtype, nsize, size);
}

static int newFilled(const char *op, THTensor **out, const int64_t *size, int nsize, THScalar value,
                     int dtype, THDtype otherwise)
{
    THTensor *result = NULL;
    THWork work = {0};
    int status = TH_OK;
    TH_TRY(newSized(op, &result, size, nsize, dtype, otherwise));
    THWork_enter(&work, 1, &result, 1);
    status = THTensor_fill(result, value);
    THWork_end(&work);
    if (status != TH_OK)
        goto done;
    *out = result;
    result = NULL;
done:
    THTensor_free(result);
    return status;
}

static THDtype dtypeOfKind(THScalar value)
{
    return value.kind == TH_SCALAR_BOOL     ? TH_BOOL
           : value.kind == TH_SCALAR_DOUBLE ? THDtype_default()
                                            : TH_LONG;
}

int THTensor_newUninitialized(THTensor **out, const int64_t *size, int nsize, int dtype)
{
    return newSized("empty", out, size, nsize, dtype, THDtype_default());
}

int THTensor_newZeros(THTensor **out, const int64_t *size, int nsize, int dtype)
{
    return newFilled("zeros", out, size, nsize, THScalar_fromLong(0), dtype, THDtype_default());
}

int THTensor_newOnes(THTensor **out, const int64_t *size, int nsize, int dtype)
{
    return newFilled("ones", out, size, nsize, THScalar_fromLong(1), dtype, THDtype_default());
}

int THTensor_newFull(THTensor **out, const int64_t *size, int nsize, THScalar value, int dtype)
{
    return newFilled("full", out, size, nsize, value, dtype, dtypeOfKind(value));
}

int THTensor_newUninitializedLike(THTensor **out, THTensor *self, int dtype)
{
    return THOutput_orderAs(
        THTensor_newUninitializedFrom(out, self, self->size, self->nDimension, dtype), out, self);
}

int THTensor_newZerosLike(THTensor **out, THTensor *self, int dtype)
{
    return THOutput_orderAs(THTensor_newZerosFrom(out, self, self->size, self->nDimension, dtype),
                            out, self);
}

int THTensor_newOnesLike(THTensor **out, THTensor *self, int dtype)
{
    return THOutput_orderAs(THTensor_newOnesFrom(out, self, self->size, self->nDimension, dtype),
                            out, self);
}

int THTensor_newFullLike(THTensor **out, THTensor *self, THScalar value, int dtype)
{
    return THOutput_orderAs(
        THTensor_newFullFrom(out, self, self->size, self->nDimension, value, dtype), out, self);
}

int THTensor_newUninitializedFrom(THTensor **out, THTensor *self, const int64_t *size, int nsize,
                                  int dtype)
{
    return newSized("empty", out, size, nsize, dtype, (THDtype)self->dtype);
}

int THTensor_newZerosFrom(THTensor **out, THTensor *self, const int64_t *size, int nsize, int dtype)
{
    return newFilled("zeros", out, size, nsize, THScalar_fromLong(0), dtype, (THDtype)self->dtype);
}

int THTensor_newOnesFrom(THTensor **out, THTensor *self, const int64_t *size, int nsize, int dtype)
{
    return newFilled("ones", out, size, nsize, THScalar_fromLong(1), dtype, (THDtype)self->dtype);
}

int THTensor_newFullFrom(THTensor **out, THTensor *self, const int64_t *size, int nsize,
                         THScalar value, int dtype)
{
    return newFilled("full", out, size, nsize, value, dtype, (THDtype)self->dtype);
}

/* ---- sequences ---- */

/* Every element is computed from its position alone, so rounding does not build up and threads do
 * not matter. */
typedef struct Sequence {
    char *data;
    THDtype dtype;
    int64_t n, half; /* the first `half` are counted from the start, others from the end */
    double start, end, step, base;
    int64_t from, by; /* of whole numbers */
} Sequence;

/* What doubles are converted to first: numbers wrap, and Half is rounded by way of Float. */
static THDtype viaOf(THDtype dtype)
{
    if (dtype == TH_HALF)
        return TH_FLOAT;
    return THDtype_category(dtype) == TH_CATEGORY_INTEGRAL && dtype != TH_LONG ? TH_LONG
                                                                               : TH_DOUBLE;
}

static void linePart(int64_t begin, int64_t end, void *context)
{
    const Sequence *line = context;
    const THDtype dtype = line->dtype;
    const int64_t item = THDtype_size(dtype);
    double made[SEQUENCE_PIECE], room[SEQUENCE_PIECE];
    for (int64_t first = begin; first < end; first += SEQUENCE_PIECE) {
        const int n = (int)THSize_min(SEQUENCE_PIECE, end - first);
        const int64_t left = line->half - first;
        const THPiece piece = {
            .start = line->start,
            .end = line->end,
            .step = line->step,
            .before = (double)first,
            .after = (double)(line->n - 1 - first),
            .forward = (int)THSize_min(n, left < 0 ? 0 : left),
            .n = n,
        };
        void *const to = line->data + first * item;
        const THSequenceLoops *loops = sequences[THIsa_for(n)];
        if (dtype == TH_FLOAT && line->base == 0) {
            loops->floats(&piece, to);
            continue;
        }
        loops->doubles(&piece, dtype == TH_DOUBLE && line->base == 0 ? to : made);
        if (line->base != 0) {
            for (int i = n; i % 8 != 0; i++)
                made[i] = 0;
            powers[THIsa_current]((n + 7) / 8 * 8, line->base, made);
        }
        if (dtype != TH_DOUBLE || line->base != 0)
            THCast_through(n, to, dtype, viaOf(dtype), room, made, TH_DOUBLE);
    }
}

/* Narrow ones are the lowest bits of an int32; a Bool tells whether the lowest byte is 0. */
static void wholePart(int64_t begin, int64_t end, void *context)
{
    const Sequence *whole = context;
    const THDtype dtype = whole->dtype;
    const int64_t by = whole->by, item = THDtype_size(dtype);
    int32_t made[SEQUENCE_PIECE], room[SEQUENCE_PIECE];
    for (int64_t first = begin; first < end; first += SEQUENCE_PIECE) {
        const int64_t n = THSize_min(SEQUENCE_PIECE, end - first);
        const int64_t origin = whole->from + first * by;
        void *const to = whole->data + first * item;
        const THSequenceLoops *loops = sequences[THIsa_for(n)];
        if (dtype == TH_LONG)
            loops->longs(n, origin, by, to);
        else
            loops->ints(n, (int32_t)origin, (int32_t)by, dtype == TH_INT ? to : made);
        if (dtype != TH_LONG && dtype != TH_INT)
            THCast_through(n, to, dtype, dtype == TH_BOOL ? TH_BYTE : TH_INT, room, made, TH_INT);
    }
}

/* How many elements arange has when all of it are integers; step is not 0. */
static uint64_t wholeLength(int64_t start, int64_t end, int64_t step)
{
    const uint64_t distance =
        step > 0 ? (uint64_t)end - (uint64_t)start : (uint64_t)start - (uint64_t)end;
    const uint64_t each = step > 0 ? (uint64_t)step : 0 - (uint64_t)step;
    return distance / each + (distance % each != 0);
}

static int arangeLength(THScalar start, THScalar end, THScalar step, bool whole, bool toWhole,
                        int64_t *length)
{
    const double first = THScalar_toDouble(start), last = THScalar_toDouble(end);
    const double by = THScalar_toDouble(step);
    TH_CHECK(start.kind != TH_SCALAR_ULONG && end.kind != TH_SCALAR_ULONG &&
                 step.kind != TH_SCALAR_ULONG,
             TH_ERROR_VALUE, "arange: expected integers that fit int64");
    TH_CHECK(isfinite(by) && by != 0, TH_ERROR_VALUE,
             "arange: expected a step that is finite and not zero, got %g", by);
    TH_CHECK(!toWhole || THScalar_toLong(step) != 0, TH_ERROR_VALUE,
             "arange: step %g is zero as an integer", by);
    TH_CHECK(isfinite(first) && isfinite(last), TH_ERROR_VALUE,
             "arange: unsupported range: %g -> %g", first, last);
    const bool forward = whole ? end.value.l >= start.value.l : last >= first;
    const bool backward = whole ? end.value.l <= start.value.l : last <= first;
    TH_CHECK(by > 0 ? forward : backward, TH_ERROR_VALUE,
             "arange: bounds %g and %g are inconsistent with the sign of step %g", first, last, by);
    const double n = ceil((last - first) / by);
    const uint64_t exact = whole ? wholeLength(start.value.l, end.value.l, step.value.l) : 0;
    TH_CHECK(whole ? exact <= INT64_MAX : n < 9223372036854775808.0, TH_ERROR_VALUE,
             "arange: the range %g -> %g in steps of %g has too many elements", first, last, by);
    *length = whole ? (int64_t)exact : (int64_t)n;
    return TH_OK;
}

int THTensor_newArange(THTensor **out, THScalar start, THScalar end, THScalar step, int dtype)
{
    const bool whole = start.kind != TH_SCALAR_DOUBLE && end.kind != TH_SCALAR_DOUBLE &&
                       step.kind != TH_SCALAR_DOUBLE;
    const THDtype otherwise = whole ? TH_LONG : THDtype_default();
    const bool toWhole = THDtype_category(THDtype_isValid(dtype) ? (THDtype)dtype : otherwise) !=
                         TH_CATEGORY_FLOATING;
    THTensor *result = NULL;
    THWork work = {0};
    int64_t n;
    int status = arangeLength(start, end, step, whole, toWhole, &n);
    if (status == TH_OK)
        status = newSized("arange", &result, &n, 1, dtype, otherwise);
    if (status)
        return status;
    THWork_enter(&work, 1, &result, 1);
    Sequence sequence = {
        .data = THTensor_data(result), .dtype = (THDtype)result->dtype, .n = n, .half = n};
    if (toWhole) {
        sequence.from = THScalar_toLong(start);
        sequence.by = THScalar_toLong(step);
    } else {
        sequence.start = THScalar_toDouble(start);
        sequence.step = THScalar_toDouble(step);
    }
    TH_parallel_for(n, SEQUENCE_GRAIN, toWhole ? wholePart : linePart, &sequence);
    THWork_end(&work);
    *out = result;
    return TH_OK;
}

static int newLine(const char *op, THTensor **out, THScalar start, THScalar end, int64_t steps,
                   double base, int dtype)
{
    THTensor *result = NULL;
    THWork work = {0};
    TH_CHECK(steps >= 0, TH_ERROR_VALUE, "%s: expected a number of steps >= 0, got %" PRId64, op,
             steps);
    const int status = newSized(op, &result, &steps, 1, dtype, THDtype_default());
    if (status)
        return status;
    THWork_enter(&work, 1, &result, 1);
    const bool floating = THDtype_category((THDtype)result->dtype) == TH_CATEGORY_FLOATING;
    Sequence line = {.data = THTensor_data(result),
                     .dtype = (THDtype)result->dtype,
                     .n = steps,
                     .half = steps / 2,
                     .start = floating ? THScalar_toDouble(start) : (double)THScalar_toLong(start),
                     .end = floating ? THScalar_toDouble(end) : (double)THScalar_toLong(end),
                     .base = base};
    if (steps > 1)
        line.step = (line.end - line.start) / (double)(steps - 1);
    else
        line.end = line.start;
    TH_parallel_for(steps, SEQUENCE_GRAIN, linePart, &line);
    THWork_end(&work);
    *out = result;
    return TH_OK;
}

int THTensor_newLinspace(THTensor **out, THScalar start, THScalar end, int64_t steps, int dtype)
{
    return newLine("linspace", out, start, end, steps, 0, dtype);
}

int THTensor_newLogspace(THTensor **out, THScalar start, THScalar end, int64_t steps, double base,
                         int dtype)
{
    return newLine("logspace", out, start, end, steps, base, dtype);
}

/* ---- in place ---- */

int THTensor_newConverted(THTensor **out, THTensor *self, int dtype, bool copy)
{
    TH_CHECK(THDtype_isValid(dtype), TH_ERROR_TYPE, "to: %d is not a dtype", dtype);
    return copy && dtype == self->dtype ? THTensor_newCopy(out, self)
                                        : THTensor_newCast(out, self, (THDtype)dtype);
}

int THTensor_newConvertedLike(THTensor **out, THTensor *self, THTensor *other, bool copy)
{
    return THTensor_newConverted(out, self, other->dtype, copy);
}

int THTensor_newTypeAs(THTensor **out, THTensor *self, THTensor *other)
{
    return THTensor_newCast(out, self, (THDtype)other->dtype);
}

int THTensor_fillValue(THTensor *self, THTensor *value)
{
    const int status = THCheck_ndim("fill_", "value", value, 0);
    return status ? status : THTensor_fill(self, THTensor_getAt(value, value->storageOffset));
}

int THTensor_resizeTo(THTensor *self, const int64_t *size, int nsize)
{
    return THTensor_resize(self, nsize, size);
}

int THTensor_setEmpty(THTensor *self)
{
    THTensor *empty = NULL;
    int status = THTensor_newEmpty(&empty, (THDtype)self->dtype);
    if (status == TH_OK)
        status = THTensor_set(self, empty);
    THTensor_free(empty);
    return status;
}

int THTensor_setWholeStorage(THTensor *self, THStorage *storage)
{
    TH_CHECK(storage, TH_ERROR_TYPE, "set_: expected a storage, got none");
    const int64_t n = storage->size / THTensor_itemSize(self);
    return THTensor_setStorage(self, storage, 0, 1, &n, NULL);
}

int THTensor_setStorageView(THTensor *self, THStorage *storage, int64_t storageOffset,
                            const int64_t *size, int nsize, const int64_t *stride, int nstride)
{
    TH_CHECK(storage, TH_ERROR_TYPE, "set_: expected a storage, got none");
    TH_CHECK(nstride == 0 || nstride == nsize, TH_ERROR_VALUE,
             "set_: expected a stride for each of %d sizes, got %d", nsize, nstride);
    return THTensor_setStorage(self, storage, storageOffset, nsize, size, nstride ? stride : NULL);
}

int THTensor_newEye(THTensor **out, int64_t n, int64_t m, int dtype)
{
    THTensor *result = NULL, *diagonal = NULL;
    const int64_t size[] = {n, m};
    int status = TH_OK;
    TH_CHECK(n >= 0 && m >= 0, TH_ERROR_VALUE, "eye: expected sizes >= 0, got %s",
             THSize_desc(2, size).str);
    TH_TRY(newFilled("eye", &result, size, 2, THScalar_fromLong(0), dtype, THDtype_default()));
    TH_TRY(THTensor_newDiagonal(&diagonal, result, 0, 0, 1));
    TH_TRY(THTensor_fill(diagonal, THScalar_fromLong(1)));
    *out = result;
    result = NULL;
done:
    THTensor_free(diagonal);
    THTensor_free(result);
    return status;
}
