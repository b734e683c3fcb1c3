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
    private let building: Building

    /// Runs the work that makes a view, or gives one that is kept.
    ///
    /// The work blocks its thread while it reads the log and writes the tables; it looks between pages whether its task was
    /// cancelled.
    public typealias Building =
        @Sendable (
            View, @escaping @Sendable () throws -> Tables
        ) async throws -> Tables

    /// What a view was made of.
    public struct Tables: Sendable {
        /// Where its queries read; the tables vanish with it.
        public let database: ReadDatabase
        /// How many entries are in it, by which its size can be guessed.
        public let entries: Int
    }

    /// What makes one view another: the same view has the same rows, but for people who are erased meanwhile.
    public struct View: Hashable, Sendable {
        public let projector: ProjectorIdentity
        public let references: [CaseReference]
        public let point: Point
        public let entriesMax: Int
    }

    /// - Parameters:
    ///   - source: The log.
    ///   - keys: The person keys that exist now.
    ///   - entriesMax: How many entries one view may read.
    ///   - building: Where views are made; without it in the task that asks, and none is kept.
    public init(
        _ source: EntrySource,
        keys: any PersonKeys,
        entriesMax: Int = ProjectionLimits.asOfEntriesMax,
        building: @escaping Building = { _, work in try work() }
    ) {
        self.source = source
        self.keys = keys
        self.entriesMax = entriesMax
        self.building = building
    }

    /// Up to where the log counts.
    public enum Point: Hashable, Sendable, LosslessStringConvertible {
        /// Up to and with this position.
        case position(LogPosition)
        /// Up to and with everything recorded at this time.
        case time(Timestamp)

        /// Reads a position in decimal digits or a time in RFC 3339.
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
        let view = View(
            projector: projector.identity,
            references: references,
            point: point,
            entriesMax: entriesMax
        )
        return try await building(view) { try tables(projector, of: references, at: point) }
            .database
    }

    private func tables(
        _ projector: any Projector,
        of references: [CaseReference],
        at point: Point
    ) throws -> Tables {
        var gathering = CaseGathering(
            source,
            kinds: projector.kinds,
            until: point,
            entriesMax: entriesMax
        )
        let entries = try gathering.entries(of: references)
        let file = try ProjectionFile(inMemory: projector, origin: source.origin, keys: keys)
        let decoder = EventDecoder()
        var next = LogPosition(0)
        for start in stride(from: 0, to: entries.count, by: ProjectionLimits.pageEntriesMax) {
            if Task.isCancelled { throw CancellationError() }
            let part = entries[start..<min(start + ProjectionLimits.pageEntriesMax, entries.count)]
            guard let last = part.last else { break }
            let page = EventPage(
                first: next,
                count: Int(clamping: last.envelope.position.rawValue - next.rawValue) + 1,
                events: try part.map { try decoder.decode($0) },
                leaf: last.leafDigest
            )
            next = try file.apply(page).next
        }
        try file.finish()
        return Tables(
            database: ReadDatabase(projector.identity, serving: file.connections),
            entries: entries.count
        )
    }
}
