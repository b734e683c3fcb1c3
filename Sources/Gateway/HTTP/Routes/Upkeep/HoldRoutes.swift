// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import HTTPTypes
import Hummingbird
import Projections

/// The routes of legal holds, and of the erasure that they block.
struct HoldRoutes: Sendable {
    let ledger: Ledger
    let erasure: Erasure

    func add(to router: Router<GatewayContext>) {
        router.post("/v1/holds", use: place)
        router.get("/v1/holds", use: list)
        router.delete("/v1/holds/:id", use: lift)
        router.post("/v1/persons/:id/erase", use: erase)
    }

    private struct HoldRequest: Decodable {
        /// `person/…`, `session/…` or `incident/…`.
        let scope: Subject
        let reason: String
        let authority: String
    }

    private func place(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let principal = try context.signedIn(as: .supervisor, .organisationAdmin, .admin)
        let request = try await ledger.command(request, context, by: principal)
        let body: HoldRequest = try request.decoded()
        guard let scope = PlaceHold.Scope(body.scope) else {
            throw Problem(
                .malformedRequest,
                detail: "scope is person/…, session/… or incident/… with its id"
            )
        }
        let command = PlaceHold(on: scope, reason: body.reason, authority: body.authority)
        return try await ledger.answer(
            command,
            request,
            about: .holds(principal.organisation),
            status: .created
        ) { ["hold": "\($0)"] }
    }

    private func list(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let principal = try context.signedIn(as: .supervisor, .auditor, .organisationAdmin, .admin)
        try await ledger.awaitLevel(request, of: "registry")
        let holds = try await ledger.readModels.registry.holds(
            active: request.text("all") == nil,
            in: principal.scope
        )
        return try .json(PageBody(items: holds.map(HoldBody.init)))
    }

    /// Lifts a hold for two people: whoever asks, and whoever's token comes in `Daybook-Approver`.
    private func lift(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let principal = try context.signedIn(as: .supervisor, .organisationAdmin, .admin)
        let hold: HoldID = try context.id()
        let approver = try await approver(request, of: principal)
        guard let reason = request.text("reason") else {
            throw Problem(.malformedRequest, detail: "say why in the query: ?reason=…")
        }
        let command = LiftHold(
            hold,
            reason: reason,
            approvedBy: [principal.user, approver?.user].compactMap(\.self)
        )
        let asked = try await ledger.command(request, context, by: principal)
        return try await ledger.answer(command, asked, about: .holds(principal.organisation))
    }

    private func approver(
        _ request: Request,
        of principal: Principal
    ) async throws -> Principal? {
        guard let token = request.headers[.approver] else { return nil }
        let approver = try await ledger.accounts.authenticate(token)
        guard [.supervisor, .organisationAdmin, .admin].contains(approver.role),
            !approver.mustChangePassword,
            approver.seesAllOrganisations || approver.organisation == principal.organisation
        else {
            throw Problem(
                .forbidden,
                detail: "the second person is a supervisor or an admin of the same organisation"
            )
        }
        return approver
    }

    private struct ErasureRequest: Decodable {
        let reason: String
    }

    /// What an erasure did.
    private struct ErasureBody: Encodable {
        let person: PersonID
        let recordingsDeleted: Int
        /// What is still there and is tried again by itself, each with the reason; the key is destroyed all the same.
        let left: [String]
    }

    private func erase(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let principal = try context.signedIn(as: .organisationAdmin, .admin)
        let person: PersonID = try context.id()
        let request = try await ledger.command(request, context, by: principal)
        let asked: ErasureRequest = try request.decoded()
        let command = ErasePerson(
            person,
            by: principal.user,
            within: principal.role == .admin ? .ledger : .organisation,
            reason: asked.reason
        )
        guard try erasure.knows(person) else { throw ErasePerson.Refusal.unknown(person) }
        let reply = try await ledger.answer(command, request, about: .person(person))
        let outcome = await erasure.finishOrOwe(person)
        let body = ErasureBody(
            person: person,
            recordingsDeleted: outcome.recordingsDeleted,
            left: outcome.left
        )
        var answer = try Response.json(body, status: outcome.left.isEmpty ? .ok : .accepted)
        answer.headers[.ledgerPosition] = reply.headers[.ledgerPosition]
        return answer
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

extension HTTPField.Name {
    /// The token of the second person, where two must agree.
    static let approver: Self = {
        guard let name = Self("Daybook-Approver") else {
            preconditionFailure("Daybook-Approver is no header name")
        }
        return name
    }()
}
