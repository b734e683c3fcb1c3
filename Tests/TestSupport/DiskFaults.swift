// SPDX-License-Identifier: Apache-2.0
internal import CFaults
public import Foundation
internal import Testing

/// Makes the system fail for the files of one path, until it is healed or forgotten.
///
/// The calls themselves fail, in this process alone, so that LMDB and SQLite meet what they would meet on such a disk.
public final class DiskFaults: Sendable {
    /// What can fail.
    public enum Call: Sendable {
        case write
        case sync
    }

    private let path: String

    /// Faults of a file, or of everything below a folder; files whose names only begin so count, too.
    public init(at file: URL) {
        // As the system names the files, without symbolic links.
        path = file.resolvingSymlinksInPath().path
    }

    deinit {
        heal()
    }

    /// Lets calls fail with an `errno`, after so many that succeed.
    public func fail(_ call: Call, with error: Int32, after count: Int32 = 0) {
        faults_set(path, call == .sync ? FAULTS_SYNC : FAULTS_WRITE, error, count)
    }

    /// Keeps who syncs waiting.
    public func hold() { faults_set(path, FAULTS_SYNC, FAULTS_HOLD, 0) }

    /// Lets who is held go on; what was made to fail goes on failing.
    public func release() { faults_set(path, FAULTS_SYNC, 0, 0) }

    /// Returns once somebody is held.
    ///
    /// - Throws: When nobody comes before the deadline of tests.
    public func holds() async throws {
        try await eventually("a sync is held") { faults_held(path) > 0 }
    }

    /// Everything works again, and who was held goes on.
    public func heal() { faults_heal(path) }
}
