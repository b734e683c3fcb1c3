// SPDX-License-Identifier: Apache-2.0
// SQLite's settings for the whole process take variable arguments, which Swift cannot pass.
#ifndef DAYBOOK_CSQLITESETTINGS_SHIM_H
#define DAYBOOK_CSQLITESETTINGS_SHIM_H

int sqlite3_config(int, ...);

// SQLite counts no memory from here on: the count costs a lock of the whole process for each piece, and nobody reads it.
// Before the first connection; returns 0, or SQLite's code. 9 is SQLITE_CONFIG_MEMSTATUS.
static inline int daybook_sqlite_counts_no_memory(void) { return sqlite3_config(9, 0); }
#endif
