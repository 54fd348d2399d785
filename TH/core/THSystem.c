/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How many CPUs and how much memory this process may use: what the machine has, less what its
 * control groups (version 1 or 2) deny. A limit may be set on the group or any group above it;
 * inside a container the paths in /proc often do not exist, but the root of the mount does. */
#define _GNU_SOURCE
#include <TH/core/THPrivate.h>

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CPUS_MOST 8192

/* The numbers on the first line of folder/file; "max" and what is missing are -1. */
static void readNumbers(const char *folder, const char *file, int64_t *first, int64_t *second)
{
    char path[1200];
    char line[64] = "";
    *first = *second = -1;
    if (snprintf(path, sizeof path, "%s/%s", folder, file) >= (int)sizeof path)
        return;
    FILE *stream = fopen(path, "re");
    if (stream == NULL)
        return;
    if (fgets(line, sizeof line, stream) != NULL) {
        char *end = line;
        *first = strtoll(line, &end, 10);
        if (end == line)
            *first = -1;
        const char *rest = strchr(line, ' ');
        if (rest != NULL)
            *second = strtoll(rest, NULL, 10);
    }
    fclose(stream);
}

/* A limit of one group: a count, or -1 for none. */
typedef int64_t (*GroupLimit)(const char *folder);

static int64_t cpuLimit2(const char *folder)
{
    int64_t quota, period;
    readNumbers(folder, "cpu.max", &quota, &period);
    return quota > 0 && period > 0 ? (quota - 1) / period + 1 : -1;
}

static int64_t cpuLimit1(const char *folder)
{
    int64_t quota, period, none;
    readNumbers(folder, "cpu.cfs_quota_us", &quota, &none);
    readNumbers(folder, "cpu.cfs_period_us", &period, &none);
    return quota > 0 && period > 0 ? (quota - 1) / period + 1 : -1;
}

static int64_t memoryLimit2(const char *folder)
{
    int64_t limit, none;
    readNumbers(folder, "memory.max", &limit, &none);
    return limit;
}

static int64_t memoryLimit1(const char *folder)
{
    int64_t limit, none;
    readNumbers(folder, "memory.limit_in_bytes", &limit, &none);
    return limit;
}

/* The least limit of the group mount/path and those above it, and `most`. */
static int64_t leastLimit(GroupLimit groupLimit, const char *mount, const char *path, int64_t most)
{
    char folder[1024];
    if (snprintf(folder, sizeof folder, "%s%s", mount, path) >= (int)sizeof folder)
        return most;
    for (size_t length = strlen(folder); length >= strlen(mount); length--) {
        if (folder[length] != '/' && folder[length] != 0)
            continue;
        folder[length] = 0;
        const int64_t limit = groupLimit(folder);
        if (limit > 0 && limit < most)
            most = limit;
    }
    return most;
}

/* Does the comma-separated list hold the name? */
static bool listHas(const char *list, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = strstr(list, name); at != NULL; at = strstr(at + 1, name)) {
        const bool starts = at == list || at[-1] == ',';
        if (starts && (at[length] == ',' || at[length] == 0))
            return true;
    }
    return false;
}

/* Lines of /proc/self/cgroup are number:controllers:path; version 2 has no controllers. */
static int64_t groupsLimit(const char *controller, GroupLimit limit1, GroupLimit limit2,
                           int64_t most)
{
    char line[1024], mount1[64];
    snprintf(mount1, sizeof mount1, "/sys/fs/cgroup/%s", controller);
    FILE *stream = fopen("/proc/self/cgroup", "re");
    if (stream == NULL)
        return most;
    while (fgets(line, sizeof line, stream) != NULL) {
        line[strcspn(line, "\n")] = 0;
        char *controllers = strchr(line, ':');
        char *path = controllers ? strchr(controllers + 1, ':') : NULL;
        if (path == NULL)
            continue;
        *path++ = 0;
        if (controllers[1] == 0)
            most = leastLimit(limit2, "/sys/fs/cgroup", path, most);
        else if (listHas(controllers + 1, controller))
            most = leastLimit(limit1, mount1, path, most);
    }
    fclose(stream);
    return most;
}

int THSystem_cpus(void)
{
    int64_t cpus = sysconf(_SC_NPROCESSORS_ONLN);
    cpu_set_t *set = CPU_ALLOC(CPUS_MOST);
    if (set != NULL && sched_getaffinity(0, CPU_ALLOC_SIZE(CPUS_MOST), set) == 0)
        cpus = CPU_COUNT_S(CPU_ALLOC_SIZE(CPUS_MOST), set);
    CPU_FREE(set);
    cpus = groupsLimit("cpu", cpuLimit1, cpuLimit2, cpus < 1 ? 1 : cpus);
    return (int)cpus;
}

int64_t THSystem_memory(void)
{
    const int64_t pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
    const int64_t all = pages > 0 && bytes > 0 ? pages * bytes : INT64_C(1) << 30;
    return groupsLimit("memory", memoryLimit1, memoryLimit2, all);
}
