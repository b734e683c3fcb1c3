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

    var routes: [Route] {
        [
            Route(.post, "/v1/sessions/:id/requests", for: .desk, ask),
            Route(.post, "/v1/requests/:id/opened", for: .callers.orGuest, opened),
            Route(.post, "/v1/requests/:id/answer", for: .callers.orGuest, answer),
            Route(.post, "/v1/sessions/:id/video-wish", for: .callers.orGuest, wishVideo),
            Route(.delete, "/v1/sessions/:id/video-wish", for: .callers.orGuest, withdrawWish),
            Route(.post, "/v1/sessions/:id/consents", for: .callers.orGuest, consent),
            Route(.post, "/v1/sessions/:id/locations", for: .callers.orGuest, locate),
            Route(.post, "/v1/sessions/:id/messages", for: .parties.orGuest, write),
        ]
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
        let id: SessionID = try context.id()
        let command = try await ledger.command(
            request,
            context,
            about: .session(id)
        )
        try ledger.rights.requireInReach(.session(id), of: command.asker)
        let body = try command.decoded(AskBody.self)
        return try await ledger.answer(
            SendRequest(id, by: command.asker.requireUser(), ask: body.ask),
            command,
            status: .created
        ) { AskedBody(request: $0.request, expiresAt: $0.expiresAt) }
    }

    private struct WishBody: Encodable {
        /// Absent where video may begin now.
        let waitsUntil: Timestamp?
    }

    @Sendable private func wishVideo(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let id: SessionID = try context.id()
        let command = try await ledger.command(request, context, about: .session(id))
        let wish = WishVideo(in: id, by: try ledger.personBehind(command.asker.principal))
        return try await ledger.answer(wish, command, if: Self.isTheirs(id)) {
            WishBody(waitsUntil: $0.waitsUntil)
        }
    }

    @Sendable private func withdrawWish(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let id: SessionID = try context.id()
        let command = try await ledger.command(request, context, about: .session(id))
        let caller = try ledger.personBehind(command.asker.principal)
        let withdrawal = WithdrawVideoWish(in: id, by: caller)
        return try await ledger.answer(withdrawal, command, if: Self.isTheirs(id))
    }

    private struct ShownBody: Decodable {
        /// Saves looking the request up.
        let session: SessionID?
    }

    /// The caller's page shows the request.
    @Sendable private func opened(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let id: Events.RequestID = try context.id()
        let command = try await ledger.command(request, context)
        let asker = command.asker
        let body = try command.decoded(ShownBody.self)
        let session = try await session(of: id, named: body.session, request, for: asker)
        let opening = MarkRequestOpened(id, in: session, by: try asker.requireSender())
        return try await ledger.answer(opening, command, if: Self.isTheirs(session))
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
        let id: Events.RequestID = try context.id()
        let command = try await ledger.command(request, context)
        let asker = command.asker
        let body = try command.decoded(AnswerBody.self)
        let session = try await session(of: id, named: body.session, request, for: asker)
        let answer = AnswerRequest(
            id,
            in: session,
            by: try asker.requireSender(),
            answer: body.answer == .accepted ? .accepted : .declined
        )
        return try await ledger.answer(answer, command, if: Self.isTheirs(session)) {
            AnsweredBody(answer: $0)
        }
    }

    /// The session of a request, for whoever may read it; of one that is looked up, the refusal names the request alone.
    private func session(
        of id: Events.RequestID,
        named session: SessionID?,
        _ request: Request,
        for asker: Asker
    ) async throws -> SessionID {
        if let session {
            try ledger.rights.check(session, for: asker.principal)
            return session
        }
        let subject = Subject(unchecked: "request/\(id)")
        try await ledger.awaitLevel(request, of: "operator-desk")
        guard let found = try await ledger.readModels.desk.request(id)?.session else {
            throw ReadingRights.Refusal.unknown(subject)
        }
        try ReadingRights.Refusal.about(subject) {
            try ledger.rights.check(found, for: asker.principal)
        }
        return found
    }

    /// Whether a session is the asking phone's to speak in, which it is no more once it was shut out (decision 0072).
    private static func isTheirs(_ session: SessionID) -> Right {
        let right: Right = { rights, asker in try rights.check(session, for: asker.principal) }
        return right
    }

    private struct ConsentRequestBody: Decodable {
        let scope: SessionConsentRecorded.Scope
        let decision: SessionConsentRecorded.Decision
        let textVersion: String
    }

    @Sendable private func consent(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let (id, command) = try await spoken(request, context)
        let body = try command.decoded(ConsentRequestBody.self)
        let consent = RecordConsent(
            id,
            by: try command.asker.requireSender(),
            scope: body.scope,
            decision: body.decision,
            textVersion: body.textVersion
        )
        return try await ledger.answer(consent, command, if: Self.isTheirs(id))
    }

    /// What a caller says in a session that is theirs: before the decision says how it is, which is not told to others.
    private func spoken(
        _ request: Request,
        _ context: GatewayContext
    ) async throws -> (SessionID, CommandRequest) {
        let id: SessionID = try context.id()
        let command = try await ledger.command(
            request,
            context,
            about: .session(id)
        )
        try ledger.rights.check(id, for: command.asker.principal)
        return (id, command)
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
        let (id, command) = try await spoken(request, context)
        let body = try command.decoded(PlaceBody.self)
        let sender = try command.asker.requireSender()
        switch (body.fix, body.unavailable) {
        case (let fix?, nil):
            let place = ReportLocation(
                fix,
                in: id,
                by: sender,
                method: body.method ?? "gps",
                request: body.request
            )
            return try await ledger.answer(place, command, if: Self.isTheirs(id))
        case (nil, let reason?):
            let lack = ReportLocationUnavailable(
                in: id,
                by: sender,
                reason: reason,
                request: body.request
            )
            return try await ledger.answer(lack, command, if: Self.isTheirs(id))
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
        /// The quick response that a caller pressed.
        let quickResponse: ChatQuickResponseChosen.Service?
        /// By which way an operator wants it to go.
        let via: AnswerWay?
    }

    private struct SentBody: Encodable {
        let message: MessageID
        let temporaryID: String
    }

    @Sendable private func write(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let id: SessionID = try context.id()
        let command = try await ledger.command(
            request,
            context,
            about: .session(id)
        )
        let right: Right = { try $0.requireInReach(.session(id), of: $1) }
        try right(ledger.rights, command.asker)
        let body = try command.decoded(MessageRequestBody.self)
        let temporaryID = body.temporaryID ?? command.command.text
        let message = SendMessage(
            body.text,
            in: id,
            from: try command.asker.requireSender(),
            temporaryID: temporaryID,
            clientTimestamp: body.timestamp ?? "",
            channel: .http,
            quickResponse: body.quickResponse,
            way: body.via
        )
        return try await ledger.answer(message, command, if: right, status: .created) {
            try SentBefore($0, in: id, as: temporaryID, ledger).check(says: body.text)
            return SentBody(message: $0, temporaryID: temporaryID)
        }
    }
}
