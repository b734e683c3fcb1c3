// SPDX-License-Identifier: Apache-2.0
#include "baselines.h"
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
    char *insert;
    int columns;
    size_t count, room;
    sqlite3_value **values;
} Table;

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int run(sqlite3 *db, const char *sql) { return sqlite3_exec(db, sql, NULL, NULL, NULL); }

// Loads a table's rows and prepares the text of its insert.
static int load(sqlite3 *db, const char *name, Table *table) {
    char *sql = sqlite3_mprintf("SELECT * FROM \"%w\"", name);
    sqlite3_stmt *select;
    int code = sqlite3_prepare_v2(db, sql, -1, &select, NULL);
    sqlite3_free(sql);
    if (code) return code;
    table->columns = sqlite3_column_count(select);
    while ((code = sqlite3_step(select)) == SQLITE_ROW) {
        if (table->count + (size_t)table->columns > table->room) {
            table->room = table->room ? table->room * 2 : 1 << 16;
            table->values = realloc(table->values, table->room * sizeof *table->values);
        }
        for (int column = 0; column < table->columns; column++)
            table->values[table->count++] = sqlite3_value_dup(sqlite3_column_value(select, column));
    }
    sqlite3_finalize(select);
    char *marks = malloc(2 * (size_t)table->columns + 1);
    for (int column = 0; column < table->columns; column++) memcpy(marks + 2 * column, "?,", 2);
    marks[2 * table->columns - 1] = 0;
    table->insert = sqlite3_mprintf("INSERT INTO \"%w\" VALUES (%s)", name, marks);
    free(marks);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

static int insert(sqlite3 *db, const Table *table) {
    sqlite3_stmt *statement;
    int code = sqlite3_prepare_v2(db, table->insert, -1, &statement, NULL);
    for (size_t value = 0; !code && value < table->count; value += (size_t)table->columns) {
        for (int column = 0; column < table->columns; column++)
            sqlite3_bind_value(statement, column + 1, table->values[value + (size_t)column]);
        code = sqlite3_step(statement) == SQLITE_DONE ? SQLITE_OK : SQLITE_ERROR;
        sqlite3_reset(statement);
    }
    sqlite3_finalize(statement);
    return code;
}

// Runs each statement of the source's schema of one kind (tables or indexes) on the new file.
static int schema(sqlite3 *from, sqlite3 *to, const char *kind) {
    sqlite3_stmt *select;
    int code = sqlite3_prepare_v2(
        from, "SELECT sql FROM sqlite_schema WHERE type = ? AND sql IS NOT NULL AND name NOT LIKE 'sqlite_%'", -1, &select, NULL);
    if (code) return code;
    sqlite3_bind_text(select, 1, kind, -1, SQLITE_STATIC);
    while (!code && sqlite3_step(select) == SQLITE_ROW) code = run(to, (const char *)sqlite3_column_text(select, 0));
    sqlite3_finalize(select);
    return code;
}

double baseline_sqlite_copy(const char *from_path, const char *to_path) {
    sqlite3 *from, *to;
    if (sqlite3_open_v2(from_path, &from, SQLITE_OPEN_READWRITE, NULL) || sqlite3_open(to_path, &to)) return -1;
    Table tables[64] = {0};
    size_t count = 0;
    sqlite3_stmt *names;
    sqlite3_prepare_v2(from, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'", -1, &names, NULL);
    while (count < 64 && sqlite3_step(names) == SQLITE_ROW)
        if (load(from, (const char *)sqlite3_column_text(names, 0), &tables[count++])) return -1;
    sqlite3_finalize(names);
    if (run(to, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")) return -1;
    if (schema(from, to, "table")) return -1;
    double start = seconds();
    int code = run(to, "BEGIN");
    for (size_t table = 0; !code && table < count; table++) code = insert(to, &tables[table]);
    if (!code) code = run(to, "COMMIT");
    if (!code) code = schema(from, to, "index");
    if (!code) code = run(to, "PRAGMA wal_checkpoint(TRUNCATE)");
    double took = seconds() - start;
    for (size_t table = 0; table < count; table++) {
        for (size_t value = 0; value < tables[table].count; value++) sqlite3_value_free(tables[table].values[value]);
        free(tables[table].values);
        sqlite3_free(tables[table].insert);
    }
    sqlite3_close(from);
    sqlite3_close(to);
    return code ? -1 : took;
}
