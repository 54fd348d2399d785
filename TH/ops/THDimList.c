/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lists of dims: sorting, merging, walking. */
#include <TH/ops/THDimList.h>

THDim THDim_of(const THTensor *self, int dim, THTensor *const *outputs, int noutputs, int position)
{
    THDim made = {self->size[dim], self->stride[dim] * THTensor_itemSize(self), {0}};
    for (int r = 0; r < noutputs && position >= 0; r++)
        if (outputs[r])
            made.out[r] = outputs[r]->stride[position] * THTensor_itemSize(outputs[r]);
    return made;
}

void THDimList_sort(THDimList *dims)
{
    for (int i = 1; i < dims->count; i++) {
        const THDim moved = dims->dim[i];
        int j = i;
        for (; j > 0 && THDim_isWithin(&dims->dim[j - 1], &moved); j--)
            dims->dim[j] = dims->dim[j - 1];
        dims->dim[j] = moved;
    }
}

static bool mergeable(const THDim *outer, const THDim *inner)
{
    bool yes = outer->in == inner->in * inner->size;
    for (int r = 0; r < TH_DIM_OUTPUTS; r++)
        yes = yes && outer->out[r] == inner->out[r] * inner->size;
    return yes;
}

void THDimList_merge(THDimList *dims)
{
    int last = -1;
    for (int i = 0; i < dims->count; i++) {
        THDim next = dims->dim[i];
        if (last >= 0 && mergeable(&dims->dim[last], &next))
            next.size *= dims->dim[last--].size;
        dims->dim[++last] = next;
    }
    dims->count = last + 1;
}

int64_t THDimList_locate(const THDimList *dims, int64_t index, int64_t *coordinates)
{
    int64_t offset = 0;
    for (int i = dims->count - 1; i >= 0; i--) {
        const bool inside = index < dims->dim[i].size; /* a division takes long */
        coordinates[i] = inside ? index : index % dims->dim[i].size;
        index = inside ? 0 : index / dims->dim[i].size;
        offset += coordinates[i] * dims->dim[i].in;
    }
    return offset;
}

int64_t THDimList_nextRun(const THDimList *dims, int64_t *coordinates)
{
    int i = dims->count - 1;
    coordinates[i--] = 0;
    while (i >= 0 && ++coordinates[i] == dims->dim[i].size)
        coordinates[i--] = 0;
    int64_t offset = 0;
    for (i = 0; i < dims->count; i++)
        offset += coordinates[i] * dims->dim[i].in;
    return offset;
}

int64_t THDimList_outOffset(const THDimList *dims, int output, const int64_t *coordinates)
{
    int64_t offset = 0;
    for (int i = 0; i < dims->count; i++)
        offset += coordinates[i] * dims->dim[i].out[output];
    return offset;
}
