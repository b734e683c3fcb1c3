// SPDX-License-Identifier: Apache-2.0
public import Events

/// A device proved its phone number (ruling 24); the person's key must exist before.
public struct RegisterDevice: Command {
    public let device: DeviceID
    /// Who owns the number.
    public let person: PersonID
    public let phone: PhoneNumber
    public let verification: DeviceRegistered.Verification
    /// Who gave out the one-time code.
    public let codeGivenBy: UserID?
    /// The device's own key, base64, if it has one.
    public let publicKey: String?

    public init(
        _ device: DeviceID,
        of person: PersonID,
        phone: PhoneNumber,
        verification: DeviceRegistered.Verification,
        codeGivenBy: UserID? = nil,
        publicKey: String? = nil
    ) {
        self.device = device
        self.person = person
        self.phone = phone
        self.verification = verification
        self.codeGivenBy = codeGivenBy
        self.publicKey = publicKey
    }

    /// Why it was not registered.
    public enum Refusal: CommandRefusal {
        case exists(DeviceID)
        /// Another operator has the session that the code lets the phone into.
        case codeOver(DeviceID)
        case personErased(PersonID)
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .exists(let device):
                Problem(
                    .conflict,
                    "device-exists",
                    "registering refused: device \(device) is registered; register as a new one",
                    facts: ["device": "\(device)"]
                )
            case .codeOver(let device):
                Problem(
                    .gone,
                    "device-code-over",
                    "registering refused: another operator has the session for which the code was "
                        + "given; ask that one for a new code",
                    facts: ["device": "\(device)"]
                )
            case .personErased(let person): .personErased(person, attempt: "registering")
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    public var subject: Subject { .device(device) }

    /// What the decision goes by.
    public struct State {
        let device: Device
        let person: Person
        /// The sessions into which the code lets the phone.
        let sessions: [Session]
    }

    public func read(_ ledger: inout LedgerView) throws -> State {
        let known = try ledger.read(Device.self, device)
        return State(
            device: known,
            person: try ledger.read(Person.self, person),
            sessions: try known.admissions.keys.map { try ledger.read(Session.self, $0) }
        )
    }

    public func decide(
        _ state: State,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        try InputFault.check(
            optional: publicKey,
            "publicKey",
            bytesMax: CommandLimits.noteBytesMax,
            else: Refusal.unacceptable
        )
        try InputFault.check(
            verification != .operatorCode || codeGivenBy != nil,
            "codeGivenBy",
            "nobody",
            allowed: "the operator who gave the code",
            else: Refusal.unacceptable
        )
        guard state.device.person == nil else { throw .exists(device) }
        guard !state.person.isErased else { throw .personErased(person) }
        // Who claimed a session since need not trust whom another let in (decision 0052).
        if let giver = state.device.codeGiver,
            state.sessions.contains(where: { !$0.isGood(giver) })
        {
            throw .codeOver(device)
        }
        let registered = DeviceRegistered(
            person: person,
            phone: .open(phone, of: person),
            verification: verification,
            codeGivenBy: codeGivenBy,
            publicKey: publicKey
        )
        return .record([.device(device, .registered(registered))])
    }
}
