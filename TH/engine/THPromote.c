/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How shapes and dtypes of operands combine, by PyTorch's rules. */
#include <TH/THExplain.h>

#include <string.h>

/* What most calls need of broadcasting; written out, since calls of memcpy would cost as much
 * again. */
static inline void setShape(THShape *shape, const THTensor *tensor)
{
    int64_t n = 1;
    bool isRun = true;
    for (int d = tensor->nDimension - 1; d >= 0; d--) {
        const int64_t size = tensor->size[d];
        isRun &= tensor->stride[d] == n || size == 1;
        n *= size;
        shape->size[d] = size;
    }
    shape->nDimension = tensor->nDimension;
    shape->run = isRun && n <= INT32_MAX ? (int32_t)n : 0;
}

static inline bool isShape(const THTensor *tensor, THShape *shape)
{
    int64_t n = 1;
    bool isRun = true;
    if (tensor->nDimension != shape->nDimension)
        return false;
    for (int d = tensor->nDimension - 1; d >= 0; d--) {
        const int64_t size = shape->size[d];
        if (tensor->size[d] != size)
            return false;
        isRun &= tensor->stride[d] == n || size == 1;
        n *= size;
    }
    shape->run = isRun ? shape->run : 0;
    return true;
}

/* Widens `shape` to hold `tensor` too; false where they do not broadcast. */
static bool widenShape(THShape *shape, const THTensor *tensor)
{
    const int added = tensor->nDimension - shape->nDimension;
    if (added > 0) {
        memmove(shape->size + added, shape->size, sizeof(int64_t) * (size_t)shape->nDimension);
        memcpy(shape->size, tensor->size, sizeof(int64_t) * (size_t)added);
        shape->nDimension = tensor->nDimension;
    }
    int64_t *size = shape->size + shape->nDimension - tensor->nDimension;
    for (int d = added > 0 ? added : 0; d < tensor->nDimension; d++) {
        if (size[d] == 1)
            size[d] = tensor->size[d];
        else if (tensor->size[d] != 1 && tensor->size[d] != size[d])
            return false;
    }
    return true;
}

static int broadcastError(const char *op, THTensor *const *operands, int first, int second)
{
    return THError(TH_ERROR_VALUE, "%s: shapes %s and %s do not broadcast", op,
                   THTensor_sizeDesc(operands[first]).str, THTensor_sizeDesc(operands[second]).str);
}

/* The error for operand `second`, naming the first one before that it does not go with. */
static int broadcastConflict(const char *op, THTensor *const *operands, int second)
{
    for (int i = 0; i < second; i++) {
        THShape pair = {.nDimension = 0};
        if (operands[i] == NULL)
            continue;
        if (!widenShape(&pair, operands[i]) || !widenShape(&pair, operands[second]))
            return broadcastError(op, operands, i, second);
    }
    return TH_OK;
}

int THShape_broadcast(const char *op, THShape *shape, THTensor *const *operands, int noperands)
{
    shape->nDimension = 0;
    shape->run = 1;
    for (int i = 0; i < noperands; i++) {
        const THTensor *tensor = operands[i];
        if (tensor == NULL || tensor->nDimension == 0 || isShape(tensor, shape))
            continue;
        if (shape->nDimension == 0)
            setShape(shape, tensor);
        else if (!widenShape(shape, tensor))
            return broadcastConflict(op, operands, i);
        else
            shape->run = 0;
    }
    return TH_OK;
}

static int differingError(const char *op, THDtype one, THDtype other)
{
    return THError(TH_ERROR_TYPE, "%s: expected tensors of one dtype, got %s and %s", op,
                   THDtype_name(one), THDtype_name(other));
}

/* Dtypes of one group of operands; none yet is -1. */
static int combine(int group, int dtype)
{
    return group < 0 ? dtype : (int)THDtype_promote((THDtype)group, (THDtype)dtype);
}

/* A group of lower rank counts only where its category is higher. */
static int combineRanks(int higher, int lower)
{
    if (higher < 0 || lower < 0)
        return higher < 0 ? lower : higher;
    return THDtype_category((THDtype)lower) > THDtype_category((THDtype)higher)
               ? (int)THDtype_promote((THDtype)higher, (THDtype)lower)
               : higher;
}

static bool isNumber(const THTensor *tensor)
{
    return tensor->flag & TH_TENSOR_WRAPPED_NUMBER;
}

/* The dtype an operand counts with. */
static int dtypeOf(const THTensor *tensor)
{
    return isNumber(tensor) && tensor->dtype == TH_DOUBLE ? (int)THDtype_default() : tensor->dtype;
}

static int promoteRanks(THTensor *const *operands, int noperands)
{
    int dims = -1, zero = -1, numbers = -1;
    for (int i = 0; i < noperands; i++) {
        const THTensor *tensor = operands[i];
        if (tensor == NULL)
            continue;
        int *group = isNumber(tensor) ? &numbers : tensor->nDimension > 0 ? &dims : &zero;
        *group = combine(*group, dtypeOf(tensor));
    }
    return combineRanks(dims, combineRanks(zero, numbers));
}

/* All tensors must agree; numbers take their dtype unless that is of a lower category. */
static int promoteNone(const char *op, THTensor *const *operands, int noperands, THDtype *dtype)
{
    int agreed = -1;
    for (int i = 0; i < noperands; i++) {
        if (operands[i] == NULL || isNumber(operands[i]))
            continue;
        if (agreed >= 0 && agreed != operands[i]->dtype)
            return differingError(op, (THDtype)agreed, (THDtype)operands[i]->dtype);
        agreed = operands[i]->dtype;
    }
    const int promoted = promoteRanks(operands, noperands);
    if (agreed >= 0 && promoted != agreed)
        return differingError(op, (THDtype)agreed, (THDtype)promoted);
    *dtype = (THDtype)promoted;
    return TH_OK;
}

/* Whether all tensors have one dtype, and numbers beside them no higher category. */
static inline bool areAlike(THTensor *const *operands, int noperands, THDtype *dtype, bool *numbers)
{
    int agreed = -1, category = -1;
    for (int i = 0; i < noperands; i++) {
        const THTensor *tensor = operands[i];
        if (tensor == NULL)
            return false;
        if (isNumber(tensor)) {
            const int own = (int)THDtype_category((THDtype)tensor->dtype);
            category = own > category ? own : category;
        } else if (agreed >= 0 && agreed != tensor->dtype) {
            return false;
        } else {
            agreed = tensor->dtype;
        }
    }
    if (agreed < 0 || category > (int)THDtype_category((THDtype)agreed))
        return false;
    *dtype = (THDtype)agreed;
    *numbers = category >= 0;
    return true;
}

int THPromote(const char *op, THPromotion promotion, THTensor *const *operands, int noperands,
              THDtype *dtype)
{
    bool numbers;
    if (TH_LIKELY(areAlike(operands, noperands, dtype, &numbers))) {
        if (!numbers && (promotion == TH_PROMOTE_NONE || promotion == TH_PROMOTE_ARITHMETIC))
            return TH_OK;
    } else if (promotion == TH_PROMOTE_NONE) {
        const int status = promoteNone(op, operands, noperands, dtype);
        if (status != TH_OK)
            return status;
    } else {
        *dtype = (THDtype)promoteRanks(operands, noperands);
    }
    if (promotion == TH_PROMOTE_NUMBER && *dtype == TH_BOOL)
        *dtype = TH_LONG;
    if (promotion == TH_PROMOTE_FLOAT && THDtype_category(*dtype) != TH_CATEGORY_FLOATING)
        *dtype = THDtype_default();
    if (TH_UNLIKELY(THExplain_current != NULL))
        THExplain_current->dtype = (int)*dtype;
    return TH_OK;
}

int THScalar_checkKind(const char *op, const char *argument, THScalar value, THDtype dtype)
{
    const THCategory category = THDtype_category(dtype);
    if (value.kind == TH_SCALAR_DOUBLE && category < TH_CATEGORY_FLOATING)
        return THError(TH_ERROR_TYPE,
                       "%s: argument %s must not be a floating-point number for %s tensors", op,
                       argument, category == TH_CATEGORY_BOOL ? "bool" : "integer");
    return TH_OK;
}
