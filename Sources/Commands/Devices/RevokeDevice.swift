// SPDX-License-Identifier: Apache-2.0
public import Events

/// A device's token is void from now on, and so is the code of one that is not registered yet.
public struct RevokeDevice: Command {
    public let device: DeviceID
    public let reason: String

    public init(_ device: DeviceID, reason: String) {
        self.device = device
        self.reason = reason
    }

    /// Why it was not revoked.
    public enum Refusal: CommandRefusal {
        case unknown(DeviceID)
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .unknown(let device):
                Problem(
                    .notFound,
                    "device-unknown",
                    "revoking refused: there is no device \(device); check the id",
                    facts: ["device": "\(device)"]
                )
            case .unacceptable(let fault): fault.problem
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
        try InputFault.check(
            reason,
            "reason",
            bytesMax: CommandLimits.noteBytesMax,
            else: Refusal.unacceptable
        )
        guard let person = state.person ?? state.codeOwner else { throw .unknown(device) }
        guard !state.isRevoked else { return .already(()) }
        return .record([.device(device, .revoked(DeviceRevoked(person: person, reason: reason)))])
    }
}
