// SPDX-License-Identifier: Apache-2.0
public import Events

/// Writes something down about an incident, for the centre alone; nothing that was written is changed.
///
/// It is sealed for the caller of the session of which it speaks. Who may ask is for the gateway to say: who has a session
/// of the incident, and those who supervise.
public struct AddNote: Command {
    public let incident: IncidentID
    /// Of whose contact it speaks.
    public let session: SessionID
    public let text: String

    /// The note.
    public typealias Outcome = NoteID

    public init(_ text: String, to incident: IncidentID, about session: SessionID) {
        self.incident = incident
        self.session = session
        self.text = text
    }

    /// Why it was not written down.
    public enum Refusal: CommandRefusal {
        case incidentUnknown(IncidentID)
        case merged(IncidentID, into: IncidentID)
        case sessionElsewhere(SessionID)
        case personErased(SessionID)
        case full(IncidentID)
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .incidentUnknown(let id): .incidentUnknown(id, attempt: "adding a note")
            case .merged(let id, let into):
                .incidentMerged(id, into: into, attempt: "adding a note")
            case .sessionElsewhere(let session):
                Problem(
                    .conflict,
                    "session-not-linked",
                    "adding a note refused: session \(session) does not belong to the incident; "
                        + "name one that does",
                    facts: ["session": "\(session)"]
                )
            case .personErased(let session):
                Problem(
                    .gone,
                    "person-erased",
                    "adding a note refused: the caller of session \(session) was erased, and "
                        + "nothing is written of them any more; name another session",
                    facts: ["session": "\(session)"]
                )
            case .full(let id):
                Problem(
                    .conflict,
                    "incident-notes-exhausted",
                    "adding a note refused: incident \(id) has "
                        + "\(CommandLimits.notesPerIncidentMax) notes, as many as are taken; "
                        + "say the rest when you close the session",
                    facts: ["incident": "\(id)"]
                )
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    public var subject: Subject { .incident(incident) }

    public func read(
        _ ledger: inout LedgerView
    ) throws -> (incident: Incident, membership: Membership, caller: Person?) {
        let caller = try ledger.glance(Session.self, session).contact?.caller
        return (
            try ledger.read(Incident.self, incident),
            try ledger.read(Membership.self, session),
            try caller.map { try ledger.read(Person.self, $0) }
        )
    }

    public func decide(
        _ state: (incident: Incident, membership: Membership, caller: Person?),
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<NoteID> {
        try InputFault.check(
            text,
            "text",
            bytesMax: CommandLimits.noteBytesMax,
            else: Refusal.unacceptable
        )
        guard state.incident.isOpened else { throw .incidentUnknown(incident) }
        if let merger = state.incident.merger { throw .merged(incident, into: merger.into) }
        guard let caller = state.caller, state.membership.incident == incident else {
            throw .sessionElsewhere(session)
        }
        guard !caller.isErased else { throw .personErased(session) }
        guard state.incident.notes < CommandLimits.notesPerIncidentMax else {
            throw .full(incident)
        }
        let added = IncidentNoteAdded(
            note: context.newID(),
            session: session,
            text: .open(text, of: caller.id)
        )
        return .record([.incident(incident, .noteAdded(added))])
    }

    public func outcome(of recorded: [Write]) -> NoteID? {
        recorded.first(IncidentNoteAdded.self)?.payload.note
    }
}
