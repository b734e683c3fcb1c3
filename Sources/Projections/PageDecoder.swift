// SPDX-License-Identifier: Apache-2.0
import Events

/// Decodes the entries that at least one projector handles; all others are skipped by kind.
struct PageDecoder: Sendable {
    private let kinds: Set<Kind>
    private let decoder = EventDecoder()

    init(_ projectors: [any Projector]) {
        kinds = projectors.reduce(into: []) { $0.formUnion($1.kinds) }
    }

    /// Decodes a run of entries; `nil` for none.
    ///
    /// - Throws: ``EventDecodingError`` for an entry of a kind that nobody knows or that does not have its kind's form:
    ///   a read model never silently leaves out a part of the log.
    func page(of entries: [Entry]) throws -> EventPage? {
        guard let first = entries.first, let last = entries.last else { return nil }
        var events: [RecordedEvent] = []
        events.reserveCapacity(entries.count)
        for entry in entries where try handles(entry) {
            events.append(try decoder.decode(entry))
        }
        return EventPage(
            first: first.envelope.position,
            count: entries.count,
            events: events,
            leaf: last.leafDigest
        )
    }

    private func handles(_ entry: Entry) throws -> Bool {
        if kinds.contains(entry.envelope.kind) { return true }
        guard EventCatalog.current[entry.envelope.kind] != nil else {
            throw ProjectionError.unknownKind(entry.envelope.kind, at: entry.envelope.position)
        }
        return false
    }
}
