/* SPDX-License-Identifier: BSD-3-Clause
 *
 * repeat_interleave: slices or elements so many times in a row. Of counts, elements are written as
 * they are, slices by indices that are. */
#include <TH/THIndex.h>
#include <TH/THShape.h>
#include <TH/THThreads.h>
#include <TH/THWrapper.h>
#include <TH/ops/THNest.h>

#include <inttypes.h>
#include <string.h>

#define CHUNK 16384 /* counts, of which threads get several: where each begins is known before */
/* So many bytes are written for each count, however few are wanted: the next ones come over the
 * others, and there is no branch that small counts mispredict. */
#define EAGER 64
/* Chunks of counts below are added up with nothing looked at between them. */
#define COUNT_BITS 40

/* ---- so many times each ---- */

/* A 0-d tensor as one of one dim. */
static int newWithDims(THTensor **out, THTensor *self)
{
    if (self->nDimension == 0)
        return THTensor_newUnsqueeze1d(out, self, 0);
    THTensor_retain(self);
    *out = self;
    return TH_OK;
}

int THTensor_newRepeatedEach(THTensor **out, THTensor *self, int64_t repeats, int64_t dim)
{
    THTensor *source = NULL, *spread = NULL, *whole = NULL, *copy = NULL;
    int64_t size[TH_MAX_DIMS + 1];
    int status = TH_OK;
    TH_CHECK(repeats >= 0, TH_ERROR_VALUE, "repeat_interleave: expected repeats >= 0, got %" PRId64,
             repeats);
    TH_TRY(newWithDims(&source, self));
    TH_TRY(THTensor_newUnsqueeze1d(&spread, source, dim + 1));
    memcpy(size, spread->size, (size_t)spread->nDimension * sizeof(int64_t));
    size[dim + 1] = repeats;
    TH_TRY(THTensor_newExpand(&whole, spread, size, spread->nDimension));
    TH_TRY(THTensor_newClone(&copy, whole));
    size[dim] *= repeats;
    memmove(size + dim + 1, size + dim + 2,
            (size_t)(spread->nDimension - dim - 2) * sizeof(int64_t));
    TH_TRY(THTensor_newView(out, copy, size, source->nDimension));
done:
    THTensor_free(copy);
    THTensor_free(whole);
    THTensor_free(spread);
    THTensor_free(source);
    return status;
}

int THTensor_newRepeatedFlat(THTensor **out, THTensor *self, int64_t repeats)
{
    THTensor *row = NULL;
    int status = TH_OK;
    TH_TRY(THTensor_newRavel(&row, self));
    TH_TRY(THTensor_newRepeatedEach(out, row, repeats, 0));
done:
    THTensor_free(row);
    return status;
}

/* ---- by counts ---- */

typedef struct Repeats {
    const int64_t *count;
    int64_t n, chunks, total;
    int64_t *first;   /* of each chunk, in the result; before, the sum of the chunk's */
    const char *from; /* NULL: indices are repeated */
    char *to;
    int64_t itemSize;
} Repeats;

static int64_t chunkEnd(const Repeats *self, int64_t chunk)
{
    return THSize_min((chunk + 1) * CHUNK, self->n);
}

/* Sums of chunks; -1 where a count is negative or large. */
static void sumChunks(int64_t begin, int64_t end, void *context)
{
    const Repeats *self = context;
    for (int64_t chunk = begin; chunk < end; chunk++) {
        const int64_t last = chunkEnd(self, chunk);
        int64_t sum = 0, bits = 0;
        for (int64_t i = chunk * CHUNK; i < last; i++) {
            sum += self->count[i];
            bits |= self->count[i];
        }
        self->first[chunk] = (uint64_t)bits >> COUNT_BITS == 0 ? sum : -1;
    }
}

/* The same of a chunk whose counts have to be looked at. */
static int sumLarge(Repeats *self, int64_t chunk)
{
    int64_t sum = 0;
    for (int64_t i = chunk * CHUNK; i < chunkEnd(self, chunk); i++) {
        TH_CHECK(self->count[i] >= 0, TH_ERROR_VALUE,
                 "repeat_interleave: expected repeats >= 0, got %" PRId64, self->count[i]);
        TH_CHECK(THSize_add(sum, self->count[i], &sum), TH_ERROR_VALUE,
                 "repeat_interleave: the result is too large");
    }
    self->first[chunk] = sum;
    return TH_OK;
}

static int Repeats_open(Repeats *self, const THTensor *counts)
{
    int status = TH_OK;
    *self = (Repeats){.count = THTensor_data(counts), .n = THTensor_nElement(counts)};
    self->chunks = (self->n + CHUNK - 1) / CHUNK;
    self->first = THAlloc((size_t)(self->chunks + 1) * sizeof *self->first);
    if (self->first == NULL)
        return TH_ERROR_MEMORY;
    TH_parallel_items(self->chunks, 1, sumChunks, self);
    for (int64_t chunk = 0; status == TH_OK && chunk < self->chunks; chunk++) {
        if (self->first[chunk] < 0)
            status = sumLarge(self, chunk);
        const int64_t sum = self->first[chunk];
        self->first[chunk] = self->total;
        if (status == TH_OK && !THSize_add(self->total, sum, &self->total))
            status = THError(TH_ERROR_VALUE, "repeat_interleave: the result is too large");
    }
    self->first[self->chunks] = self->total;
    return status;
}

/* 8 bytes of copies of an item. */
static inline uint64_t copiesOf(const char *from, size_t item)
{
    uint64_t word = 0;
    memcpy(&word, from, item);
    return item == 1   ? word * 0x0101010101010101u
           : item == 2 ? word * 0x0001000100010001u
           : item == 4 ? word * 0x0000000100000001u
                       : word;
}

typedef struct RepeatedChunk {
    const Repeats *repeats;
    int64_t begin, end; /* counts */
    char *to, *last;    /* past the last one: what follows is another thread's */
} RepeatedChunk;

TH_ITEM_INLINE repeatItems(const RepeatedChunk *chunk, size_t item)
{
    const Repeats *self = chunk->repeats;
    char *to = chunk->to;
    for (int64_t i = chunk->begin; i < chunk->end; i++) {
        const uint64_t word =
            self->from ? copiesOf(self->from + (size_t)i * item, item) : (uint64_t)i;
        const int64_t bytes = self->count[i] * (int64_t)item;
        int64_t at = 0;
        do {
            if (chunk->last - (to + at) < EAGER)
                break;
            for (int k = 0; k < EAGER; k += 8)
                memcpy(to + at + k, &word, 8);
            at += EAGER;
        } while (at < bytes);
        for (; at < bytes; at += (int64_t)item)
            memcpy(to + at, &word, item);
        to += bytes;
    }
}

static void repeatChunks(int64_t begin, int64_t end, void *context)
{
    const Repeats *self = context;
    for (int64_t i = begin; i < end; i++) {
        const RepeatedChunk chunk = {.repeats = self,
                                     .begin = i * CHUNK,
                                     .end = chunkEnd(self, i),
                                     .to = self->to + self->first[i] * self->itemSize,
                                     .last = self->to + self->first[i + 1] * self->itemSize};
        TH_ITEM_SWITCH(self->itemSize, repeatItems, &chunk);
    }
}

/* Elements of a contiguous tensor, or, where it is NULL, indices as often as contiguous counts say.
 */
static int repeatEach(THTensor **out, const THTensor *self, const THTensor *counts)
{
    Repeats repeats;
    int status = TH_OK;
    TH_TRY(Repeats_open(&repeats, counts));
    TH_TRY(THTensor_newWithSize(out, self ? (THDtype)self->dtype : TH_LONG, 1, &repeats.total));
    repeats.from = self ? THTensor_data(self) : NULL;
    repeats.to = THTensor_data(*out);
    repeats.itemSize = THTensor_itemSize(*out);
    TH_parallel_items(repeats.chunks, 1, repeatChunks, &repeats);
done:
    THFree(repeats.first);
    return status;
}

int THTensor_newRepeatedIndices(THTensor **out, THTensor *repeats)
{
    THTensor *counts = NULL;
    int status = TH_OK;
    TH_CHECK(repeats->nDimension == 1, TH_ERROR_VALUE,
             "repeat_interleave: expected repeats to have 1 dim, got shape %s",
             THTensor_sizeDesc(repeats).str);
    TH_TRY(THTensor_newContiguous(&counts, repeats));
    TH_TRY(repeatEach(out, NULL, counts));
done:
    THTensor_free(counts);
    return status;
}

/* Along the only dim. */
static int newRepeatedElements(THTensor **out, THTensor *self, THTensor *repeats)
{
    THTensor *counts = NULL, *source = NULL;
    int status = TH_OK;
    TH_TRY(THTensor_newContiguous(&counts, repeats));
    TH_TRY(THTensor_newContiguous(&source, self));
    TH_TRY(repeatEach(out, source, counts));
done:
    THTensor_free(source);
    THTensor_free(counts);
    return status;
}

static int newRepeatedSlices(THTensor **out, THTensor *self, THTensor *repeats, int64_t dim)
{
    THTensor *indices = NULL, *result = NULL;
    int status = TH_OK;
    TH_TRY(THTensor_newRepeatedIndices(&indices, repeats));
    TH_TRY(THTensor_newEmpty(&result, (THDtype)self->dtype));
    TH_TRY(THTensor_indexSelect(result, self, dim, indices));
    *out = result;
    result = NULL;
done:
    THTensor_free(result);
    THTensor_free(indices);
    return status;
}

int THTensor_newRepeatedBy(THTensor **out, THTensor *self, THTensor *repeats, int64_t dim)
{
    THTensor *source = NULL;
    int status = TH_OK;
    if (repeats->nDimension <= 1 && THTensor_nElement(repeats) == 1) {
        const THScalar count = THTensor_getAt(repeats, repeats->storageOffset);
        return THTensor_newRepeatedEach(out, self, THScalar_toLong(count), dim);
    }
    TH_TRY(newWithDims(&source, self));
    TH_REQUIRE(THTensor_nElement(repeats) == source->size[dim], TH_ERROR_VALUE,
               "repeat_interleave: expected a count for each of %" PRId64 " slices, got %" PRId64,
               source->size[dim], THTensor_nElement(repeats));
    TH_TRY(source->nDimension == 1 ? newRepeatedElements(out, source, repeats)
                                   : newRepeatedSlices(out, source, repeats, dim));
done:
    THTensor_free(source);
    return status;
}

int THTensor_newRepeatedFlatBy(THTensor **out, THTensor *self, THTensor *repeats)
{
    THTensor *row = NULL;
    int status = TH_OK;
    TH_TRY(THTensor_newRavel(&row, self));
    TH_TRY(THTensor_newRepeatedBy(out, row, repeats, 0));
done:
    THTensor_free(row);
    return status;
}
