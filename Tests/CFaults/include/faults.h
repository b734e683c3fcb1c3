// SPDX-License-Identifier: Apache-2.0
#ifndef CFAULTS_FAULTS_H
#define CFAULTS_FAULTS_H

/// System calls that can be made to fail in this process, for files below a folder.
enum faults_call {
    /// fdatasync and fsync.
    FAULTS_SYNC = 0,
    /// write, writev and pwrite.
    FAULTS_WRITE = 1,
};

/// Stands for an error: the call waits until it is healed, and succeeds.
#define FAULTS_HOLD (-1)

/// Makes a call fail with an errno for files whose real path begins so, after so many that succeed.
///
/// One fault for a path and a call at a time; up to 32 in a process. Aborts when there are more.
void faults_set(const char *path, enum faults_call call, int error, int after);

/// Ends all faults of a path, and lets go who is held.
void faults_heal(const char *path);

/// How many calls are held for a path now.
int faults_held(const char *path);

#endif
