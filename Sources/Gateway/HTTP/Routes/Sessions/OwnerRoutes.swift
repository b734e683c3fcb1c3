// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Hummingbird

/// Whose a session is: claiming, giving back, handing over, taking over (ruling 34).
struct OwnerRoutes: Sendable {
    let ledger: Ledger

    var routes: [Route] {
        [
            Route(.post, "/v1/sessions/:id/claim", for: .desk, claim),
            Route(.post, "/v1/sessions/:id/release", for: .deskAndAbove, release),
            Route(.post, "/v1/sessions/:id/offer", for: .deskAndAbove, offer),
            Route(.post, "/v1/sessions/:id/offer/answer", for: .desk, answer),
            Route(.post, "/v1/sessions/:id/take-over", for: .desk, takeOver),
            Route(.post, "/v1/me/desk-left", for: .desk, leaveDesk),
        ]
    }

    @Sendable private func claim(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let (asker, id, command) = try await asked(request, context)
        return try await ledger.answer(ClaimSession(id, by: asker.requireUser()), command)
    }

    /// Back into the queue.
    @Sendable private func release(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let (asker, id, command) = try await asked(request, context)
        return try await ledger.answer(ReleaseSession(id, by: asker.requireStaff()), command)
    }

    private struct OfferingBody: Decodable {
        let to: UserID
        let reason: String
    }

    private struct OfferedBody: Encodable {
        let expiresAt: Timestamp
    }

    /// Asks a colleague to take the session over.
    @Sendable private func offer(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let (asker, id, command) = try await asked(request, context)
        let body = try command.decoded(OfferingBody.self)
        let offer = OfferSession(
            id,
            by: try asker.requireStaff(),
            to: body.to,
            reason: body.reason
        )
        return try await ledger.answer(offer, command, status: .created) {
            OfferedBody(expiresAt: $0)
        }
    }

    private struct AnswerBody: Decodable {
        let answer: AnswerOffer.Answer
    }

    @Sendable private func answer(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let (asker, id, command) = try await asked(request, context)
        let body = try command.decoded(AnswerBody.self)
        let answer = AnswerOffer(id, by: try asker.requireUser(), body.answer)
        return try await ledger.answer(answer, command)
    }

    /// Of what its owner left unattended.
    @Sendable private func takeOver(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let (asker, id, command) = try await asked(request, context)
        return try await ledger.answer(TakeOverSession(id, by: asker.requireUser()), command)
    }

    /// A page of the console is going; what somebody has stands unattended if no page of theirs is there ten seconds later.
    @Sendable private func leaveDesk(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let principal = try context.signedIn()
        if let user = principal.user, let sockets = context.sockets {
            ledger.departures.note(user) { sockets.count(of: principal) > 0 }
        }
        return Response(status: .noContent)
    }

    /// Who asks, of which session of theirs or their colleagues, and what.
    private func asked(
        _ request: Request,
        _ context: GatewayContext
    ) async throws -> (Asker, SessionID, CommandRequest) {
        let id: SessionID = try context.id()
        let command = try await ledger.command(request, context, about: .session(id))
        try ledger.rights.requireInReach(.session(id), of: command.asker)
        return (command.asker, id, command)
    }
}
