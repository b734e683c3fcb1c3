// SPDX-License-Identifier: Apache-2.0
#ifndef DAYBOOK_BASELINES_H
#define DAYBOOK_BASELINES_H
#include <stddef.h>
#include <stdint.h>

/// Appends `count` records of `bytes` bytes to a new LMDB environment in `folder`, `batch` a commit, default sync.
/// Returns the seconds it took, or a negative liblmdb code.
double baseline_lmdb_append(const char *folder, size_t count, size_t bytes, size_t batch);

/// The same by `writers` threads, each of which waits for its record to be on disk before it makes the next; one
/// thread commits all that wait.
double baseline_lmdb_append_group(const char *folder, size_t count, size_t bytes, size_t writers);

/// The same with one record a commit; writes the microseconds of each commit to `latencies`.
double baseline_lmdb_append_each(const char *folder, size_t count, size_t bytes, double *latencies);

/// Inserts the rows of every table of the SQLite file `from` into a new file `to`, as one bulk load: rows read into memory
/// first, one transaction, indexes last, then a checkpoint of the WAL. Returns the seconds from the first insert on, or -1.
double baseline_sqlite_copy(const char *from, const char *to);

/// Fills a full-text table of its own in a new file `to` with the words of `desk_search` in the file `from`, and asks it each query twice: the newest `limit`
/// rows. Writes the milliseconds of the second time. Returns 0, or -1.
int baseline_sqlite_search(
    const char *from, const char *to, const char *const *queries, size_t count, int limit, double *milliseconds);

/// Decodes every frame of a sequence of VP9 frames and adds up the luma of each. Returns the seconds, or -1.
double baseline_vp9_decode(const uint8_t *const *frames, const size_t *sizes, size_t count, uint64_t *luma);

/// How many messages of `bytes` bytes `openssl speed` hashes by SHA-256 in a second of processor time, or -1.
double baseline_openssl_sha256(size_t bytes);
#endif
