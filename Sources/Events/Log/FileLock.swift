// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Takes the exclusive lock of an open file, without waiting for another process to give it up.
///
/// A child that this process has just forked holds a copy of every open file until it starts its own program, so a lock
/// that was given back a moment ago may still look taken: it is asked for again for a fifth of a second.
///
/// - Returns: Whether it was taken; `errno` says why not.
func lockExclusively(_ descriptor: Int32) -> Bool {
    for _ in 0..<20 {
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
        guard errno == EWOULDBLOCK else { return false }
        usleep(10_000)
    }
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0
}
