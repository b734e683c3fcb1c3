// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Synchronization

/// Records who watches what, before a byte leaves: `access.read`, and `stream.viewed` once a minute.
final class Viewings: Sendable {
    private let ledger: ArchiveLedger
    /// Viewings of this minute that are on disk, so that a player's many requests cost one.
    private let recent = Mutex<(minute: Int64, known: Set<Viewing>)>((0, []))

    private struct Viewing: Hashable {
        let viewer: Actor
        let stream: StreamID
        let purpose: String
    }

    init(ledger: ArchiveLedger) {
        self.ledger = ledger
    }

    /// Returns once the viewing is on disk.
    ///
    /// - Parameters:
    ///   - index: What is watched.
    ///   - viewer: Who watches.
    ///   - mode: How.
    ///   - span: Which milliseconds, where that is known.
    /// - Throws: ``ArchiveError`` for a stream without facts, and when it cannot be recorded.
    func record(
        _ index: StreamIndex,
        by viewer: Actor,
        mode: StreamViewed.Mode,
        span: ClosedRange<Int64>? = nil
    ) async throws {
        let viewing = Viewing(viewer: viewer, stream: index.id, purpose: "video.\(mode.rawValue)")
        let minute = ledger.now().microseconds / 60_000_000
        if isKnown(viewing, in: minute) { return }
        guard let facts = RecordingFacts(index) else { throw ArchiveError.unknown(index.id) }
        try await recordAccess(facts, by: viewer, purpose: viewing.purpose)
        try await ledger.record(
            RecordViewing(
                of: index.id,
                by: viewer,
                mode: mode,
                fromMilliseconds: span.map { Int($0.lowerBound) },
                toMilliseconds: span.map { Int($0.upperBound) }
            ),
            id: "viewed~\(index.id)~\(mode.rawValue)~\(minute)",
            of: facts,
            by: viewer
        )
        recent.withLock { recent in
            if recent.minute != minute { recent = (minute, []) }
            _ = recent.known.insert(viewing)
        }
    }

    /// Records that personal data was read, such as the opening and closing of a subscription.
    func recordAccess(_ facts: RecordingFacts, by viewer: Actor, purpose: String) async throws {
        let access = RecordAccess(
            by: viewer,
            of: .stream(facts.stream),
            purpose: purpose,
            fields: ["video"]
        )
        try await ledger.record(
            access,
            id: access.commandID(at: ledger.now()).text,
            of: facts,
            by: viewer
        )
    }

    private func isKnown(_ viewing: Viewing, in minute: Int64) -> Bool {
        recent.withLock { $0.minute == minute && $0.known.contains(viewing) }
    }
}
