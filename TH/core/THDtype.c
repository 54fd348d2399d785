/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The default dtype of the process. */
#include <TH/THDtype.h>

static uint8_t defaultDtype = TH_FLOAT; /* atomic */

THDtype THDtype_default(void)
{
    return (THDtype)__atomic_load_n(&defaultDtype, __ATOMIC_RELAXED);
}

int THDtype_setDefault(THDtype dtype)
{
    TH_CHECK(THDtype_isValid((int)dtype) && THDtype_category(dtype) == TH_CATEGORY_FLOATING,
             TH_ERROR_TYPE, "set_default_dtype: expected a floating point dtype, got %s",
             THDtype_name(dtype));
    __atomic_store_n(&defaultDtype, (uint8_t)dtype, __ATOMIC_RELAXED);
    return TH_OK;
}
