// SPDX-License-Identifier: Apache-2.0

/// What the holder of a table has to do.
public enum TransactionAction: Hashable, Sendable {
    /// Send these bytes.
    case send([UInt8], to: SIPPeer)
    /// Have a new request answered; the answer goes to ``TransactionTable/answer(_:with:at:)``.
    case handle(TransactionKey, ReceivedRequest, tag: String)
    /// Stop what was begun for an INVITE: it was cancelled, and 487 was sent.
    case cancelled(TransactionKey)
    /// Stop what was begun for a request: its sender waits no more.
    case abandoned(TransactionKey)
    /// An accepted INVITE was acknowledged.
    case acknowledged(TransactionKey, ReceivedRequest)
    /// An accepted INVITE was not acknowledged in 32 s: its dialog is to be ended with BYE (RFC 3261 §13.3.1.4).
    case unacknowledged(TransactionKey)
    /// A request of ours was answered; more than once, if first provisionally.
    case answered(TransactionKey, SIPResponse)
    /// A request of ours got no final answer in the time of RFC 3261.
    case timedOut(TransactionKey)
}

/// All transactions of an endpoint, as a value without clock and socket: time is handed in, actions are handed back.
///
/// It holds at most ``capacity`` of them; a new request beyond that is answered with 503, which is counted, and a request of ours is
/// refused. From three quarters on, answers to requests by datagram are kept for 8 s instead of 32 s.
public struct TransactionTable: Sendable {
    public typealias Instant = ContinuousClock.Instant

    /// Why a request of ours was not sent.
    public enum Refusal: Error, Hashable, Sendable {
        /// The table is full; try again when transactions have ended.
        case full(capacity: Int)
        /// The request has no Via of ours, or its branch is in use.
        case branchUnusable
    }

    /// What happened since the table was made.
    public struct Counts: Hashable, Sendable {
        /// Requests that were new, but for those refused.
        public var requests = 0
        /// Requests that came again, and were not handled again.
        public var copies = 0
        /// Requests that the full table refused.
        public var refused = 0
        /// Answers that belong to no request of ours.
        public var strayResponses = 0
    }

    /// The most transactions at once.
    public let capacity: Int
    public private(set) var counts = Counts()
    private let timers: SIPTimers
    private var servers: [TransactionKey: Placed<ServerTransaction>] = [:]
    private var clients: [TransactionKey: Placed<ClientTransaction>] = [:]
    /// Accepted INVITEs by their dialog, for an ACK has a branch of its own.
    private var accepted: [DialogKey: TransactionKey] = [:]
    private var queue = DeadlineQueue<Side>()

    public init(capacity: Int, timers: SIPTimers = SIPTimers()) {
        self.capacity = capacity
        self.timers = timers
    }

    /// Transactions that have not ended.
    public var count: Int { servers.count + clients.count }

    /// When ``tick(at:)`` is to be called next.
    public var nextDeadline: Instant? { queue.first }

    /// Whether a request is none that came before, and no ACK.
    public func isNew(_ came: ReceivedRequest) -> Bool {
        came.request.method != .ack
            && servers[TransactionKey(received: came.request, came.envelope)] == nil
    }

    /// Takes a request that came; the unguessable tag is ours for the answers to a new one.
    public mutating func receive(
        _ came: ReceivedRequest,
        tag: String,
        at now: Instant
    ) -> [TransactionAction] {
        let key = TransactionKey(received: came.request, came.envelope)
        if came.request.method == .ack { return acknowledge(key, came, at: now) }
        if servers[key] != nil {
            counts.copies += 1
            let answer = servers[key]?.value.copyCame(from: came.peer)
            guard let answer, let peer = servers[key]?.value.peer else { return [] }
            return [.send(answer, to: peer)]
        }
        guard count < capacity else {
            counts.refused += 1
            let fields: HeaderFields = [HeaderField("Retry-After", "10")]
            let response = SIPResponse(503, to: came.request, tag: tag, fields: fields)
            return [.send(response.bytes, to: came.peer.answering(came.envelope.via))]
        }
        counts.requests += 1
        let isCancel = came.request.method == .cancel
        let ownTag = isCancel ? servers[key.ofInvite]?.value.tag ?? tag : tag
        servers[key] = Placed(value: ServerTransaction(came, tag: ownTag, timers, at: now))
        settle(.server(key), at: now)
        return isCancel ? cancel(key, came.request, at: now) : [.handle(key, came, tag: tag)]
    }

    /// Takes an answer that came; one to no request of ours is dropped and counted.
    public mutating func receive(_ response: SIPResponse, at now: Instant) -> [TransactionAction] {
        guard let envelope = try? response.envelope() else { return [] }
        let key = TransactionKey(sent: envelope)
        guard let peer = clients[key]?.value.peer,
            let (step, isNews) = clients[key]?.value.receive(response, at: now)
        else {
            counts.strayResponses += 1
            return []
        }
        defer { settle(.client(key), at: now) }
        var actions: [TransactionAction] = isNews ? [.answered(key, response)] : []
        if case .send(let bytes) = step { actions.append(.send(bytes, to: peer)) }
        return actions
    }

    /// Takes the answer to a request that was handed out; one after a final answer, or after the end, is dropped.
    public mutating func answer(
        _ key: TransactionKey,
        with response: SIPResponse,
        at now: Instant
    ) -> [TransactionAction] {
        let isPressed = count > capacity / 4 * 3
        guard let peer = servers[key]?.value.peer,
            let bytes = servers[key]?.value.give(response, isPressed: isPressed, at: now)
        else { return [] }
        if servers[key]?.value.state == .accepted, let envelope = try? response.envelope() {
            accepted[DialogKey(envelope)] = key
            servers[key]?.dialog = DialogKey(envelope)
        }
        settle(.server(key), at: now)
        return [.send(bytes, to: peer)]
    }

    /// Begins a request of ours, which has a Via of ours in front, whose branch was never used.
    public mutating func send(
        _ request: SIPRequest,
        to peer: SIPPeer,
        at now: Instant
    ) throws(Refusal) -> (TransactionKey, [TransactionAction]) {
        guard count < capacity else { throw .full(capacity: capacity) }
        guard let envelope = try? request.envelope(), envelope.via.branch != nil else {
            throw .branchUnusable
        }
        let key = TransactionKey(sent: envelope)
        guard clients[key] == nil else { throw .branchUnusable }
        let transaction = ClientTransaction(request, to: peer, timers, at: now)
        clients[key] = Placed(value: transaction)
        settle(.client(key), at: now)
        return (key, [.send(transaction.bytes, to: peer)])
    }

    /// Does what is due.
    public mutating func tick(at now: Instant) -> [TransactionAction] {
        var actions: [TransactionAction] = []
        while let (_, side) = queue.pop(dueBy: now) {
            switch side {
            case .server(let key):
                servers[key]?.due = nil
                actions += tickServer(key, at: now)
            case .client(let key):
                clients[key]?.due = nil
                actions += tickClient(key, at: now)
            }
        }
        return actions
    }

    private mutating func acknowledge(
        _ key: TransactionKey,
        _ came: ReceivedRequest,
        at now: Instant
    ) -> [TransactionAction] {
        // To a refusal it has the branch of the INVITE, to a 2xx only the dialog.
        let own = servers[key] == nil ? accepted[DialogKey(came.envelope)] : key
        guard let own, let state = servers[own]?.value.state else { return [] }
        servers[own]?.value.acknowledge(at: now)
        settle(.server(own), at: now)
        return state == .accepted ? [.acknowledged(own, came)] : []
    }

    private mutating func cancel(
        _ key: TransactionKey,
        _ request: SIPRequest,
        at now: Instant
    ) -> [TransactionAction] {
        let tag = servers[key]?.value.tag ?? ""
        guard let invite = servers[key.ofInvite]?.value else {
            return answer(key, with: SIPResponse(481, to: request, tag: tag), at: now)
        }
        let actions = answer(key, with: SIPResponse(200, to: request, tag: tag), at: now)
        guard invite.state == .open, let cancelled = invite.request else { return actions }
        let ended = SIPResponse(487, to: cancelled, tag: invite.tag)
        return actions + answer(key.ofInvite, with: ended, at: now) + [.cancelled(key.ofInvite)]
    }

    private mutating func tickServer(_ key: TransactionKey, at now: Instant) -> [TransactionAction]
    {
        guard let step = servers[key]?.value.tick(at: now), let value = servers[key]?.value else {
            return []
        }
        switch step {
        case .nothing:
            settle(.server(key), at: now)
            return []
        case .send(let bytes):
            settle(.server(key), at: now)
            return [.send(bytes, to: value.peer)]
        case .sendTrying:
            guard let request = value.request else { return [] }
            return answer(key, with: SIPResponse(100, to: request, tag: value.tag), at: now)
        case .end(let isUnfinished):
            end(.server(key))
            guard isUnfinished else { return [] }
            return [value.state == .open ? .abandoned(key) : .unacknowledged(key)]
        }
    }

    private mutating func tickClient(_ key: TransactionKey, at now: Instant) -> [TransactionAction]
    {
        guard let step = clients[key]?.value.tick(at: now), let peer = clients[key]?.value.peer
        else {
            return []
        }
        switch step {
        case .nothing, .send:
            settle(.client(key), at: now)
            if case .send(let bytes) = step { return [.send(bytes, to: peer)] }
            return []
        case .end(let isUnfinished):
            end(.client(key))
            return isUnfinished ? [.timedOut(key)] : []
        }
    }

    /// Ends a transaction that is over already, and has the queue know its deadline else.
    ///
    /// A later deadline is looked up when the earlier one comes.
    private mutating func settle(_ side: Side, at now: Instant) {
        switch side {
        case .server(let key):
            guard let server = servers[key] else { return }
            let deadline = server.value.deadline
            if deadline <= now, server.value.state != .open { return end(side) }
            guard server.due.map({ deadline < $0 }) ?? true else { return }
            servers[key]?.due = deadline
            queue.insert(side, due: deadline)
        case .client(let key):
            guard let client = clients[key] else { return }
            let deadline = client.value.deadline
            if deadline <= now, client.value.state == .completed { return end(side) }
            guard client.due.map({ deadline < $0 }) ?? true else { return }
            clients[key]?.due = deadline
            queue.insert(side, due: deadline)
        }
    }

    private mutating func end(_ side: Side) {
        switch side {
        case .server(let key):
            if let dialog = servers[key]?.dialog { accepted[dialog] = nil }
            servers[key] = nil
        case .client(let key):
            clients[key] = nil
        }
        guard queue.count > 2 * count + Self.staleMax else { return }
        // Of streams most transactions end long before their deadlines.
        queue = DeadlineQueue()
        for (key, server) in servers {
            if let due = server.due { queue.insert(.server(key), due: due) }
        }
        for (key, client) in clients {
            if let due = client.due { queue.insert(.client(key), due: due) }
        }
    }

    /// Entries of the queue that nothing waits for any more, beyond as many as there are transactions.
    private static let staleMax = 1024

    private enum Side: Sendable {
        case server(TransactionKey)
        case client(TransactionKey)
    }

    private struct Placed<Value: Sendable>: Sendable {
        var value: Value
        /// The earliest entry of the queue.
        var due: Instant?
        var dialog: DialogKey?
    }

    /// The dialog and number of an INVITE, as its ACK has them.
    private struct DialogKey: Hashable, Sendable {
        let callID: String
        let fromTag: String?
        let toTag: String?
        let number: UInt32

        init(_ envelope: SIPEnvelope) {
            callID = envelope.callID
            fromTag = envelope.from.tag
            toTag = envelope.to.tag
            number = envelope.cseq.number
        }
    }
}
