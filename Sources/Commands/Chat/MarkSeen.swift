// SPDX-License-Identifier: Apache-2.0
public import Events

/// A side saw every message up to one; it never goes back (ruling 5).
public struct MarkSeen: SessionCommand {
    public let session: SessionID
    public let upTo: MessageID
    public let by: Sender

    public init(upTo: MessageID, in session: SessionID, by: Sender) {
        self.session = session
        self.upTo = upTo
        self.by = by
    }

    /// Why it was not recorded.
    public enum Refusal: CommandRefusal {
        case unknown(MessageID)
        case notYours(SenderMismatch)

        public var problem: Problem {
            switch self {
            case .unknown(let id): .messageUnknown(id, attempt: "marking as seen")
            case .notYours(let why): why.problem(of: "marking as seen")
            }
        }
    }

    public func decide(
        _ state: Session,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        guard state.chat[upTo] != nil else { throw .unknown(upTo) }
        try by.check(on: state, else: Refusal.notYours)
        guard state.chat.isUnseen(upTo: upTo, by: by.party) else { return .already(()) }
        let seen = ChatMessageSeen(upTo: upTo, by: by.party)
        return .record([.chat(session, .messageSeen(seen))])
    }
}
