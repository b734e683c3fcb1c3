// SPDX-License-Identifier: Apache-2.0
public import Events

/// Pushes no longer reach a device: its owner wants none, or the push service does not know it any more.
public struct EndPush: Command {
    public let device: DeviceID
    public let cause: Cause

    /// Why it ends.
    public enum Cause: Hashable, Sendable {
        /// The owner's wish, whatever the subscription.
        case asked
        /// The push service answered 404 or 410 for this subscription; a newer one stays.
        case expired(PushSubscriptionID, status: Int)
    }

    public init(on device: DeviceID, _ cause: Cause) {
        self.device = device
        self.cause = cause
    }

    public typealias Refusal = PushSubscriptionRefusal

    public var subject: Subject { .device(device) }

    public func read(_ ledger: inout LedgerView) throws -> Device {
        try ledger.read(Device.self, device)
    }

    public func decide(
        _ state: Device,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        guard let person = state.person else { throw .notRegistered(device) }
        guard let push = state.push else { return .already(()) }
        switch cause {
        case .asked:
            let ended = PushUnsubscribed(subscription: push, person: person)
            return .record([.device(device, .pushUnsubscribed(ended))])
        case .expired(let subscription, let status):
            guard push == subscription else { return .already(()) }
            let ended = PushExpired(subscription: push, person: person, status: status)
            return .record([.device(device, .pushExpired(ended))])
        }
    }
}
