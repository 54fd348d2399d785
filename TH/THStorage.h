/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A storage is a block of bytes with a reference count. Which dtype the bytes are of is the
 * tensor's matter. */
#ifndef TH_STORAGE_H
#define TH_STORAGE_H

#include <TH/THAllocator.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    TH_STORAGE_REFCOUNTED = 1,
    TH_STORAGE_RESIZABLE = 2,
    TH_STORAGE_FREEMEM = 4,   /* the allocator's free is called when the storage goes */
    TH_STORAGE_VIEW = 8,      /* the data belong to the storage `view` */
    TH_STORAGE_READONLY = 16, /* memory of others that may not be written: no output's storage */
};

typedef struct THStorage {
    void *data;
    int64_t size; /* bytes */
    int refcount; /* atomic */
    char flag;
    char deviceType;     /* reserved: 0 is the CPU */
    int16_t deviceIndex; /* reserved: 0 */
    const THAllocator *allocator;
    void *allocatorContext;
    struct THStorage *view;
    uint32_t version; /* reserved: counts writes, for gradients */
    int32_t pins; /* atomic: exports and running kernels; resizing is an error while it is not 0 */
} THStorage;

/* A storage of `bytes` bytes, not initialised. */
TH_API int THStorage_new(THStorage **out, int64_t bytes);
/* The same from an allocator of the caller's. */
TH_API int THStorage_newWithAllocator(THStorage **out, int64_t bytes, const THAllocator *allocator,
                                      void *context);
/* Over memory of the caller's, not resizable; `deleter` may be NULL. It is not called if this
 * fails. */
TH_API int THStorage_newWithData(THStorage **out, void *data, int64_t bytes, THDeleter deleter,
                                 void *deleterContext);
/* A file mapped into memory; `bytes` 0 takes the whole file. Shared: writes reach the file, which
 * is created and grown as needed. Private: the file must be long enough, writes stay in memory. Not
 * resizable. */
TH_API int THStorage_newWithMapping(THStorage **out, const char *filename, int64_t bytes,
                                    bool shared);
/* `bytes` bytes of `base` from `offset` on; keeps `base` alive and pinned. */
TH_API int THStorage_newView(THStorage **out, THStorage *base, int64_t offset, int64_t bytes);

TH_API void THStorage_retain(THStorage *self);
TH_API void THStorage_free(THStorage *self); /* gives one reference back; NULL is ignored */

/* Grows or shrinks, keeping the common part; RuntimeError when not resizable or pinned, or when it
 * would shrink under other owners, whose tensors rely on the size. */
TH_API int THStorage_resize(THStorage *self, int64_t bytes);

/* While pinned, resizing is refused. */
static inline void THStorage_pin(THStorage *self)
{
    __atomic_add_fetch(&self->pins, 1, __ATOMIC_ACQ_REL);
}
static inline void THStorage_unpin(THStorage *self)
{
    __atomic_sub_fetch(&self->pins, 1, __ATOMIC_ACQ_REL);
}

#ifdef __cplusplus
}
#endif
#endif
