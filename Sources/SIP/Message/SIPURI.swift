// SPDX-License-Identifier: Apache-2.0

/// A URI in a message: one of SIP, taken apart, or another one as it stands.
public enum URI: Hashable, Sendable {
    case sip(SIPURI)
    /// `tel:`, `urn:` or another scheme, in small letters, and what follows the colon.
    case other(scheme: String, rest: String)

    /// Reads a URI and nothing beside it; a fault names the place.
    public static func parse(_ text: String, at place: String = "URI") throws(SIPFault) -> URI {
        let bytes = Array(text.utf8)
        guard let colon = bytes.firstIndex(of: .colon), let first = bytes.first, first.isLetter,
            bytes[..<colon].allSatisfy({
                $0.isDigit || $0.isLetter || [0x2B, 0x2D, 0x2E].contains($0)
            }),
            bytes.allSatisfy(\.isURI), colon + 1 < bytes.count
        else { throw SIPFault(.badURI, at: place) }
        let scheme = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
        let rest = bytes[(colon + 1)...]
        guard scheme == "sip" || scheme == "sips" else {
            return .other(scheme: scheme, rest: String(decoding: rest, as: UTF8.self))
        }
        return .sip(try SIPURI(isSecure: scheme == "sips", rest, at: place))
    }

    /// `sip`, `sips`, `tel`, `urn`: in small letters.
    public var scheme: String {
        switch self {
        case .sip(let uri): uri.isSecure ? "sips" : "sip"
        case .other(let scheme, _): scheme
        }
    }
}

extension URI: CustomStringConvertible {
    public var description: String {
        switch self {
        case .sip(let uri): uri.description
        case .other(let scheme, let rest): "\(scheme):\(rest)"
        }
    }
}

/// `sip:user:password@host:port;parameters?headers` (RFC 3261 §19.1).
public struct SIPURI: Hashable, Sendable {
    /// Whether its scheme is `sips`.
    public var isSecure: Bool
    /// As it was written, with its percent signs, and a password if there is one.
    public var userInfo: String?
    /// An IPv6 address stands in brackets.
    public var host: String
    public var port: Int?
    public var parameters: [SIPParameter]
    /// What follows the question mark; never acted on.
    public var headers: String?

    public init(
        isSecure: Bool = false,
        user: String? = nil,
        host: String,
        port: Int? = nil,
        parameters: [SIPParameter] = []
    ) {
        self.isSecure = isSecure
        userInfo = user.map(Self.escaped)
        self.host = host
        self.port = port
        self.parameters = parameters
    }

    /// The user without password and percent signs; `nil` also where they hide what is no UTF-8.
    public var user: String? {
        userInfo.flatMap {
            String(decoding: $0.utf8.prefix { $0 != .colon }, as: UTF8.self).percentDecoded
        }
    }

    init(isSecure: Bool, _ rest: ArraySlice<UInt8>, at place: String) throws(SIPFault) {
        self.isSecure = isSecure
        var rest = rest
        if let at = rest.firstIndex(of: .at) {
            guard at > rest.startIndex, Self.isEscapedWell(rest[..<at]) else {
                throw SIPFault(.badURI, at: place)
            }
            userInfo = String(decoding: rest[..<at], as: UTF8.self)
            rest = rest[(at + 1)...]
        }
        if let question = rest.firstIndex(of: .question) {
            headers = String(decoding: rest[(question + 1)...], as: UTF8.self)
            rest = rest[..<question]
        }
        guard !rest.contains(.at), Self.isEscapedWell(rest) else {
            throw SIPFault(.badURI, at: place)
        }
        let pieces = rest.split(separator: .semicolon, omittingEmptySubsequences: false)
        (host, port) = try Self.hostAndPort(pieces[0], at: place)
        parameters = try Self.parameters(pieces.dropFirst(), at: place)
    }

    /// A host with its port, as in a URI and in a Via.
    static func hostAndPort(
        _ bytes: ArraySlice<UInt8>,
        at place: String
    ) throws(SIPFault) -> (String, Int?) {
        let start = bytes.firstIndex(of: 0x5D) ?? bytes.startIndex
        let colon = bytes[start...].firstIndex(of: .colon) ?? bytes.endIndex
        let host = bytes[..<colon]
        let isAddress = host.first == 0x5B
        guard !host.isEmpty, isAddress == (host.last == 0x5D),
            host.dropFirst().allSatisfy({ $0 != 0x5B }),
            host.allSatisfy({ $0.isHost && (isAddress || $0 != .colon) })
        else { throw SIPFault(.badAddress, at: place) }
        let name = String(decoding: host, as: UTF8.self)
        guard colon < bytes.endIndex else { return (name, nil) }
        let digits = bytes[(colon + 1)...]
        guard (1...5).contains(digits.count), digits.allSatisfy(\.isDigit),
            let port = UInt16(String(decoding: digits, as: UTF8.self)), port > 0
        else { throw SIPFault(.badNumber, at: place) }
        return (name, Int(port))
    }

    private static func parameters(
        _ pieces: ArraySlice<ArraySlice<UInt8>>,
        at place: String
    ) throws(SIPFault) -> [SIPParameter] {
        guard pieces.count <= SIPLimits.parametersMax else { throw SIPFault(.tooMany, at: place) }
        var parameters: [SIPParameter] = []
        for piece in pieces {
            let name = piece.prefix { $0 != .equals }
            guard !name.isEmpty else { throw SIPFault(.badParameter, at: place) }
            let value = name.count < piece.count ? piece.dropFirst(name.count + 1) : nil
            parameters.append(
                SIPParameter(
                    String(decoding: name, as: UTF8.self),
                    value.map { String(decoding: $0, as: UTF8.self) }
                )
            )
        }
        return parameters
    }

    private static func isEscapedWell(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.indices.allSatisfy {
            bytes[$0] != .percent
                || bytes[$0...].dropFirst().prefix(2).count { $0.isHexadecimal } == 2
        }
    }

    private static func escaped(_ user: String) -> String {
        user.utf8.map {
            $0.isDigit || $0.isLetter || "-_.!~*'()&=+$,;?/".utf8.contains($0)
                ? String(UnicodeScalar($0))
                : "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true)
        }.joined()
    }
}

extension SIPURI: CustomStringConvertible {
    public var description: String {
        let user = userInfo.map { $0 + "@" } ?? ""
        let place = host + (port.map { ":\($0)" } ?? "")
        return (isSecure ? "sips:" : "sip:") + user + place + parameters.text
            + (headers.map { "?" + $0 } ?? "")
    }
}

extension String {
    /// With each percent sign and its two digits resolved; `nil` where no UTF-8 comes of it.
    var percentDecoded: String? {
        var plain: [UInt8] = []
        var rest = Array(utf8)[...]
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == .percent, digits.utf8.count == 2, digits.utf8.allSatisfy(\.isHexadecimal) {
                plain.append(UInt8(digits, radix: 16) ?? byte)
                rest = rest.dropFirst(2)
            } else {
                plain.append(byte)
            }
        }
        return String(validating: plain, as: UTF8.self)
    }
}
