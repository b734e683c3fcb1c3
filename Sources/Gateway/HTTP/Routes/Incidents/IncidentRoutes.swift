// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import HTTPTypes
import Hummingbird
import Projections

/// Incidents: what groups sessions about the same event, its address and its timeline.
struct IncidentRoutes: Sendable {
    let ledger: Ledger

    var routes: [Route] {
        [
            Route(.get, "/v1/incidents", for: .readers, reads: "incident-list", list),
            Route(.get, "/v1/incidents/:id", for: .readers, reads: "incident", show),
            Route(.post, "/v1/incidents/:id/sessions", for: .deskAndAbove, link),
            Route(.put, "/v1/incidents/:id/address", for: .deskAndAbove, setAddress),
            Route(.get, "/v1/incidents/:id/timeline", for: .readers, reads: "timeline", timeline),
        ] + IncidentHandlingRoutes(ledger: ledger).routes
            + IncidentMergingRoutes(ledger: ledger).routes
            + IncidentStreamRoutes(ledger: ledger).routes
    }

    private struct IncidentBody: Encodable {
        let id: IncidentID
        let sessions: [SessionBody]
        /// The incidents that are part of it now; only of one incident, as it is now.
        var merged: [IncidentID]?
        /// Of one incident, for the centre.
        var classification: ClassificationBody?
    }

    /// The incidents of the newest sessions that the reader may read, with `?asOf=` as they were: what once belonged to
    /// one and is private to somebody else by now is left out.
    @Sendable private func list(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let reader = try context.signedIn()
        let filter = try request.deskFilter(for: reader, in: ledger.log)
        let rights = ledger.rights
        let page = try await ledger.sessions(filter, for: reader, request) {
            try rights.admits(reader, to: $0.incident) && rights.admits(reader, to: $0.id)
        }
        let keys = try await ledger.keys(
            toRead: Subject(unchecked: "incidents/\(reader.org)"),
            context,
            fields: ["phone", "address"]
        )
        var order: [IncidentID] = []
        var sessions: [IncidentID: [SessionBody]] = [:]
        for session in page.rows {
            if sessions[session.incident] == nil { order.append(session.incident) }
            let body = try SessionBody(session, openedWith: keys, for: reader.user)
            sessions[session.incident, default: []].append(body)
        }
        let next = page.next.map { "\($0)" }
        let bodies = order.map { IncidentBody(id: $0, sessions: sessions[$0, default: []]) }
        return try .json(PageBody(items: bodies, next: next))
    }

    /// With `?asOf=` as it was, but for the sessions that are private to somebody else by now.
    @Sendable private func show(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let reader = try context.signedIn()
        let point = try request.asOf(in: ledger.log)
        let id = try ledger.incident(named: try context.id(), at: point, for: reader)
        let desk = try await desk(of: id, for: reader, request)
        // What was at `?asOf=` is no ground for a command.
        let revision =
            point == nil ? try ledger.revision(of: .incident(id), shownBy: "operator-desk") : nil
        let merged =
            point == nil ? try ledger.handler.current(MergedIncidents.self, id).incidents : nil
        let keys = try await ledger.keys(
            toRead: .incident(id),
            context,
            fields: ["phone", "address", "note"]
        )
        let sessions = try await desk.sessions(of: CaseReference(id))
        let bodies = try sessions.filter { try ledger.rights.admits(reader, to: $0.id) }
            .map { try SessionBody($0, openedWith: keys, for: reader.user) }
        var body = IncidentBody(id: id, sessions: bodies, merged: merged)
        if reader.person == nil {
            body.classification = try await desk.incident(id).map(ClassificationBody.init)
        }
        return try .json(body, revision: revision)
    }

    private struct LinkBody: Decodable, Sendable {
        let session: SessionID
        let reason: String?
    }

    @Sendable private func link(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let named: IncidentID = try context.id()
        let (id, command) = try await ledger.command(request, context, about: named)
        // Linking opens both to both owners: it takes the right to read what is moved, and where it goes.
        try ledger.rights.requireWhole(named, which: id, for: command.asker)
        let body = try command.decoded(LinkBody.self)
        let link = LinkSession(body.session, to: id, reason: body.reason ?? "same event")
        let right: Right = { rights, asker in
            try rights.requireWhole(named, which: id, for: asker)
            try rights.check(body.session, for: asker.principal)
        }
        return try await ledger.answer(link, command, if: right, about: .incident(id))
    }

    private struct AddressBody: Decodable {
        let address: String
        let plusCode: String?
        let source: IncidentAddressSet.Source?
    }

    @Sendable private func setAddress(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let named: IncidentID = try context.id()
        let (id, command) = try await ledger.command(request, context, about: named)
        let right: Right = { try $0.requireWriter(named, which: id, $1) }
        try right(ledger.rights, command.asker)
        let body = try command.decoded(AddressBody.self)
        let address = SetAddress(
            id,
            address: body.address,
            plusCode: body.plusCode,
            source: body.source ?? .operator
        )
        return try await ledger.answer(address, command, if: right)
    }

    /// `?asOf=` takes a position or a time; today's rights and keys apply.
    @Sendable private func timeline(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let reader = try context.signedIn()
        let point = try request.asOf(in: ledger.log)
        let id = try ledger.incident(named: try context.id(), at: point, for: reader)
        return try await ledger.timeline(of: CaseReference(id), .incident(id), request, context)
    }

    /// The read model, or tables as they were at `?asOf=`.
    private func desk(
        of id: IncidentID,
        for reader: Principal,
        _ request: Request
    ) async throws -> OperatorDesk {
        if let point = try request.asOf(in: ledger.log) {
            return try await ledger.asOf(for: reader)
                .operatorDesk(of: CaseReference(id), at: point)
        }
        try await ledger.awaitLevel(request, of: "operator-desk")
        return ledger.readModels.desk
    }
}

extension Ledger {
    /// The timeline of a case that the reader may read, now or at `?asOf=`.
    ///
    /// It shows the entries that the feed shows the same reader: what once belonged to the case and is private to somebody
    /// else by now is left out, and so is what only the desk reads.
    func timeline(
        of reference: CaseReference,
        _ subject: Subject,
        _ request: Request,
        _ context: GatewayContext
    ) async throws -> Response {
        let reader = try context.signedIn()
        let limit = try request.number("limit", default: 1_000, in: 1...10_000)
        let after = try request.cursor("after", in: log)?.position
        let timeline = try await timeline(of: reference, for: reader, request)
        let keys = try await keys(toRead: subject, context, fields: ["summary"])
        let feed = FeedRights(reader: reader, rights: rights)
        var known: [Subject: Bool] = [:]
        let page = try await FullPage(limit, after: after, at: \.position, weighing: \.bytes) {
            after,
            count in
            try await timeline.timeline(of: reference, after: after, limit: count)
        } admitting: { entry in
            try feed.admits(rowOf: entry.subject, entry.kind, at: entry.position, known: &known)
        }
        return try .list(page, at: \.position) {
            try TimelineEntryBody($0, keys, isForCaller: reader.person != nil)
        }
    }

    /// The read model, or tables as they were at `?asOf=`.
    private func timeline(
        of reference: CaseReference,
        for reader: Principal,
        _ request: Request
    ) async throws -> IncidentTimeline {
        if let point = try request.asOf(in: log) {
            return try await asOf(for: reader).timeline(of: reference, at: point)
        }
        try await awaitLevel(request, of: "incident-timeline")
        return readModels.timeline
    }

    /// What an id of an incident means: itself, what it was merged into, or for the id of a session its present
    /// incident (ruling 17).
    ///
    /// - Parameters:
    ///   - id: As a client knows it.
    ///   - point: What it meant then; `nil` for now. A session's incident is today's in any case.
    /// - Returns: One that was opened.
    /// - Throws: ``ReadingRights/Refusal`` if there is no such thing.
    func incident(named id: IncidentID, at point: AsOf.Point? = nil) throws -> IncidentID {
        if let point, try handler.current(Incident.self, id).isOpened {
            return try Incident.present(id) { try incident($0, at: point) }.id
        }
        guard let incident = try rights.incident(named: id) else {
            throw ReadingRights.Refusal.unknown(.incident(id))
        }
        return incident
    }

    /// The same for who may read it: refused is the id that was named, whatever it means.
    func incident(
        named id: IncidentID,
        at point: AsOf.Point? = nil,
        for reader: Principal
    ) throws -> IncidentID {
        let present = try incident(named: id, at: point)
        try ReadingRights.Refusal.about(.incident(id)) {
            try rights.check(present, for: reader)
        }
        return present
    }

    /// An incident as it was; its own subject has a few events for each session.
    private func incident(_ id: IncidentID, at point: AsOf.Point) throws -> Incident {
        var incident = Incident(id)
        var next = Revision(0)
        while true {
            let page = try log.entries(of: .incident(id), from: next)
            for entry in page where point.includes(entry.envelope) {
                incident.apply(try EventDecoder().decode(entry))
            }
            guard let last = page.last, point.includes(last.envelope) else { return incident }
            next = last.envelope.revision.next
        }
    }
}
