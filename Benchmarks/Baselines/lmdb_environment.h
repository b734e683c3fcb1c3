// SPDX-License-Identifier: Apache-2.0
#ifndef DAYBOOK_LMDB_ENVIRONMENT_H
#define DAYBOOK_LMDB_ENVIRONMENT_H
#include <lmdb.h>
#include <stddef.h>

/// The monotonic clock.
double seconds(void);

/// Opens a new environment with one table of integer keys, default sync. Returns a liblmdb code.
int open_environment(const char *folder, MDB_env **env, MDB_dbi *table);

/// Appends `count` records from position `first` in one transaction. Returns a liblmdb code.
int append_records(MDB_env *env, MDB_dbi table, size_t first, size_t count, MDB_val value);
#endif
