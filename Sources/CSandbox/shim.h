// SPDX-License-Identifier: Apache-2.0
// What Linux offers a process that wants to give up what it does not need. Filters are made of macros, and
// prctl takes variable arguments; Swift can call neither.
#ifndef DAYBOOK_CSANDBOX_SHIM_H
#define DAYBOOK_CSANDBOX_SHIM_H
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define DAYBOOK_AUDIT_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define DAYBOOK_AUDIT_ARCH AUDIT_ARCH_AARCH64
#endif

// Keeps other processes of this user from tracing this one and from reading its memory; no core dumps.
static inline int daybook_hide(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 ? 0 : errno; }

// Whether this machine can end a process for a system call that it may not make: 1, or 0.
static inline int daybook_can_confine(void) {
#ifdef DAYBOOK_AUDIT_ARCH
    unsigned int action = SECCOMP_RET_KILL_PROCESS;
    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
#else
    return 0;
#endif
}

#ifdef DAYBOOK_AUDIT_ARCH
#define DAYBOOK_LOAD(member) \
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define DAYBOOK_ALLOW(name) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 1), \
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
// Allowed unless its third argument, the protection, asks for code.
#define DAYBOOK_ALLOW_DATA(name) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 4), DAYBOOK_LOAD(args[2]), \
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 1, 0), \
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW), \
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)
// Allowed where it is about this process: its first argument is `own`.
#define DAYBOOK_ALLOW_OWN(name, own) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 4), DAYBOOK_LOAD(args[0]), \
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (own), 0, 1), \
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW), \
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)
#endif

// From here on this process may read and write what it has open, take and give back memory, ask for the time, wait and
// end. Whatever else it tries ends it by SIGSYS: it opens no file, no socket and no process, and traces nobody.
// Returns 0, or the number of the error; ENOSYS where this machine has no such filter.
static inline int daybook_confine(void) {
#ifdef DAYBOOK_AUDIT_ARCH
    struct sock_filter steps[] = {
        DAYBOOK_LOAD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, DAYBOOK_AUDIT_ARCH, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        DAYBOOK_LOAD(nr),
        // Requests and answers.
        DAYBOOK_ALLOW(read), DAYBOOK_ALLOW(write), DAYBOOK_ALLOW(close),
        // Memory, never of code.
        DAYBOOK_ALLOW(brk), DAYBOOK_ALLOW(munmap), DAYBOOK_ALLOW(mremap), DAYBOOK_ALLOW(madvise),
        DAYBOOK_ALLOW_DATA(mmap), DAYBOOK_ALLOW_DATA(mprotect),
        // Locks, waiting, time.
        DAYBOOK_ALLOW(futex), DAYBOOK_ALLOW(sched_yield), DAYBOOK_ALLOW(clock_gettime),
        DAYBOOK_ALLOW(clock_nanosleep), DAYBOOK_ALLOW(nanosleep), DAYBOOK_ALLOW(gettimeofday),
        DAYBOOK_ALLOW(restart_syscall),
        // Its own limits and use of the processor.
        DAYBOOK_ALLOW(getrusage), DAYBOOK_ALLOW(getrlimit), DAYBOOK_ALLOW(setrlimit),
        DAYBOOK_ALLOW_OWN(prlimit64, 0), DAYBOOK_ALLOW_OWN(sched_getaffinity, 0),
        // Its end, also a bad one.
        DAYBOOK_ALLOW(exit), DAYBOOK_ALLOW(exit_group), DAYBOOK_ALLOW(rt_sigreturn),
        DAYBOOK_ALLOW(rt_sigprocmask), DAYBOOK_ALLOW(rt_sigaction), DAYBOOK_ALLOW(sigaltstack),
        DAYBOOK_ALLOW(getpid), DAYBOOK_ALLOW(gettid), DAYBOOK_ALLOW(getrandom),
        DAYBOOK_ALLOW_OWN(tgkill, (unsigned int)getpid()),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    };
    struct sock_fprog program = {sizeof(steps) / sizeof(steps[0]), steps};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
    long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
    // With TSYNC a positive number names a thread that could not follow.
    return result == 0 ? 0 : result > 0 ? EBUSY : errno;
#else
    return ENOSYS;
#endif
}
#endif
