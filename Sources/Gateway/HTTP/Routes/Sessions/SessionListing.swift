// SPDX-License-Identifier: Apache-2.0
import Events
import Hummingbird
import Projections

/// Whether a list of sessions wants chats that wait for an operator, and no others.
enum SessionChoice {
    case all
    case pending
}

extension Ledger {
    /// The page that a request asks for, newest first, of waiting chats the oldest first; with `?asOf=` each session as it was then, under today's rights.
    ///
    /// A page as of a point looks at so many sessions as its limit says, and shows those among them that fit: it may
    /// be short, or empty, and yet have a next one.
    ///
    /// - Throws: 400 for a limit that is too large; `CaseTooLarge` when the sessions have too many events.
    func sessions(
        _ filter: OperatorDesk.Filter,
        _ choice: SessionChoice = .all,
        for reader: Principal,
        _ request: Request,
        admitting admits: (DeskSession) throws -> Bool = { _ in true }
    ) async throws -> FullPage<DeskSession> {
        try await awaitLevel(request, of: "operator-desk")
        if let point = try request.asOf(in: log) {
            let page = try await sessions(filter, choice, of: reader, at: point, for: request)
            return FullPage(rows: try page.rows.filter(admits), next: page.next)
        }
        switch choice {
        case .all:
            return try await FullPage(
                filter.limit,
                before: filter.before,
                at: \.createdPosition
            ) { before, count in
                var filter = filter
                filter.before = before
                filter.limit = count
                return try await readModels.desk.sessions(filter, in: reader.scope)
            } admitting: {
                try admits($0)
            }
        case .pending:
            // All that wait, the oldest first: there is no further page of them.
            let found = try await readModels.desk.pendingChats(in: reader.scope)
            return FullPage(rows: try found.filter(admits), next: nil)
        }
    }

    private func sessions(
        _ filter: OperatorDesk.Filter,
        _ choice: SessionChoice,
        of reader: Principal,
        at point: AsOf.Point,
        for request: Request
    ) async throws -> FullPage<DeskSession> {
        var filter = filter
        let most = ProjectionLimits.asOfListSessionsMax
        filter.limit = try request.number("limit", default: min(100, most), in: 1...most)
        let candidates = try await readModels.desk.candidates(
            filter,
            in: reader.scope,
            at: point,
            time: try time(of: point)
        )
        let then = try await past(
            entriesMax: ProjectionLimits.asOfListEntriesMax
        ).operatorDesk(of: candidates.map(\.session), at: point)
        var found: [DeskSession] = []
        for candidate in candidates {
            guard let session = try await then.session(candidate.session) else { continue }
            if filter.fits(session, choice) { found.append(session) }
        }
        if choice == .pending { found.sort { $0.waitsLonger(than: $1) } }
        let last = candidates.count < filter.limit ? nil : candidates.last
        return FullPage(rows: found, next: last?.created)
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
    fileprivate func fits(_ session: DeskSession, _ choice: SessionChoice) -> Bool {
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
