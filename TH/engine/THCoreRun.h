/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A core operation under way: where the items of each operand are, and the panels through which
 * they go where the loop cannot take them as they lie. */
#ifndef TH_ENGINE_CORE_RUN_H
#define TH_ENGINE_CORE_RUN_H

#include <TH/THCore.h>

typedef struct THCoreItems {
    char *data;
    bool staged;
    uint8_t dtype, via; /* the tensor's own, and what it is rounded to on the way */
    int64_t elements;   /* of an item */
    int64_t scratch;    /* where a panel of its items is staged, in bytes */
    int64_t itemBytes;  /* of a staged one */
    int64_t size[TH_CORE_RANK];
    int64_t stride[TH_CORE_RANK]; /* elements */
    int64_t batch[TH_MAX_DIMS];   /* bytes; 0 where broadcast */
} THCoreItems;

typedef struct THCoreRun {
    const THCoreWork *work;
    const void *params;
    THCoreLoop loop;
    int noperands;
    int nDimension; /* merged batch dims, at least one */
    int64_t size[TH_MAX_DIMS];
    bool staged;     /* some operand is */
    int64_t panel;   /* items staged at once */
    int64_t scratch; /* bytes of all of them */
    THScratch memory;
    int64_t stride[TH_MAX_OPERANDS * TH_CORE_RANK];
    THCoreItems operand[TH_MAX_OPERANDS];
    int64_t failed; /* the first item that failed; guarded by `lock` as `code` is */
    int code;
    char lock;
} THCoreRun;

/* How many items are staged at once, and where; needs the merged batch dims. */
int THCoreRun_openScratch(THCoreRun *run);
/* n items, some operands through scratch memory; how many were done. `loaded`: what is there of
 * each input that stays the same. */
int64_t THCoreRun_panel(THCoreRun *run, int64_t n, char *const *data, const int64_t *step,
                        char *scratch, const char **loaded, int *code);

#endif
