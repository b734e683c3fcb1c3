// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Hummingbird

/// Whose a session is: claiming, giving back, handing over, taking over (ruling 34).
struct OwnerRoutes: Sendable {
    let ledger: Ledger

    func add(to router: Router<GatewayContext>) {
        router.post("/v1/sessions/:id/claim", use: claim)
        router.post("/v1/sessions/:id/release", use: release)
        router.post("/v1/sessions/:id/offer", use: offer)
        router.post("/v1/sessions/:id/offer/answer", use: answer)
        router.post("/v1/sessions/:id/take-over", use: takeOver)
    }

    @Sendable private func claim(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let (principal, id, command) = try await asked(request, context)
        return try await ledger.answer(ClaimSession(id, by: principal.requireUser()), command)
    }

    /// Back into the queue.
    @Sendable private func release(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let (principal, id, command) = try await asked(
            request,
            context,
            as: Self.desk + Self.supervision
        )
        return try await ledger.answer(ReleaseSession(id, by: principal.requireStaff()), command)
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
        let (principal, id, command) = try await asked(
            request,
            context,
            as: Self.desk + Self.supervision
        )
        let body = try command.decoded(OfferingBody.self)
        let offer = OfferSession(
            id,
            by: try principal.requireStaff(),
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
        let (principal, id, command) = try await asked(request, context)
        let body = try command.decoded(AnswerBody.self)
        let answer = AnswerOffer(id, by: try principal.requireUser(), body.answer)
        return try await ledger.answer(answer, command)
    }

    /// Of what its owner left unattended.
    @Sendable private func takeOver(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let (principal, id, command) = try await asked(request, context)
        return try await ledger.answer(TakeOverSession(id, by: principal.requireUser()), command)
    }

    /// Who have sessions.
    private static let desk: [Role] = [.operator, .supervisor]
    /// Who look after the sessions of others, and have none.
    private static let supervision: [Role] = [.organisationAdmin, .admin]

    /// Who asks, of which session of theirs or their colleagues, and what.
    private func asked(
        _ request: Request,
        _ context: GatewayContext,
        as roles: [Role] = desk
    ) async throws -> (Principal, SessionID, CommandRequest) {
        let principal = try context.signedIn(as: roles)
        let id: SessionID = try context.id()
        try ledger.rights.requireInReach(.session(id), of: principal)
        let command = try await ledger.command(request, context, by: principal, about: .session(id))
        return (principal, id, command)
    }
}
