// SPDX-License-Identifier: Apache-2.0
public import Events

/// A device's owner wants to be told by Web Push when the centre asks; ends an older subscription of the device.
public struct SubscribePush: Command {
    public let device: DeviceID
    public let subscription: PushSubscriptionID
    /// The SHA-256 of the address, which is a secret of the person.
    public let endpoint: SHA256Digest

    public init(_ device: DeviceID, by subscription: PushSubscriptionID, endpoint: SHA256Digest) {
        self.device = device
        self.subscription = subscription
        self.endpoint = endpoint
    }

    /// The subscription, as it is recorded.
    public typealias Outcome = PushSubscriptionID
    public typealias Refusal = PushSubscriptionRefusal

    public var subject: Subject { .device(device) }

    public func read(_ ledger: inout LedgerView) throws -> Device {
        try ledger.read(Device.self, device)
    }

    public func decide(
        _ state: Device,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Outcome> {
        guard let person = state.validPerson else { throw .notRegistered(device) }
        let subscribed = PushSubscribed(
            subscription: subscription,
            person: person,
            endpoint: .open(endpoint, of: person)
        )
        return .record([.device(device, .pushSubscribed(subscribed))])
    }

    public func outcome(of recorded: [Write]) -> Outcome? {
        recorded.first(PushSubscribed.self)?.payload.subscription
    }
}

/// Why a subscription was not changed.
public enum PushSubscriptionRefusal: CommandRefusal {
    case notRegistered(DeviceID)

    public var problem: Problem {
        switch self {
        case .notRegistered(let device):
            Problem(
                .notFound,
                "device-not-registered",
                "changing a push subscription refused: device \(device) is not registered, or not "
                    + "any more; register it first",
                facts: ["device": "\(device)"]
            )
        }
    }
}
