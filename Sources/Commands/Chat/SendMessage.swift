// SPDX-License-Identifier: Apache-2.0
public import Events

/// A side sends a message.
///
/// The same temporary id from the same sender is the same message: it is answered with the first
/// message's id and place, and is no error. To a session that has ended it is refused and recorded.
public struct SendMessage: SessionCommand {
    public let session: SessionID
    public let from: Sender
    public let text: String
    /// The sender's own id for it.
    public let temporaryID: String
    /// As the client wrote it; never ordered by (ruling 16).
    public let clientTimestamp: String
    public let channel: ChatMessageSent.Channel
    /// The quick response that a caller pressed; `nil` for words of their own, and for everybody else.
    public let quickResponse: ChatQuickResponseChosen.Service?
    /// By which way an operator wants it to go; `nil` for the way of the caller's last message.
    public let way: AnswerWay?

    public init(
        _ text: String,
        in session: SessionID,
        from: Sender,
        temporaryID: String,
        clientTimestamp: String,
        channel: ChatMessageSent.Channel,
        quickResponse: ChatQuickResponseChosen.Service? = nil,
        way: AnswerWay? = nil
    ) {
        self.session = session
        self.from = from
        self.text = text
        self.temporaryID = temporaryID
        self.clientTimestamp = clientTimestamp
        self.channel = channel
        self.quickResponse = from.party == .caller ? quickResponse : nil
        self.way = way
    }

    /// The ledger's id for the message.
    public typealias Outcome = MessageID

    public typealias Refusal = SendRefusal

    public func decide(
        _ state: Session,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Outcome> {
        try checkInput()
        let decision = try submission.decide(state, &context, way: way) { caller, context in
            .messageSent(
                ChatMessageSent(
                    message: context.newID(),
                    temporaryID: temporaryID,
                    from: from.party,
                    text: .open(text, of: caller),
                    clientTimestamp: clientTimestamp,
                    channel: channel
                )
            )
        }
        guard let quickResponse, case .record(let writes) = decision,
            let message = writes.first(ChatMessageSent.self)?.payload.message
        else { return decision }
        let chosen = ChatQuickResponseChosen(message: message, service: quickResponse)
        return .record(writes + [.chat(session, .quickResponseChosen(chosen))])
    }

    public func outcome(of recorded: [Write]) throws(Refusal) -> Outcome? {
        try submission.checkAccepted(recorded)
        return recorded.first(ChatMessageSent.self)?.payload.message
    }

    private var submission: ChatSubmission {
        ChatSubmission(session: session, from: from, temporaryID: temporaryID)
    }

    private func checkInput() throws(Refusal) {
        try InputFault.check(
            text,
            "text",
            bytesMax: CommandLimits.messageBytesMax,
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
