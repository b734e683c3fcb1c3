// SPDX-License-Identifier: Apache-2.0
public import Events

/// A phone may see sessions that began before it was registered.
///
/// Who may agree is for the gateway to say, which knows the phones: an older one of the same person, or the owner.
public struct AdmitDevice: Command {
    public let device: DeviceID
    /// To which session; `nil` for all of the person's.
    public let session: SessionID?

    public init(_ device: DeviceID, to session: SessionID?) {
        self.device = device
        self.session = session
    }

    /// Why it was not recorded.
    public enum Refusal: CommandRefusal {
        case unknown(DeviceID)

        public var problem: Problem {
            switch self {
            case .unknown(let device):
                Problem(
                    .notFound,
                    "device-unknown",
                    "agreeing refused: there is no device \(device); check the id",
                    facts: ["device": "\(device)"]
                )
            }
        }
    }

    public var subject: Subject { .device(device) }

    public func read(_ ledger: inout LedgerView) throws -> Device {
        try ledger.read(Device.self, device)
    }

    public func decide(
        _ state: Device,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        guard let person = state.validPerson else { throw .unknown(device) }
        let admitted = DeviceAdmitted(person: person, session: session)
        return .record([.device(device, .admitted(admitted))])
    }
}
