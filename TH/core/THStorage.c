/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Storages: making, resizing and releasing them. A storage whose memory others rely on (a running
 * kernel, an exported array, a view) is pinned and keeps its size. */
#define _GNU_SOURCE
#include <TH/core/THPrivate.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int THStorage_new(THStorage **out, int64_t bytes)
{
    TH_CHECK(bytes >= 0, TH_ERROR_VALUE, "storage: expected a size >= 0, got %lld",
             (long long)bytes);
    THStorage *self = THStorage_make(bytes);
    if (TH_UNLIKELY(self == NULL))
        return TH_ERROR_MEMORY;
    *out = self;
    return TH_OK;
}

int THStorage_newWithAllocator(THStorage **out, int64_t bytes, const THAllocator *allocator,
                               void *context)
{
    TH_CHECK(bytes >= 0, TH_ERROR_VALUE, "storage: expected a size >= 0, got %lld",
             (long long)bytes);
    TH_CHECK(allocator != NULL && allocator->malloc != NULL && allocator->free != NULL,
             TH_ERROR_VALUE, "storage: expected an allocator with malloc and free");
    THStorage *self = THStorage_make(0);
    if (self == NULL)
        return TH_ERROR_MEMORY;
    if (allocator->realloc == NULL)
        self->flag &= ~TH_STORAGE_RESIZABLE;
    self->allocator = allocator;
    self->allocatorContext = context;
    THError_clear(); /* of an older failure: the allocator may record its own */
    if (bytes > 0 && (self->data = allocator->malloc(context, (size_t)bytes)) == NULL) {
        THStorage_free(self);
        return THError_code() == TH_ERROR_MEMORY
                   ? TH_ERROR_MEMORY
                   : THError(TH_ERROR_MEMORY, "storage: its allocator has no %lld bytes",
                             (long long)bytes);
    }
    self->size = bytes;
    *out = self;
    return TH_OK;
}

/* Memory of the caller's: an allocator that only frees, with what its `free` has to call. */
typedef struct Foreign {
    THDeleter deleter;
    void *context;
    void *data;
} Foreign;

static void foreignFree(void *context, void *pointer, size_t size)
{
    (void)pointer;
    (void)size;
    Foreign *foreign = context;
    foreign->deleter(foreign->context, foreign->data);
    THFree(foreign);
}

static const THAllocator foreignAllocator = {NULL, NULL, foreignFree};

int THStorage_newWithData(THStorage **out, void *data, int64_t bytes, THDeleter deleter,
                          void *deleterContext)
{
    TH_CHECK(bytes >= 0, TH_ERROR_VALUE, "storage: expected a size >= 0, got %lld",
             (long long)bytes);
    TH_CHECK(data != NULL || bytes == 0, TH_ERROR_VALUE, "storage: expected memory, got NULL");
    Foreign *foreign = NULL;
    if (deleter != NULL && (foreign = THAlloc(sizeof *foreign)) == NULL)
        return TH_ERROR_MEMORY;
    THStorage *self = THStorage_make(0);
    if (self == NULL) {
        THFree(foreign);
        return TH_ERROR_MEMORY;
    }
    self->data = data;
    self->size = bytes;
    self->flag = TH_STORAGE_REFCOUNTED;
    self->allocator = &foreignAllocator;
    if (foreign != NULL) {
        *foreign = (Foreign){deleter, deleterContext, data};
        self->allocatorContext = foreign;
        self->flag |= TH_STORAGE_FREEMEM;
    }
    *out = self;
    return TH_OK;
}

static void mappingFree(void *context, void *pointer, size_t size)
{
    (void)context;
    munmap(pointer, size);
}

static const THAllocator mappingAllocator = {NULL, NULL, mappingFree};

/* The size of the open file, after growing it to `bytes` where that is allowed; negative when the
 * failure is recorded. */
static int64_t mappingSize(int file, const char *filename, int64_t bytes, bool grow)
{
    struct stat status;
    if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
        THError(TH_ERROR_RUNTIME, "mapping: '%s' is not a regular file", filename);
        return -1;
    }
    if (bytes <= status.st_size)
        return bytes > 0 ? bytes : status.st_size;
    if (!grow) {
        THError(TH_ERROR_VALUE, "mapping: '%s' has %lld bytes, expected at least %lld", filename,
                (long long)status.st_size, (long long)bytes);
        return -1;
    }
    if (ftruncate(file, bytes) != 0) {
        THError(TH_ERROR_RUNTIME, "mapping: cannot grow '%s' to %lld bytes: %s", filename,
                (long long)bytes, strerror(errno));
        return -1;
    }
    return bytes;
}

/* Maps the file into `self`, which has no data yet. */
static int mapFile(THStorage *self, const char *filename, int64_t bytes, bool shared)
{
    int status = TH_OK;
    const int flags = O_CLOEXEC | O_NONBLOCK | (shared ? O_RDWR | O_CREAT : O_RDONLY);
    const int file = open(filename, flags, 0666);
    TH_CHECK(file >= 0, TH_ERROR_RUNTIME, "mapping: cannot open '%s': %s", filename,
             strerror(errno));
    const int64_t size = mappingSize(file, filename, bytes, shared);
    if (size < 0) {
        status = THError_code();
        goto done;
    }
    if (size > 0) {
        void *data = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE,
                          shared ? MAP_SHARED : MAP_PRIVATE, file, 0);
        TH_REQUIRE(data != MAP_FAILED, errno == ENOMEM ? TH_ERROR_MEMORY : TH_ERROR_RUNTIME,
                   "mapping: cannot map %lld bytes of '%s': %s", (long long)size, filename,
                   strerror(errno));
        self->data = data;
    }
    self->size = size;
done:
    close(file);
    return status;
}

int THStorage_newWithMapping(THStorage **out, const char *filename, int64_t bytes, bool shared)
{
    TH_CHECK(filename != NULL, TH_ERROR_VALUE, "mapping: expected a file name");
    TH_CHECK(bytes >= 0, TH_ERROR_VALUE, "mapping: expected a size >= 0, got %lld",
             (long long)bytes);
    THStorage *self = THStorage_make(0);
    if (self == NULL)
        return TH_ERROR_MEMORY;
    self->flag = TH_STORAGE_REFCOUNTED | TH_STORAGE_FREEMEM;
    self->allocator = &mappingAllocator;
    const int status = mapFile(self, filename, bytes, shared);
    if (status != TH_OK) {
        THStorage_free(self);
        return status;
    }
    *out = self;
    return TH_OK;
}

int THStorage_newView(THStorage **out, THStorage *base, int64_t offset, int64_t bytes)
{
    TH_CHECK(base != NULL, TH_ERROR_VALUE, "storage view: expected a storage");
    TH_CHECK(offset >= 0 && bytes >= 0 && offset <= base->size && bytes <= base->size - offset,
             TH_ERROR_VALUE, "storage view: %lld bytes from %lld on are not within %lld",
             (long long)bytes, (long long)offset, (long long)base->size);
    THStorage *self = THStorage_make(0);
    if (self == NULL)
        return TH_ERROR_MEMORY;
    THStorage_addReference(base);
    THStorage_pin(base);
    self->data = base->data ? (char *)base->data + offset : NULL;
    self->size = bytes;
    self->flag = TH_STORAGE_REFCOUNTED | TH_STORAGE_VIEW;
    self->allocator = NULL;
    self->view = base;
    *out = self;
    return TH_OK;
}

void THStorage_retain(THStorage *self)
{
    THStorage_addReference(self);
}

static void releaseOther(THStorage *self)
{
    if (self->flag & TH_STORAGE_VIEW) {
        THStorage_unpin(self->view);
        THStorage_free(self->view);
        return;
    }
    /* A foreign block of no bytes still has an owner to tell. */
    if ((self->flag & TH_STORAGE_FREEMEM) &&
        (self->data != NULL || self->allocator == &foreignAllocator))
        self->allocator->free(self->allocatorContext, self->data, (size_t)self->size);
}

void THStorage_free(THStorage *self)
{
    if (self == NULL || !(self->flag & TH_STORAGE_REFCOUNTED) || !THRefcount_drop(&self->refcount))
        return;
    if (TH_LIKELY(self->allocator == &THDefaultAllocator)) {
        if (self->data != NULL)
            THBlock_free(self->data, (size_t)self->size);
    } else {
        releaseOther(self);
    }
    THList_push(TH_LIST_STORAGE, self);
}

int THStorage_checkNotPinned(const THStorage *self, const char *verb)
{
    const int pins = __atomic_load_n(&self->pins, __ATOMIC_ACQUIRE);
    TH_CHECK(pins == 0 || pins == THWork_pins(self), TH_ERROR_RUNTIME,
             "%s: the storage is in use (exported or in a running operation)", verb);
    return TH_OK;
}

int THStorage_resize(THStorage *self, int64_t bytes)
{
    TH_CHECK(bytes >= 0, TH_ERROR_VALUE, "resize: expected a size >= 0, got %lld",
             (long long)bytes);
    if (bytes == self->size)
        return TH_OK;
    TH_CHECK(self->flag & TH_STORAGE_RESIZABLE, TH_ERROR_RUNTIME,
             "resize: the storage is not resizable (it has %lld bytes, %lld are needed)",
             (long long)self->size, (long long)bytes);
    TH_CHECK(bytes > self->size || __atomic_load_n(&self->refcount, __ATOMIC_ACQUIRE) == 1,
             TH_ERROR_RUNTIME, "resize: a storage that is shared cannot shrink");
    int status = THStorage_checkNotPinned(self, "resize");
    if (status != TH_OK)
        return status;
    const THAllocator *allocator = self->allocator;
    void *context = self->allocatorContext, *data = NULL;
    if (bytes == 0) {
        allocator->free(context, self->data, (size_t)self->size);
    } else {
        data = self->data == NULL
                   ? allocator->malloc(context, (size_t)bytes)
                   : allocator->realloc(context, self->data, (size_t)bytes, (size_t)self->size);
        TH_CHECK(data != NULL, TH_ERROR_MEMORY, "resize: cannot allocate %lld bytes",
                 (long long)bytes);
    }
    self->data = data;
    self->size = bytes;
    return TH_OK;
}
