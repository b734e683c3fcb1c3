// SPDX-License-Identifier: Apache-2.0
import Foundation

/// How the clocks stood when a process last looked: the file `clock` in the ledger's folder.
///
/// By it the next process tells a wall clock that was set from time that passed (``ClockWatch``).
struct ClockMark: Codable, Hashable, Sendable {
    /// The wall clock.
    let wall: Timestamp
    /// Time since the machine started.
    let monotonic: Duration
    /// Which start of the machine that was.
    let boot: String?
    /// The ledger's time at that moment.
    let time: Timestamp
    /// Since when the wall clock was not followed.
    let heldSince: Timestamp?

    /// Whether a process could have left it, and it puts the ledger's time no further ahead than a clock is followed.
    ///
    /// - Parameters:
    ///   - wall: The wall clock now.
    ///   - lastRecorded: The time of the last event; `nil` for a ledger without any.
    /// - Returns: Whether it may be believed.
    func isBelievable(at wall: Timestamp, lastRecorded: Timestamp?) -> Bool {
        let known = max(wall, lastRecorded ?? wall)
        return Self.uptimes.contains(monotonic) && self.wall.hasText && time.hasText
            && time <= known + LogLimits.clockStepFollowedMax
            && heldSince.map { $0.hasText && $0 <= time } ?? true
    }

    // A machine that runs for longer than a thousand years is none.
    private static let uptimes = Duration.zero...Duration.seconds(1_000 * 365 * 86_400)
}

/// The file `clock`: the mark, and its seal where the ledger has keys.
extension ClockMark {
    private struct Content: Codable {
        let mark: ClockMark
        let seal: String?
    }

    private static func file(in folder: URL) -> URL { folder.appending(path: "clock") }

    /// Reads the mark in a ledger's folder.
    ///
    /// - Parameters:
    ///   - folder: The ledger's folder.
    ///   - sealer: The ledger's: a mark without its seal is none; `nil` takes any, for whoever only shows it.
    /// - Returns: The mark; `nil` without one that can be read, so that less is believed.
    static func read(in folder: URL, sealer: CommitSealer?) -> ClockMark? {
        guard let bytes = FileManager.default.contents(atPath: file(in: folder).path),
            let content = try? JSONDecoder().decode(Content.self, from: bytes),
            // Before anything is computed with it: who forged it chose its numbers.
            uptimes.contains(content.mark.monotonic)
        else { return nil }
        guard let sealer else { return content.mark }
        return content.seal == sealer.seal(content.mark) ? content.mark : nil
    }

    /// Replaces the mark; returns once it is on disk.
    func write(in folder: URL, sealer: CommitSealer?) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let content = Content(mark: self, seal: sealer?.seal(self))
        try writeDurably(try encoder.encode(content) + [0x0A], to: Self.file(in: folder))
    }
}
