/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Elements in another order or several times over: roll, tile and mirrored dims. None of it looks
 * at elements: parts are views that are copied to views of the result. */
#include <TH/THEngine.h>
#include <TH/THIndex.h>
#include <TH/THShape.h>
#include <TH/THWrapper.h>

#include <inttypes.h>
#include <string.h>

/* ---- mirrored and tiled ---- */

int THTensor_fliplr(THTensor *result, THTensor *self)
{
    const int64_t dim = 1;
    const int status = THCheck_ndimAtLeast("fliplr", "self", self, 2);
    return status ? status : THTensor_flip(result, self, &dim, 1);
}

int THTensor_flipud(THTensor *result, THTensor *self)
{
    const int64_t dim = 0;
    const int status = THCheck_ndimAtLeast("flipud", "self", self, 1);
    return status ? status : THTensor_flip(result, self, &dim, 1);
}

int THTensor_tile(THTensor *result, THTensor *self, const int64_t *dims, int ndims)
{
    int64_t repeats[TH_MAX_DIMS];
    const int missing = self->nDimension - ndims;
    if (missing <= 0)
        return THTensor_repeat(result, self, dims, ndims);
    for (int d = 0; d < self->nDimension; d++)
        repeats[d] = d < missing ? 1 : dims[d - missing];
    return THTensor_repeat(result, self, repeats, self->nDimension);
}

/* ---- roll ---- */

/* `to` has what `from` has, moved along each dim from `dim` on by moved[dim], at least 0 and less
 * than its size: what falls off one end comes in at the other. */
static int copyRolled(THTensor *to, THTensor *from, int dim, const int64_t *moved)
{
    THTensor *source = NULL, *target = NULL;
    int status = TH_OK;
    while (dim < from->nDimension && moved[dim] == 0)
        dim++;
    if (dim == from->nDimension)
        return THTensor_copy(to, from);
    const int64_t last = moved[dim], first = from->size[dim] - last;
    TH_TRY(THTensor_newNarrow(&source, from, dim, 0, first));
    TH_TRY(THTensor_newNarrow(&target, to, dim, last, first));
    TH_TRY(copyRolled(target, source, dim + 1, moved));
    THTensor_free(source);
    THTensor_free(target);
    source = target = NULL;
    TH_TRY(THTensor_newNarrow(&source, from, dim, first, last));
    TH_TRY(THTensor_newNarrow(&target, to, dim, 0, last));
    TH_TRY(copyRolled(target, source, dim + 1, moved));
done:
    THTensor_free(target);
    THTensor_free(source);
    return status;
}

static int newRolled(THTensor **out, THTensor *self, const int64_t *moved)
{
    THTensor *result = NULL;
    int status = TH_OK;
    TH_TRY(THTensor_newLike(&result, (THDtype)self->dtype, self));
    THTensor_orderAs(result, self);
    TH_TRY(copyRolled(result, self, 0, moved));
    *out = result;
    result = NULL;
done:
    THTensor_free(result);
    return status;
}

/* By how many places something in a dim of `size` moves that was moved before. */
static int64_t movedBy(int64_t moved, int64_t shift, int64_t size)
{
    const int64_t rest = size ? shift % size : 0,
                  all = moved - size + (rest < 0 ? rest + size : rest);
    return all < 0 ? all + size : all;
}

/* Without dims: all elements as one row. */
static int newRolledFlat(THTensor **out, THTensor *self, int64_t shift)
{
    const int64_t n = THTensor_nElement(self), moved = movedBy(0, shift, n);
    THTensor *row = NULL, *rolled = NULL;
    int status = TH_OK;
    TH_TRY(THTensor_newReshape(&row, self, &n, 1));
    TH_TRY(newRolled(&rolled, row, &moved));
    TH_TRY(THTensor_newView(out, rolled, self->size, self->nDimension));
done:
    THTensor_free(rolled);
    THTensor_free(row);
    return status;
}

int THTensor_newRoll(THTensor **out, THTensor *self, const int64_t *shifts, int nshifts,
                     const int64_t *dims, int ndims)
{
    int64_t moved[TH_MAX_DIMS] = {0};
    int status = TH_OK;
    TH_CHECK(nshifts > 0 && nshifts == (ndims ? ndims : 1), TH_ERROR_VALUE,
             "roll: expected a shift for each of %d dims, got %d", ndims, nshifts);
    if (ndims == 0)
        return newRolledFlat(out, self, shifts[0]);
    TH_CHECK(self->nDimension > 0, TH_ERROR_INDEX, "roll: a 0-d tensor has no dims");
    for (int i = 0; i < ndims; i++) {
        int64_t dim = dims[i];
        TH_TRY(THCheck_dim("roll", "dims", self, 0, &dim));
        moved[dim] = movedBy(moved[dim], shifts[i], self->size[dim]);
    }
    TH_TRY(newRolled(out, self, moved));
done:
    return status;
}
