// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import HTTPTypes
import Hummingbird
import Projections

/// What passes between the two sides of a session: requests and answers, consents, places, messages.
struct SessionTalkRoutes: Sendable {
    let ledger: Ledger

    func add(to router: Router<GatewayContext>) {
        router.post("/v1/sessions/:id/requests", use: ask)
        router.post("/v1/requests/:id/opened", use: opened)
        router.post("/v1/requests/:id/answer", use: answer)
        router.post("/v1/sessions/:id/consents", use: consent)
        router.post("/v1/sessions/:id/locations", use: locate)
        router.post("/v1/sessions/:id/messages", use: write)
    }

    private struct AskBody: Decodable {
        let ask: SessionRequestSent.Ask
    }

    private struct AskedBody: Encodable {
        let request: Events.RequestID
        let expiresAt: Timestamp?
    }

    @Sendable private func ask(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let principal = try context.signedIn(as: .operator, .supervisor)
        let user = try principal.requireUser()
        let id: SessionID = try context.id()
        try ledger.rights.requireInReach(.session(id), of: principal)
        let command = try await ledger.command(request, context, by: principal, about: .session(id))
        let body = try command.decoded(AskBody.self)
        return try await ledger.answer(
            SendRequest(id, by: user, ask: body.ask),
            command,
            status: .created
        ) { AskedBody(request: $0.request, expiresAt: $0.expiresAt) }
    }

    private struct ShownBody: Decodable {
        /// Saves looking the request up.
        let session: SessionID?
    }

    /// The caller's page shows the request.
    @Sendable private func opened(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let principal = try context.signedIn(as: .caller)
        let id: Events.RequestID = try context.id()
        let command = try await ledger.command(request, context, by: principal)
        let body = try command.decoded(ShownBody.self)
        let session = try await session(of: id, named: body.session, request, for: principal)
        let opening = MarkRequestOpened(id, in: session, by: try principal.requireSender())
        return try await ledger.answer(opening, command)
    }

    private struct AnswerBody: Decodable {
        /// Saves looking the request up.
        let session: SessionID?
        let answer: Given

        /// What a side may answer; `stale` is for the clock to say.
        enum Given: String, Decodable {
            case accepted
            case declined
        }
    }

    private struct AnsweredBody: Encodable {
        /// As it counts: `stale` when it came too late.
        let answer: SessionRequestAnswered.Answer
    }

    @Sendable private func answer(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let principal = try context.signedIn(as: .caller)
        let id: Events.RequestID = try context.id()
        let command = try await ledger.command(request, context, by: principal)
        let body = try command.decoded(AnswerBody.self)
        let session = try await session(of: id, named: body.session, request, for: principal)
        let answer = AnswerRequest(
            id,
            in: session,
            by: try principal.requireSender(),
            answer: body.answer == .accepted ? .accepted : .declined
        )
        return try await ledger.answer(answer, command) { AnsweredBody(answer: $0) }
    }

    /// The session of a request, for whoever may read it; of one that is looked up, the refusal names the request alone.
    private func session(
        of id: Events.RequestID,
        named session: SessionID?,
        _ request: Request,
        for principal: Principal
    ) async throws -> SessionID {
        if let session {
            try ledger.rights.check(session, for: principal)
            return session
        }
        let subject = Subject(unchecked: "request/\(id)")
        try await ledger.awaitLevel(request, of: "operator-desk")
        guard let found = try await ledger.readModels.desk.request(id)?.session else {
            throw ReadingRights.Refusal.unknown(subject)
        }
        try ReadingRights.Refusal.about(subject) {
            try ledger.rights.check(found, for: principal)
        }
        return found
    }

    private struct ConsentRequestBody: Decodable {
        let scope: SessionConsentRecorded.Scope
        let decision: SessionConsentRecorded.Decision
        let textVersion: String
    }

    @Sendable private func consent(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let principal = try context.signedIn(as: .caller)
        let id: SessionID = try context.id()
        // Before the decision says how the session is: to others that is not told.
        try ledger.rights.check(id, for: principal)
        let command = try await ledger.command(request, context, by: principal, about: .session(id))
        let body = try command.decoded(ConsentRequestBody.self)
        let consent = RecordConsent(
            id,
            by: try principal.requireSender(),
            scope: body.scope,
            decision: body.decision,
            textVersion: body.textVersion
        )
        return try await ledger.answer(consent, command)
    }

    private struct PlaceBody: Decodable {
        let fix: Fix?
        let method: String?
        /// Instead of `fix`: why there is none.
        let unavailable: LocationUnavailable.Reason?
        /// The request that this answers.
        let request: Events.RequestID?
    }

    @Sendable private func locate(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let principal = try context.signedIn(as: .caller)
        let id: SessionID = try context.id()
        // Before the decision says how the session is: to others that is not told.
        try ledger.rights.check(id, for: principal)
        let command = try await ledger.command(request, context, by: principal, about: .session(id))
        let body = try command.decoded(PlaceBody.self)
        let sender = try principal.requireSender()
        switch (body.fix, body.unavailable) {
        case (let fix?, nil):
            let place = ReportLocation(
                fix,
                in: id,
                by: sender,
                method: body.method ?? "gps",
                request: body.request
            )
            return try await ledger.answer(place, command)
        case (nil, let reason?):
            let lack = ReportLocationUnavailable(
                in: id,
                by: sender,
                reason: reason,
                request: body.request
            )
            return try await ledger.answer(lack, command)
        default:
            throw Problem(.malformedJSON, detail: "send either fix or unavailable")
        }
    }

    private struct MessageRequestBody: Decodable {
        let text: String
        /// The sender's own id for the message; without one the command's id.
        let temporaryID: String?
        /// As the client's clock has it; kept as it came.
        let timestamp: String?
    }

    private struct SentBody: Encodable {
        let message: MessageID
        let temporaryID: String
    }

    @Sendable private func write(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let principal = try context.signedIn(as: .caller, .operator, .supervisor)
        let id: SessionID = try context.id()
        try ledger.rights.requireInReach(.session(id), of: principal)
        let command = try await ledger.command(request, context, by: principal, about: .session(id))
        let body = try command.decoded(MessageRequestBody.self)
        let temporaryID = body.temporaryID ?? command.command.text
        let message = SendMessage(
            body.text,
            in: id,
            from: try principal.requireSender(),
            temporaryID: temporaryID,
            clientTimestamp: body.timestamp ?? "",
            channel: .http
        )
        return try await ledger.answer(message, command, status: .created) {
            try SentBefore($0, in: id, as: temporaryID, ledger).check(says: body.text)
            return SentBody(message: $0, temporaryID: temporaryID)
        }
    }
}

extension Principal {
    /// The side of a session that this one can be.
    func requireSender() throws(Problem) -> Sender {
        guard let sender else { throw Problem(.forbidden, detail: "you have no part in sessions") }
        return sender
    }
}
