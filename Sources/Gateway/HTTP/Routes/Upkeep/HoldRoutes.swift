// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import HTTPTypes
import Hummingbird
import Projections

/// The routes of legal holds.
struct HoldRoutes: Sendable {
    let ledger: Ledger

    var routes: [Route] {
        [
            Route(.post, "/v1/holds", for: .supervision, place),
            Route(
                .get,
                "/v1/holds",
                for: .overseers,
                list
            ),
            Route(.post, "/v1/holds/:id/lift", for: .supervision, lift),
        ]
    }

    private struct HoldRequest: Decodable {
        /// `person/…`, `session/…`, `incident/…` or `camera/…`.
        let scope: Subject
        let reason: String
        let authority: String
    }

    private func place(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let request = try await ledger.command(
            request,
            context
        )
        let body: HoldRequest = try request.decoded()
        guard let scope = PlaceHold.Scope(body.scope) else {
            throw Problem(
                .malformedRequest,
                detail: "scope is person/…, session/…, incident/… or camera/… with its id"
            )
        }
        let command = PlaceHold(on: scope, reason: body.reason, authority: body.authority)
        return try await ledger.answer(
            command,
            request,
            about: .holds(request.asker.organisation),
            status: .created
        ) { ["hold": "\($0)"] }
    }

    private func list(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let principal = try context.signedIn()
        try await ledger.awaitLevel(request, of: "registry")
        let holds = try await ledger.readModels.registry.holds(
            active: request.text("all") == nil,
            in: principal.scope
        )
        return try .json(PageBody(items: holds.map(HoldBody.init)))
    }

    private struct LiftRequest: Decodable {
        let reason: String
        let approver: Approval
    }

    /// Lifts a hold for two people: whoever asks, and whoever signs in for it in the same request.
    private func lift(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let hold: HoldID = try context.id()
        let origin = SignInOrigin(request, context)
        let request = try await ledger.command(
            request,
            context,
            content: .secret
        )
        let asker = request.asker
        let body: LiftRequest = try request.decoded()
        let approver = try await ledger.approver(
            body.approver,
            of: asker.principal,
            from: origin
        )
        let command = LiftHold(
            hold,
            reason: body.reason,
            approvedBy: [asker.user, approver].compactMap(\.self)
        )
        return try await ledger.answer(command, request, about: .holds(asker.organisation))
    }
}

extension PlaceHold.Scope {
    /// Reads a subject; `nil` for one that cannot be held.
    init?(_ subject: Subject) {
        let name = String(subject.name)
        switch subject.category {
        case "person":
            guard let id = PersonID(name) else { return nil }
            self = .person(id)
        case "session":
            guard let id = SessionID(name) else { return nil }
            self = .session(id)
        case "incident":
            guard let id = IncidentID(name) else { return nil }
            self = .incident(id)
        case "camera":
            guard let id = CameraID(name) else { return nil }
            self = .camera(id)
        default: return nil
        }
    }
}

/// A hold as the interface shows it.
private struct HoldBody: Encodable {
    let id: HoldID
    let scope: Subject
    let reason: String
    let authority: String
    let placedAt: Timestamp
    let placedBy: Actor
    let liftedAt: Timestamp?
    let liftReason: String?

    init(_ hold: LegalHold) {
        id = hold.id
        scope = hold.scope
        reason = hold.reason
        authority = hold.authority
        placedAt = hold.placedAt
        placedBy = hold.placedBy
        liftedAt = hold.liftedAt
        liftReason = hold.liftReason
    }
}
