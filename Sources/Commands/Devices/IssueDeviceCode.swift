// SPDX-License-Identifier: Apache-2.0
public import Events

/// Somebody is given a code for registering a phone (ruling 39); the person's key must exist before, or
/// the person be a newcomer.
///
/// Who has an open session of the number is asked, or a supervisor: whoever gets the code speaks as its caller.
public struct IssueDeviceCode: Command {
    /// The device that the code will register.
    public let device: DeviceID
    /// Who owns the number.
    public let person: PersonID
    public let phone: PhoneNumber
    /// Who gives the code; `nil` for a code that goes to the number itself.
    public let by: Staff?
    public let reason: String
    public let expires: Timestamp

    public init(
        _ device: DeviceID,
        of person: PersonID,
        phone: PhoneNumber,
        by staff: Staff?,
        reason: String,
        expires: Timestamp
    ) {
        self.device = device
        self.person = person
        self.phone = phone
        by = staff
        self.reason = reason
        self.expires = expires
    }

    /// The open session of the number, if it is the asker's: the new phone goes on in it.
    public typealias Outcome = SessionID?

    /// Why there is no code.
    public enum Refusal: CommandRefusal {
        case othersSession(owner: UserID)
        case personErased(PersonID)
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            // Who named a number is told whom to ask, and not which of the private sessions is that number's.
            case .othersSession(let owner):
                Problem(
                    .forbidden,
                    "number-in-others-session",
                    "giving a code refused: user \(owner) has an open session of this number; "
                        + "ask the owner or a supervisor to give it",
                    facts: ["owner": "\(owner)"]
                )
            case .personErased(let person): .personErased(person, attempt: "giving a code")
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    public var subject: Subject { .person(person) }

    public func read(_ ledger: inout LedgerView) throws -> (person: Person, open: Session?) {
        let open = try ledger.read(Caller.self, person).openSession
        return (
            try ledger.read(Person.self, person),
            try open.map { try ledger.read(Session.self, $0) }
        )
    }

    public func decide(
        _ state: (person: Person, open: Session?),
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Outcome> {
        try InputFault.check(
            reason,
            "reason",
            bytesMax: CommandLimits.noteBytesMax,
            else: Refusal.unacceptable
        )
        guard !state.person.isErased else { throw .personErased(person) }
        let open = state.open.flatMap { $0.isOpen(at: context.now) ? $0 : nil }
        // Who has the number in their hands needs nobody's word.
        if let by, let owner = open?.owner, owner != by.user, by.role != .supervisor {
            throw .othersSession(owner: owner)
        }
        let issued = DeviceCodeIssued(
            person: person,
            phone: .open(phone, of: person),
            by: by?.user,
            reason: .open(reason, of: person),
            expires: expires
        )
        var writes = [Write.device(device, .codeIssued(issued))]
        if let open, let by, open.owner == by.user {
            let admitted = DeviceAdmitted(person: person, session: open.id)
            writes.append(.device(device, .admitted(admitted)))
        }
        return .record(writes)
    }

    public func outcome(of recorded: [Write]) -> Outcome? {
        .some(recorded.first(DeviceAdmitted.self)?.payload.session)
    }
}
