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

    /// What the decision goes by.
    public struct State {
        let alert: Alert
        /// The call-out that it tells of.
        let callOut: CallOut?
        /// Who of the staff answers.
        let user: UserID?
    }

    public func read(_ ledger: inout LedgerView) throws -> State {
        let alert = try ledger.read(Alert.self, alert)
        guard answer == .acknowledged, let contact = alert.content?.contact,
            let id = alert.callOut
        else { return State(alert: alert, callOut: nil, user: nil) }
        let callOut = try ledger.read(CallOut.self, id)
        let user = try callOut.called.first {
            try ledger.glance(User.self, $0).account?.person == contact
        }
        return State(alert: alert, callOut: callOut, user: user)
    }

    /// Acknowledging what tells of a call-out ends that in the same append: no further step can come between.
    public func decide(
        _ state: State,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        try InputFault.check(
            optional: text,
            "text",
            bytesMax: CommandLimits.noteBytesMax,
            else: Refusal.unacceptable
        )
        guard let contact = state.alert.content?.contact else { throw .unknown(alert) }
        guard answer != .acknowledged || !state.alert.isAcknowledged else { return .already(()) }
        let answered = AlertAnswered(
            contact: contact,
            channel: channel,
            answer: answer,
            text: text.flatMap { $0.hasVisibleCharacter ? .open($0, of: contact) : nil }
        )
        var writes = [Write.alert(alert, .answered(answered))]
        if let callOut = state.callOut, callOut.isOpen {
            writes.append(
                .callOut(callOut.id, .ended(CallOutEnded(.acknowledged, by: state.user)))
            )
        }
        return .record(writes)
    }
}

extension Alert {
    /// The call-out of which it tells, if it does.
    public var callOut: CallOutID? {
        guard let cause, cause.category == "call_out" else { return nil }
        return CallOutID(String(cause.name))
    }
}
