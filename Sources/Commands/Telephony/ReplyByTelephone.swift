// SPDX-License-Identifier: Apache-2.0
public import Events

/// A step of an attempt to bring a message of the centre to the caller's telephone, recorded once.
public struct RecordReply: SessionCommand {
    public let session: SessionID
    public let message: MessageID
    /// The attempt, from 1.
    public let attempt: Int
    public let step: Step

    public init(_ message: MessageID, in session: SessionID, attempt: Int, _ step: Step) {
        self.session = session
        self.message = message
        self.attempt = attempt
        self.step = step
    }

    /// What happened.
    public enum Step: Sendable {
        /// The request is about to be sent; its encrypted bytes are on disk.
        case sent(SIPMessageReceived.Transport, raw: SHA256Digest, bytes: Int)
        /// See ``SIPReplyAnswered/status``.
        case answered(status: Int)
        case timedOut(milliseconds: Int)
    }

    /// Why it was not recorded.
    public enum Refusal: CommandRefusal {
        /// There is no such attempt, or it has come further.
        case overtaken(MessageID)

        public var problem: Problem {
            switch self {
            case .overtaken(let message):
                Problem(
                    .conflict,
                    "reply-overtaken",
                    "recording an attempt refused: message \(message) has no such attempt under way; "
                        + "read the session again",
                    facts: ["message": "\(message)"]
                )
            }
        }
    }

    public func decide(
        _ state: Session,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        guard let reply = state.telephone?.replies[message], let contact = state.contact,
            reply.attempt == attempt
        else { throw .overtaken(message) }
        switch step {
        case .sent(let transport, let raw, let bytes):
            guard reply.state == .queued else { throw .overtaken(message) }
            let sent = SIPReplySent(
                message: message,
                attempt: attempt,
                person: contact.caller,
                transport: transport,
                raw: raw,
                rawBytes: bytes
            )
            return .record([.sip(session, .replySent(sent))])
        case .answered(let status):
            guard [.queued, .sent].contains(reply.state) else { throw .overtaken(message) }
            let answered = SIPReplyAnswered(message: message, attempt: attempt, status: status)
            let isNew = !(state.chat[message]?.deliveredTo.contains(.caller) ?? true)
            let delivered = ChatMessageDelivered(message: message, to: .caller)
            return .record(
                [.sip(session, .replyAnswered(answered))]
                    + (answered.isDelivered && isNew
                        ? [.chat(session, .messageDelivered(delivered))] : [])
            )
        case .timedOut(let milliseconds):
            guard reply.state == .sent else { throw .overtaken(message) }
            let timedOut = SIPReplyTimedOut(
                message: message,
                attempt: attempt,
                timeoutMilliseconds: milliseconds
            )
            return .record([.sip(session, .replyTimedOut(timedOut))])
        }
    }
}

/// The session's owner sends a message once more that did not reach the caller's telephone.
public struct SendReplyAgain: SessionCommand {
    public let session: SessionID
    public let message: MessageID
    public let by: UserID

    public init(_ message: MessageID, in session: SessionID, by: UserID) {
        self.session = session
        self.message = message
        self.by = by
    }

    /// The number of the attempt.
    public typealias Outcome = Int

    /// Why it is not sent again.
    public enum Refusal: CommandRefusal {
        case unavailable(SessionUnavailable)
        case notOwner(NotOwner)
        case messageUnknown(MessageID)
        /// It is under way, or has arrived.
        case notFailed(MessageID)

        public var problem: Problem {
            switch self {
            case .unavailable(let why): why.problem(of: "sending again")
            case .notOwner(let why): why.problem(of: "sending again")
            case .messageUnknown(let message): .messageUnknown(message, attempt: "sending again")
            case .notFailed(let message):
                Problem(
                    .conflict,
                    "reply-not-failed",
                    "sending again refused: message \(message) is under way, or has arrived; wait for its end",
                    facts: ["message": "\(message)"]
                )
            }
        }
    }

    public func decide(
        _ state: Session,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Int> {
        _ = try state.contact(at: context.now, else: Refusal.unavailable)
        guard state.owner == by else { throw .notOwner(NotOwner(state)) }
        guard let reply = state.telephone?.replies[message] else { throw .messageUnknown(message) }
        guard case .failed = reply.state else { throw .notFailed(message) }
        let queued = SIPReplyQueued(message: message, attempt: reply.attempt + 1)
        return .record([.sip(session, .replyQueued(queued))])
    }

    public func outcome(of recorded: [Write]) -> Int? {
        recorded.first(SIPReplyQueued.self)?.payload.attempt
    }
}
