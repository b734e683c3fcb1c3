// SPDX-License-Identifier: Apache-2.0
public import Events

/// Records what the contact of an alert answered.
public struct AnswerAlert: Command {
    public let alert: AlertID
    public let channel: AlertChannel
    public let answer: AlertAnswered.Answer
    /// In the contact's own words, at most ``CommandLimits/noteBytesMax``; a text that shows nothing is left out.
    public let text: String?

    public init(
        _ alert: AlertID,
        by channel: AlertChannel,
        _ answer: AlertAnswered.Answer,
        text: String? = nil
    ) {
        self.alert = alert
        self.channel = channel
        self.answer = answer
        self.text = text
    }

    /// Why the answer was not recorded.
    public enum Refusal: CommandRefusal {
        case unknown(AlertID)
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .unknown(let id):
                Problem(
                    .notFound,
                    "alert-unknown",
                    "answering refused: there is no alert \(id); check the id",
                    facts: ["alert": "\(id)"]
                )
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    public var subject: Subject { .alert(alert) }

    public func read(_ ledger: inout LedgerView) throws -> Alert {
        try ledger.read(Alert.self, alert)
    }

    public func decide(
        _ state: Alert,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        try InputFault.check(
            optional: text,
            "text",
            bytesMax: CommandLimits.noteBytesMax,
            else: Refusal.unacceptable
        )
        guard let contact = state.content?.contact else { throw .unknown(alert) }
        guard answer != .acknowledged || !state.isAcknowledged else { return .already(()) }
        let answered = AlertAnswered(
            contact: contact,
            channel: channel,
            answer: answer,
            text: text.flatMap { $0.hasVisibleCharacter ? .open($0, of: contact) : nil }
        )
        return .record([.alert(alert, .answered(answered))])
    }
}
