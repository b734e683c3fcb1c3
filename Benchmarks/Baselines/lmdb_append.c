// SPDX-License-Identifier: Apache-2.0
#include "baselines.h"
#include "lmdb_environment.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

int open_environment(const char *folder, MDB_env **env, MDB_dbi *table) {
    int code = mdb_env_create(env);
    if (code) return code;
    mdb_env_set_mapsize(*env, (size_t)64 << 30);
    mdb_env_set_maxdbs(*env, 1);
    if ((code = mdb_env_open(*env, folder, MDB_NOTLS | MDB_NORDAHEAD, 0640))) return code;
    MDB_txn *txn;
    if ((code = mdb_txn_begin(*env, NULL, 0, &txn))) return code;
    if ((code = mdb_dbi_open(txn, "entries", MDB_CREATE | MDB_INTEGERKEY, table))) return code;
    return mdb_txn_commit(txn);
}

int append_records(MDB_env *env, MDB_dbi table, size_t first, size_t count, MDB_val value) {
    MDB_txn *txn;
    int code = mdb_txn_begin(env, NULL, 0, &txn);
    for (size_t position = first; !code && position < first + count; position++) {
        memcpy(value.mv_data, &position, sizeof position);
        MDB_val key = {sizeof position, &position};
        code = mdb_put(txn, table, &key, &value, MDB_APPEND);
    }
    if (code) {
        mdb_txn_abort(txn);
        return code;
    }
    return mdb_txn_commit(txn);
}

double baseline_lmdb_append(const char *folder, size_t count, size_t bytes, size_t batch) {
    MDB_env *env;
    MDB_dbi table;
    int code = open_environment(folder, &env, &table);
    if (code) return code;
    MDB_val value = {bytes, calloc(1, bytes)};
    double start = seconds();
    for (size_t first = 0; !code && first < count; first += batch) {
        size_t rest = count - first;
        code = append_records(env, table, first, rest < batch ? rest : batch, value);
    }
    double took = seconds() - start;
    free(value.mv_data);
    mdb_env_close(env);
    return code ? code : took;
}

double baseline_lmdb_append_each(const char *folder, size_t count, size_t bytes, double *latencies) {
    MDB_env *env;
    MDB_dbi table;
    int code = open_environment(folder, &env, &table);
    if (code) return code;
    MDB_val value = {bytes, calloc(1, bytes)};
    double start = seconds();
    for (size_t position = 0; !code && position < count; position++) {
        double before = seconds();
        code = append_records(env, table, position, 1, value);
        latencies[position] = (seconds() - before) * 1e6;
    }
    double took = seconds() - start;
    free(value.mv_data);
    mdb_env_close(env);
    return code ? code : took;
}
