// SPDX-License-Identifier: Apache-2.0
public import Events

/// Shows an incident as it was at an earlier point, from the log alone and with today's person keys.
///
/// The projectors that a query needs run over the entries of the incident's subjects up to that point, into tables in
/// memory. No read model is touched, so the answer does not depend on any.
public struct AsOf: Sendable {
    private let source: EntrySource
    private let keys: any PersonKeys
    private let entriesMax: Int

    /// - Parameters:
    ///   - source: The log.
    ///   - keys: The person keys that exist now.
    ///   - entriesMax: How many entries one view may read.
    public init(
        _ source: EntrySource,
        keys: any PersonKeys,
        entriesMax: Int = ProjectionLimits.asOfEntriesMax
    ) {
        self.source = source
        self.keys = keys
        self.entriesMax = entriesMax
    }

    /// Up to where the log counts.
    public enum Point: Hashable, Sendable, LosslessStringConvertible {
        /// Up to and with this position.
        case position(LogPosition)
        /// Up to and with everything recorded at this time.
        case time(Timestamp)

        /// Reads a position in decimal digits or a time in RFC 3339 with `Z`.
        public init?(_ description: String) {
            if let position = LogPosition(description) {
                self = .position(position)
            } else if let time = Timestamp(description) {
                self = .time(time)
            } else {
                return nil
            }
        }

        public var description: String {
            switch self {
            case .position(let position): position.description
            case .time(let time): time.description
            }
        }

        /// Whether an entry was there at the point.
        public func includes(_ envelope: Envelope) -> Bool {
            switch self {
            case .position(let position): envelope.position <= position
            case .time(let time): envelope.time <= time
            }
        }
    }

    /// The timeline as it was.
    public func timeline(of reference: CaseReference, at point: Point) async throws
        -> IncidentTimeline
    {
        IncidentTimeline(try await database(IncidentTimelineProjector(), of: reference, at: point))
    }

    /// The sessions of the incident as the desk showed them.
    public func operatorDesk(of reference: CaseReference, at point: Point) async throws
        -> OperatorDesk
    {
        OperatorDesk(try await database(OperatorDeskProjector(), of: reference, at: point))
    }

    /// The messages as they were.
    public func conversations(
        of reference: CaseReference,
        at point: Point
    ) async throws -> Conversations {
        Conversations(try await database(ConversationsProjector(), of: reference, at: point))
    }

    /// Some sessions, each with its incident, as the desk showed them: for lists.
    public func operatorDesk(of sessions: [SessionID], at point: Point) async throws
        -> OperatorDesk
    {
        OperatorDesk(
            try await database(
                OperatorDeskProjector(),
                of: sessions.map { CaseReference($0) },
                at: point
            )
        )
    }

    /// The tables of one projector, holding nothing but the incident.
    ///
    /// - Parameters:
    ///   - projector: Whose tables; its queries run on the result.
    ///   - reference: An incident, a session (all of its incident is read) or a report.
    ///   - point: Up to where.
    /// - Returns: Tables in memory, which vanish with the object; empty if there was no such case then.
    /// - Throws: ``CaseTooLarge``, ``ProjectionError``, ``EventDecodingError`` or what the log throws.
    @concurrent
    public func database(
        _ projector: any Projector,
        of reference: CaseReference,
        at point: Point
    ) async throws -> ReadDatabase {
        try await database(projector, of: [reference], at: point)
    }

    @concurrent
    private func database(
        _ projector: any Projector,
        of references: [CaseReference],
        at point: Point
    ) async throws -> ReadDatabase {
        var gathering = CaseGathering(
            source,
            kinds: projector.kinds,
            until: point,
            entriesMax: entriesMax
        )
        let entries = try gathering.entries(of: references)
        let events = try await decode(entries)
        let file = try ProjectionFile(inMemory: projector, origin: source.origin, keys: keys)
        if let last = entries.last {
            let page = EventPage(
                first: LogPosition(0),
                count: Int(clamping: last.envelope.position.next.rawValue),
                events: events,
                leaf: last.leafDigest
            )
            _ = try file.apply(page)
        }
        try await file.finishBuilding()
        return ReadDatabase(projector.identity, serving: file.connections)
    }

    /// Decodes on all cores, in order.
    private func decode(_ entries: [Entry]) async throws -> [RecordedEvent] {
        let length = max(256, (entries.count + 3) / 4)
        return try await withThrowingTaskGroup(of: (Int, [RecordedEvent]).self) { group in
            for start in stride(from: 0, to: entries.count, by: length) {
                group.addTask {
                    let decoder = EventDecoder()
                    let part = entries[start..<min(start + length, entries.count)]
                    return (start, try part.map { try decoder.decode($0) })
                }
            }
            var parts: [Int: [RecordedEvent]] = [:]
            for try await (start, events) in group { parts[start] = events }
            return parts.sorted { $0.key < $1.key }.flatMap(\.value)
        }
    }
}
