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
    /// As of a point each session that comes into question has to be read from the log to know whether it fits.
    ///
    /// - Throws: 400 for a limit that is too large; `CaseTooLarge` when the sessions of a page have too many events;
    ///   ``ProblemType/tooMuchAtOnce`` when too many would have to be read for it.
    func sessions(
        _ filter: OperatorDesk.Filter,
        _ choice: SessionChoice = .all,
        for reader: Principal,
        _ request: Request,
        admitting admits: (DeskSession) throws -> Bool = { _ in true }
    ) async throws -> FullPage<DeskSession> {
        try await awaitLevel(request, of: "operator-desk")
        if let point = try request.asOf(in: log) {
            let page = try await sessions(
                filter,
                choice,
                of: reader,
                at: point,
                for: request,
                admits
            )
            // Waiting chats stand in the order of their waiting.
            guard choice == .pending else { return page }
            return FullPage(rows: page.rows.sorted { $0.waitsLonger(than: $1) }, next: page.next)
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
        for request: Request,
        _ admits: (DeskSession) throws -> Bool
    ) async throws -> FullPage<DeskSession> {
        let most = ProjectionLimits.asOfListSessionsMax
        let limit = try request.number("limit", default: min(100, most), in: 1...most)
        let time = try time(of: point)
        var left = ProjectionLimits.asOfListSessionsReadMax
        return try await FullPage(limit, before: filter.before, at: \.createdPosition) {
            before,
            count in
            var part = filter
            part.before = before
            part.limit = min(count, most)
            guard left > 0 else { throw Problem.tooManyOfThePast }
            left -= part.limit
            let candidates = try await readModels.desk.candidates(
                part,
                in: reader.scope,
                at: point,
                time: time
            )
            let shown = try await sessions(candidates.map(\.session), of: reader, at: point)
                .filter { try filter.fits($0, choice) && admits($0) }
            return (shown, candidates.count < part.limit ? nil : candidates.last?.created)
        }
    }

    /// Sessions as they were; without those that were not there yet.
    private func sessions(
        _ ids: [SessionID],
        of reader: Principal,
        at point: AsOf.Point
    ) async throws -> [DeskSession] {
        let then = try await asOf(
            for: reader,
            entriesMax: ProjectionLimits.asOfListEntriesMax
        ).operatorDesk(of: ids, at: point)
        var found: [DeskSession] = []
        for id in ids {
            if let session = try await then.session(id) { found.append(session) }
        }
        return found
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

extension Problem {
    /// A page as of a point for which too many sessions would have to be read.
    fileprivate static let tooManyOfThePast = Problem(
        .caseTooLarge,
        detail:
            "of \(ProjectionLimits.asOfListSessionsReadMax) sessions too few fit to fill the page; ask for fewer by limit, for an earlier point, or without owner or state"
    )
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
