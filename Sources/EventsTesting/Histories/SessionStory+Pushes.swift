// SPDX-License-Identifier: Apache-2.0
import Events

extension SessionStory {
    /// Whoever has the application may want to be told when the centre asks.
    static func takePushes(
        _ device: DeviceID,
        of person: PersonID,
        _ script: inout Script,
        _ town: inout Town
    ) -> PushSubscriptionID? {
        guard town.arbitrary.one(in: 2) else { return nil }
        let first = subscribe(device, of: person, &script, &town)
        switch town.arbitrary.number(0...5) {
        case 0:
            let ended = PushUnsubscribed(subscription: first, person: person)
            script.record(
                .device(device),
                .device(device),
                .device(.pushUnsubscribed(ended)),
                in: &town
            )
            return nil
        case 1:
            let ended = PushExpired(subscription: first, person: person, status: 410)
            script.record(.policy("push"), .device(device), .device(.pushExpired(ended)), in: &town)
            return subscribe(device, of: person, &script, &town)
        default: return first
        }
    }

    private static func subscribe(
        _ device: DeviceID,
        of person: PersonID,
        _ script: inout Script,
        _ town: inout Town
    ) -> PushSubscriptionID {
        let subscription: PushSubscriptionID = town.id(at: script.time)
        let subscribed = PushSubscribed(
            subscription: subscription,
            person: person,
            endpoint: .open(town.arbitrary.digest(), of: person)
        )
        script.record(
            .device(device),
            .device(device),
            .device(.pushSubscribed(subscribed)),
            in: &town
        )
        script.pass(town.wait(1...3))
        return subscription
    }

    /// The caller's device is told of what happened last; the push service takes it, perhaps at a later attempt, or never.
    static func push(
        _ template: String,
        of contact: Contact,
        _ script: inout Script,
        _ town: inout Town
    ) {
        guard contact.caller.push != nil, let device = contact.caller.device else { return }
        let alert = Subject.alert(town.id(at: script.time))
        let policy = Actor.policy("push")
        let queued = AlertQueued(
            cause: contact.subject,
            severity: .critical,
            template: template,
            contact: contact.caller.person,
            push: device,
            deduplicationKey: "push/\(device)/\(contact.session)/\(contact.messages)",
            timeToLiveSeconds: 110
        )
        let cause = script.last
        script.record(policy, [(alert, .alert(.queued(queued)))], because: cause, in: &town)
        var attempt = 1
        while true {
            let begun = AlertDeliveryAttempted(channel: .push, attempt: attempt)
            script.record(policy, alert, .alert(.deliveryAttempted(begun)), in: &town)
            script.pass(town.wait(0.1...0.4))
            guard attempt < 3, town.arbitrary.one(in: 3) else { break }
            let failed = AlertFailed(
                channel: .push,
                attempt: attempt,
                permanence: town.arbitrary.bool() ? .temporary : .unknown,
                error: "the push service answered 503",
                retryAfterSeconds: town.arbitrary.maybe { $0.number(0...2) }
            )
            script.record(policy, alert, .alert(.failed(failed)), in: &town)
            attempt += 1
        }
        let end: AlertEvent =
            town.arbitrary.one(in: 4)
            ? .failed(
                AlertFailed(
                    channel: .push,
                    attempt: attempt,
                    permanence: .permanent,
                    error: "the push service answered 403"
                )
            )
            : .sent(AlertSent(channel: .push, attempt: attempt, providerID: "201"))
        script.record(policy, alert, .alert(end), in: &town)
    }
}
