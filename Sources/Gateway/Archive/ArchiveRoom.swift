// SPDX-License-Identifier: Apache-2.0
import Events
import Synchronization

/// Keeps video from filling the disk, and from a folder that is not the archive's: below a floor of free bytes, while nobody
/// can say how many are free, or while another folder stands in its place, the archive takes nothing, and goes on by itself.
///
/// The log keeps the bytes below the floor for itself, wherever the two share a disk.
final class ArchiveRoom: Sendable {
    private struct Look {
        var free: Result<Int64, DiskRoom.Unknown>
        var at: ContinuousClock.Instant
    }

    private let floor: Int64
    private let now: @Sendable () -> ContinuousClock.Instant
    private let ask: @Sendable () throws(DiskRoom.Unknown) -> Int64
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
        ask: @escaping @Sendable () throws(DiskRoom.Unknown) -> Int64
    ) {
        self.floor = floor
        self.now = now
        self.away = away
        self.ask = ask
    }

    /// Why the folder is not the archive's; `nil` while it is.
    var fault: Fault? { away() }

    /// Free bytes, at most a second old; 0 where nobody can say.
    var freeBytes: Int64 {
        do { return try free() } catch { return 0 }
    }

    /// Free bytes, at most a second old.
    func free() throws(DiskRoom.Unknown) -> Int64 { try lately.get() }

    private var lately: Result<Int64, DiskRoom.Unknown> {
        last.withLock { last in
            let now = now()
            if let look = last, now - look.at < .seconds(1) { return look.free }
            let look = Look(free: Result { () throws(DiskRoom.Unknown) in try ask() }, at: now)
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
    /// - Throws: ``ArchiveError/away(_:)``, ``ArchiveError/noRoom(free:floor:)``, ``ArchiveError/roomUnknown(_:)``.
    func check() throws(ArchiveError) {
        try checkFolder()
        switch lately {
        case .success(let free):
            guard free >= max(floor, 1) else { throw .noRoom(free: free, floor: floor) }
        case .failure(let unknown): throw .roomUnknown(unknown)
        }
    }
}
