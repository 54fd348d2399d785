/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Errors and warnings of the calling thread. The texts lie on the heap, since thread-local memory
 * is scarce; when there is none for them, the code still tells what went wrong. */
#include <TH/core/THPrivate.h>

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const int TH_abiVersion = TH_ABI_VERSION;

static THTexts *texts(void)
{
    THLocal *local = &THLocal_current;
    if (local->texts == NULL && THLocal_register())
        local->texts = calloc(1, sizeof(THTexts));
    return local->texts;
}

int THError(int code, const char *format, ...)
{
    char message[sizeof(((THTexts *)0)->message)]; /* arguments may be the last message itself */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    THTexts *mine = texts();
    if (mine != NULL)
        memcpy(mine->message, message, strlen(message) + 1);
    THLocal_current.code = code;
    return code;
}

const char *THError_message(void)
{
    const THLocal *local = &THLocal_current;
    if (local->code == TH_OK)
        return "";
    if (local->texts != NULL)
        return local->texts->message;
    return local->code == TH_ERROR_MEMORY ? "out of memory" : "no memory for the message";
}

int THError_rename(const char *op, int status)
{
    const char *message = THError_message();
    size_t label = 0;
    while (isalnum((unsigned char)message[label]) || message[label] == '_')
        label++;
    if (label == 0 || strncmp(message + label, ": ", 2) != 0)
        return THError(status, "%s: %s", op, message);
    if (strlen(op) == label && memcmp(message, op, label) == 0)
        return status;
    return THError(status, "%s%s", op, message + label);
}

int THError_code(void)
{
    return THLocal_current.code;
}

void THError_clear(void)
{
    THLocal_current.code = TH_OK;
}

void *THError_memory(size_t bytes)
{
    THError(TH_ERROR_MEMORY, "out of memory: cannot allocate %zu bytes", bytes);
    return NULL;
}

void THWarning(const char *format, ...)
{
    THTexts *mine = texts();
    if (mine == NULL)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(mine->warning, sizeof mine->warning, format, arguments);
    va_end(arguments);
    THLocal_current.warned = true;
}

const char *THWarning_take(void)
{
    THLocal *local = &THLocal_current;
    if (!local->warned)
        return NULL;
    local->warned = false;
    return local->texts->warning;
}
