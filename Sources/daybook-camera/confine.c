// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/landlock.h>
#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "camera.h"

static const rlim_t memory_bytes_max = (rlim_t)1 << 30;
static const rlim_t descriptors_max = 64;

static bool limit(int resource, rlim_t most) {
    struct rlimit limit = {most, most};
    return setrlimit(resource, &limit) == 0;
}

/// Moves a descriptor out of the libraries' way, and puts /dev/null in its place.
static int move_away(int descriptor, int nowhere) {
    int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
    return moved >= 0 && dup2(nowhere, descriptor) == descriptor ? moved : -1;
}

bool confine_early(int *output, int *status) {
    // Proxies, plugin folders and debug levels that were meant for others are not taken over.
    clearenv();
    close_range(3, ~0U, 0);
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nowhere < 0) return false;
    *status = move_away(STDERR_FILENO, nowhere);
    *output = move_away(STDOUT_FILENO, nowhere);
    close(nowhere);
    if (*status < 0 || *output < 0) return false;
    // A thread of the gateway that starts this may have blocked all signals; SIGALRM ends what does not stop in time.
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_IGN);
    // Each thread would take 64 MiB of addresses for itself.
    mallopt(M_ARENA_MAX, 2);
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
        // Nobody traces a process that knows a password.
        && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0
        && setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + 5) == 0
        && limit(RLIMIT_CORE, 0) && limit(RLIMIT_AS, memory_bytes_max)
        && limit(RLIMIT_NOFILE, descriptors_max);
}

static void allow_reading(int rules, const char *path, __u64 access) {
    struct landlock_path_beneath_attr rule = {access, open(path, O_PATH | O_CLOEXEC)};
    if (rule.parent_fd < 0) return;
    syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(rule.parent_fd);
}

void confine_files(const char *ca) {
    static const char *const folders[] = {"/usr", "/lib", "/lib64", "/etc/ssl", "/sys/devices/system/cpu"};
    static const char *const files[] = {
        "/etc/resolv.conf", "/etc/hosts", "/etc/host.conf", "/etc/nsswitch.conf", "/etc/gai.conf",
        "/etc/services", "/etc/localtime", "/etc/ld.so.cache", "/dev/urandom", "/proc/cpuinfo",
        "/proc/meminfo",
    };
    // All rights of the first version: what newer ones add is about files that cannot be opened here.
    struct landlock_ruleset_attr all = {.handled_access_fs = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1};
    int rules = (int)syscall(SYS_landlock_create_ruleset, &all, sizeof all, 0);
    // A kernel without it: the limits hold all the same.
    if (rules < 0) return;
    for (size_t index = 0; index < G_N_ELEMENTS(folders); index++)
        allow_reading(rules, folders[index], LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR);
    for (size_t index = 0; index < G_N_ELEMENTS(files); index++)
        allow_reading(rules, files[index], LANDLOCK_ACCESS_FS_READ_FILE);
    // It is read again for each connection.
    if (ca != NULL) allow_reading(rules, ca, LANDLOCK_ACCESS_FS_READ_FILE);
    syscall(SYS_landlock_restrict_self, rules, 0);
    close(rules);
}
