// SPDX-License-Identifier: Apache-2.0

/// A method's name; compared with regard to case (RFC 3261 §7.1).
public struct SIPMethod: Hashable, Sendable {
    public let name: String

    public init(_ name: String) {
        self.name = name
    }

    public static let ack = SIPMethod("ACK")
    public static let bye = SIPMethod("BYE")
    public static let cancel = SIPMethod("CANCEL")
    public static let invite = SIPMethod("INVITE")
    public static let message = SIPMethod("MESSAGE")
    public static let options = SIPMethod("OPTIONS")
    public static let register = SIPMethod("REGISTER")
}

/// A request or a response.
public enum SIPMessage: Hashable, Sendable {
    case request(SIPRequest)
    case response(SIPResponse)

    /// As it goes over the wire, with its `Content-Length`.
    public var bytes: [UInt8] {
        switch self {
        case .request(let request): request.bytes
        case .response(let response): response.bytes
        }
    }
}

/// A request.
public struct SIPRequest: Hashable, Sendable {
    public var method: SIPMethod
    /// The Request-URI.
    public var uri: URI
    public var fields: HeaderFields
    public var body: [UInt8]

    public init(_ method: SIPMethod, _ uri: URI, fields: HeaderFields, body: [UInt8] = []) {
        self.method = method
        self.uri = uri
        self.fields = fields
        self.body = body
    }

    /// As it goes over the wire, with its `Content-Length`.
    public var bytes: [UInt8] { wireBytes("\(method.name) \(uri) SIP/2.0", fields, body) }

    /// What every request says of itself, read and held against each other.
    ///
    /// - Throws: What is missing, doubled or wrong. `Max-Forwards` may be missing: RFC 2543 did not know it.
    public func envelope() throws(SIPFault) -> SIPEnvelope {
        let envelope = try SIPEnvelope(fields)
        // One more is put in: where the request came from.
        guard envelope.via.parameters.count < SIPLimits.parametersMax else {
            throw SIPFault(.tooMany, at: "Via")
        }
        guard envelope.cseq.method == method else { throw SIPFault(.contradicts, at: "CSeq") }
        let hops = fields.lines("Max-Forwards")
        guard hops.count <= 1 else { throw SIPFault(.repeated, at: "Max-Forwards") }
        guard hops.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isDigit) }) else {
            throw SIPFault(.badNumber, at: "Max-Forwards")
        }
        return envelope
    }
}

/// A response.
public struct SIPResponse: Hashable, Sendable {
    /// 100 to 699.
    public var status: Int
    public var reason: String
    public var fields: HeaderFields
    public var body: [UInt8]

    public init(
        _ status: Int,
        reason: String? = nil,
        fields: HeaderFields,
        body: [UInt8] = []
    ) {
        precondition((100...699).contains(status), "\(status) is no status of SIP")
        self.status = status
        self.reason = reason ?? Self.reasons[status] ?? ""
        self.fields = fields
        self.body = body
    }

    /// The answer to a request: Via, From, To, Call-ID and CSeq are the request's, and up to 299 its Record-Route
    /// (RFC 3261 §8.2.6, §12.1.1).
    ///
    /// The tag is ours, for a To that has none yet; 100 carries none. The given fields follow those of the request.
    public init(
        _ status: Int,
        reason: String? = nil,
        to request: SIPRequest,
        tag: String,
        fields: HeaderFields = [],
        body: [UInt8] = []
    ) {
        var all = HeaderFields()
        for field in request.fields.all where Self.copied.contains(field.key) {
            guard field.key != "record-route" || (101...299).contains(status) else { continue }
            let isOpen = field.key == "to" && status > 100 && !Self.hasTag(field.value)
            all.append(isOpen ? HeaderField(field.name, field.value + ";tag=" + tag) : field)
        }
        for field in fields.all { all.append(field) }
        self.init(status, reason: reason, fields: all, body: body)
    }

    /// Whether no other response follows.
    public var isFinal: Bool { status >= 200 }

    /// As it goes over the wire, with its `Content-Length`.
    public var bytes: [UInt8] {
        wireBytes("SIP/2.0 \(status) \(reason)", fields, body)
    }

    /// What every response says of the request that it answers.
    public func envelope() throws(SIPFault) -> SIPEnvelope { try SIPEnvelope(fields) }

    private static func hasTag(_ value: String) -> Bool {
        (try? NameAddress.parse(value, of: "To"))?.tag != nil
    }

    private static let copied: Set<String> = [
        "via", "from", "to", "call-id", "cseq", "record-route",
    ]

    private static let reasons = [
        100: "Trying", 180: "Ringing", 200: "OK", 202: "Accepted", 400: "Bad Request",
        401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
        406: "Not Acceptable", 408: "Request Timeout", 413: "Request Entity Too Large",
        415: "Unsupported Media Type", 416: "Unsupported URI Scheme", 420: "Bad Extension",
        480: "Temporarily Unavailable", 481: "Call/Transaction Does Not Exist", 486: "Busy Here",
        487: "Request Terminated", 488: "Not Acceptable Here", 491: "Request Pending",
        493: "Undecipherable", 500: "Server Internal Error", 501: "Not Implemented",
        503: "Service Unavailable", 505: "Version Not Supported", 513: "Message Too Large",
    ]
}

/// What every message says of its request: the way, the two ends, the call and the number in it.
public struct SIPEnvelope: Hashable, Sendable {
    /// The nearest hop.
    public let via: Via
    public let from: NameAddress
    public let to: NameAddress
    public let callID: String
    public let cseq: CSeq

    /// - Throws: Also for a further Via or a Contact that cannot be read.
    init(_ fields: HeaderFields) throws(SIPFault) {
        let hops = fields.values("Via")
        guard let nearest = hops.first else { throw SIPFault(.missing, at: "Via") }
        guard hops.count <= SIPLimits.valuesMax else { throw SIPFault(.tooMany, at: "Via") }
        via = try Via.parse(nearest)
        for hop in hops.dropFirst() { _ = try Via.parse(hop) }
        from = try NameAddress.parse(Self.only("From", fields), of: "From")
        to = try NameAddress.parse(Self.only("To", fields), of: "To")
        cseq = try CSeq.parse(Self.only("CSeq", fields))
        callID = try Self.only("Call-ID", fields)
        guard !callID.isEmpty, callID.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw SIPFault(.badText, at: "Call-ID")
        }
        for contact in fields.values("Contact") where contact != "*" {
            _ = try NameAddress.parse(contact, of: "Contact")
        }
    }

    private static func only(_ name: String, _ fields: HeaderFields) throws(SIPFault) -> String {
        let lines = fields.lines(name)
        guard let line = lines.first else { throw SIPFault(.missing, at: name) }
        guard lines.count == 1 else { throw SIPFault(.repeated, at: name) }
        return line
    }
}

private func wireBytes(_ line: String, _ fields: HeaderFields, _ body: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(1024 + body.count)
    // A reason or a URI of ours cannot begin another line.
    bytes += line.utf8.map { $0 == .carriageReturn || $0 == .lineFeed ? .space : $0 }
    for field in fields.all { bytes += "\r\n\(field.name): \(field.value)".utf8 }
    bytes += "\r\nContent-Length: \(body.count)\r\n\r\n".utf8
    return bytes + body
}
