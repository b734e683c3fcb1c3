// SPDX-License-Identifier: Apache-2.0
#include "baselines.h"
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int run(sqlite3 *db, const char *sql) { return sqlite3_exec(db, sql, NULL, NULL, NULL); }

// A table that has the words of `from` and nothing else.
static int fill(sqlite3 *db, const char *from) {
    char *attach = sqlite3_mprintf("ATTACH %Q AS source", from);
    int code = run(db, attach);
    sqlite3_free(attach);
    if (!code) code = run(db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    if (!code)
        code = run(
            db, "CREATE VIRTUAL TABLE bare USING fts5(caller, message, place,"
                " tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3')");
    if (!code) code = run(db, "BEGIN");
    if (!code)
        code = run(db, "INSERT INTO bare (rowid, caller, message, place) SELECT rowid, caller, message, place FROM source.desk_search");
    if (!code) code = run(db, "COMMIT");
    if (!code) code = run(db, "DETACH source");
    return code ? code : run(db, "PRAGMA wal_checkpoint(TRUNCATE)");
}

// Asks one question, and reads all of its answer.
static int ask(sqlite3_stmt *statement, const char *query, int limit, double *took) {
    double start = seconds();
    sqlite3_bind_text(statement, 1, query, -1, SQLITE_STATIC);
    sqlite3_bind_int(statement, 2, limit);
    int code;
    size_t bytes = 0;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) bytes += (size_t)sqlite3_column_bytes(statement, 1);
    sqlite3_reset(statement);
    *took = (seconds() - start) * 1e3 + (bytes == SIZE_MAX);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

int baseline_sqlite_search(
    const char *from, const char *to, const char *const *queries, size_t count, int limit, double *milliseconds) {
    sqlite3 *db;
    if (sqlite3_open(to, &db)) return -1;
    int code = fill(db, from);
    sqlite3_stmt *statement = NULL;
    if (!code)
        code = sqlite3_prepare_v2(
            db, "SELECT rowid, message FROM bare WHERE bare MATCH ?1 ORDER BY rowid DESC LIMIT ?2", -1, &statement, NULL);
    // The first round warms the page cache.
    for (int round = 0; round < 2; round++)
        for (size_t query = 0; !code && query < count; query++)
            code = ask(statement, queries[query], limit, &milliseconds[query]);
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return code ? -1 : 0;
}
