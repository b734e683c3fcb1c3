// SPDX-License-Identifier: Apache-2.0
import Events

/// Decodes the entries that at least one projector handles; all others are skipped by kind.
struct PageDecoder: Sendable {
    private let kinds: Set<Kind>
    private let decoder = EventDecoder()

    /// Hears of entries that do not have their kind's form; `nil` where they end what is read.
    private let passing: (@Sendable (LogPosition) -> Void)?

    init(
        _ projectors: [any Projector],
        passing: (@Sendable (LogPosition) -> Void)? = nil
    ) {
        self.passing = passing
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

    /// Decodes a run of entries, and passes what cannot be read in it; `nil` where its last bytes are missing.
    ///
    /// - Throws: ``ProjectionError/unknownKind(_:at:)``: what a newer program wrote is not damage.
    func page(of run: ReadableRun, from position: LogPosition) throws -> EventPage? {
        guard let leaf = run.leaf else { return nil }
        var events: [RecordedEvent] = []
        events.reserveCapacity(run.entries.count)
        for entry in run.entries where try handles(entry) {
            do throws(EventDecodingError) {
                events.append(try decoder.decode(entry))
            } catch {
                guard let passing else { throw error }
                passing(entry.envelope.position)
            }
        }
        return EventPage(
            first: position,
            count: Int(clamping: run.next - position.rawValue),
            events: events,
            leaf: SHA256Digest(bytes: leaf.bytes)
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
