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

    private static func file(in folder: URL) -> URL { folder.appending(path: "clock") }

    /// The mark in a ledger's folder; `nil` without one that can be read, so that less is believed.
    static func read(in folder: URL) -> ClockMark? {
        guard let bytes = FileManager.default.contents(atPath: file(in: folder).path) else {
            return nil
        }
        return try? JSONDecoder().decode(Self.self, from: bytes)
    }

    /// Replaces the mark; returns once it is on disk.
    func write(in folder: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try writeDurably(try encoder.encode(self) + [0x0A], to: Self.file(in: folder))
    }
}
