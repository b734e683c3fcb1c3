// SPDX-License-Identifier: Apache-2.0
public import Events

/// What sending a text and sending a picture have in common: what is known already, whose chat it is, and that it has ended.
struct ChatSubmission {
    let session: SessionID
    let from: Sender
    /// The sender's own id for it.
    let temporaryID: String

    /// Decides on what a sender says; `fact` makes the event, about the session's caller.
    ///
    /// What the centre says goes to the caller's telephone where the caller's last message came by it, unless `way` says otherwise.
    func decide(
        _ state: Session,
        _ context: inout CommandContext,
        way: AnswerWay? = nil,
        _ fact: (PersonID, inout CommandContext) -> ChatEvent
    ) throws(SendRefusal) -> Decision<MessageID> {
        try InputFault.check(
            temporaryID,
            "temporaryID",
            bytesMax: CommandLimits.temporaryIDBytesMax,
            else: SendRefusal.unacceptable
        )
        guard let contact = state.contact else { throw .unknown(session) }
        let own = Chat.TemporaryID(sender: context.stamp.actor, text: temporaryID)
        // Whether it says the same only the keys tell: the gateway compares, and answers no other message with this one's id.
        if let known = state.chat.message(own) { return .already(known.id, known.place) }
        try from.check(on: state, else: SendRefusal.notYours)
        guard state.isOpen(at: context.now) else {
            // One record of a rejection is enough, however often the client tries.
            guard !state.chat.isRejected(own) else { throw .ended(session) }
            return .record([.chat(session, .messageRejected(rejection))])
        }
        let said = fact(contact.caller, &context)
        return .record([.chat(session, said)] + (try reply(said, state, way)))
    }

    /// The event that sends what was said to the caller's telephone, where it goes there.
    private func reply(
        _ said: ChatEvent,
        _ state: Session,
        _ way: AnswerWay?
    ) throws(SendRefusal) -> [Write] {
        guard from.party != .caller, let message = said.message else { return [] }
        guard let telephone = state.telephone else {
            guard way != .telephone else { throw .noTelephone(session) }
            return []
        }
        guard way.map({ $0 == .telephone }) ?? telephone.isLast else { return [] }
        return [.sip(session, .replyQueued(SIPReplyQueued(message: message, attempt: 1)))]
    }

    /// Fails where the facts are the record of a rejection.
    func checkAccepted(_ recorded: [Write]) throws(SendRefusal) {
        guard recorded.first(ChatMessageRejected.self) == nil else { throw .ended(session) }
    }

    private var rejection: ChatMessageRejected {
        ChatMessageRejected(
            temporaryID: temporaryID,
            from: from.party,
            reason: "the session has ended"
        )
    }
}

/// By which way the centre answers.
public enum AnswerWay: String, Codable, Hashable, Sendable, CaseIterable {
    case telephone
    case page
}

/// Why a message, a text or a picture, was not taken.
public enum SendRefusal: CommandRefusal {
    case unknown(SessionID)
    /// The session has ended; recorded as `chat.message_rejected`.
    case ended(SessionID)
    case notYours(SenderMismatch)
    /// The caller never texted by telephone.
    case noTelephone(SessionID)
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
        case .noTelephone(let id):
            Problem(
                .conflict,
                "session-without-telephone",
                "sending refused: the caller of session \(id) never texted by telephone; answer on the page",
                facts: ["session": "\(id)"]
            )
        case .unacceptable(let fault): fault.problem
        }
    }
}
