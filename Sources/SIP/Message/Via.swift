// SPDX-License-Identifier: Apache-2.0

/// One hop of a message's way (RFC 3261 §20.42, RFC 3581).
public struct Via: Hashable, Sendable {
    /// `UDP`, `TCP`, `TLS` or another, in capitals.
    public var transport: String
    /// Who sent it, by its own words.
    public var host: String
    public var port: Int?
    public var parameters: [SIPParameter]

    public init(transport: String, host: String, port: Int?, parameters: [SIPParameter]) {
        self.transport = transport.uppercased()
        self.host = host
        self.port = port
        self.parameters = parameters
    }

    /// Reads one value of a Via field.
    public static func parse(_ value: String) throws(SIPFault) -> Via {
        var scanner = FieldScanner(value)
        var via = try parseHead(&scanner)
        via.parameters = try scanner.parameters(of: "Via")
        return via
    }

    /// Reads what can be read, for the answer to a request that is malformed.
    static func salvage(_ value: String) -> Via? {
        var scanner = FieldScanner(value)
        guard var via = try? parseHead(&scanner, anyVersion: true) else { return nil }
        via.parameters = (try? scanner.parameters(of: "Via")) ?? []
        return via
    }

    private static func parseHead(
        _ scanner: inout FieldScanner,
        anyVersion: Bool = false
    ) throws(SIPFault) -> Via {
        scanner.skipBlanks()
        guard scanner.token()?.uppercased() == "SIP", scanner.take(.slash),
            let version = scanner.token(), anyVersion || version == "2.0", scanner.take(.slash),
            let transport = scanner.token(),
            let head = scanner.head, head.isBlank
        else { throw SIPFault(.badText, at: "Via") }
        scanner.skipBlanks()
        var sentBy = scanner.text { $0.isHost } ?? ""
        // Blanks may stand around the colon.
        if !sentBy.hasPrefix("["), scanner.take(.colon) {
            sentBy += ":" + (scanner.text { $0.isDigit } ?? "")
        }
        let (host, port) = try SIPURI.hostAndPort(Array(sentBy.utf8)[...], at: "Via")
        return Via(transport: transport, host: host, port: port, parameters: [])
    }

    /// What names the transaction; `nil` where there is none, or none of RFC 3261.
    public var branch: String? {
        guard let branch = parameters.first("branch")?.value,
            branch.lowercased().hasPrefix(Self.cookie), branch.utf8.count > Self.cookie.utf8.count
        else { return nil }
        return branch
    }

    /// Host and port as the transaction's key has them.
    var sentBy: String { "\(host.lowercased()):\(port ?? 5060)" }

    /// Whether the answer is to go to the port that the request came from.
    var wantsPort: Bool { parameters.first("rport") != nil }

    /// With the address and port that the request really came from.
    func received(from peer: SIPPeer) -> Via {
        var via = self
        via.parameters.removeAll { $0.name.lowercased() == "received" }
        if let place = via.parameters.firstIndex(where: { $0.name.lowercased() == "rport" }) {
            via.parameters[place] = SIPParameter("rport", String(peer.port))
        }
        via.parameters.append(SIPParameter("received", peer.host))
        return via
    }

    static let cookie = "z9hg4bk"
}

extension Via: CustomStringConvertible {
    public var description: String {
        "SIP/2.0/\(transport) \(host)\(port.map { ":\($0)" } ?? "")\(parameters.text)"
    }
}

/// The number of a request in its dialog, with its method (RFC 3261 §20.16).
public struct CSeq: Hashable, Sendable {
    public var number: UInt32
    public var method: SIPMethod

    public init(_ number: UInt32, _ method: SIPMethod) {
        self.number = number
        self.method = method
    }

    /// Reads the value of a CSeq field.
    public static func parse(_ value: String) throws(SIPFault) -> CSeq {
        let words = value.utf8.split(whereSeparator: \.isBlank)
        guard words.count == 2, words[0].allSatisfy(\.isDigit), words[0].count <= 20,
            let number = UInt32(String(decoding: words[0], as: UTF8.self)),
            words[1].allSatisfy(\.isToken)
        else { throw SIPFault(.badNumber, at: "CSeq") }
        return CSeq(number, SIPMethod(String(decoding: words[1], as: UTF8.self)))
    }
}

extension CSeq: CustomStringConvertible {
    public var description: String { "\(number) \(method.name)" }
}
