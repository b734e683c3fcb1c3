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

    var routes: [Route] {
        [
            Route(.post, "/v1/incidents/:id/unlink", for: .deskAndAbove, unlink),
            Route(.post, "/v1/incidents/:id/merge", for: .deskAndAbove, merge),
            Route(.post, "/v1/incidents/:id/unmerge", for: .deskAndAbove, unmerge),
        ]
    }

    private struct UnlinkBody: Decodable, Sendable {
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
        let (named, id, command) = try await asked(request, context)
        try ReadingRights.Refusal.about(.incident(named)) {
            try ledger.rights.requireInReach(.incident(id), of: command.asker)
        }
        let body = try command.decoded(UnlinkBody.self)
        let unlink = UnlinkSession(
            body.session,
            from: id,
            reason: body.reason ?? "another event"
        )
        let right: Right = { rights, asker in
            try rights.requireInReach(.session(body.session), of: asker)
            let owner = try rights.states.current(Session.self, body.session).owner
            guard owner == nil || owner != asker.user else { return }
            // Whoever may not read what they named hears of that, not of the incident, which may be their own.
            try rights.check(body.session, for: asker.principal)
            try rights.requireWhole(named, which: id, for: asker)
        }
        return try await ledger.answer(unlink, command, if: right) { PlaceBody(incident: $0) }
    }

    private struct OtherBody: Decodable, Sendable {
        let incident: IncidentID
        let reason: String?
    }

    /// Merging opens the sessions of both to the owners of both: it takes the right to read both, as linking a session
    /// does.
    @Sendable private func merge(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let (named, id, command) = try await asked(request, context)
        let whole: Right = { try $0.requireWhole(named, which: id, for: $1) }
        try whole(ledger.rights, command.asker)
        let body = try command.decoded(OtherBody.self)
        let merge = MergeIncidents(
            body.incident,
            into: id,
            reason: body.reason ?? "same event"
        )
        let both: Right = { rights, asker in
            try whole(rights, asker)
            try rights.check(body.incident, for: asker.principal, whole: true)
        }
        return try await ledger.answer(merge, command, if: both)
    }

    @Sendable private func unmerge(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let (named, id, command) = try await asked(request, context)
        let whole: Right = { try $0.requireWhole(named, which: id, for: $1) }
        try whole(ledger.rights, command.asker)
        let body = try command.decoded(OtherBody.self)
        try ledger.rights.requireInReach(.incident(body.incident), of: command.asker)
        let unmerge = UnmergeIncident(
            body.incident,
            from: id,
            reason: body.reason ?? "another event"
        )
        return try await ledger.answer(unmerge, command, if: whole)
    }

    /// The incident that the path names, what that means now, and what is asked.
    private func asked(_ request: Request, _ context: GatewayContext) async throws
        -> (named: IncidentID, incident: IncidentID, command: CommandRequest)
    {
        let named: IncidentID = try context.id()
        let (id, command) = try await ledger.command(request, context, about: named)
        return (named, id, command)
    }
}

extension Ledger {
    /// What the desk, or who looks after it, asks of an incident, and which that is by now.
    ///
    /// - Throws: ``ReadingRights/Refusal/unknown(_:)`` if there is no such thing; nothing else of who may ask.
    func command(
        _ request: Request,
        _ context: GatewayContext,
        about named: IncidentID
    ) async throws -> (IncidentID, CommandRequest) {
        let id = try rights.incident(named: named)
        let command = try await command(
            request,
            context,
            about: .incident(id ?? named)
        )
        guard let id else { throw ReadingRights.Refusal.unknown(.incident(named)) }
        return (id, command)
    }
}
