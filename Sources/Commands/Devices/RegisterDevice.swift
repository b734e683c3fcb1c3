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
            case .personErased(let person): .personErased(person, attempt: "registering")
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    public var subject: Subject { .device(device) }

    public func read(_ ledger: inout LedgerView) throws -> (device: Device, person: Person) {
        (try ledger.read(Device.self, device), try ledger.read(Person.self, person))
    }

    public func decide(
        _ state: (device: Device, person: Person),
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
