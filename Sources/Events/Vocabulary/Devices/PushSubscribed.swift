// SPDX-License-Identifier: Apache-2.0
/// A device may be told by Web Push that the centre asks for its owner.
///
/// Address and keys are secrets of the person and stand nowhere in the ledger.
public struct PushSubscribed: EventPayload {
    public static let kind: Kind = "push.subscribed/1"

    public let subscription: PushSubscriptionID
    public let person: PersonID
    /// The SHA-256 of the address at the push service.
    public let endpoint: Sealed<SHA256Digest>

    public init(
        subscription: PushSubscriptionID,
        person: PersonID,
        endpoint: Sealed<SHA256Digest>
    ) {
        self.subscription = subscription
        self.person = person
        self.endpoint = endpoint
    }

    public var links: [SubjectLink] {
        [.owner(.person(person))]
    }
}
