// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import HTTPTypes
import Hummingbird

/// The routes behind the link that stands in a message: whoever has it has the message, and answers it with one press.
///
/// Opening the link answers nothing: mail scanners open links.
struct AnswerRoutes: Sendable {
    let ledger: Ledger

    var routes: [Route] {
        [
            Route(.get, "/v1/answers/:code", for: .strangers, read),
            Route(.post, "/v1/answers/:code", for: .strangers, answer),
        ]
    }

    private struct AnswerBody: Encodable {
        let centre: String
        let sentAt: Timestamp
        let severity: AlertQueued.Severity
        let state: State
        /// Of a citizen's call for help.
        let sos: SharedSOS?
        /// Present where it tells that somebody is a citizen's contact.
        let isIntroduction: Bool?

        enum State: String, Encodable {
            case open
            /// By who has the link, or by somebody else who was asked the same.
            case answered
            /// What it was about is over, or too old.
            case over
        }
    }

    private func read(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try body(of: try alert(context))
    }

    private func answer(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let alert = try alert(context)
        guard let queued = alert.queued, try state(of: alert) == .open else {
            return try body(of: alert)
        }
        let context = ledger.context(
            actor: .policy(DeliveryPolicy.name),
            organisation: queued.organisation,
            command: CommandID(unchecked: "\(DeliveryPolicy.name)~answer-\(alert.id)-link"),
            causation: queued.event
        )
        _ = try await ledger.handler.handle(
            AnswerAlert(alert.id, by: .link, .acknowledged),
            context
        )
        return try body(of: try ledger.handler.current(Alert.self, alert.id))
    }

    private func alert(_ context: GatewayContext) throws -> Alert {
        let code = context.parameters.get("code") ?? ""
        guard let id = ledger.deliverySecrets.alert(ofAnswer: code) else {
            throw Problem(
                .notFound,
                detail: "this is no link of ours; open it as it stands in the message"
            )
        }
        return try ledger.handler.current(Alert.self, id)
    }

    private func state(of alert: Alert) throws -> AnswerBody.State {
        if alert.isAcknowledged { return .answered }
        if let id = alert.callOut,
            let ended = try ledger.handler.current(CallOut.self, id).ended
        {
            return ended.end == .acknowledged ? .answered : .over
        }
        if let sos = alert.sos, try ledger.handler.current(SOS.self, sos).isOver(at: ledger.now) {
            return .over
        }
        let life = alert.queued.map { $0.time + .seconds(86_400) }
        return life.map { $0 <= ledger.now } ?? true ? .over : .open
    }

    private func body(of alert: Alert) throws -> Response {
        guard let content = alert.content, let queued = alert.queued else {
            throw Problem(.notFound, detail: "there is no such message")
        }
        return try .json(
            AnswerBody(
                centre: ledger.centreName,
                sentAt: queued.time,
                severity: content.severity,
                state: try state(of: alert),
                sos: try SharedSOS(alert, ledger),
                isIntroduction: alert.cause?.category == "contact" ? true : nil
            )
        )
    }
}
