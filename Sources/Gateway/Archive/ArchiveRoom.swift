// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// Keeps video from filling the disk, and from a folder that is not the archive's: below a floor of free bytes, or while
/// another folder stands in its place, the archive takes nothing, and goes on by itself.
///
/// The log keeps the bytes below the floor for itself, wherever the two share a disk.
final class ArchiveRoom: Sendable {
    private struct Look {
        var free: Int64
        var at: ContinuousClock.Instant
    }

    private let floor: Int64
    private let now: @Sendable () -> ContinuousClock.Instant
    private let ask: @Sendable () -> Int64
    private let away: @Sendable () -> Fault?
    private let last = Mutex<Look?>(nil)

    /// - Parameters:
    ///   - floor: Bytes that stay free.
    ///   - now: The time by which a look is too old.
    ///   - away: Why the folder is not the archive's; `nil` while it is.
    ///   - ask: How many are free now.
    init(
        floor: Int64,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        away: @escaping @Sendable () -> Fault? = { nil },
        ask: @escaping @Sendable () -> Int64
    ) {
        self.floor = floor
        self.now = now
        self.away = away
        self.ask = ask
    }

    /// Free bytes, at most a second old.
    var free: Int64 {
        last.withLock { last in
            let now = now()
            if let look = last, now - look.at < .seconds(1) { return look.free }
            let look = Look(free: ask(), at: now)
            last = look
            return look.free
        }
    }

    /// Asks whether the folder is the archive's.
    ///
    /// - Throws: ``ArchiveError/away(_:)``.
    func checkFolder() throws(ArchiveError) {
        if let fault = away() { throw .away(fault) }
    }

    /// Asks whether video may be written.
    ///
    /// - Throws: ``ArchiveError/away(_:)``, ``ArchiveError/noRoom(free:floor:)``.
    func check() throws(ArchiveError) {
        try checkFolder()
        let free = free
        guard free >= floor else { throw .noRoom(free: free, floor: floor) }
    }

    /// What a process without special rights may still write below a path; nothing is known of a path that is not there,
    /// and writing there says why.
    static func freeBytes(of folder: String) -> Int64 {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else { return .max }
        return Int64(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
    }
}
