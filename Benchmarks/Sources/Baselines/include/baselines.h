// SPDX-License-Identifier: Apache-2.0
#ifndef DAYBOOK_BASELINES_H
#define DAYBOOK_BASELINES_H
#include <stddef.h>
#include <stdint.h>

/// Appends `count` records of `bytes` bytes to a new LMDB environment in `folder`, `batch` a commit, default sync.
/// Returns the seconds it took, or a negative liblmdb code.
double baseline_lmdb_append(const char *folder, size_t count, size_t bytes, size_t batch);

/// The same with one record a commit; writes the microseconds of each commit to `latencies`.
double baseline_lmdb_append_each(const char *folder, size_t count, size_t bytes, double *latencies);
#endif
