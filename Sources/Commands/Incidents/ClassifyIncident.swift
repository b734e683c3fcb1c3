// SPDX-License-Identifier: Apache-2.0
public import Events

/// Says what an incident is, and how urgent; what was said before stays in the log.
///
/// Who may ask is for the gateway to say: who has a session of the incident, and those who supervise.
public struct ClassifyIncident: Command {
    public let incident: IncidentID
    /// The centre's word for it: no sentence, and nobody's name.
    public let type: String
    /// 1 is the most urgent, 5 the least.
    public let priority: Int

    public init(_ incident: IncidentID, as type: String, priority: Int) {
        self.incident = incident
        self.type = type
        self.priority = priority
    }

    /// Why it was not classified.
    public enum Refusal: CommandRefusal {
        case incidentUnknown(IncidentID)
        case merged(IncidentID, into: IncidentID)
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .incidentUnknown(let id): .incidentUnknown(id, attempt: "classifying")
            case .merged(let id, let into): .incidentMerged(id, into: into, attempt: "classifying")
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    public var subject: Subject { .incident(incident) }

    public func read(_ ledger: inout LedgerView) throws -> Incident {
        try ledger.read(Incident.self, incident)
    }

    public func decide(
        _ state: Incident,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        try checkInput()
        guard let before = state.classification else { throw .incidentUnknown(incident) }
        if let merger = state.merger { throw .merged(incident, into: merger.into) }
        guard before.type != type || before.priority != priority else { return .already(()) }
        let classified = IncidentClassified(
            type: type,
            priority: priority,
            typeBefore: before.type,
            priorityBefore: before.priority
        )
        return .record([.incident(incident, .classified(classified))])
    }

    private func checkInput() throws(Refusal) {
        try InputFault.check(
            type,
            "type",
            bytesMax: CommandLimits.wordBytesMax,
            else: Refusal.unacceptable
        )
        let isWord = type.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        }
        try InputFault.check(
            isWord,
            "type",
            type,
            allowed: "a word of the letters a to z, digits, - and _",
            else: Refusal.unacceptable
        )
        try InputFault.check(
            Incident.priorities.contains(priority),
            "priority",
            priority,
            allowed: "1, the most urgent, to 5, the least",
            else: Refusal.unacceptable
        )
    }
}
