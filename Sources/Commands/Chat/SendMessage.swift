// SPDX-License-Identifier: Apache-2.0
public import Events

/// A side sends a message.
///
/// The same temporary id from the same sender is the same message: it is answered with the first
/// message's id and place, and is no error. To a session that has ended it is refused and recorded.
public struct SendMessage: Command {
    public let session: SessionID
    public let from: Sender
    public let text: String
    /// The sender's own id for it.
    public let temporaryID: String
    /// As the client wrote it; never ordered by (ruling 16).
    public let clientTimestamp: String
    public let channel: ChatMessageSent.Channel

    public init(
        _ text: String,
        in session: SessionID,
        from: Sender,
        temporaryID: String,
        clientTimestamp: String,
        channel: ChatMessageSent.Channel
    ) {
        self.session = session
        self.from = from
        self.text = text
        self.temporaryID = temporaryID
        self.clientTimestamp = clientTimestamp
        self.channel = channel
    }

    /// The ledger's id for the message.
    public typealias Outcome = MessageID

    /// Why the message was not taken.
    public enum Refusal: CommandRefusal {
        case unknown(SessionID)
        /// The session has ended; recorded as `chat.message_rejected`.
        case ended(SessionID)
        case notYours(SenderMismatch)
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .unknown(let id): SessionUnavailable.unknown(id).problem(of: "sending")
            case .ended(let id):
                Problem(
                    .gone,
                    "chat-ended",
                    "sending refused: session \(id) has ended; start a new chat",
                    facts: ["session": "\(id)"]
                )
            case .notYours(let why): why.problem(of: "sending")
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    public var subject: Subject { .session(session) }

    public func read(_ ledger: inout LedgerView) throws -> Session {
        try ledger.read(Session.self, session)
    }

    public func decide(
        _ state: Session,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Outcome> {
        try checkInput()
        guard let contact = state.contact else { throw .unknown(session) }
        let own = Chat.TemporaryID(sender: context.stamp.actor, text: temporaryID)
        if let message = state.chat.message(own) { return .already(message.id, message.place) }
        try from.check(on: state, else: Refusal.notYours)
        guard state.isOpen(at: context.now) else {
            // One record of a rejection is enough, however often the client tries.
            guard !state.chat.isRejected(own) else { throw .ended(session) }
            return .record([.chat(session, .messageRejected(rejection))])
        }
        let sent = ChatMessageSent(
            message: context.newID(),
            temporaryID: temporaryID,
            from: from.party,
            text: .open(text, of: contact.caller),
            clientTimestamp: clientTimestamp,
            channel: channel
        )
        return .record([.chat(session, .messageSent(sent))])
    }

    public func outcome(of recorded: [Write]) throws(Refusal) -> Outcome? {
        guard recorded.first(ChatMessageRejected.self) == nil else { throw .ended(session) }
        return recorded.first(ChatMessageSent.self)?.payload.message
    }

    private var rejection: ChatMessageRejected {
        ChatMessageRejected(
            temporaryID: temporaryID,
            from: from.party,
            reason: "the session has ended"
        )
    }

    private func checkInput() throws(Refusal) {
        try InputFault.check(
            text,
            "text",
            bytesMax: CommandLimits.messageBytesMax,
            else: Refusal.unacceptable
        )
        try InputFault.check(
            temporaryID,
            "temporaryID",
            bytesMax: CommandLimits.temporaryIDBytesMax,
            else: Refusal.unacceptable
        )
        try InputFault.check(
            optional: clientTimestamp,
            "clientTimestamp",
            bytesMax: CommandLimits.wordBytesMax,
            else: Refusal.unacceptable
        )
    }
}
