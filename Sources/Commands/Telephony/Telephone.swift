// SPDX-License-Identifier: Apache-2.0
public import Events

/// The telephone side of a session: who texted last, and how far the answers have come.
public struct Telephone: Hashable, Sendable {
    /// Who sent the last request, and where answers go.
    public private(set) var sender: Sealed<SIPSender>
    public private(set) var transport: SIPMessageReceived.Transport
    public private(set) var method: SIPMessageReceived.Method
    public private(set) var trunk: String?
    /// Whether the number is certain; see ``SIPMessageReceived/isVerified``.
    public private(set) var isVerified: Bool
    /// Whether the caller's last message came by telephone, so that answers go there.
    public private(set) var isLast = true
    /// The answers that were to go by telephone.
    public private(set) var replies: [MessageID: Reply] = [:]

    init(_ received: SIPMessageReceived) {
        sender = received.sender
        transport = received.transport
        method = received.method
        trunk = received.trunk
        isVerified = received.isVerified
    }

    /// An answer on its way to the telephone.
    public struct Reply: Hashable, Sendable {
        /// The latest attempt, from 1.
        public internal(set) var attempt: Int
        public internal(set) var state: State
        /// When it came to this state.
        public internal(set) var at: Timestamp
        /// The event that queued it.
        public internal(set) var cause: Cause

        /// How far it has come.
        public enum State: Hashable, Sendable {
            case queued
            /// The request was about to be sent; its end is not recorded yet.
            case sent
            case delivered
            /// With the telephone's answer; `nil` where none came in time, 0 where no request could be sent.
            case failed(status: Int?)
        }
    }

    /// The caller wrote in another way.
    mutating func noteOtherWay() { isLast = false }

    /// Takes in an event of the session's telephone side.
    mutating func apply(_ event: SIPEvent, of envelope: Envelope) {
        switch event {
        case .messageReceived(let received):
            let replies = replies
            self = Telephone(received)
            self.replies = replies
        case .replyQueued(let queued):
            replies[queued.message] = Reply(
                attempt: queued.attempt,
                state: .queued,
                at: envelope.time,
                cause: Cause(envelope)
            )
        case .replySent(let sent): move(sent.message, sent.attempt, to: .sent, envelope)
        case .replyAnswered(let answered):
            let state: Reply.State =
                answered.isDelivered ? .delivered : .failed(status: answered.status)
            move(answered.message, answered.attempt, to: state, envelope)
        case .replyTimedOut(let timedOut):
            move(timedOut.message, timedOut.attempt, to: .failed(status: nil), envelope)
        case .malformedReceived, .trunkSet: break
        }
    }

    private mutating func move(
        _ message: MessageID,
        _ attempt: Int,
        to state: Reply.State,
        _ envelope: Envelope
    ) {
        guard var reply = replies[message], reply.attempt == attempt else { return }
        (reply.state, reply.at) = (state, envelope.time)
        replies[message] = reply
    }
}

extension Telephone? {
    /// As ``Telephone/apply(_:of:)``; the first request begins it.
    mutating func apply(_ event: SIPEvent, of envelope: Envelope) {
        if self == nil, case .messageReceived(let received) = event {
            self = Telephone(received)
        } else {
            self?.apply(event, of: envelope)
        }
    }
}
