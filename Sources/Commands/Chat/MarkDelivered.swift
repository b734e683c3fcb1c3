// SPDX-License-Identifier: Apache-2.0
public import Events

/// A message reached the other side; recorded once for each side.
public struct MarkDelivered: Command {
    public let session: SessionID
    public let message: MessageID
    public let to: Sender

    public init(_ message: MessageID, in session: SessionID, to: Sender) {
        self.session = session
        self.message = message
        self.to = to
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

    public var subject: Subject { .session(session) }

    public func read(_ ledger: inout LedgerView) throws -> Session {
        try ledger.read(Session.self, session)
    }

    /// A receipt may come after the session ended: the message was delivered all the same.
    public func decide(
        _ state: Session,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        guard let known = state.chat[message] else { throw .unknown(message) }
        try to.check(on: state, else: Refusal.notYours)
        guard known.from != to.party else { throw .ownMessage(message) }
        guard !known.deliveredTo.contains(to.party) else { return .already(()) }
        let delivered = ChatMessageDelivered(message: message, to: to.party)
        return .record([.chat(session, .messageDelivered(delivered))])
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
