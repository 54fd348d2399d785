/* Written by wrapgen from ReturnArguments.yaml; edit that one. */
#include "ops.h"

#define TH_GENERIC_FILE <ReturnArguments.h>
#include <TH/THGenerateAllTypes.h>

/* same(THTensor* self, THTensor* other) -> bool
 * ReturnArguments.yaml:1 */
int TH_same(bool *out, THTensor *self, THTensor *other)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self, other};
    THDtype dtype;
    THWork work = {0};

    TH_TRY(THCheck_tensor("same", "self", self));
    TH_TRY(THCheck_tensor("same", "other", other));
    TH_TRY(THPromote("same", TH_PROMOTE_NONE, inputs, 2, &dtype));
    TH_TRY(THCheck_types("same", dtype, TH_TYPES_ALL));
    THTensor *const touched[] = {self, other};
    THWork_enter(&work, 1, touched, 2);
    TH_TRY(THExplain_guard());
    switch (dtype) {
    case TH_BYTE:
        status = THByteTensor_same(out, self, other);
        break;
    case TH_CHAR:
        status = THCharTensor_same(out, self, other);
        break;
    case TH_SHORT:
        status = THShortTensor_same(out, self, other);
        break;
    case TH_INT:
        status = THIntTensor_same(out, self, other);
        break;
    case TH_LONG:
        status = THLongTensor_same(out, self, other);
        break;
    case TH_HALF:
        status = THHalfTensor_same(out, self, other);
        break;
    case TH_FLOAT:
        status = THFloatTensor_same(out, self, other);
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_same(out, self, other);
        break;
    case TH_BOOL:
        status = THBoolTensor_same(out, self, other);
        break;
    default:
        status = THError_dtype("same", dtype);
    }
    THWork_end(&work);
done:
    return THError_named("same", status);
}

/* count(THTensor* self) -> long
 * ReturnArguments.yaml:2 */
int TH_count(int64_t *out, THTensor *self)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self};
    THDtype dtype;
    THWork work = {0};

    TH_TRY(THCheck_tensor("count", "self", self));
    TH_TRY(THPromote("count", TH_PROMOTE_NONE, inputs, 1, &dtype));
    TH_TRY(THCheck_types("count", dtype, TH_TYPES_ALL));
    THTensor *const touched[] = {self};
    THWork_enter(&work, 1, touched, 1);
    TH_TRY(THExplain_guard());
    switch (dtype) {
    case TH_BYTE:
        status = THByteTensor_count(out, self);
        break;
    case TH_CHAR:
        status = THCharTensor_count(out, self);
        break;
    case TH_SHORT:
        status = THShortTensor_count(out, self);
        break;
    case TH_INT:
        status = THIntTensor_count(out, self);
        break;
    case TH_LONG:
        status = THLongTensor_count(out, self);
        break;
    case TH_HALF:
        status = THHalfTensor_count(out, self);
        break;
    case TH_FLOAT:
        status = THFloatTensor_count(out, self);
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_count(out, self);
        break;
    case TH_BOOL:
        status = THBoolTensor_count(out, self);
        break;
    default:
        status = THError_dtype("count", dtype);
    }
    THWork_end(&work);
done:
    return THError_named("count", status);
}

/* view(THTensor* self, THSize* size) -> THTensor*
 * ReturnArguments.yaml:3 */
int TH_view(THTensor **out, THTensor *self, const int64_t *size, int size_n)
{
    int status = TH_OK;

    TH_TRY(THCheck_tensor("view", "self", self));
    status = THTensor_newReshape(out, self, size, size_n);
done:
    return THError_named("view", status);
}

/* note(THTensor* self) -> void
 * ReturnArguments.yaml:4 */
int TH_note(THTensor *self)
{
    int status = TH_OK;

    TH_TRY(THCheck_tensor("note", "self", self));
    status = THTensor_note(self);
done:
    return THError_named("note", status);
}

/* parts(THTensor* condition) -> THTensorList
 * ReturnArguments.yaml:5 */
int TH_parts(THTensorArray *out, THTensor *condition)
{
    int status = TH_OK;

    TH_TRY(THCheck_tensor("parts", "condition", condition));
    status = THTensor_where(out, condition);
done:
    return THError_named("parts", status);
}
