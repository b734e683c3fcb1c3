// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// Takes the exclusive lock of an open file, without waiting for another process to give it up.
///
/// Retries for 200 ms: a process that only looks holds the lock for a moment, and a child that was just forked by a killed process
/// holds its copies of open files until it starts its own program.
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

/// Releases the lock of an open file, then closes it.
///
/// Closing alone would leave the lock with the copies of children that were forked at that moment and have not started their program.
func unlockAndClose(_ descriptor: Int32) {
    flock(descriptor, LOCK_UN)
    Foundation.close(descriptor)
}

/// The lock that says that one process serves a folder; the system drops it when the process ends, however it ends.
final class FolderLock: Sendable {
    private let descriptor: Mutex<Int32?>

    init(_ folder: URL) throws(EventLogError) {
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw .cannotOpen(path: folder.path, reason: error.localizedDescription)
        }
        let opened = Foundation.open(
            folder.appending(path: "lock").path,
            O_CREAT | O_RDWR | O_CLOEXEC,
            0o640
        )
        guard opened >= 0 else {
            throw .cannotOpen(path: folder.path, reason: String(cString: strerror(errno)))
        }
        guard lockExclusively(opened) else {
            unlockAndClose(opened)
            throw .cannotOpen(
                path: folder.path,
                reason: "another process serves it; stop that one, or use another folder"
            )
        }
        descriptor = Mutex(opened)
    }

    /// Whether a process serves the folder; looking changes nothing.
    static func isHeld(_ folder: URL) -> Bool {
        let descriptor = Foundation.open(
            folder.appending(path: "lock").path,
            O_RDONLY | O_CLOEXEC
        )
        guard descriptor >= 0 else { return false }
        defer { unlockAndClose(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0
    }

    /// Lets another process serve the folder.
    func release() {
        if let open = descriptor.withLock({ $0.take() }) { unlockAndClose(open) }
    }

    deinit {
        release()
    }
}
