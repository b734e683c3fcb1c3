// SPDX-License-Identifier: Apache-2.0
/// The device's owner wants no more pushes on it.
public struct PushUnsubscribed: EventPayload {
    public static let kind: Kind = "push.unsubscribed/1"

    public let subscription: PushSubscriptionID
    public let person: PersonID

    public init(subscription: PushSubscriptionID, person: PersonID) {
        self.subscription = subscription
        self.person = person
    }

    public var links: [SubjectLink] {
        [.owner(.person(person))]
    }
}
