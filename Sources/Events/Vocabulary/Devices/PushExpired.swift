// SPDX-License-Identifier: Apache-2.0
/// The push service does not know the subscription any more.
public struct PushExpired: EventPayload {
    public static let kind: Kind = "push.expired/1"

    public let subscription: PushSubscriptionID
    public let person: PersonID
    /// What the push service answered: 404 or 410.
    public let status: Int

    public init(subscription: PushSubscriptionID, person: PersonID, status: Int) {
        self.subscription = subscription
        self.person = person
        self.status = status
    }

    public var links: [SubjectLink] {
        [.owner(.person(person))]
    }
}
