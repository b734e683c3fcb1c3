// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Projections

/// Sessions: opening one for a number, finding, closing.
struct SessionRoutes: Sendable {
    let ledger: Ledger

    var routes: [Route] {
        [
            Route(.get, "/v1/callers", for: .deskAndAbove, reads: "caller-search", callers),
            Route(.post, "/v1/sessions", for: .desk, open),
            Route(.get, "/v1/sessions", for: .readers.orGuest, reads: "session-list", list),
            Route(.get, "/v1/sessions/:id", for: .readers.orGuest, reads: "session", show),
            Route(.post, "/v1/sessions/:id/close", for: .deskAndAbove, close),
            Route(.post, "/v1/sessions/:id/seal", for: .supervision) {
                try await seal($0, $1, .seal)
            },
            Route(.post, "/v1/sessions/:id/unseal", for: .supervision) {
                try await seal($0, $1, .unseal)
            },
            Route(
                .get,
                "/v1/sessions/:id/transcript",
                for: .readers.orGuest,
                reads: "transcript",
                transcript
            ),
        ] + OwnerRoutes(ledger: ledger).routes + LinkProposalRoutes(ledger: ledger).routes
    }

    private struct CallerBody: Encodable {
        let person: PersonID
        let phone: String?
        let sessions: Int
        let lastSession: SessionID?
        let lastAt: Timestamp
        /// Whether a phone is registered for the number.
        let hasPhone: Bool
    }

    @Sendable private func callers(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let reader = try context.signedIn()
        let site = ledger.configuration.site
        guard let prefix = try request.phonePrefix("prefix", of: site) else {
            throw Problem(.malformedRequest, detail: "prefix is how the number begins, %2B44…")
        }
        let limit = try request.number("limit", default: 20, in: 1...100)
        try await ledger.awaitLevel(request, of: "operator-desk")
        let found = try await ledger.readModels.desk.callers(
            phonePrefix: prefix.text,
            in: reader.scope,
            limit: limit
        ) {
            try ledger.rights.admits(reader, to: $0)
        }
        for caller in found {
            _ = try await ledger.keys(toRead: .person(caller.person), context, fields: ["phone"])
        }
        let bodies = found.map {
            CallerBody(
                person: $0.person,
                phone: $0.phone,
                sessions: $0.sessions,
                lastSession: $0.lastSession,
                lastAt: $0.lastAt,
                hasPhone: $0.hasPhone
            )
        }
        return try .json(PageBody(items: bodies))
    }

    private struct OpeningBody: Decodable {
        let phone: GivenNumber
        let channel: SessionCreated.Channel?
    }

    private struct OpenedBody: Encodable {
        let session: SessionID
        let incident: IncidentID
        let expiresAt: Timestamp?
    }

    /// By telephone number; expires unless something starts within the limit (120 s).
    @Sendable private func open(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let command = try await ledger.command(request, context)
        let user = try command.asker.requireUser()
        let body = try command.decoded(OpeningBody.self)
        guard body.channel != .telephone else {
            throw Problem(
                .malformedRequest,
                detail: "channel is video or chat; by telephone callers begin themselves"
            )
        }
        let phone = body.phone.number
        let caller = try await ledger.phoneBook.owner(
            with: phone,
            in: command.asker.organisation,
            at: ledger.now
        )
        let device = try await device(of: caller.person, with: phone)
        let creation = CreateSession(
            by: user,
            caller: caller.person,
            phone: phone,
            device: device,
            channel: body.channel ?? .video
        )
        do {
            return try await ledger.answer(
                creation,
                command,
                newcomers: caller.newcomers,
                status: .created
            ) { outcome in
                OpenedBody(
                    session: outcome.session,
                    incident: outcome.incident,
                    expiresAt: outcome.expiresAt
                )
            }
        } catch let refusal as CreateSession.Refusal {
            throw try told(refusal, to: command.asker.principal)
        }
    }

    /// The caller's newest device with a number: the desk names it, the log says whose it is.
    private func device(of caller: PersonID, with phone: PhoneNumber) async throws -> DeviceID? {
        for row in try await ledger.readModels.desk.devices(phone: phone) {
            let device = try await ledger.handler.settled(Device.self, row.id)
            if device.validPerson == caller { return device.id }
        }
        return nil
    }

    /// Which session a number is in is told to those who may read that session.
    private func told(
        _ refusal: CreateSession.Refusal,
        to reader: Principal
    ) throws -> any Error {
        guard case .callerInSession(let session) = refusal,
            try !ledger.rights.admits(reader, to: session)
        else { return refusal }
        return Problem(
            ProblemType("caller-in-session", .conflict, "Caller in session"),
            detail: "opening a session refused: the caller is in a session of another operator; "
                + "ask a supervisor"
        )
    }

    @Sendable private func list(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let reader = try context.signedIn()
        var filter = try request.deskFilter(for: reader, in: ledger.log)
        filter.state = try request.word("state")
        filter.channel = try request.word("channel")
        if let text = request.text("owner") {
            guard let owner = UserID(text) else {
                throw Problem(.malformedRequest, detail: "owner is the id of a user")
            }
            filter.owner = owner
        }
        if let text = request.text("caller") {
            guard let caller = PersonID(text) else {
                throw Problem(.malformedRequest, detail: "caller is the id of a person")
            }
            filter.caller = caller
        }
        let choice: SessionChoice = request.text("pending") == "true" ? .pending : .all
        let page = try await ledger.sessions(filter, choice, for: reader, request) {
            // The whole desk may know that a session is there; a caller's phone only of those that it sees.
            try knows(reader, of: $0.id)
        }
        let keys = try await ledger.keys(
            toRead: Subject(unchecked: "sessions/\(reader.org)"),
            context,
            fields: ["phone", "address", "words", "place"]
        )
        let bodies = try page.rows.map {
            let isPrivate = try !ledger.rights.admits(reader, to: $0.id)
            return try SessionBody(
                $0,
                openedWith: keys,
                isPrivate: isPrivate,
                for: reader.user
            )
        }
        // What was is no ground for ringing.
        let isPast = try request.asOf(in: ledger.log) != nil
        let alerting =
            reader.user == nil || isPast
            ? nil : try await PendingAlerts(ledger: ledger).concern(reader)
        let next = page.next.map { "\($0)" }
        let capacity = try isPast ? nil : capacity(of: reader)
        return try .json(
            QueueBody(items: bodies, next: next, alerting: alerting, capacity: capacity)
        )
    }

    private func capacity(of reader: Principal) throws -> CapacityBody? {
        guard reader.role == .operator else { return nil }
        let policy = try ledger.handler.current(Policy.self, OperatorLimit.policy)
        return CapacityBody(OperatorLimit(policy))
    }

    private func knows(_ reader: Principal, of session: SessionID) throws -> Bool {
        guard reader.person != nil else { return true }
        return try ledger.rights.admits(reader, to: session)
    }

    /// Sessions, and whether those that wait are to alert the reader.
    private struct QueueBody: Encodable {
        let items: [SessionBody]
        let next: String?
        /// Ruling 19; absent for callers, and of what was.
        let alerting: Bool?
        /// How many sessions an operator may have open; absent for others, and of what was.
        let capacity: CapacityBody?
    }

    private struct CapacityBody: Encodable {
        let sessions: Int
        let textSessions: Int

        init(_ limit: OperatorLimit) {
            (sessions, textSessions) = (limit.sessions, limit.textSessions)
        }
    }

    @Sendable private func show(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let reader = try context.signedIn()
        let id: SessionID = try context.id()
        try ledger.rights.check(id, for: reader)
        let point = try request.asOf(in: ledger.log)
        let desk = try await desk(of: id, for: reader, request)
        // What was at `?asOf=` is no ground for a command.
        let revision =
            point == nil ? try ledger.revision(of: .session(id), shownBy: "operator-desk") : nil
        guard let session = try await desk.session(id) else {
            throw ReadingRights.Refusal.unknown(.session(id))
        }
        let keys = try await ledger.keys(
            toRead: .session(id),
            context,
            fields: ["phone", "address", "note", "locations"]
        )
        let letIn = try await letIn(to: id, for: reader, isPast: point != nil)
        let detail = SessionDetailBody(
            session: try SessionBody(session, openedWith: keys, for: reader.user),
            requests: try await desk.requests(of: id).map(DeskRequestBody.init),
            consents: try await desk.consents(of: id).map(ConsentBody.init),
            locations: try await desk.locations(of: id).map { try LocationBody($0, keys) },
            streams: try await desk.streams(of: id),
            letIn: letIn,
            telephone: try telephone(of: id, keys, for: reader, isPast: point != nil)
        )
        return try .json(detail, revision: revision)
    }

    private func telephone(
        of id: SessionID,
        _ keys: ReadingKeys,
        for reader: Principal,
        isPast: Bool
    ) throws -> TelephoneBody? {
        guard !isPast, reader.person == nil else { return nil }
        let session = try ledger.handler.current(Session.self, id)
        let trunk = try session.telephone?.trunk.map {
            try ledger.handler.current(Trunk.self, $0).settings?.name ?? $0
        }
        return try TelephoneBody(session, trunk: trunk, keys)
    }

    /// For the desk, of now only.
    private func letIn(
        to id: SessionID,
        for reader: Principal,
        isPast: Bool
    ) async throws -> [LetInBody]? {
        guard !isPast, reader.person == nil else { return nil }
        return try await ledger.letIn(to: id)
    }

    private struct ClosingBody: Decodable {
        let disposition: String?
        let note: String?
    }

    @Sendable private func close(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let id: SessionID = try context.id()
        let command = try await ledger.command(
            request,
            context,
            about: .session(id)
        )
        try ledger.rights.requireInReach(.session(id), of: command.asker)
        let body = try command.decoded(ClosingBody.self)
        let closing = CloseSession(
            id,
            by: .staff(try command.asker.requireStaff()),
            disposition: body.disposition ?? "handled",
            note: body.note
        )
        return try await ledger.answer(closing, command)
    }

    private struct SealingBody: Decodable {
        let reason: String
    }

    /// Makes an ended session private again, or lifts that (ruling 33).
    @Sendable private func seal(
        _ request: Request,
        _ context: GatewayContext,
        _ act: SealSession.Act
    ) async throws -> Response {
        let id: SessionID = try context.id()
        let command = try await ledger.command(
            request,
            context,
            about: .session(id)
        )
        try ledger.rights.requireInReach(.session(id), of: command.asker)
        let user = try command.asker.requireUser()
        let body = try command.decoded(SealingBody.self)
        return try await ledger.answer(SealSession(id, act, by: user, reason: body.reason), command)
    }

    @Sendable private func transcript(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let reader = try context.signedIn()
        let id: SessionID = try context.id()
        try ledger.rights.check(id, for: reader)
        let conversations = try await conversations(of: id, for: reader, request)
        let keys = try await ledger.keys(toRead: .session(id), context, fields: ["text"])
        let transcript = TranscriptAnswer(
            session: id,
            conversations: conversations,
            keys: keys,
            pageMessages: context.limits.transcriptPageMessages,
            stillMay: ledger.stillMay(read: id, reader)
        )
        return try await transcript.response(holding: context.answerSeat())
    }

    /// The read model, or tables as they were at `?asOf=`.
    private func conversations(
        of session: SessionID,
        for reader: Principal,
        _ request: Request
    ) async throws -> Conversations {
        if let point = try request.asOf(in: ledger.log) {
            return try await ledger.asOf(for: reader)
                .conversations(of: CaseReference(session), at: point)
        }
        try await ledger.awaitLevel(request, of: "conversations")
        return ledger.readModels.conversations
    }

    /// The read model, or tables as they were at `?asOf=`.
    private func desk(
        of session: SessionID,
        for reader: Principal,
        _ request: Request
    ) async throws -> OperatorDesk {
        if let point = try request.asOf(in: ledger.log) {
            return try await ledger.asOf(for: reader)
                .operatorDesk(of: CaseReference(session), at: point)
        }
        try await ledger.awaitLevel(request, of: "operator-desk")
        return ledger.readModels.desk
    }
}

extension Request {
    /// The page of sessions that a query asks for, as far as the reader's role reaches.
    ///
    /// - Throws: 403 for a role that reads no sessions; 400 for a page that is none.
    func deskFilter(for reader: Principal, in log: EventLog) throws(Problem) -> OperatorDesk.Filter
    {
        guard reader.role.reach != .nothing else {
            throw Problem(.forbidden, detail: "your role reads no sessions")
        }
        var filter = OperatorDesk.Filter()
        filter.before = try cursor("before", in: log)?.position
        filter.limit = try number("limit", default: 100, in: 1...ProjectionLimits.listRowsMax)
        return filter
    }
}
