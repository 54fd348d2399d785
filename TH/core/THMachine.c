/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is known of machines, and what the environment says of this one. */
#include <TH/THMachine.h>

#include <stdlib.h>
#include <string.h>

bool THMachine_asksForWrites = true;

static bool isAmd(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    return __builtin_cpu_is("amd");
#else
    return false;
#endif
}

__attribute__((constructor)) static void choose(void)
{
    const char *writes = getenv("TH_WRITES");
    if (writes != NULL && (strcmp(writes, "asked") == 0 || strcmp(writes, "plain") == 0))
        THMachine_asksForWrites = writes[0] == 'a';
    else
        THMachine_asksForWrites = !isAmd();
}
