// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import Projections

/// The routes that a message centre calls: what became of an SMS, and what somebody answered.
///
/// It signs in nowhere: each address that it is given carries a code that only this gateway can have made.
struct MessageCentreRoutes: Sendable {
    let ledger: Ledger

    var routes: [Route] {
        [
            Route(.get, "/v1/sms/report", for: .strangers, report),
            Route(.get, "/v1/sms/incoming", for: .strangers, incoming),
        ]
    }

    /// A report comes late, twice or in the wrong order; whichever it is, the message centre hears that it was taken.
    private func report(_ request: Request, _ context: GatewayContext) async throws -> Response {
        guard let alert = request.text("alert").flatMap({ AlertID($0) }),
            let attempt = request.text("attempt").flatMap({ NumberText.whole($0, in: 1...100_000) }
            ),
            let type = request.text("type").flatMap({ NumberText.whole($0, in: 0...255) })
        else {
            throw Problem(.malformedRequest, detail: "a report names alert, attempt and type")
        }
        let right = ledger.deliverySecrets.reportCode(alert, attempt: attempt)
        try require(request, code: right)
        guard let outcome = Self.outcome(type) else { return Self.taken }
        let state = try await ledger.handler.settled(Alert.self, alert)
        guard let queued = state.queued else { return Self.taken }
        let reported = AlertReported(channel: .sms, attempt: attempt, outcome: outcome)
        await record(
            ReportAlert(alert, reported),
            "report-\(alert)-\(attempt)-\(outcome.rawValue)",
            because: queued
        )
        return Self.taken
    }

    /// Kannel's types of a report: 1 delivered, 2 failed, 4 buffered, 8 taken by the centre, 16 refused by it.
    private static func outcome(_ type: Int) -> AlertReported.Outcome? {
        switch type {
        case 1: .delivered
        case 2, 16: .undeliverable
        case 8: .accepted
        default: nil
        }
    }

    /// An answer belongs to the newest alert that went to the number; what is from nobody whom we wrote to is not kept.
    private func incoming(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try require(request, code: ledger.deliverySecrets.incomingCode)
        guard let from = Self.formText("from", of: request), let id = request.text("id"),
            id.utf8.count <= 80
        else {
            throw Problem(.malformedRequest, detail: "an incoming message names from, text and id")
        }
        let text = String(
            (Self.formText("text", of: request) ?? "").prefix(DeliveryLimits.answerBytesMax / 4)
        )
        let number: PhoneNumber
        do {
            number = try GivenNumber(
                from.first == " " ? "+" + from.dropFirst() : from,
                in: ledger.configuration.site.dialling
            ).number
        } catch {
            return Self.taken
        }
        let organisation = ledger.configuration.organisation
        let newest = try await ledger.readModels.alerts.newest(to: number, in: organisation)
        guard let alert = newest?.alert,
            let queued = try await ledger.handler.settled(Alert.self, alert).queued
        else { return Self.taken }
        let answer = Self.answer(text)
        let answered = AnswerAlert(
            alert,
            by: .sms,
            answer,
            text: text
        )
        let name = SHA256Digest(of: Array("\(from) \(id)".utf8))
        await record(answered, "answer-\(name)", because: queued)
        return Self.taken
    }

    /// A field as Kannel writes it: a blank is a plus, and a plus is `%2B` (the URL standard's form encoding).
    private static func formText(_ name: String, of request: Request) -> String? {
        let query = (request.uri.query ?? "").replacing("+", with: "%20")
        return URLComponents(string: "?\(query)")?.queryItems?.first { $0.name == name }?.value
    }

    /// What the first word of an answer means.
    static func answer(_ text: String) -> AlertAnswered.Answer {
        let word = text.lowercased().split { !$0.isLetter && !$0.isNumber }.first.map(String.init)
        return switch word ?? "" {
        case "stop", "stopp", "stopall", "unsubscribe", "arret": .stopped
        case "start", "unstop": .resumed
        case "ok", "yes", "ja", "oui", "ack", "1": .acknowledged
        default: .other
        }
    }

    private func require(_ request: Request, code: String) throws(Problem) {
        guard let given = request.text("key"), DeliverySecrets.isSame(given, code) else {
            throw Problem(
                .forbidden,
                detail: "this address was not made by this gateway; take the one that it gave"
            )
        }
    }

    private func record(_ command: some Command, _ step: String, because cause: Cause) async {
        let context = ledger.context(
            actor: .policy(DeliveryPolicy.name),
            organisation: cause.organisation,
            command: CommandID(unchecked: "\(DeliveryPolicy.name)~\(step)"),
            causation: cause.event
        )
        do {
            _ = try await ledger.handler.handle(command, context)
        } catch {
            // The message centre can do nothing about it; what it says again is taken again.
            ledger.logger.debug("a report was not taken", metadata: ["reason": "\(error)"])
        }
    }

    private static let taken = Response(status: .ok)
}
