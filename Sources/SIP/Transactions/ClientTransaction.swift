// SPDX-License-Identifier: Apache-2.0

/// What became of a request of ours: a state machine without clock and socket (RFC 3261 §17.1, RFC 6026).
struct ClientTransaction: Sendable {
    typealias Instant = ContinuousClock.Instant

    enum State: Sendable {
        /// Nobody answered yet: Calling or Trying.
        case calling
        case proceeding
        /// There is a final answer, an INVITE's of 300 or more.
        case completed
        /// An INVITE's 2xx came.
        case accepted
    }

    /// What a moment or an answer brings.
    enum Step: Equatable, Sendable {
        case nothing
        case send([UInt8])
        /// It is over; no final answer came.
        case end(isUnfinished: Bool)
    }

    private(set) var state = State.calling
    let peer: SIPPeer
    let bytes: [UInt8]
    private let request: SIPRequest
    private let isInvite: Bool
    private let timers: SIPTimers
    private var acknowledgement: [UInt8]?
    /// Timer A or E.
    private var resendAt: Instant?
    private var pause: Duration
    /// Timer B or F, then D, K or M.
    private var endAt: Instant

    init(_ request: SIPRequest, to peer: SIPPeer, _ timers: SIPTimers, at now: Instant) {
        self.request = request
        self.peer = peer
        self.timers = timers
        bytes = request.bytes
        isInvite = request.method == .invite
        pause = timers.roundTrip
        resendAt = peer.transport.isReliable ? nil : now + pause
        endAt = now + timers.patience
    }

    /// When it next has something to do.
    var deadline: Instant { min(endAt, resendAt ?? endAt) }

    /// An answer came.
    ///
    /// - Returns: What is to be sent for it, and whether it is new to who asked.
    mutating func receive(_ response: SIPResponse, at now: Instant) -> (Step, isNews: Bool) {
        switch state {
        case .completed:
            // The ACK was lost, or the answer doubled.
            return (response.isFinal ? acknowledgement.map(Step.send) ?? .nothing : .nothing, false)
        case .accepted:
            return (.nothing, (200..<300).contains(response.status))
        case .calling, .proceeding:
            guard response.isFinal else {
                proceed(at: now)
                return (.nothing, true)
            }
            return (finish(response, at: now), true)
        }
    }

    private mutating func proceed(at now: Instant) {
        if isInvite {
            resendAt = nil
            if state == .calling { endAt = now + timers.ringing }
        } else if resendAt != nil, state == .calling {
            pause = timers.pauseMax
            resendAt = now + pause
        }
        state = .proceeding
    }

    private mutating func finish(_ response: SIPResponse, at now: Instant) -> Step {
        resendAt = nil
        let isReliable = peer.transport.isReliable
        guard isInvite else {
            state = .completed
            endAt = isReliable ? now : now + timers.lifetime
            return .nothing
        }
        if response.status < 300 {
            state = .accepted
            endAt = now + timers.patience
            return .nothing
        }
        state = .completed
        endAt = isReliable ? now : now + timers.patience
        let bytes = acknowledging(response).bytes
        acknowledgement = bytes
        return .send(bytes)
    }

    /// The ACK to an answer of 300 or more (RFC 3261 §17.1.1.3).
    private func acknowledging(_ response: SIPResponse) -> SIPRequest {
        var fields = HeaderFields()
        fields.append(HeaderField("Via", request.fields.values("Via").first ?? ""))
        for name in ["From", "Call-ID", "Max-Forwards"] {
            fields.append(HeaderField(name, request.fields[name] ?? ""))
        }
        fields.append(HeaderField("To", response.fields["To"] ?? ""))
        let number = request.fields["CSeq"]?.split(separator: " ").first ?? "1"
        fields.append(HeaderField("CSeq", "\(number) ACK"))
        for route in request.fields.lines("Route") { fields.append(HeaderField("Route", route)) }
        return SIPRequest(.ack, request.uri, fields: fields)
    }

    /// Does what is due.
    mutating func tick(at now: Instant) -> Step {
        if endAt <= now {
            return .end(isUnfinished: state == .calling || state == .proceeding)
        }
        guard let resendAt, resendAt <= now else { return .nothing }
        pause = isInvite ? pause * 2 : min(pause * 2, timers.pauseMax)
        self.resendAt = now + pause
        return .send(bytes)
    }
}
