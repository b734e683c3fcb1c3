// SPDX-License-Identifier: Apache-2.0
import Events
import Hummingbird
import Projections

/// One page of the sessions that somebody asks for, as they are or as they were.
struct SessionListing: Sendable {
    /// Newest first; of waiting chats the oldest.
    let sessions: [DeskSession]
    /// Where the next page begins.
    let next: LogPosition?

    /// Whether a request wants chats that wait for an operator, and no others.
    enum Choice {
        case all
        case pending
    }
}

extension Ledger {
    /// The page that a request asks for; with `?asOf=` each session as it was then, under today's rights.
    ///
    /// A page as of a point looks at so many sessions as its limit says, and shows those among them that fit: it may
    /// be short, or empty, and yet have a next one.
    ///
    /// - Throws: 400 for a limit that is too large; `CaseTooLarge` when the sessions have too many events.
    func sessions(
        _ filter: OperatorDesk.Filter,
        _ choice: SessionListing.Choice = .all,
        for request: Request
    ) async throws -> SessionListing {
        try await awaitLevel(request, of: "operator-desk")
        if let point = try request.asOf(in: log) {
            return try await sessions(filter, choice, at: point, for: request)
        }
        switch choice {
        case .all:
            let found = try await readModels.desk.sessions(filter)
            let last = found.count < filter.limit ? nil : found.last
            return SessionListing(sessions: found, next: last?.createdPosition)
        case .pending:
            // All that wait, the oldest first: there is no further page of them.
            let found = try await readModels.desk.pendingChats(in: filter.organisation)
            return SessionListing(sessions: found, next: nil)
        }
    }

    private func sessions(
        _ filter: OperatorDesk.Filter,
        _ choice: SessionListing.Choice,
        at point: AsOf.Point,
        for request: Request
    ) async throws -> SessionListing {
        var filter = filter
        let most = ProjectionLimits.asOfListSessionsMax
        filter.limit = try request.number("limit", default: min(100, most), in: 1...most)
        let candidates = try await readModels.desk.candidates(
            filter,
            at: point,
            time: try time(of: point)
        )
        let then = try await AsOf(
            EntrySource(log),
            keys: keys,
            entriesMax: ProjectionLimits.asOfListEntriesMax
        ).operatorDesk(of: candidates.map(\.session), at: point)
        var found: [DeskSession] = []
        for candidate in candidates {
            guard let session = try await then.session(candidate.session) else { continue }
            if filter.fits(session, choice) { found.append(session) }
        }
        if choice == .pending { found.sort { $0.waitsLonger(than: $1) } }
        let last = candidates.count < filter.limit ? nil : candidates.last
        return SessionListing(sessions: found, next: last?.created)
    }

    /// The time of the last entry that a point includes, or of the point.
    private func time(of point: AsOf.Point) throws -> Timestamp {
        switch point {
        case .time(let time): return time
        case .position(let position):
            guard let last = log.size.checkedPrevious else { return now }
            return try log.entries(from: min(position, last), limit: 1).first?.envelope.time ?? now
        }
    }
}

extension OperatorDesk.Filter {
    /// Whether a session as it was is wanted, by what may have been otherwise then.
    fileprivate func fits(_ session: DeskSession, _ choice: SessionListing.Choice) -> Bool {
        if let state, session.state != state { return false }
        if let owner, session.owner != owner { return false }
        return choice == .all || session.pendingSince != nil
    }
}

extension DeskSession {
    fileprivate func waitsLonger(than other: DeskSession) -> Bool {
        (pendingSince ?? createdAt, createdPosition)
            < (other.pendingSince ?? other.createdAt, other.createdPosition)
    }
}
