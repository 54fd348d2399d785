/* Written by wrapgen from Types.yaml; edit that one. */
#include "ops.h"

#define TH_GENERIC_FILE <Types.h>
#include <TH/THGenerateAllTypes.h>

/* chosen(THTensor* self, THIndexTensor* index, THTensor* table) -> THTensor* result
 * Types.yaml:1 */
int TH_chosen(THTensor **out, THTensor *self, THTensor *index, THTensor *table)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self, index, table};
    THDtype dtype;
    THTensor *const operands[] = {self};
    THTensor *result = NULL;
    THWork work = {0};

    TH_TRY(THCheck_tensor("chosen", "self", self));
    TH_TRY(THCheck_tensor("chosen", "index", index));
    TH_TRY(THCheck_dtype("chosen", "index", index, TH_LONG));
    TH_TRY(THCheck_tensor("chosen", "table", table));
    TH_TRY(THCheck_dtype("chosen", "table", table, TH_DOUBLE));
    TH_TRY(THPromote("chosen", TH_PROMOTE_NONE, operands, 1, &dtype));
    TH_TRY(THCheck_types("chosen", dtype, TH_TYPE_BIT(TH_INT) | TH_TYPE_BIT(TH_HALF) |
           TH_TYPE_BIT(TH_FLOAT) | TH_TYPE_BIT(TH_DOUBLE)));
    TH_TRY(THOutput_plain("chosen", &result, *out, dtype, inputs, 3));
    THTensor *const touched[] = {result, self, index, table};
    THWork_enter(&work, 1, touched, 4);
    switch (dtype) {
    case TH_INT:
        status = THIntTensor_chosen(result, self, index, table);
        break;
    case TH_HALF:
        status = THHalfTensor_chosen(result, self, index, table);
        break;
    case TH_FLOAT:
        status = THFloatTensor_chosen(result, self, index, table);
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_chosen(result, self, index, table);
        break;
    default:
        status = THError_dtype("chosen", dtype);
    }
    THWork_end(&work);
done:
    return THOutput_end("chosen", status, out, result);
}

/* accepting(THTensor* self, THIndexTensor* index) -> THTensor* result
 * Types.yaml:8 */
int TH_accepting(THTensor **out, THTensor *self, THTensor *index)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self, index};
    THDtype dtype;
    THTensor *const operands[] = {self};
    THTensor *index_cast = NULL;
    THTensor *result = NULL;
    THWork work = {0};

    TH_TRY(THCheck_tensor("accepting", "self", self));
    TH_TRY(THCheck_tensor("accepting", "index", index));
    TH_TRY(THCheck_eitherDtype("accepting", "index", index, TH_LONG, TH_INT));
    TH_TRY(THPromote("accepting", TH_PROMOTE_NONE, operands, 1, &dtype));
    TH_TRY(THCheck_types("accepting", dtype, TH_TYPES_ALL));
    TH_TRY(THWrapper_cast(&index_cast, index, TH_LONG));
    TH_TRY(THOutput_plain("accepting", &result, *out, dtype, inputs, 2));
    THTensor *const touched[] = {result, self, index};
    THWork_enter(&work, 1, touched, 3);
    switch (dtype) {
    case TH_BYTE:
        status = THByteTensor_accepting(result, self, index_cast);
        break;
    case TH_CHAR:
        status = THCharTensor_accepting(result, self, index_cast);
        break;
    case TH_SHORT:
        status = THShortTensor_accepting(result, self, index_cast);
        break;
    case TH_INT:
        status = THIntTensor_accepting(result, self, index_cast);
        break;
    case TH_LONG:
        status = THLongTensor_accepting(result, self, index_cast);
        break;
    case TH_HALF:
        status = THHalfTensor_accepting(result, self, index_cast);
        break;
    case TH_FLOAT:
        status = THFloatTensor_accepting(result, self, index_cast);
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_accepting(result, self, index_cast);
        break;
    case TH_BOOL:
        status = THBoolTensor_accepting(result, self, index_cast);
        break;
    default:
        status = THError_dtype("accepting", dtype);
    }
    THWork_end(&work);
done:
    THWrapper_freeCast(index_cast, index);
    return THOutput_end("accepting", status, out, result);
}
