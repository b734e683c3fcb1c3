// SPDX-License-Identifier: Apache-2.0
#include "baselines.h"
#include "lmdb_environment.h"
#include <pthread.h>
#include <stdlib.h>

// Blocking writers and one committer: whoever waits when a commit ends is in the next.
struct group {
    pthread_mutex_t lock;
    pthread_cond_t arrived, committed;
    size_t taken;    // records that some writer has asked for
    size_t waiting;  // of these, not yet in a transaction
    size_t durable;  // records that are on disk
    size_t writers;  // writers that have not ended
    size_t count;
    int code;
};

static void *write_records(void *argument) {
    struct group *group = argument;
    pthread_mutex_lock(&group->lock);
    while (group->taken < group->count && !group->code) {
        size_t mine = group->taken++;
        if (group->waiting++ == 0) pthread_cond_signal(&group->arrived);
        while (group->durable <= mine && !group->code) pthread_cond_wait(&group->committed, &group->lock);
    }
    if (--group->writers == 0) pthread_cond_signal(&group->arrived);
    pthread_mutex_unlock(&group->lock);
    return NULL;
}

static void commit_records(struct group *group, MDB_env *env, MDB_dbi table, MDB_val value) {
    pthread_mutex_lock(&group->lock);
    while (!group->code && (group->writers > 0 || group->waiting > 0)) {
        while (group->waiting == 0 && group->writers > 0) pthread_cond_wait(&group->arrived, &group->lock);
        size_t batch = group->waiting, first = group->durable;
        group->waiting = 0;
        if (batch == 0) continue;
        pthread_mutex_unlock(&group->lock);
        int code = append_records(env, table, first, batch, value);
        pthread_mutex_lock(&group->lock);
        group->code = code;
        group->durable += batch;
        pthread_cond_broadcast(&group->committed);
    }
    pthread_mutex_unlock(&group->lock);
}

double baseline_lmdb_append_group(const char *folder, size_t count, size_t bytes, size_t writers) {
    MDB_env *env;
    MDB_dbi table;
    int code = open_environment(folder, &env, &table);
    if (code) return code;
    MDB_val value = {bytes, calloc(1, bytes)};
    struct group group = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER,
                          0, 0, 0, writers, count, 0};
    pthread_t *threads = calloc(writers, sizeof *threads);
    double start = seconds();
    for (size_t writer = 0; writer < writers; writer++) pthread_create(&threads[writer], NULL, write_records, &group);
    commit_records(&group, env, table, value);
    for (size_t writer = 0; writer < writers; writer++) pthread_join(threads[writer], NULL);
    double took = seconds() - start;
    free(threads);
    free(value.mv_data);
    mdb_env_close(env);
    return group.code ? group.code : took;
}
