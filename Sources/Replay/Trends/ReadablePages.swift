// SPDX-License-Identifier: Apache-2.0
import Events
import Projections
import Synchronization

/// Pages of a log without what nobody can read, for whoever counts the rest and says what is missing.
final class ReadablePages: Sendable {
    private let ledger: LedgerReader
    private let end: UInt64
    private let kinds: Set<Kind>
    private let decoder = EventDecoder()
    private let state = Mutex(State())

    private struct State {
        var leftOut: [UnreadableEntries] = []
        var newest = Timestamp(microseconds: 0)
    }

    init(_ ledger: LedgerReader, below end: UInt64, of kinds: Set<Kind>) {
        self.ledger = ledger
        self.end = end
        self.kinds = kinds
    }

    /// What was left out, in order.
    var leftOut: [UnreadableEntries] { state.withLock { $0.leftOut } }
    /// When the last entry was recorded that could be read.
    var newest: Timestamp { state.withLock { $0.newest } }

    /// The page from a position on, asked for one behind the other; `nil` at the end.
    func page(from position: LogPosition) -> EventPage? {
        guard position.rawValue < end else { return nil }
        let run = ledger.readableRun(
            from: position.rawValue,
            below: end,
            limit: ProjectionLimits.bulkPageEntries
        )
        var unreadable = run.unreadable
        var events: [RecordedEvent] = []
        for entry in run.entries {
            let envelope = entry.envelope
            do {
                if kinds.contains(envelope.kind) {
                    events.append(try decoder.decode(entry))
                } else if EventCatalog.current[envelope.kind] == nil {
                    throw EventDecodingError.unknownKind(
                        envelope.kind,
                        event: envelope.id,
                        at: envelope.position
                    )
                }
            } catch {
                unreadable.append(UnreadableEntries(envelope.position.rawValue, "\(error)"))
            }
        }
        note(unreadable, run.entries.last?.envelope.time)
        return EventPage(
            first: position,
            count: Int(clamping: run.next - position.rawValue),
            events: events,
            // Nobody compares the leaf of what is thrown away.
            leaf: SHA256Digest(bytes: MerkleHash.leaf([UInt8]()).bytes)
        )
    }

    private func note(_ unreadable: [UnreadableEntries], _ newest: Timestamp?) {
        state.withLock { state in
            for one in unreadable.sorted(by: { $0.first < $1.first }) { state.leftOut.note(one) }
            state.newest = newest ?? state.newest
        }
    }
}
