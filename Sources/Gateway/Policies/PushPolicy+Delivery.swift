// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import Projections
import Synchronization

extension PushPolicy {
    /// Makes one attempt, or records why there is none; returns when its end is on disk.
    ///
    /// When the gateway is stopped hard in between, the end stays unknown.
    func deliver(_ delivery: PushErrand) async {
        defer { attempts.end(delivery.alert) }
        do {
            let session = try ledger.handler.current(Session.self, delivery.session)
            guard
                let topic = session.topic(
                    of: delivery.cause,
                    chatLife: PushDelivery.chatLife,
                    at: ledger.now
                )
            else { return try await giveUp(delivery, "what it tells of is over") }
            let accounts = ledger.accounts
            guard let subscription = try await accounts.pushSubscription(of: delivery.device) else {
                return try await giveUp(delivery, "the device takes no pushes any more")
            }
            let attempt = delivery.attempts + 1
            // Attempts whose end is unknown count, too.
            guard attempt <= PushLimits.attempts else {
                return try await giveUp(delivery, "it was tried \(delivery.attempts) times")
            }
            let begin = BeginAlertAttempt(delivery.alert, by: .push, attempt: attempt)
            guard try await record(begin, of: delivery, "begin") else { return }
            let answer = try await send(topic, of: delivery, to: subscription)
            try await end(delivery, answer, subscription)
        } catch {
            report(error)
        }
    }

    private func send(
        _ topic: PushTopic,
        of delivery: PushErrand,
        to subscription: PushSubscription
    ) async throws -> PushSender.Answer {
        let push = ledger.configuration.push
        // The wall clock as it is: push services hold what we sign against their own clocks.
        let clock = ledger.configuration.clock
        let sender = PushSender(
            identity: ledger.pushIdentity,
            reach: push.reach,
            timeLimit: push.timeLimit,
            trustRoots: push.trustRoots,
            now: { Int(clock.now().microseconds / 1_000_000) }
        )
        let message = PushMessage(topic, sessionCreatedAt: delivery.sessionCreatedAt)
        return try await sender.send(
            try JSONBody.encoder.encode(message),
            to: subscription,
            secondsToLive: max(0, Int((topic.expiresAt - ledger.now) / .seconds(1))),
            topic: PushMessage.topicName(topic.template, in: delivery.session)
        )
    }

    private func end(
        _ delivery: PushErrand,
        _ answer: PushSender.Answer,
        _ subscription: PushSubscription
    ) async throws {
        let attempt = delivery.attempts + 1
        switch answer {
        case .taken(let receipt):
            let sent = AlertSent(channel: .push, attempt: attempt, providerID: receipt)
            _ = try await record(
                RecordAlertAttempt(delivery.alert, .sent(sent)),
                of: delivery,
                "end"
            )
        case .gone(let status):
            let expired = EndPush.Cause.expired(subscription.id, status: status)
            _ = try await record(EndPush(on: delivery.device, expired), of: delivery, "expire")
            try await ledger.accounts.dropPushSubscription(
                of: delivery.device,
                ifStill: subscription.id
            )
            try await giveUp(delivery, "the push service answered \(status)")
        case .refused(let why): try await giveUp(delivery, why)
        case .busy(let why, let wait):
            guard attempt < PushLimits.attempts else { return try await giveUp(delivery, why) }
            let failed = AlertFailed(
                channel: .push,
                attempt: attempt,
                permanence: .temporary,
                error: why,
                retryAfterSeconds: pause(behind: attempt, asked: wait)
            )
            _ = try await record(
                RecordAlertAttempt(delivery.alert, .failed(failed)),
                of: delivery,
                "end"
            )
        }
    }

    /// Doubles with each attempt; longer if the push service asks for it.
    private func pause(behind attempt: Int, asked: Int?) -> Int {
        let first = ledger.configuration.push.firstRetry / .seconds(1)
        let own = first * pow(2, Double(attempt - 1))
        return min(max(Int(own.rounded(.up)), asked ?? 0), PushLimits.retrySecondsMax)
    }

    private func giveUp(_ delivery: PushErrand, _ why: String) async throws {
        let failed = AlertFailed(
            channel: .push,
            attempt: delivery.attempts + 1,
            permanence: .permanent,
            error: why
        )
        _ = try await record(
            RecordAlertAttempt(delivery.alert, .failed(failed)),
            of: delivery,
            "end"
        )
    }
}

/// Which alerts this process is delivering, and to whom; no more of them than its limits.
final class AttemptsUnderWay: Sendable {
    private let underWay = Mutex<[AlertID: DeviceID]>([:])

    /// The alerts.
    var alerts: Set<AlertID> { underWay.withLock { Set($0.keys) } }

    /// Takes a delivery up; not if it is, or too many are.
    func begin(_ delivery: PushErrand) -> Bool {
        underWay.withLock { devices in
            let ofDevice = devices.values.count { $0 == delivery.device }
            guard devices[delivery.alert] == nil, devices.count < PushLimits.deliveriesAtOnce,
                ofDevice < PushLimits.deliveriesToDevice
            else { return false }
            devices[delivery.alert] = delivery.device
            return true
        }
    }

    /// Lets an alert go.
    func end(_ alert: AlertID) { underWay.withLock { $0[alert] = nil } }
}
