// SPDX-License-Identifier: Apache-2.0
public import Events

/// Messages reached the other side, which may show them at once; each is recorded once for each side.
///
/// One append for all that arrived together: whoever comes back to three hundred messages costs no three hundred commits.
public struct MarkDelivered: SessionCommand {
    /// As many as one append takes, with what is seen behind them.
    public static let messagesMax = EventLimits.eventsPerAppendMax - 1

    public let session: SessionID
    public let messages: [MessageID]
    public let to: Sender
    /// Whether that side sees what it receives.
    public let areSeen: Bool

    /// Messages in the order of the chat, at most ``messagesMax``.
    public init(
        _ messages: [MessageID],
        in session: SessionID,
        to: Sender,
        areSeen: Bool = false
    ) {
        self.session = session
        self.messages = messages
        self.to = to
        self.areSeen = areSeen
    }

    public init(_ message: MessageID, in session: SessionID, to: Sender) {
        self.init([message], in: session, to: to)
    }

    /// Why it was not recorded.
    public enum Refusal: CommandRefusal {
        case unknown(MessageID)
        case ownMessage(MessageID)
        case notYours(SenderMismatch)

        public var problem: Problem {
            switch self {
            case .unknown(let id): .messageUnknown(id, attempt: "marking as delivered")
            case .ownMessage(let id):
                Problem(
                    .unprocessable,
                    "message-own",
                    "marking as delivered refused: message \(id) came from that side; "
                        + "name the side that received it",
                    facts: ["message": "\(id)"]
                )
            case .notYours(let why): why.problem(of: "marking as delivered")
            }
        }
    }

    /// A receipt may come after the session ended: the message was delivered all the same.
    public func decide(
        _ state: Session,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        var received: Set<MessageID> = []
        for message in messages {
            guard let known = state.chat[message] else { throw .unknown(message) }
            try to.check(on: state, else: Refusal.notYours)
            guard known.from != to.party else { throw .ownMessage(message) }
            if !known.deliveredTo.contains(to.party) { received.insert(message) }
        }
        var events = messages.filter { received.remove($0) != nil }.map {
            ChatEvent.messageDelivered(ChatMessageDelivered(message: $0, to: to.party))
        }
        if areSeen, let last = messages.last, state.chat.isUnseen(upTo: last, by: to.party) {
            events.append(.messageSeen(ChatMessageSeen(upTo: last, by: to.party)))
        }
        return events.isEmpty ? .already(()) : .record(events.map { .chat(session, $0) })
    }
}

extension Problem {
    static func messageUnknown(_ message: MessageID, attempt: String) -> Problem {
        Problem(
            .notFound,
            "message-unknown",
            "\(attempt) refused: the session has no message \(message); check the id",
            facts: ["message": "\(message)"]
        )
    }
}
