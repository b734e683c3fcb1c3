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

    public typealias Refusal = SendRefusal

    public func decide(
        _ state: Session,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Outcome> {
        try checkInput()
        return try submission.decide(state, &context) { caller, context in
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
