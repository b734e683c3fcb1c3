// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import HTTPTypes
import Hummingbird

/// Which sessions and incidents are the same event: unlinking, merging, and taking out again.
///
/// All of it may be undone, and nothing is rewritten: the id of an incident that was merged goes on to mean something.
struct IncidentMergingRoutes: Sendable {
    let ledger: Ledger

    func add(to router: Router<GatewayContext>) {
        router.post("/v1/incidents/:id/unlink", use: unlink)
        router.post("/v1/incidents/:id/merge", use: merge)
        router.post("/v1/incidents/:id/unmerge", use: unmerge)
    }

    private struct UnlinkBody: Decodable {
        let session: SessionID
        let reason: String?
    }

    private struct PlaceBody: Encodable {
        /// Where the session belongs now.
        let incident: IncidentID
    }

    /// Takes a session out: who may read the whole incident does, and the session's owner, who may be kept from it by
    /// what is private to others there.
    @Sendable private func unlink(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let asker = try Self.asker(context)
        let id = try incident(context, inReachOf: asker)
        let command = try await ledger.command(request, context, by: asker, about: .incident(id))
        let body = try command.decoded(UnlinkBody.self)
        try ledger.rights.requireInReach(.session(body.session), of: asker)
        let owner = try ledger.handler.current(Session.self, body.session).owner
        if owner == nil || owner != asker.user {
            // Whoever may not read what they named hears of that, not of the incident, which may be their own.
            try ledger.rights.check(body.session, for: asker)
            _ = try ledger.incident(named: try context.id(), for: asker, whole: true)
        }
        let unlink = UnlinkSession(
            body.session,
            from: id,
            reason: body.reason ?? "another event"
        )
        return try await ledger.answer(unlink, command) { PlaceBody(incident: $0) }
    }

    private struct OtherBody: Decodable {
        let incident: IncidentID
        let reason: String?
    }

    /// Merging opens the sessions of both to the owners of both: it takes the right to read both, as linking a session
    /// does.
    @Sendable private func merge(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let (asker, id, command) = try await asked(request, context)
        let body = try command.decoded(OtherBody.self)
        try ledger.rights.check(body.incident, for: asker, whole: true)
        let merge = MergeIncidents(
            body.incident,
            into: id,
            reason: body.reason ?? "same event"
        )
        return try await ledger.answer(merge, command)
    }

    @Sendable private func unmerge(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let (asker, id, command) = try await asked(request, context)
        let body = try command.decoded(OtherBody.self)
        try ledger.rights.requireInReach(.incident(body.incident), of: asker)
        let unmerge = UnmergeIncident(
            body.incident,
            from: id,
            reason: body.reason ?? "another event"
        )
        return try await ledger.answer(unmerge, command)
    }

    /// Who asks and may read it, the incident that the path means now, and what is asked.
    private func asked(_ request: Request, _ context: GatewayContext) async throws
        -> (asker: Principal, incident: IncidentID, command: CommandRequest)
    {
        let asker = try Self.asker(context)
        let id = try ledger.incident(named: try context.id(), for: asker, whole: true)
        let command = try await ledger.command(request, context, by: asker, about: .incident(id))
        return (asker, id, command)
    }

    private static func asker(_ context: GatewayContext) throws -> Principal {
        try context.signedIn(as: .operator, .supervisor, .organisationAdmin, .admin)
    }

    /// The incident that the path means now, of the asker's organisation.
    private func incident(
        _ context: GatewayContext,
        inReachOf asker: Principal
    ) throws -> IncidentID {
        let named: IncidentID = try context.id()
        let id = try ledger.incident(named: named)
        try ReadingRights.Refusal.about(.incident(named)) {
            try ledger.rights.requireInReach(.incident(id), of: asker)
        }
        return id
    }
}
