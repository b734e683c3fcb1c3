// SPDX-License-Identifier: Apache-2.0
// The test program defines these calls itself, so the libraries it is linked with use them in place of the C library's.
#define _GNU_SOURCE
#include "faults.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

struct fault {
    char path[1024];
    enum faults_call call;
    int error;
    int after;
    int held;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct fault faults[32];
static atomic_int count;

void faults_set(const char *path, enum faults_call call, int error, int after) {
    pthread_mutex_lock(&mutex);
    int index = 0;
    while (index < 32 && faults[index].path[0] != 0
           && !(strcmp(faults[index].path, path) == 0 && faults[index].call == call))
        index++;
    if (index == 32 || strlen(path) >= sizeof faults[index].path) abort();
    if (faults[index].path[0] == 0) atomic_fetch_add(&count, 1);
    strcpy(faults[index].path, path);
    faults[index].call = call;
    faults[index].error = error;
    faults[index].after = after;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
}

void faults_heal(const char *path) {
    pthread_mutex_lock(&mutex);
    for (int index = 0; index < 32; index++) {
        if (strcmp(faults[index].path, path) != 0) continue;
        faults[index].path[0] = 0;
        atomic_fetch_sub(&count, 1);
    }
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
}

int faults_held(const char *path) {
    pthread_mutex_lock(&mutex);
    int held = 0;
    for (int index = 0; index < 32; index++)
        if (strcmp(faults[index].path, path) == 0) held += faults[index].held;
    pthread_mutex_unlock(&mutex);
    return held;
}

static struct fault *matching(const char *path, enum faults_call call) {
    for (int index = 0; index < 32; index++) {
        struct fault *fault = &faults[index];
        size_t length = strlen(fault->path);
        if (length > 0 && fault->call == call && strncmp(path, fault->path, length) == 0)
            return fault;
    }
    return NULL;
}

/// The errno that a call on a descriptor fails with; 0 if it is to be made.
static int fault_of(int descriptor, enum faults_call call) {
    if (atomic_load(&count) == 0) return 0;
    char link[64], path[1024];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    int error = 0;
    pthread_mutex_lock(&mutex);
    struct fault *fault = matching(path, call);
    if (fault != NULL && fault->after > 0) {
        fault->after--;
    } else if (fault != NULL && fault->error == FAULTS_HOLD) {
        fault->held++;
        while (matching(path, call) == fault && fault->error == FAULTS_HOLD)
            pthread_cond_wait(&changed, &mutex);
        fault->held--;
    } else if (fault != NULL) {
        error = fault->error;
    }
    pthread_mutex_unlock(&mutex);
    return error;
}

int fdatasync(int descriptor) {
    int error = fault_of(descriptor, FAULTS_SYNC);
    if (error != 0) return errno = error, -1;
    return (int)syscall(SYS_fdatasync, descriptor);
}

int fsync(int descriptor) {
    int error = fault_of(descriptor, FAULTS_SYNC);
    if (error != 0) return errno = error, -1;
    return (int)syscall(SYS_fsync, descriptor);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t size, off_t offset) {
    int error = fault_of(descriptor, FAULTS_WRITE);
    if (error != 0) return errno = error, -1;
    return syscall(SYS_pwrite64, descriptor, bytes, size, offset);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t size, off64_t offset) {
    return pwrite(descriptor, bytes, size, offset);
}

ssize_t write(int descriptor, const void *bytes, size_t size) {
    int error = fault_of(descriptor, FAULTS_WRITE);
    if (error != 0) return errno = error, -1;
    return syscall(SYS_write, descriptor, bytes, size);
}

ssize_t writev(int descriptor, const struct iovec *parts, int number) {
    int error = fault_of(descriptor, FAULTS_WRITE);
    if (error != 0) return errno = error, -1;
    return syscall(SYS_writev, descriptor, parts, number);
}
