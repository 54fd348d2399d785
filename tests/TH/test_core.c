/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Errors, storages, tensors. */
#define _GNU_SOURCE
#include "check.h"

#include <stdlib.h>
#include <unistd.h>

static THTensor *newArange(THDtype dtype, int nDimension, const int64_t *size)
{
    THTensor *self = NULL;
    CHECK_OK(THTensor_newWithSize(&self, dtype, nDimension, size));
    for (int64_t i = 0; i < THTensor_nElement(self); i++)
        THTensor_setAt(self, i, THScalar_fromLong(i));
    return self;
}

static void testErrors(void)
{
    THError_clear();
    CHECK(THError_code() == TH_OK && strcmp(THError_message(), "") == 0);
    CHECK(THError(TH_ERROR_INDEX, "a %d", 1) == TH_ERROR_INDEX);
    THError(TH_ERROR_VALUE, "b: %s", THError_message());
    CHECK(THError_code() == TH_ERROR_VALUE && strcmp(THError_message(), "b: a 1") == 0);
    char longText[5000];
    memset(longText, 'x', sizeof longText);
    longText[sizeof longText - 1] = 0;
    THError(TH_ERROR_TYPE, "%s", longText);
    CHECK(strlen(THError_message()) < 2000);
    CHECK(THWarning_take() == NULL);
    THWarning("first");
    THWarning("second %d", 2);
    CHECK(strcmp(THWarning_take(), "second 2") == 0 && THWarning_take() == NULL);
    THError_clear();
    CHECK(TH_abiVersion == TH_ABI_VERSION);
    CHECK(THDtype_default() == TH_FLOAT);
    CHECK_ERROR(THDtype_setDefault(TH_LONG), TH_ERROR_TYPE,
                "set_default_dtype: expected a floating point dtype, got int64");
    CHECK_OK(THDtype_setDefault(TH_DOUBLE));
    CHECK(THDtype_default() == TH_DOUBLE);
    CHECK_OK(THDtype_setDefault(TH_FLOAT));
    CHECK(strcmp(THIsa_name(THIsa_current), "unknown") != 0);
    CHECK(THIsa_set("mmx") == TH_ERROR_VALUE && THIsa_set(NULL) == TH_ERROR_VALUE);
    CHECK_OK(THIsa_set(THIsa_name(THIsa_current)));
}

static int deleted;
static void countDeletion(void *context, void *pointer)
{
    deleted += *(int *)context;
    free(pointer);
}

static void testForeignStorages(void)
{
    THStorage *storage = NULL, *view = NULL;
    int step = 1;
    CHECK_OK(THStorage_newWithData(&storage, malloc(100), 100, countDeletion, &step));
    CHECK_ERROR(THStorage_resize(storage, 200), TH_ERROR_RUNTIME,
                "resize: the storage is not resizable (it has 100 bytes, 200 are needed)");
    CHECK_OK(THStorage_newView(&view, storage, 40, 60));
    CHECK((char *)view->data == (char *)storage->data + 40 && view->size == 60);
    THStorage_free(storage);
    CHECK(deleted == 0);
    THStorage_free(view);
    CHECK(deleted == 1);
    CHECK_OK(THStorage_newWithData(&storage, NULL, 0, countDeletion, &step));
    THStorage_free(storage);
    CHECK(deleted == 2);
    char local[8];
    CHECK_OK(THStorage_newWithData(&storage, local, sizeof local, NULL, NULL));
    THStorage_free(storage);
    CHECK(THStorage_newWithData(&storage, NULL, 8, NULL, NULL) == TH_ERROR_VALUE);
    CHECK(THStorage_newWithAllocator(&storage, 8, NULL, NULL) == TH_ERROR_VALUE);
}

static void testStorages(void)
{
    THStorage *storage = NULL, *view = NULL;
    CHECK(THStorage_new(&storage, -1) == TH_ERROR_VALUE);
    CHECK(THStorage_new(&storage, INT64_MAX) == TH_ERROR_MEMORY);
    CHECK_OK(THStorage_new(&storage, 0));
    CHECK(storage->data == NULL && storage->size == 0);
    const int64_t sizes[] = {1, 64, 65, 1000, 70000, 1 << 20, 20 << 20, 3 << 20, 100000, 10};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const int64_t before = storage->size, kept = before < sizes[i] ? before : sizes[i];
        CHECK_OK(THStorage_resize(storage, sizes[i]));
        CHECK(storage->size == sizes[i] && (uintptr_t)storage->data % 64 == 0);
        const unsigned char *bytes = storage->data;
        for (int64_t k = 0; k < kept; k += 1 + kept / 100)
            if (bytes[k] != (unsigned char)(k * 7))
                CHECK(!"contents are kept");
        for (int64_t k = 0; k < sizes[i]; k++)
            ((unsigned char *)storage->data)[k] = (unsigned char)(k * 7);
    }
    THStorage_pin(storage);
    CHECK_ERROR(THStorage_resize(storage, 20), TH_ERROR_RUNTIME,
                "resize: the storage is in use (exported or in a running operation)");
    THStorage_unpin(storage);
    CHECK_ERROR(THStorage_newView(&view, storage, 8, 3), TH_ERROR_VALUE,
                "storage view: 3 bytes from 8 on are not within 10");
    CHECK(THStorage_newView(&view, storage, -1, 3) == TH_ERROR_VALUE);
    CHECK(THStorage_newView(&view, storage, 1, INT64_MAX) == TH_ERROR_VALUE);
    CHECK_OK(THStorage_newView(&view, storage, 10, 0));
    CHECK(THStorage_resize(storage, 20) == TH_ERROR_RUNTIME);
    THStorage_free(view);
    THStorage_retain(storage);
    CHECK_ERROR(THStorage_resize(storage, 5), TH_ERROR_RUNTIME,
                "resize: a storage that is shared cannot shrink");
    CHECK_OK(THStorage_resize(storage, 20));
    THStorage_free(storage);
    CHECK_OK(THStorage_resize(storage, 0));
    CHECK(storage->data == NULL);
    THStorage_free(storage);
    THStorage_free(NULL);
}

static void testMappings(void)
{
    char name[] = "/tmp/th_test_XXXXXX";
    const int file = mkstemp(name);
    THStorage *shared = NULL, *private = NULL, *none = NULL;
    CHECK(file >= 0 && close(file) == 0);
    CHECK_OK(THStorage_newWithMapping(&none, name, 0, true));
    CHECK(none->size == 0);
    THStorage_free(none);
    CHECK(THStorage_newWithMapping(&none, name, 10, false) == TH_ERROR_VALUE);
    CHECK_OK(THStorage_newWithMapping(&shared, name, 100, true));
    memcpy(shared->data, "hello", 6);
    CHECK_OK(THStorage_newWithMapping(&private, name, 0, false));
    CHECK(private->size == 100 && strcmp(private->data, "hello") == 0);
    memcpy(private->data, "world", 6);
    CHECK(strcmp(shared->data, "hello") == 0);
    CHECK(THStorage_resize(shared, 200) == TH_ERROR_RUNTIME);
    THStorage_free(shared);
    THStorage_free(private);
    unlink(name);
    CHECK(THStorage_newWithMapping(&none, name, 1, false) == TH_ERROR_RUNTIME);
    CHECK(THStorage_newWithMapping(&none, "/tmp", 1, false) == TH_ERROR_RUNTIME);
    CHECK(THStorage_newWithMapping(&none, name, -1, true) == TH_ERROR_VALUE);
    CHECK(THStorage_newWithMapping(&none, NULL, 1, true) == TH_ERROR_VALUE);
}

static void testCreation(void)
{
    THTensor *self = NULL;
    CHECK_OK(THTensor_newEmpty(&self, TH_LONG));
    CHECK(self->nDimension == 1 && self->size[0] == 0 && self->stride[0] == 1);
    THTensor_free(self);
    CHECK_OK(THTensor_newWithSize(&self, TH_FLOAT, SIZES(2, 0, 3)));
    CHECK(self->stride[0] == 3 && self->stride[1] == 3 && self->stride[2] == 1);
    CHECK(THTensor_nElement(self) == 0 && THTensor_isContiguous(self));
    THTensor_free(self);
    CHECK_OK(THTensor_newWithSize(&self, TH_DOUBLE, SIZES(1, 2, 1, 3, 1, 2, 1)));
    CHECK(self->size != self->inlined && self->stride[0] == 12 && self->storage->size == 96);
    THTensor_free(self);
    int64_t many[65];
    for (int i = 0; i < 65; i++)
        many[i] = 1;
    CHECK_OK(THTensor_newWithSize(&self, TH_BYTE, 64, many));
    THTensor_free(self);
    CHECK_ERROR(THTensor_newWithSize(&self, TH_BYTE, 65, many), TH_ERROR_VALUE,
                "expected at most 64 dims, got 65");
    CHECK(THTensor_newWithSize(&self, TH_BYTE, -1, many) == TH_ERROR_VALUE);
    CHECK_ERROR(THTensor_newWithSize(&self, TH_BYTE, SIZES(3, -2)), TH_ERROR_VALUE,
                "size -2 of dim 1 is negative");
    CHECK_ERROR(THTensor_newWithSize(&self, TH_LONG, SIZES(INT64_C(1) << 31, INT64_C(1) << 31)),
                TH_ERROR_VALUE, "shape (2147483648, 2147483648) has too many elements");
    CHECK(THTensor_newWithSize(&self, TH_BYTE, SIZES(INT64_MAX)) == TH_ERROR_MEMORY);
    CHECK(THTensor_newWithSize(&self, (THDtype)9, SIZES(1)) == TH_ERROR_TYPE);
    CHECK(THTensor_newWithSize(&self, (THDtype)200, SIZES(1)) == TH_ERROR_TYPE);
    THStorage *storage = NULL;
    CHECK_OK(THStorage_new(&storage, 24));
    CHECK_OK(
        THTensor_newWithStorage(&self, TH_FLOAT, storage, 1, SIZES(2, 2), (const int64_t[]){3, 1}));
    CHECK((char *)THTensor_data(self) == (char *)storage->data + 4);
    THTensor_free(self);
    CHECK_ERROR(THTensor_newWithStorage(&self, TH_FLOAT, storage, 1, SIZES(2, 3), NULL),
                TH_ERROR_VALUE,
                "shape (2, 3) with strides (3, 1) and offset 1 exceeds a storage of 6 elements");
    CHECK(THTensor_newWithStorage(&self, TH_FLOAT, storage, -1, SIZES(1), NULL) == TH_ERROR_VALUE);
    CHECK_OK(THTensor_newWithStorage(&self, TH_FLOAT, storage, 7, SIZES(0), NULL));
    THTensor_free(self);
    CHECK(THTensor_newWithStorage(&self, TH_FLOAT, storage, 0, SIZES(3),
                                  (const int64_t[]){INT64_MAX}) == TH_ERROR_VALUE);
    CHECK(THTensor_newWithStorage(&self, TH_FLOAT, storage, 0, SIZES(2), (const int64_t[]){-1}) ==
          TH_ERROR_VALUE);
    CHECK(THTensor_newWithStorage(&self, TH_FLOAT, NULL, 0, SIZES(0), NULL) == TH_ERROR_VALUE);
    THStorage_free(storage);
    THTensor_free(NULL);
}

static void testElements(void)
{
    const THDtype dtypes[] = {TH_BYTE, TH_CHAR,  TH_SHORT,  TH_INT, TH_LONG,
                              TH_HALF, TH_FLOAT, TH_DOUBLE, TH_BOOL};
    THTensor *self = NULL;
    for (int i = 0; i < 9; i++) {
        CHECK_OK(THTensor_newScalar(&self, dtypes[i], THScalar_fromDouble(-3.7)));
        CHECK(self->nDimension == 0 && THTensor_nElement(self) == 1);
        const double expected[] = {253, -3, -3, -3, -3, -3.69921875, -3.7f, -3.7, 1};
        CHECK(THScalar_toDouble(THTensor_getAt(self, 0)) == expected[i]);
        CHECK(THTensor_getAt(self, 0).kind == (i == 8  ? TH_SCALAR_BOOL
                                               : i < 5 ? TH_SCALAR_LONG
                                                       : TH_SCALAR_DOUBLE));
        THTensor_free(self);
    }
    THScalarTensor box;
    self = THScalarTensor_init(&box, THScalar_fromDouble(2.5));
    CHECK(self->dtype == TH_DOUBLE && THTensor_getAt(self, 0).value.d == 2.5);
    CHECK(self->flag == TH_TENSOR_WRAPPED_NUMBER && THTensor_isContiguous(self));
    THTensor_retain(self);
    THTensor_free(self);
    THTensor_free(self);
    CHECK(self->refcount == 1);
    self = THScalarTensor_init(&box, THScalar_fromBool(true));
    CHECK(self->dtype == TH_BOOL && THTensor_getAt(self, 0).value.l == 1);
    THScalar big = {TH_SCALAR_ULONG, {0}};
    big.value.u = UINT64_MAX;
    self = THScalarTensor_init(&box, big);
    CHECK(self->dtype == TH_LONG && THTensor_getAt(self, 0).value.l == -1);
    CHECK(THTensor_resize(self, SIZES(3)) == TH_ERROR_RUNTIME);
}

static void testResize(void)
{
    THTensor *self = newArange(TH_FLOAT, SIZES(2, 3)), *other = NULL;
    CHECK_OK(THTensor_resize(self, SIZES(3, 4)));
    CHECK(self->storage->size == 48 && THTensor_getAt(self, 5).value.d == 5);
    CHECK_OK(THTensor_resize(self, SIZES(1, 1, 2, 1, 1, 1)));
    CHECK(self->storage->size == 48 && self->nDimension == 6 && self->stride[2] == 1);
    CHECK_OK(THTensor_resize(self, SIZES(2, 1, 1, 1, 1, 1, 2)));
    CHECK_OK(THTensor_resize(self, 0, NULL));
    CHECK(self->nDimension == 0 && self->size == self->inlined);
    CHECK_ERROR(THTensor_resize(self, SIZES(INT64_MAX)), TH_ERROR_VALUE,
                "shape (9223372036854775807,) has too many elements");
    CHECK(THTensor_resize(self, SIZES(INT64_MAX / 8)) == TH_ERROR_MEMORY);
    CHECK(self->nDimension == 0 && self->storage->size == 48);
    CHECK_OK(THTensor_resizeOutput("op", self, 0, NULL));
    CHECK(THWarning_take() == NULL);
    CHECK_OK(THTensor_resizeOutput("op", self, SIZES(0)));
    CHECK(strcmp(THWarning_take(), "op: out of shape () is resized to (0,); pass an empty tensor "
                                   "or one of the result's shape") == 0);
    CHECK_OK(THTensor_resizeOutput("op", self, SIZES(5)));
    CHECK(THWarning_take() == NULL);
    THStorage_pin(self->storage);
    CHECK_OK(THTensor_resizeOutput("op", self, SIZES(5)));
    CHECK(THTensor_resize(self, SIZES(4)) == TH_ERROR_RUNTIME);
    other = newArange(TH_FLOAT, SIZES(2, 2));
    CHECK(THTensor_set(self, other) == TH_ERROR_RUNTIME);
    CHECK(THTensor_setStorage(self, other->storage, 0, SIZES(1), NULL) == TH_ERROR_RUNTIME);
    THStorage_unpin(self->storage);
    CHECK_OK(THTensor_set(self, other));
    CHECK(THTensor_isSetTo(self, other));
    CHECK_OK(THTensor_setStorage(self, self->storage, 1, SIZES(3), NULL));
    CHECK(self->storageOffset == 1 && THTensor_getAt(self, self->storageOffset).value.d == 1);
    CHECK(THTensor_setStorage(self, self->storage, 1, SIZES(4), NULL) == TH_ERROR_VALUE);
    CHECK_OK(THTensor_resizeAs(self, other));
    CHECK(self->storage->size == 20);
    THTensor_free(other);
    other = newArange(TH_LONG, SIZES(1));
    CHECK_ERROR(THTensor_set(self, other), TH_ERROR_TYPE,
                "set: expected source of dtype float32, got int64");
    THTensor_free(self);
    THTensor_free(other);
    CHECK(strcmp(THSize_desc(SIZES(2, 3)).str, "(2, 3)") == 0);
    int64_t large[64];
    for (int i = 0; i < 64; i++)
        large[i] = INT64_MIN;
    const THDescBuff desc = THSize_desc(64, large);
    CHECK(strlen(desc.str) < sizeof desc.str && strstr(desc.str, ", ...)") != NULL);
}

int main(void)
{
    THMemoryStats stats;
    testErrors();
    testForeignStorages();
    testStorages();
    testMappings();
    testCreation();
    testElements();
    testResize();
    THMemory_stats(&stats);
    CHECK(stats.liveTensors == 0 && stats.liveStorages == 0 && stats.liveBlocks == 0 &&
          stats.liveBytes == 0);
    return check_finish("core");
}
