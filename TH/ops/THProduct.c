/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Products of matrices and vectors but for the arithmetic: every operation checks shapes, prepares
 * its result, and describes its operands as matrices. */
#include <stdio.h>

#include <TH/THAllocator.h>
#include <TH/THThreads.h>
#include <TH/engine/THMove.h>
#include <TH/ops/THProduct.h>

#define BATCH_GRAIN 65536  /* multiplications that are worth a thread, */
#define BATCH_COST 256     /* and such as one product costs beside its own */
#define BATCH_LIMIT 262144 /* products of more are split themselves, */
#define BATCH_EACH 4       /* unless each thread gets so many of them */
/* Elements of a matrix, and of all of them, that are gathered where they lie among others'; bytes
 * of so many at once, or of as many as lines of the caches have elements of; and of one at most. */
#define BATCH_MATRIX 512
#define BATCH_ALL 8192
#define BATCH_ROOM (1 << 17)
#define BATCH_LARGE (1 << 18)

THMatrix THMatrix_of(const THTensor *tensor)
{
    const int row = tensor->nDimension - 2, column = tensor->nDimension - 1;
    return (THMatrix){THTensor_data(tensor), tensor->size[row], tensor->size[column],
                      tensor->stride[row], tensor->stride[column]};
}

THMatrix THMatrix_row(const THTensor *vector)
{
    return (THMatrix){THTensor_data(vector), 1, vector->size[0], vector->size[0],
                      vector->stride[0]};
}

THMatrix THMatrix_column(const THTensor *vector)
{
    return (THMatrix){THTensor_data(vector), vector->size[0], 1, vector->stride[0], 1};
}

static THDescBuff describe(int nDimension, const int64_t *size)
{
    THDescBuff text;
    size_t used = 0;
    for (int i = 0; i < nDimension && used < sizeof text.str; i++) {
        const char *before = i == 0 ? "(" : ", ";
        const char *after = i + 1 < nDimension ? "" : nDimension == 1 ? ",)" : ")";
        const size_t room = sizeof text.str - used;
        used += (size_t)(size[i] < 0 ? snprintf(text.str + used, room, "%sany%s", before, after)
                                     : snprintf(text.str + used, room, "%s%lld%s", before,
                                                (long long)size[i], after));
    }
    return text;
}

int THProduct_expect(const char *op, const char *argument, const THTensor *tensor, int nDimension,
                     const int64_t *size)
{
    bool fits = tensor->nDimension == nDimension;
    for (int i = 0; fits && i < nDimension; i++)
        fits = size[i] < 0 || size[i] == tensor->size[i];
    TH_CHECK(fits, TH_ERROR_VALUE, "%s: expected %s of shape %s, got %s", op, argument,
             describe(nDimension, size).str, THTensor_sizeDesc(tensor).str);
    return TH_OK;
}

/* Rows or columns are runs of neighbours that do not interleave. */
static bool suits(const THTensor *result)
{
    if (result->nDimension < 2)
        return true;
    const THMatrix c = THMatrix_of(result);
    const bool rows =
        (c.columnStride == 1 || c.columns == 1) && (c.rowStride >= c.columns || c.rows == 1);
    const bool columns =
        (c.rowStride == 1 || c.rows == 1) && (c.columnStride >= c.rows || c.columns == 1);
    return rows || columns;
}

int THProduct_begin(const THProduct *product, THTensor **work, THTensor *result, THTensor *self,
                    int nDimension, const int64_t *size)
{
    int status = TH_OK;
    if (self != NULL)
        TH_TRY(THProduct_expect(product->op, "self", self, nDimension, size));
    if (result != self)
        TH_TRY(THTensor_resizeOutput(product->op, result, nDimension, size));
    if (!suits(result))
        return THTensor_newLike(work, (THDtype)result->dtype, result);
    THTensor_retain(result);
    *work = result;
done:
    return status;
}

int THProduct_end(int status, THTensor *work, THTensor *result)
{
    if (status == TH_OK && work != result)
        status = THTensor_copy(result, work);
    THTensor_free(work);
    return status;
}

/* `count` products of a batch, so many elements apart. */
static int multiply(const THProduct *product, THDtype dtype, THMatrix c, THMatrix self, THMatrix a,
                    THMatrix b, int64_t count, int64_t batch, const int64_t step[4])
{
    if (c.rows == 0 || c.columns == 0)
        return TH_OK;
    const bool flips = c.columns > 1 && c.columnStride != 1;
    if (product->fresh)
        self = c;
    if (flips) { /* the transpose of everything */
        const THMatrix left = {b.data, b.columns, b.rows, b.columnStride, b.rowStride};
        b = (THMatrix){a.data, a.columns, a.rows, a.columnStride, a.rowStride};
        a = left;
        c = (THMatrix){c.data, c.columns, c.rows, c.columnStride, 1};
        self = (THMatrix){self.data, c.rows, c.columns, self.columnStride, self.rowStride};
    }
    const THGemm gemm = {
        .m = c.rows,
        .n = c.columns,
        .k = a.columns,
        .a = a.data,
        .b = b.data,
        .c = c.data,
        .self = self.data,
        .aRow = a.rowStride,
        .aColumn = a.columnStride,
        .bRow = b.rowStride,
        .bColumn = b.columnStride,
        .cRow = c.rows == 1 ? c.columns : c.rowStride,
        .selfRow = self.rowStride,
        .selfColumn = c.columns == 1 ? 1 : self.columnStride,
        .alpha = product->alpha,
        .beta = product->beta,
        .fresh = product->fresh,
        .count = count,
        .batch = batch,
        .cStep = step[0],
        .selfStep = step[product->fresh ? 0 : 1],
        .aStep = step[flips ? 3 : 2],
        .bStep = step[flips ? 2 : 3],
    };
    return THGemm_run(dtype, &gemm);
}

int THProduct_multiply(const THProduct *product, THDtype dtype, THMatrix c, THMatrix self,
                       THMatrix a, THMatrix b)
{
    return multiply(product, dtype, c, self, a, b, 1, 1, (const int64_t[4]){0});
}

typedef struct BatchPart {
    const THProduct *product;
    const THBatch *batch;
    THDtype dtype;
    int64_t count; /* of the whole batch */
    int status;    /* atomic */
} BatchPart;

/* The offsets of the batch's matrix `index`. */
static void locate(const THBatch *batch, int64_t index, int64_t offset[4])
{
    offset[0] = offset[2] = offset[3] = 0;
    offset[1] = index * batch->selfStride;
    for (int dim = batch->nDimension - 1; dim >= 0; dim--) {
        const int64_t place = index % batch->size[dim];
        index /= batch->size[dim];
        offset[0] += place * batch->cStride[dim];
        offset[2] += place * batch->aStride[dim];
        offset[3] += place * batch->bStride[dim];
    }
}

/* An operand of some products. */
typedef struct Matrices {
    THMatrix first;
    int64_t step; /* elements to the next */
    char *room;   /* for copies, or NULL, */
    int64_t most; /* ... of so many */
} Matrices;

/* Bytes of a matrix of `count` that lie among each other, so that each would be read from all over
 * the memory, and are not too large to be copied; else 0. */
static int64_t gatheredBytes(THMatrix matrix, int64_t step, int64_t count, int64_t itemSize)
{
    const double elements = (double)matrix.rows * (double)matrix.columns;
    const bool isAmongOthers = step == 1 && matrix.rows > 1 && matrix.columns > 1 &&
                               matrix.rowStride > 1 && matrix.columnStride > 1;
    if (!isAmongOthers || elements < BATCH_MATRIX || elements * (double)count < BATCH_ALL ||
        elements * (double)itemSize > BATCH_LARGE)
        return 0;
    return matrix.rows * matrix.columns * itemSize;
}

/* The matrices one after the other; those whose rows are not at one distance of all columns in each
 * row alone, as far from the next one whatever `count` is, since loops take dense rows in another
 * order. Of such whose columns are nearer to being lines, columns are meant by rows. */
static void gather(Matrices *matrices, int64_t count, int64_t itemSize)
{
    THMatrix *matrix = &matrices->first;
    const bool byRows = matrix->rowStride >= matrix->columnStride;
    int64_t rows = byRows ? matrix->rows : matrix->columns;
    int64_t n = byRows ? matrix->columns : matrix->rows;
    const int64_t row = (byRows ? matrix->rowStride : matrix->columnStride) * itemSize;
    const int64_t term = (byRows ? matrix->columnStride : matrix->rowStride) * itemSize;
    const bool areJoined = row == n * term;
    const int64_t stride = areJoined ? n : matrices->most * n;
    if (areJoined) {
        n *= rows;
        rows = 1;
    }
    for (int64_t i = 0; i < rows; i++)
        THMove_gather(itemSize, matrices->room + i * stride * itemSize, matrix->data + i * row,
                      count, itemSize, n, term);
    matrix->data = matrices->room;
    matrix->rowStride = byRows ? stride : 1;
    matrix->columnStride = byRows ? 1 : stride;
    matrices->step = n;
}

/* Whether the matrices of one are the transposes of those of the other. */
static bool areTurned(const Matrices *one, const Matrices *other)
{
    const THMatrix *a = &one->first, *b = &other->first;
    return a->data == b->data && a->rows == b->columns && a->columns == b->rows &&
           a->rowStride == b->columnStride && a->columnStride == b->rowStride &&
           one->step == other->step;
}

/* Those of both operands that have room for copies. */
static void gatherBoth(Matrices *left, Matrices *right, int64_t count, int64_t itemSize)
{
    const bool same = left->room != NULL && areTurned(left, right); /* THGram.c multiplies half */
    if (left->room != NULL)
        gather(left, count, itemSize);
    if (same) {
        const THMatrix *a = &left->first;
        right->first = (THMatrix){a->data, a->columns, a->rows, a->columnStride, a->rowStride};
        right->step = left->step;
    } else if (right->room != NULL) {
        gather(right, count, itemSize);
    }
}

/* Run by run of the last dim. Without memory for copies matrices are taken as they lie. */
static void batchPart(int64_t begin, int64_t end, void *context)
{
    BatchPart *part = context;
    const THBatch *batch = part->batch;
    const int64_t itemSize = THDtype_size(part->dtype);
    const int last = batch->nDimension - 1;
    const int64_t size = last < 0 ? 1 : batch->size[last];
    const int64_t aStep = last < 0 ? 0 : batch->aStride[last];
    const int64_t bStep = last < 0 ? 0 : batch->bStride[last];
    const bool fresh = part->product->fresh;
    const int64_t aBytes = gatheredBytes(batch->a, aStep, size, itemSize);
    const int64_t bBytes = gatheredBytes(batch->b, bStep, size, itemSize), bytes = aBytes + bBytes;
    const int64_t line = TH_LINE_BYTES / itemSize, lines = BATCH_ROOM / (bytes + 1) / line;
    const int64_t most = bytes > 0 ? THSize_min(size, (lines > 0 ? lines : 1) * line) : size;
    char *const room = bytes > 0 ? THAlloc((size_t)(most * bytes)) : NULL;
    int64_t offset[4], count;
    for (int64_t index = begin; index < end; index += count) {
        THMatrix to = batch->c;
        Matrices left = {batch->a, aStep, aBytes > 0 ? room : NULL, most};
        Matrices right = {batch->b, bStep, room && bBytes > 0 ? room + most * aBytes : NULL, most};
        THMatrix self = fresh ? to : batch->self;
        count = THSize_min(THSize_min(size - index % size, end - index), most);
        locate(batch, index, offset);
        to.data += offset[0] * itemSize;
        self.data += offset[1] * itemSize;
        left.first.data += offset[2] * itemSize;
        right.first.data += offset[3] * itemSize;
        gatherBoth(&left, &right, count, itemSize);
        const int64_t step[] = {last < 0 ? 0 : batch->cStride[last], batch->selfStride, left.step,
                                right.step};
        const int status = multiply(part->product, part->dtype, to, self, left.first, right.first,
                                    count, part->count, step);
        if (status != TH_OK)
            __atomic_store_n(&part->status, status, __ATOMIC_RELAXED);
    }
    THFree(room);
}

int THProduct_batch(const THProduct *product, THDtype dtype, const THBatch *batch)
{
    BatchPart part = {.product = product, .batch = batch, .dtype = dtype};
    const double steps =
        (double)batch->c.rows * (double)batch->c.columns * (double)batch->a.columns;
    int64_t count = 1;
    for (int dim = 0; dim < batch->nDimension; dim++)
        count *= batch->size[dim];
    part.count = count;
    const bool areSplit = steps > BATCH_LIMIT && count < BATCH_EACH * THThreads_get();
    const int64_t grain = areSplit ? count : 1 + (int64_t)(BATCH_GRAIN / (steps + BATCH_COST));
    if (count > 0)
        TH_parallel_for(count, grain, batchPart, &part);
    /* A worker's message is not seen here; memory is all that can be lacking. */
    return part.status == TH_OK ? TH_OK
                                : THError(part.status, "%s: not enough memory", product->op);
}

int THProduct_matrices(const THProduct *product, THTensor *result, THTensor *self, THTensor *mat1,
                       THTensor *mat2, const char *const names[2])
{
    int status = TH_OK;
    THTensor *work = NULL;
    const int64_t any[] = {-1, -1};
    TH_TRY(THProduct_expect(product->op, names[0], mat1, 2, any));
    const int64_t right[] = {mat1->size[1], -1};
    TH_TRY(THProduct_expect(product->op, names[1], mat2, 2, right));
    const int64_t size[] = {mat1->size[0], mat2->size[1]};
    TH_TRY(THProduct_begin(product, &work, result, self, 2, size));
    TH_TRY(THProduct_multiply(product, (THDtype)work->dtype, THMatrix_of(work),
                              THMatrix_of(self != NULL ? self : work), THMatrix_of(mat1),
                              THMatrix_of(mat2)));
done:
    return THProduct_end(status, work, result);
}

int THProduct_vector(const THProduct *product, THTensor *result, THTensor *self, THTensor *mat,
                     THTensor *vec)
{
    int status = TH_OK;
    THTensor *work = NULL;
    const int64_t any[] = {-1, -1};
    TH_TRY(THProduct_expect(product->op, product->fresh && !self ? "self" : "mat", mat, 2, any));
    TH_TRY(THProduct_expect(product->op, "vec", vec, 1, &mat->size[1]));
    TH_TRY(THProduct_begin(product, &work, result, self, 1, &mat->size[0]));
    TH_TRY(THProduct_multiply(product, (THDtype)work->dtype, THMatrix_column(work),
                              THMatrix_column(self != NULL ? self : work), THMatrix_of(mat),
                              THMatrix_column(vec)));
done:
    return THProduct_end(status, work, result);
}

int THProduct_batches(const THProduct *product, THTensor *result, THTensor *self, THTensor *batch1,
                      THTensor *batch2, const char *const names[2])
{
    int status = TH_OK;
    THTensor *work = NULL;
    const int64_t any[] = {-1, -1, -1};
    TH_TRY(THProduct_expect(product->op, names[0], batch1, 3, any));
    const int64_t right[] = {batch1->size[0], batch1->size[2], -1};
    TH_TRY(THProduct_expect(product->op, names[1], batch2, 3, right));
    const int64_t size[] = {batch1->size[0], batch1->size[1], batch2->size[2]};
    TH_TRY(THProduct_begin(product, &work, result, self, 3, size));
    THBatch batch; /* large: no initialiser */
    batch.c = THMatrix_of(work);
    batch.a = THMatrix_of(batch1);
    batch.b = THMatrix_of(batch2);
    batch.selfStride = 0;
    if (self != NULL) {
        batch.self = THMatrix_of(self);
        batch.selfStride = self->stride[0];
    }
    batch.nDimension = 1;
    batch.size[0] = size[0];
    batch.cStride[0] = work->stride[0];
    batch.aStride[0] = batch1->stride[0];
    batch.bStride[0] = batch2->stride[0];
    TH_TRY(THProduct_batch(product, (THDtype)work->dtype, &batch));
done:
    return THProduct_end(status, work, result);
}

/* The sum over the batch as one product, of the matrices of batch1 side by side and those of batch2
 * below each other. Half would be rounded after every matrix otherwise. */
static int multiplyJoined(const THProduct *product, THTensor *work, THTensor *self,
                          THTensor *batch1, THTensor *batch2)
{
    int status = TH_OK;
    THTensor *rows = NULL, *left = NULL, *right = NULL;
    const int64_t inner = batch1->size[0] * batch1->size[2]; /* both have so many columns, rows */
    const int64_t leftSize[] = {batch1->size[1], inner}, rightSize[] = {inner, batch2->size[2]};
    TH_TRY(THTensor_newTranspose(&rows, batch1, 0, 1));
    TH_TRY(THTensor_newReshape(&left, rows, leftSize, 2));
    TH_TRY(THTensor_newReshape(&right, batch2, rightSize, 2));
    TH_TRY(THProduct_multiply(product, (THDtype)work->dtype, THMatrix_of(work), THMatrix_of(self),
                              THMatrix_of(left), THMatrix_of(right)));
done:
    THTensor_free(right);
    THTensor_free(left);
    THTensor_free(rows);
    return status;
}

int THProduct_batchSum(const THProduct *product, THTensor *result, THTensor *self, THTensor *batch1,
                       THTensor *batch2)
{
    int status = TH_OK;
    THTensor *work = NULL;
    const int64_t any[] = {-1, -1, -1};
    TH_TRY(THProduct_expect(product->op, "batch1", batch1, 3, any));
    const int64_t right[] = {batch1->size[0], batch1->size[2], -1};
    TH_TRY(THProduct_expect(product->op, "batch2", batch2, 3, right));
    const int64_t size[] = {batch1->size[1], batch2->size[2]};
    TH_TRY(THProduct_begin(product, &work, result, self, 2, size));
    if (work->dtype == TH_HALF && batch1->size[0] > 1) {
        status = multiplyJoined(product, work, self, batch1, batch2);
        goto done;
    }
    THProduct step = *product;
    THMatrix a = THMatrix_of(batch1), b = THMatrix_of(batch2), before = THMatrix_of(self);
    if (batch1->size[0] == 0) /* nothing to add: beta * self */
        a.columns = b.rows = 0;
    /* The first by `beta`, then the others: all at once, or large ones each on all threads. */
    const int64_t rest = batch1->size[0] - 1,
                  strides[] = {0, 0, batch1->stride[0], batch2->stride[0]};
    const double steps = (double)size[0] * (double)size[1] * (double)a.columns;
    for (int64_t i = 0, count = 1; i == 0 || i <= rest; i += count) {
        count = i == 0 || steps > BATCH_LIMIT ? 1 : rest;
        TH_TRY(multiply(&step, (THDtype)work->dtype, THMatrix_of(work), before, a, b, count, count,
                        strides));
        a.data += count * strides[2] * THTensor_itemSize(batch1);
        b.data += count * strides[3] * THTensor_itemSize(batch2);
        before = THMatrix_of(work);
        step.beta = step.one;
        step.fresh = false;
    }
done:
    return THProduct_end(status, work, result);
}

int THProduct_dot(const THProduct *product, THTensor *result, THTensor *self, THTensor *tensor)
{
    int status = TH_OK;
    const int64_t any = -1;
    TH_TRY(THProduct_expect(product->op, "self", self, 1, &any));
    TH_TRY(THProduct_expect(product->op, "tensor", tensor, 1, &self->size[0]));
    TH_TRY(THTensor_resizeOutput(product->op, result, 0, NULL));
    const THMatrix c = {THTensor_data(result), 1, 1, 1, 1};
    TH_TRY(THProduct_multiply(product, (THDtype)result->dtype, c, c, THMatrix_row(self),
                              THMatrix_column(tensor)));
done:
    return status;
}
