// SPDX-License-Identifier: Apache-2.0

/// What became of a request that came: a state machine without clock and socket (RFC 3261 §17.2, RFC 6026).
struct ServerTransaction: Sendable {
    typealias Instant = ContinuousClock.Instant

    enum State: Sendable {
        /// There is no final answer yet.
        case open
        /// There is one, and copies of the request get it again.
        case completed
        /// An INVITE whose refusal was acknowledged; further ACKs are absorbed.
        case confirmed
        /// An INVITE that was accepted with 2xx.
        case accepted
    }

    /// What a moment brings.
    enum Step: Equatable, Sendable {
        case nothing
        case send([UInt8])
        /// An INVITE wants its 100.
        case sendTrying
        /// It is over; unfinished is a request without answer, or a 2xx without ACK.
        case end(isUnfinished: Bool)
    }

    private(set) var state = State.open
    /// Where answers go.
    private(set) var peer: SIPPeer
    /// The request, as long as it is open, and its tag of ours.
    private(set) var request: SIPRequest?
    let tag: String
    private let isInvite: Bool
    private let timers: SIPTimers
    private var answer: [UInt8]?
    private var isAcknowledged = false
    /// Whether a 100 or another provisional answer went out: the other end repeats its INVITE no more.
    private var isProvisional = false
    /// Timer G, or the core's for a 2xx.
    private var resendAt: Instant?
    private var pause: Duration
    private var tryingAt: Instant?
    private var endAt: Instant

    init(_ came: ReceivedRequest, tag: String, _ timers: SIPTimers, at now: Instant) {
        request = came.request
        peer = came.peer.answering(came.envelope.via)
        self.tag = tag
        self.timers = timers
        isInvite = came.request.method == .invite
        pause = timers.roundTrip
        tryingAt = isInvite ? now + timers.tryingAfter : nil
        endAt = now + (isInvite ? timers.ringing : timers.patience)
    }

    /// When it next has something to do.
    var deadline: Instant { min(endAt, min(resendAt ?? endAt, tryingAt ?? endAt)) }

    /// The request came again.
    ///
    /// - Returns: The answer to send again, if there is one.
    mutating func copyCame(from copyPeer: SIPPeer) -> [UInt8]? {
        // The sender's connection may be another one by now.
        if copyPeer.host == peer.host, copyPeer.transport.isReliable { peer = copyPeer }
        return state == .confirmed || state == .accepted ? nil : answer
    }

    /// Takes an answer; pressed is a table that is nearly full.
    ///
    /// - Returns: The answer to send; `nil` where a final one was given before.
    mutating func give(_ response: SIPResponse, isPressed: Bool, at now: Instant) -> [UInt8]? {
        guard state == .open else { return nil }
        let bytes = response.bytes
        answer = bytes
        tryingAt = nil
        guard response.isFinal else {
            isProvisional = true
            return bytes
        }
        request = nil
        if isInvite {
            state = response.status < 300 ? .accepted : .completed
            // G runs on datagrams alone; a 2xx is sent again on streams, too (§13.3.1.4). Whoever got no provisional answer asks again by
            // itself: a refusal at once is one datagram for one, lest a forged address be sent ten.
            let isRepeated = !peer.transport.isReliable && isProvisional
            if state == .accepted || isRepeated { resendAt = now + pause }
            endAt = now + timers.patience
        } else {
            state = .completed
            let patience = isPressed ? timers.patienceUnderPressure : timers.patience
            endAt = peer.transport.isReliable ? now : now + patience
        }
        return bytes
    }

    /// An ACK came.
    mutating func acknowledge(at now: Instant) {
        resendAt = nil
        isAcknowledged = true
        guard state == .completed, isInvite else { return }
        state = .confirmed
        endAt = peer.transport.isReliable ? now : now + timers.lifetime
    }

    /// Does what is due.
    mutating func tick(at now: Instant) -> Step {
        if endAt <= now {
            return .end(isUnfinished: state == .open || (state == .accepted && !isAcknowledged))
        }
        if let tryingAt, tryingAt <= now {
            self.tryingAt = nil
            return .sendTrying
        }
        guard let resendAt, resendAt <= now, let answer else { return .nothing }
        pause = min(pause * 2, timers.pauseMax)
        self.resendAt = now + pause
        return .send(answer)
    }
}
