// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Hummingbird

/// Two operators find that their sessions are one event: one proposes, the other answers (ruling 36).
struct LinkProposalRoutes: Sendable {
    let ledger: Ledger

    var routes: [Route] {
        [
            Route(.post, "/v1/sessions/:id/link-proposals", for: .desk, propose),
            Route(.post, "/v1/sessions/:id/link-proposals/answer", for: .desk, answer),
        ]
    }

    private struct ProposingBody: Decodable {
        /// The other's session.
        let with: SessionID
    }

    private struct ProposedBody: Encodable {
        /// Until when the other may answer; absent where both are one incident already, for the other had proposed it, too.
        var expiresAt: Timestamp?
        var incident: IncidentID?
    }

    @Sendable private func propose(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let (asker, id, command) = try await asked(request, context)
        let body = try command.decoded(ProposingBody.self)
        try ledger.rights.requireInReach(.session(body.with), of: asker)
        let propose = ProposeLink(id, with: body.with, by: try asker.requireUser())
        return try await ledger.answer(
            propose,
            command,
            about: .session(id),
            status: .created
        ) { outcome in
            switch outcome {
            case .asked(let until): ProposedBody(expiresAt: until)
            case .linked(let incident): ProposedBody(incident: incident)
            }
        }
    }

    private struct AnswerBody: Decodable {
        /// The proposer's session.
        let from: SessionID
        let answer: AnswerOffer.Answer
    }

    @Sendable private func answer(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let (asker, id, command) = try await asked(request, context)
        let body = try command.decoded(AnswerBody.self)
        try ledger.rights.requireInReach(.session(body.from), of: asker)
        let user = try asker.requireUser()
        let answer = AnswerLinkProposal(id, from: body.from, by: user, body.answer)
        return try await ledger.answer(answer, command)
    }

    private func asked(
        _ request: Request,
        _ context: GatewayContext
    ) async throws -> (Asker, SessionID, CommandRequest) {
        let id: SessionID = try context.id()
        let command = try await ledger.command(
            request,
            context,
            about: .session(id)
        )
        try ledger.rights.requireInReach(.session(id), of: command.asker)
        return (command.asker, id, command)
    }
}
