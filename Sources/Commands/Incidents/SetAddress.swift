// SPDX-License-Identifier: Apache-2.0
public import Events

/// The address of an incident became known, or better known.
///
/// It is sealed for the caller whose session opened the incident.
public struct SetAddress: Command {
    public let incident: IncidentID
    public let address: String
    /// The Open Location Code of the place.
    public let plusCode: String?
    public let source: IncidentAddressSet.Source

    public init(
        _ incident: IncidentID,
        address: String,
        plusCode: String? = nil,
        source: IncidentAddressSet.Source
    ) {
        self.incident = incident
        self.address = address
        self.plusCode = plusCode
        self.source = source
    }

    /// Why the address was not taken.
    public enum Refusal: CommandRefusal {
        case incidentUnknown(IncidentID)
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .incidentUnknown(let id): .incidentUnknown(id, attempt: "setting the address")
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    public var subject: Subject { .incident(incident) }

    public func read(
        _ ledger: inout LedgerView
    ) throws -> (incident: Incident, caller: PersonID?) {
        let state = try ledger.read(Incident.self, incident)
        let caller = try state.sessions.first
            .flatMap { try ledger.glance(Session.self, $0).contact?.caller }
        return (state, caller)
    }

    public func decide(
        _ state: (incident: Incident, caller: PersonID?),
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        try InputFault.check(
            address,
            "address",
            bytesMax: CommandLimits.noteBytesMax,
            else: Refusal.unacceptable
        )
        try InputFault.check(
            optional: plusCode,
            "plusCode",
            bytesMax: CommandLimits.wordBytesMax,
            else: Refusal.unacceptable
        )
        guard state.incident.isOpened, let caller = state.caller else {
            throw .incidentUnknown(incident)
        }
        let set = IncidentAddressSet(
            address: .open(address, of: caller),
            plusCode: plusCode.map { .open($0, of: caller) },
            source: source
        )
        return .record([.incident(incident, .addressSet(set))])
    }
}
