// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation

/// What the phone of a citizen gets by push of a call for help.
///
/// It is part of delivery: the result is looked at after each message that ended, and at each start for calls of which a crash kept it.
extension DeliveryPolicy {
    /// Queues the push with the result of a call, once there is one.
    func tellCitizen(_ id: SOSID) async throws {
        let sos = try ledger.handler.current(SOS.self, id)
        guard let raised = sos.raised, let cause = sos.cause, !sos.isOver(at: ledger.now) else {
            return
        }
        let alerts = try ledger.handler.current(ContactAlerts.self, .sos(id)).alerts
            .filter { ["sos", "sos-drill"].contains($0.template) }
            .map { try ledger.handler.current(Alert.self, $0.alert) }
        guard let result = SOSResult(alerts) else { return }
        let citizen = try ledger.handler.current(Citizen.self, raised.person)
        let language = citizen.profile?.language ?? "en"
        let message = try ledger.message(result.rawValue, in: language, .warning)
        try await ledger.handle(
            TellCitizen(of: id, result, saying: message),
            of: Self.name,
            because: cause,
            step: result.rawValue
        )
    }

    /// Looks at the calls that go on: of those that ended while the gateway was down the last message may have ended, and nothing more.
    func tellCitizens() async {
        do {
            for id in try ledger.handler.current(OpenCalls.self, ()).all.keys {
                try await ledger.unlessDamaged { try await tellCitizen(id) }
            }
        } catch {
            report(error)
        }
    }

    /// To the phone by which the call was raised.
    func pushToCitizen(_ message: AlertMessage, of errand: Errand) async throws -> DeliveryAnswer {
        let life = errand.queued.time + .seconds(errand.content.timeToLiveSeconds) - ledger.now
        guard let device = errand.content.push, life > .zero,
            let subscription = try await ledger.accounts.pushSubscription(of: device)
        else { return .refused("the phone takes no pushes, or not in time") }
        let said = try await pushSender.send(
            try JSONBody.encoder.encode(CitizenMessage(message, of: errand)),
            to: subscription,
            secondsToLive: Int(life / .seconds(1)),
            topic: String(ledger.deliverySecrets.answerCode(errand.alert).prefix(22))
        )
        if case .gone(let status) = said {
            let expired = EndPush.Cause.expired(subscription.id, status: status)
            try await ledger.handle(
                EndPush(on: device, expired),
                of: Self.name,
                because: errand.queued,
                step: "expire-\(subscription.id)"
            )
            try await ledger.accounts.dropPushSubscription(of: device, ifStill: subscription.id)
        }
        return DeliveryAnswer(said)
    }
}

/// What the page's worker gets.
private struct CitizenMessage: Encodable {
    let data: Body

    struct Body: Encodable {
        let messageType = "sos"
        let sos: String
        let title: String
        let body: String

        private enum CodingKeys: String, CodingKey {
            case messageType = "message_type"
            case sos, title, body
        }
    }

    init(_ message: AlertMessage, of errand: DeliveryPolicy.Errand) {
        data = Body(
            sos: String(errand.content.cause.name),
            title: message.subject,
            body: String(message.text.prefix(400))
        )
    }
}
