// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Hummingbird
import Projections

/// What the centre writes for itself about an incident: what it is, how urgent, and notes.
struct IncidentHandlingRoutes: Sendable {
    let ledger: Ledger

    var routes: [Route] {
        [
            Route(.put, "/v1/incidents/:id/classification", for: .deskAndAbove, classify),
            Route(
                .get,
                "/v1/incidents/:id/notes",
                for: .readersOfTheCentre,
                reads: "incident-notes",
                notes
            ),
            Route(.post, "/v1/incidents/:id/notes", for: .deskAndAbove, addNote),
        ]
    }

    private struct ClassifyingBody: Decodable {
        let type: String
        let priority: Int
    }

    @Sendable private func classify(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let (id, command, right) = try await asked(request, context)
        let body = try command.decoded(ClassifyingBody.self)
        let classify = ClassifyIncident(id, as: body.type, priority: body.priority)
        return try await ledger.answer(classify, command, if: right)
    }

    private struct WritingBody: Decodable {
        let text: String
        /// Of whose contact it speaks; the first session of the incident that the writer may read, where none is named.
        let session: SessionID?
    }

    private struct WrittenBody: Encodable {
        let note: NoteID
    }

    @Sendable private func addNote(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let (id, command, right) = try await asked(request, context)
        let body = try command.decoded(WritingBody.self)
        let session = try body.session ?? session(of: id, for: command.asker.principal)
        let both: Right = { rights, asker in
            try right(rights, asker)
            try rights.check(session, for: asker.principal)
        }
        return try await ledger.answer(
            AddNote(body.text, to: id, about: session),
            command,
            if: both,
            status: .created
        ) { WrittenBody(note: $0) }
    }

    /// The writer's own session of an incident, or the first that the writer may read.
    private func session(of incident: IncidentID, for writer: Principal) throws -> SessionID {
        let sessions = try ledger.rights.sessions(of: incident)
        let own = try sessions.first {
            try ledger.handler.current(Session.self, $0).owner == writer.user
        }
        let readable = try own ?? sessions.first { try ledger.rights.admits(writer, to: $0) }
        guard let readable else { throw ReadingRights.Refusal.role(.incident(incident)) }
        return readable
    }

    /// What was written down about an incident and all that is part of it now, oldest first; what speaks of a session that is
    /// private to somebody else is left out.
    @Sendable private func notes(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let reader = try context.signedIn()
        guard reader.person == nil else {
            throw Problem(.forbidden, detail: "notes are the centre's own")
        }
        let id = try ledger.incident(named: try context.id(), for: reader)
        let limit = try request.number("limit", default: 100, in: 1...1_000)
        let after = try request.cursor("after", in: ledger.log)?.position
        try await ledger.awaitLevel(request, of: "operator-desk")
        let keys = try await ledger.keys(toRead: .incident(id), context, fields: ["text"])
        let (rights, parts) = (ledger.rights, try ledger.rights.parts(of: id))
        var known: [SessionID: Bool] = [:]
        let page = try await FullPage(limit, after: after, at: \.position) { after, count in
            try await ledger.readModels.desk.notes(of: parts, after: after, limit: count)
        } admitting: { note in
            let isRead = try known[note.session] ?? rights.admits(reader, to: note.session)
            known[note.session] = isRead
            return isRead
        }
        return try .list(page, at: \.position) { try NoteBody($0, keys) }
    }

    /// What is asked of an incident, which that is by now, and that whoever asks may write about it.
    private func asked(
        _ request: Request,
        _ context: GatewayContext
    ) async throws -> (IncidentID, CommandRequest, Right) {
        let named: IncidentID = try context.id()
        let (id, command) = try await ledger.command(request, context, about: named)
        let right: Right = { try $0.requireWriter(named, which: id, $1) }
        try right(ledger.rights, command.asker)
        return (id, command, right)
    }
}

extension ReadingRights {
    /// An incident, and every one that is part of it now, on whichever way.
    fileprivate func parts(of incident: IncidentID) throws -> [IncidentID] {
        var parts = [incident]
        var seen = 0
        while seen < parts.count {
            let merged = try states.current(MergedIncidents.self, parts[seen]).incidents
            parts += merged.filter { !parts.contains($0) }
            seen += 1
        }
        return parts
    }
}

/// What an incident is taken for.
struct ClassificationBody: Encodable {
    let type: String
    let priority: Int
    /// Absent while nobody of the centre said so.
    let by: Actor?
    let at: Timestamp?

    init(_ incident: DeskIncident) {
        type = incident.type
        priority = incident.priority
        by = incident.classifiedBy
        at = incident.classifiedAt
    }
}

/// What somebody wrote down about an incident.
struct NoteBody: Encodable {
    let id: NoteID
    let position: String
    let session: SessionID
    let by: Actor
    let at: Timestamp
    /// Absent when erased.
    let text: String?

    init(_ note: DeskNote, _ keys: ReadingKeys) throws {
        id = note.id
        position = "\(note.position)"
        session = note.session
        by = note.by
        at = note.at
        text = try note.text.opened(with: keys).value
    }
}
