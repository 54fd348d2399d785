/* Written by wrapgen from everything.yaml; edit that one. */
#include "ops.h"
#include "calls/everything.h"

#define TH_GENERIC_FILE <everything.h>
#include <TH/THGenerateAllTypes.h>
#define TH_GENERIC_FILE "kernels/everything.h"
#include <TH/THGenerateAllTypes.h>

/* everything(THTensor* self, THTensor* other, THTensor* mat, THTensor* weight, double eps, long
 * dim, bool upper, argument 6, CONSTANT 0, THIndexTensor* index) -> THTensor* result
 * everything.yaml:3 */
int TH_everything(THTensor **out, THTensor *self, THTensor *other, THTensor *mat, THTensor *weight,
                  double eps, int64_t dim, bool upper, THTensor *index)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self, other, mat, weight, index};
    THDtype dtype;
    THTensor *const operands[] = {self, other, mat, weight};
    THTensor *self_cast = NULL;
    THTensor *other_cast = NULL;
    THTensor *mat_cast = NULL;
    THTensor *weight_cast = NULL;
    THTensor *index_cast = NULL;
    THShape shape;
    THTensor *const broadcast[] = {self, other};
    THTensor *self_expanded = NULL;
    THTensor *other_expanded = NULL;
    THTensor *result = NULL;

    TH_TRY(THCheck_tensor("everything", "self", self));
    TH_TRY(THCheck_tensor("everything", "other", other));
    TH_TRY(THCheck_tensor("everything", "mat", mat));
    TH_TRY(THCheck_tensor("everything", "index", index));
    TH_TRY(THCheck_eitherDtype("everything", "index", index, TH_LONG, TH_INT));
    TH_TRY(THCheck_ndim("everything", "mat", mat, 2));
    TH_TRY(THCheck_dim("everything", "dim", self, 0, &dim));
    TH_TRY(THCheck_ndim("everything", "self", self, 2));
    TH_TRY(THPromote("everything", TH_PROMOTE_ARITHMETIC, operands, 4, &dtype));
    TH_TRY(THCheck_types("everything", dtype, TH_TYPES_FLOATING_POINT));
    TH_TRY(THShape_broadcast("everything", &shape, broadcast, 2));
    TH_REQUIRE(eps > 0, TH_ERROR_VALUE, "everything: expected eps > 0");
    TH_TRY(THWrapper_cast(&self_cast, self, dtype));
    TH_TRY(THWrapper_cast(&other_cast, other, dtype));
    TH_TRY(THWrapper_cast(&mat_cast, mat, dtype));
    if (weight != NULL)
        TH_TRY(THWrapper_castRead(&weight_cast, weight, dtype));
    TH_TRY(THWrapper_cast(&index_cast, index, TH_LONG));
    TH_TRY(THWrapper_newExpanded("everything", "self", &self_expanded, self_cast, shape.size,
           shape.nDimension));
    TH_TRY(THWrapper_newExpanded("everything", "other", &other_expanded, other_cast, shape.size,
           shape.nDimension));
    TH_TRY(THOutput_plain("everything", &result, *out, dtype, inputs, 5));
    switch (dtype) {
    case TH_HALF:
        status = THHalfTensor_all_of_it(result, self_expanded, other_expanded, mat_cast,
                                        weight_cast, eps, dim, (upper ? "U" : "L"), dim, 0,
                                        index_cast);
        break;
    case TH_FLOAT:
        status = THFloatTensor_all_of_it(result, self_expanded, other_expanded, mat_cast,
                                         weight_cast, eps, dim, (upper ? "U" : "L"), dim, 0,
                                         index_cast);
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_all_of_it(result, self_expanded, other_expanded, mat_cast,
                                          weight_cast, eps, dim, (upper ? "U" : "L"), dim, 0,
                                          index_cast);
        break;
    default:
        status = THError_dtype("everything", dtype);
    }
    if (status != TH_OK)
        goto done;
    THTensor_retain(self);
done:
    THTensor_free(other_expanded);
    THTensor_free(self_expanded);
    THWrapper_freeCast(index_cast, index);
    THWrapper_freeCast(weight_cast, weight);
    THWrapper_freeCast(mat_cast, mat);
    THWrapper_freeCast(other_cast, other);
    THWrapper_freeCast(self_cast, self);
    return THOutput_end("everything", status, out, result);
}

/* everything_(THTensor* self, THTensor* other, THTensor* mat, THTensor* weight, double eps, long
 * dim, bool upper, argument 6, CONSTANT 0, THIndexTensor* index) -> self
 * everything.yaml:3 */
int TH_everything_(THTensor *self, THTensor *other, THTensor *mat, THTensor *weight, double eps,
                   int64_t dim, bool upper, THTensor *index)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self, other, mat, weight, index};
    THDtype dtype;
    THTensor *const operands[] = {self, other, mat, weight};
    THTensor *self_cast = NULL;
    THTensor *other_cast = NULL;
    THTensor *mat_cast = NULL;
    THTensor *weight_cast = NULL;
    THTensor *index_cast = NULL;
    THTensor *other_expanded = NULL;
    THTensor *const others[] = {other, mat, weight, index};
    THTensor *self_result = NULL;

    TH_TRY(THCheck_tensor("everything_", "self", self));
    TH_TRY(THCheck_tensor("everything_", "other", other));
    TH_TRY(THCheck_tensor("everything_", "mat", mat));
    TH_TRY(THCheck_tensor("everything_", "index", index));
    TH_TRY(THCheck_eitherDtype("everything_", "index", index, TH_LONG, TH_INT));
    TH_TRY(THCheck_ndim("everything_", "mat", mat, 2));
    TH_TRY(THCheck_dim("everything_", "dim", self, 0, &dim));
    TH_TRY(THCheck_ndim("everything", "self", self, 2));
    TH_TRY(THPromote("everything_", TH_PROMOTE_ARITHMETIC, operands, 4, &dtype));
    TH_TRY(THCheck_types("everything_", dtype, TH_TYPES_FLOATING_POINT));
    TH_REQUIRE(eps > 0, TH_ERROR_VALUE, "everything: expected eps > 0");
    TH_TRY(THWrapper_cast(&self_cast, self, dtype));
    TH_TRY(THWrapper_cast(&other_cast, other, dtype));
    TH_TRY(THWrapper_cast(&mat_cast, mat, dtype));
    if (weight != NULL)
        TH_TRY(THWrapper_castRead(&weight_cast, weight, dtype));
    TH_TRY(THWrapper_cast(&index_cast, index, TH_LONG));
    TH_TRY(THWrapper_newExpanded("everything_", "other", &other_expanded, other_cast, self->size,
           self->nDimension));
    TH_TRY(THInplace_check("everything_", self, dtype, NULL, inputs, 5));
    TH_TRY(THOutput_plain("everything_", &self_result, self, dtype, others, 4));
    switch (dtype) {
    case TH_HALF:
        status = THHalfTensor_all_of_it(self_result, self_cast, other_expanded, mat_cast,
                                        weight_cast, eps, dim, (upper ? "U" : "L"), dim, 0,
                                        index_cast);
        break;
    case TH_FLOAT:
        status = THFloatTensor_all_of_it(self_result, self_cast, other_expanded, mat_cast,
                                         weight_cast, eps, dim, (upper ? "U" : "L"), dim, 0,
                                         index_cast);
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_all_of_it(self_result, self_cast, other_expanded, mat_cast,
                                          weight_cast, eps, dim, (upper ? "U" : "L"), dim, 0,
                                          index_cast);
        break;
    default:
        status = THError_dtype("everything_", dtype);
    }
    if (status != TH_OK)
        goto done;
    THTensor_retain(self);
done:
    THTensor_free(other_expanded);
    THWrapper_freeCast(index_cast, index);
    THWrapper_freeCast(weight_cast, weight);
    THWrapper_freeCast(mat_cast, mat);
    THWrapper_freeCast(other_cast, other);
    THWrapper_freeCast(self_cast, self);
    return THInplace_end("everything_", status, self, self_result);
}

/* forms_kernel(THTensor* self, THTensor* other) -> THTensor* result
 * everything.yaml:38 */
int TH_forms_kernel(THTensor **out, THTensor *self, THTensor *other)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self, other};
    THDtype dtype;
    THShape shape;
    THTensor *result = NULL;
    THWork work = {0};

    TH_TRY(THCheck_tensor("forms", "self", self));
    TH_TRY(THCheck_tensor("forms", "other", other));
    TH_TRY(THPromote("forms", TH_PROMOTE_ARITHMETIC, inputs, 2, &dtype));
    TH_TRY(THCheck_types("forms", dtype, TH_TYPES_ALL));
    TH_TRY(THShape_broadcast("forms", &shape, inputs, 2));
    TH_TRY(THOutput_shaped("forms", &result, *out, dtype, &shape, inputs, 2));
    THTensor *const touched[] = {result, self, other};
    THWork_enterShaped(&work, 1, &shape, touched, 3);
    switch (dtype) {
    case TH_BYTE:
        status = THByteTensor_forms_kernel(result, self, other);
        break;
    case TH_CHAR:
        status = THCharTensor_forms_kernel(result, self, other);
        break;
    case TH_SHORT:
        status = THShortTensor_forms_kernel(result, self, other);
        break;
    case TH_INT:
        status = THIntTensor_forms_kernel(result, self, other);
        break;
    case TH_LONG:
        status = THLongTensor_forms_kernel(result, self, other);
        break;
    case TH_HALF:
        status = THHalfTensor_forms_kernel(result, self, other);
        break;
    case TH_FLOAT:
        status = THFloatTensor_forms_kernel(result, self, other);
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_forms_kernel(result, self, other);
        break;
    case TH_BOOL:
        status = THBoolTensor_forms_kernel(result, self, other);
        break;
    default:
        status = THError_dtype("forms", dtype);
    }
    THWork_end(&work);
done:
    return THOutput_end("forms", status, out, result);
}

/* forms_made(THTensor* self, THSize* size) -> THTensor*
 * everything.yaml:42 */
int TH_forms_made(THTensor **out, THTensor *self, const int64_t *size, int size_n)
{
    int status = TH_OK;
    THTensor *out_result = NULL;

    TH_TRY(THCheck_tensor("forms", "self", self));
    status = THTensor_newReshape(&out_result, self, size, size_n);
done:
    return THOutput_end("forms", status, out, out_result);
}

/* forms__kernel(THTensor* self, THTensor* other) -> self
 * everything.yaml:38 */
int TH_forms__kernel(THTensor *self, THTensor *other)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self, other};
    THDtype dtype;
    THShape shape;
    THWork work = {0};

    TH_TRY(THCheck_tensor("forms_", "self", self));
    TH_TRY(THCheck_tensor("forms_", "other", other));
    TH_TRY(THPromote("forms_", TH_PROMOTE_ARITHMETIC, inputs, 2, &dtype));
    TH_TRY(THCheck_types("forms_", dtype, TH_TYPES_ALL));
    TH_TRY(THShape_broadcast("forms_", &shape, inputs, 2));
    TH_TRY(THInplace_check("forms_", self, dtype, &shape, inputs, 2));
    THTensor *const touched[] = {self, other};
    THWork_enterShaped(&work, 1, &shape, touched, 2);
    switch (dtype) {
    case TH_BYTE:
        status = THByteTensor_forms_kernel(self, self, other);
        break;
    case TH_CHAR:
        status = THCharTensor_forms_kernel(self, self, other);
        break;
    case TH_SHORT:
        status = THShortTensor_forms_kernel(self, self, other);
        break;
    case TH_INT:
        status = THIntTensor_forms_kernel(self, self, other);
        break;
    case TH_LONG:
        status = THLongTensor_forms_kernel(self, self, other);
        break;
    case TH_HALF:
        status = THHalfTensor_forms_kernel(self, self, other);
        break;
    case TH_FLOAT:
        status = THFloatTensor_forms_kernel(self, self, other);
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_forms_kernel(self, self, other);
        break;
    case TH_BOOL:
        status = THBoolTensor_forms_kernel(self, self, other);
        break;
    default:
        status = THError_dtype("forms_", dtype);
    }
    THWork_end(&work);
done:
    return THError_named("forms_", status);
}

/* other_forms_kernel(THTensor* self, THTensor* other) -> THTensor* result
 * everything.yaml:38 */
int TH_other_forms_kernel(THTensor **out, THTensor *self, THTensor *other)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self, other};
    THDtype dtype;
    THShape shape;
    THTensor *result = NULL;
    THWork work = {0};

    TH_TRY(THCheck_tensor("other_forms", "self", self));
    TH_TRY(THCheck_tensor("other_forms", "other", other));
    TH_TRY(THPromote("other_forms", TH_PROMOTE_ARITHMETIC, inputs, 2, &dtype));
    TH_TRY(THCheck_types("other_forms", dtype, TH_TYPES_ALL));
    TH_TRY(THShape_broadcast("other_forms", &shape, inputs, 2));
    TH_TRY(THOutput_shaped("other_forms", &result, *out, dtype, &shape, inputs, 2));
    THTensor *const touched[] = {result, self, other};
    THWork_enterShaped(&work, 1, &shape, touched, 3);
    switch (dtype) {
    case TH_BYTE:
        status = THByteTensor_forms_kernel(result, self, other);
        break;
    case TH_CHAR:
        status = THCharTensor_forms_kernel(result, self, other);
        break;
    case TH_SHORT:
        status = THShortTensor_forms_kernel(result, self, other);
        break;
    case TH_INT:
        status = THIntTensor_forms_kernel(result, self, other);
        break;
    case TH_LONG:
        status = THLongTensor_forms_kernel(result, self, other);
        break;
    case TH_HALF:
        status = THHalfTensor_forms_kernel(result, self, other);
        break;
    case TH_FLOAT:
        status = THFloatTensor_forms_kernel(result, self, other);
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_forms_kernel(result, self, other);
        break;
    case TH_BOOL:
        status = THBoolTensor_forms_kernel(result, self, other);
        break;
    default:
        status = THError_dtype("other_forms", dtype);
    }
    THWork_end(&work);
done:
    return THOutput_end("other_forms", status, out, result);
}

/* other_forms_made(THTensor* self, THSize* size) -> THTensor*
 * everything.yaml:42 */
int TH_other_forms_made(THTensor **out, THTensor *self, const int64_t *size, int size_n)
{
    int status = TH_OK;
    THTensor *out_result = NULL;

    TH_TRY(THCheck_tensor("other_forms", "self", self));
    status = THTensor_newReshape(&out_result, self, size, size_n);
done:
    return THOutput_end("other_forms", status, out, out_result);
}

/* other_forms__kernel(THTensor* self, THTensor* other) -> self
 * everything.yaml:38 */
int TH_other_forms__kernel(THTensor *self, THTensor *other)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self, other};
    THDtype dtype;
    THShape shape;
    THWork work = {0};

    TH_TRY(THCheck_tensor("other_forms_", "self", self));
    TH_TRY(THCheck_tensor("other_forms_", "other", other));
    TH_TRY(THPromote("other_forms_", TH_PROMOTE_ARITHMETIC, inputs, 2, &dtype));
    TH_TRY(THCheck_types("other_forms_", dtype, TH_TYPES_ALL));
    TH_TRY(THShape_broadcast("other_forms_", &shape, inputs, 2));
    TH_TRY(THInplace_check("other_forms_", self, dtype, &shape, inputs, 2));
    THTensor *const touched[] = {self, other};
    THWork_enterShaped(&work, 1, &shape, touched, 2);
    switch (dtype) {
    case TH_BYTE:
        status = THByteTensor_forms_kernel(self, self, other);
        break;
    case TH_CHAR:
        status = THCharTensor_forms_kernel(self, self, other);
        break;
    case TH_SHORT:
        status = THShortTensor_forms_kernel(self, self, other);
        break;
    case TH_INT:
        status = THIntTensor_forms_kernel(self, self, other);
        break;
    case TH_LONG:
        status = THLongTensor_forms_kernel(self, self, other);
        break;
    case TH_HALF:
        status = THHalfTensor_forms_kernel(self, self, other);
        break;
    case TH_FLOAT:
        status = THFloatTensor_forms_kernel(self, self, other);
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_forms_kernel(self, self, other);
        break;
    case TH_BOOL:
        status = THBoolTensor_forms_kernel(self, self, other);
        break;
    default:
        status = THError_dtype("other_forms_", dtype);
    }
    THWork_end(&work);
done:
    return THError_named("other_forms_", status);
}

/* windows(THTensor* self) -> THTensor* result
 * everything.yaml:48 */
int TH_windows(THTensor **out, THTensor *self)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self};
    THDtype dtype;
    THTensor *result = NULL;
    THWork work = {0};

    TH_TRY(THCheck_tensor("windows", "self", self));
    TH_TRY(THPromote("windows", TH_PROMOTE_ARITHMETIC, inputs, 1, &dtype));
    TH_TRY(THCheck_types("windows", dtype, TH_TYPES_ALL));
    TH_TRY(THOutput_plain("windows", &result, *out, dtype, inputs, 1));
    THTensor *const touched[] = {result, self};
    THWork_enter(&work, 16, touched, 2);
    switch (dtype) {
    case TH_BYTE:
        status = THByteTensor_windows(result, self);
        break;
    case TH_CHAR:
        status = THCharTensor_windows(result, self);
        break;
    case TH_SHORT:
        status = THShortTensor_windows(result, self);
        break;
    case TH_INT:
        status = THIntTensor_windows(result, self);
        break;
    case TH_LONG:
        status = THLongTensor_windows(result, self);
        break;
    case TH_HALF:
        status = THHalfTensor_windows(result, self);
        break;
    case TH_FLOAT:
        status = THFloatTensor_windows(result, self);
        break;
    case TH_DOUBLE:
        status = THDoubleTensor_windows(result, self);
        break;
    case TH_BOOL:
        status = THBoolTensor_windows(result, self);
        break;
    default:
        status = THError_dtype("windows", dtype);
    }
    THWork_end(&work);
done:
    return THOutput_end("windows", status, out, result);
}

/* sum_of_all(THTensor* self) -> double
 * everything.yaml:60 */
int TH_sum_of_all(double *out, THTensor *self)
{
    int status = TH_OK;
    THWork work = {0};

    TH_TRY(THCheck_tensor("sum_of_all", "self", self));
    THTensor *const touched[] = {self};
    THWork_enter(&work, 1, touched, 1);
    TH_TRY(THExplain_guard());
    status = THCall_sum_of_all(out, self);
    THWork_end(&work);
done:
    return THError_named("sum_of_all", status);
}

/* parts_of(THTensor* self) -> THTensor* result
 * everything.yaml:68 */
int TH_parts_of(THTensor **out, THTensor *self)
{
    int status = TH_OK;
    THTensor *const inputs[] = {self};
    THTensor *result = NULL;
    THWork work = {0};

    TH_TRY(THCheck_tensor("parts_of", "self", self));
    TH_TRY(THOutput_plain("parts_of", &result, *out, TH_BYTE, inputs, 1));
    THTensor *const touched[] = {result, self};
    THWork_enter(&work, 1, touched, 2);
    TH_TRY(THExplain_guard());
    status = THCall_parts_of(result, self);
    THWork_end(&work);
done:
    return THOutput_end("parts_of", status, out, result);
}
