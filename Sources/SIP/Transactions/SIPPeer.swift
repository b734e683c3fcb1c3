// SPDX-License-Identifier: Apache-2.0

/// How messages are carried.
public enum SIPTransport: String, Hashable, Sendable, CaseIterable {
    case udp = "UDP"
    case tcp = "TCP"
    case tls = "TLS"

    /// Whether what was sent arrives, or the connection ends; nothing is sent twice then.
    public var isReliable: Bool { self != .udp }
}

/// Where a message came from, or is to go.
public struct SIPPeer: Hashable, Sendable {
    public var transport: SIPTransport
    /// An address without brackets, or a name where a connection is to be made.
    public var host: String
    public var port: Int
    /// Which connection of the endpoint; `nil` for UDP, and where any connection to host and port will do.
    public var connection: UInt64?

    public init(_ transport: SIPTransport, host: String, port: Int, connection: UInt64? = nil) {
        self.transport = transport
        self.host = host
        self.port = port
        self.connection = connection
    }

    /// Where the answer goes to a request that came from here (RFC 3261 §18.2.2, RFC 3581 §4).
    func answering(_ via: Via) -> SIPPeer {
        guard transport == .udp, !via.wantsPort else { return self }
        var peer = self
        peer.port = via.port ?? 5060
        return peer
    }
}

/// A request as it came.
public struct ReceivedRequest: Hashable, Sendable {
    /// Its first Via has `received`, and `rport` where that was wanted.
    public let request: SIPRequest
    public let envelope: SIPEnvelope
    public let peer: SIPPeer

    package init(_ request: SIPRequest, from peer: SIPPeer) throws(SIPFault) {
        envelope = try request.envelope()
        var request = request
        request.fields.replaceFirstValue(
            "Via",
            with: envelope.via.received(from: peer).description
        )
        self.request = request
        self.peer = peer
    }
}

/// What tells transactions apart (RFC 3261 §17.1.3, §17.2.3).
public struct TransactionKey: Hashable, Sendable {
    let branch: String
    let sentBy: String
    let method: SIPMethod

    /// Of a request that came; an ACK has the key of its INVITE.
    ///
    /// A request without branch, one of RFC 2543, is known by what stays the same when it is sent again.
    init(received request: SIPRequest, _ envelope: SIPEnvelope) {
        let via = envelope.via
        branch =
            via.branch
                ?? """
                2543 \(request.uri) \(envelope.from.tag ?? "") \(envelope.callID) \
                \(envelope.cseq.number) \(via.host) \(via.parameters.first("branch")?.value ?? "")
                """
        sentBy = via.sentBy
        method = request.method == .ack ? .invite : request.method
    }

    /// Of a request of ours, by the envelope of itself or of its answer.
    init(sent envelope: SIPEnvelope) {
        branch = envelope.via.branch ?? ""
        sentBy = ""
        method = envelope.cseq.method
    }

    private init(branch: String, sentBy: String, method: SIPMethod) {
        self.branch = branch
        self.sentBy = sentBy
        self.method = method
    }

    /// The key of the INVITE that a CANCEL with this key means.
    var ofInvite: TransactionKey {
        TransactionKey(branch: branch, sentBy: sentBy, method: .invite)
    }
}
