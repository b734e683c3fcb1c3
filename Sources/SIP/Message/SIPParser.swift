// SPDX-License-Identifier: Apache-2.0

extension SIPMessage {
    /// Reads a datagram.
    ///
    /// What follows the body is dropped (RFC 3261 §18.3); without a length the body goes to the end.
    public static func parse(_ datagram: [UInt8]) throws(SIPFault) -> SIPMessage {
        let head = try SIPHead(datagram[...])
        let rest = datagram[head.end...]
        let length = try head.contentLength() ?? rest.count
        guard length <= rest.count else { throw SIPFault(.cutOff, at: "body") }
        return try head.message(body: Array(rest.prefix(length)))
    }
}

extension SIPRequest {
    /// What can be read of a request that is malformed, so that it can be answered.
    ///
    /// - Returns: `nil` where there is no request line, or no Via to answer by. A response is never answered.
    package static func salvage(_ bytes: [UInt8]) -> SIPRequest? {
        var reader = LineReader(bytes.prefix(SIPLimits.headBytesMax))
        guard let start = try? reader.next(), let method = salvagedMethod(start) else { return nil }
        var fields = HeaderFields()
        while fields.all.count < SIPLimits.fieldsMax, let line = try? reader.next(), !line.isEmpty {
            if let field = try? SIPHead.field(line) { fields.append(field) }
        }
        guard fields.values("Via").first.flatMap(Via.salvage) != nil else { return nil }
        return SIPRequest(method, .other(scheme: "unknown", rest: "-"), fields: fields)
    }

    private static func salvagedMethod(_ line: [UInt8]) -> SIPMethod? {
        let word = line.prefix { !$0.isBlank }
        // An ACK is never answered, and a word with a slash begins a response.
        guard !word.isEmpty, word.allSatisfy(\.isToken) else { return nil }
        let method = SIPMethod(String(decoding: word, as: UTF8.self))
        return method == .ack ? nil : method
    }
}

/// The start line and the header fields of a message.
struct SIPHead {
    private let line: StartLine
    private let fields: HeaderFields
    private let lengths: [String]
    /// Where the body begins.
    let end: Int

    private enum StartLine {
        case request(SIPMethod, URI)
        case response(Int, String)
    }

    /// Reads from the start line to the empty line; empty lines before it are passed over.
    init(_ bytes: ArraySlice<UInt8>) throws(SIPFault) {
        var reader = LineReader(bytes)
        var start = try reader.next()
        while start?.isEmpty == true { start = try reader.next() }
        guard let start else { throw SIPFault(.missing, at: "start line") }
        line = try Self.startLine(start)
        var (fields, lengths) = (HeaderFields(), [String]())
        while true {
            guard let line = try reader.next() else { throw SIPFault(.cutOff, at: "header") }
            if line.isEmpty { break }
            guard fields.all.count + lengths.count < SIPLimits.fieldsMax else {
                throw SIPFault(.tooMany, at: "header")
            }
            let field = try Self.field(line)
            if field.key == "content-length" { lengths.append(field.value) }
            fields.append(field)
        }
        self.fields = fields
        self.lengths = lengths
        end = reader.place
    }

    /// The body's length in bytes; `nil` where the message does not tell.
    func contentLength() throws(SIPFault) -> Int? {
        guard lengths.count <= 1 else { throw SIPFault(.repeated, at: "Content-Length") }
        guard let text = lengths.first else { return nil }
        guard !text.isEmpty, text.utf8.allSatisfy(\.isDigit) else {
            throw SIPFault(.badNumber, at: "Content-Length")
        }
        guard let length = Int(text), length <= SIPLimits.bodyBytesMax else {
            throw SIPFault(.tooLong, at: "body")
        }
        return length
    }

    /// What the head of a message on a stream is, and the length of the body after it, which is known of many a malformed one.
    ///
    /// - Throws: When the length is not known.
    static func framing(
        _ bytes: [UInt8]
    ) throws(SIPFault) -> (Result<SIPHead, SIPFault>, length: Int) {
        do throws(SIPFault) {
            let head = try SIPHead(bytes[...])
            guard let length = try head.contentLength() else {
                throw SIPFault(.missing, at: "Content-Length")
            }
            return (.success(head), length)
        } catch {
            var reader = LineReader(bytes[...])
            var lengths: [String] = []
            _ = try reader.next()
            while let line = try reader.next(), !line.isEmpty {
                guard let field = try? field(line), field.key == "content-length" else { continue }
                lengths.append(field.value)
            }
            guard lengths.count == 1, lengths[0].utf8.allSatisfy(\.isDigit),
                let length = Int(lengths[0]), length <= SIPLimits.bodyBytesMax
            else { throw error }
            return (.failure(error), length)
        }
    }

    /// The message with this body.
    func message(body: [UInt8]) throws(SIPFault) -> SIPMessage {
        switch line {
        case .request(let method, let uri):
            let request = SIPRequest(method, uri, fields: fields, body: body)
            _ = try request.envelope()
            return .request(request)
        case .response(let status, let reason):
            let response = SIPResponse(status, reason: reason, fields: fields, body: body)
            _ = try response.envelope()
            return .response(response)
        }
    }

    private static func startLine(_ line: [UInt8]) throws(SIPFault) -> StartLine {
        if line.prefix(4).elementsEqual("SIP/".utf8) { return try statusLine(line) }
        let words = line.split(separator: .space, omittingEmptySubsequences: false)
        guard words.count == 3, !words[0].isEmpty, words[0].allSatisfy(\.isToken) else {
            throw SIPFault(.badText, at: "start line")
        }
        let version = String(decoding: words[2], as: UTF8.self).uppercased()
        guard version.hasPrefix("SIP/") else { throw SIPFault(.badText, at: "start line") }
        guard version == "SIP/2.0" else { throw SIPFault(.unsupportedVersion, at: "start line") }
        let uri = try URI.parse(String(decoding: words[1], as: UTF8.self), at: "Request-URI")
        return .request(SIPMethod(String(decoding: words[0], as: UTF8.self)), uri)
    }

    private static func statusLine(_ line: [UInt8]) throws(SIPFault) -> StartLine {
        let words = line.split(separator: .space, maxSplits: 2, omittingEmptySubsequences: false)
        guard words[0].elementsEqual("SIP/2.0".utf8) else {
            throw SIPFault(.unsupportedVersion, at: "start line")
        }
        guard words.count >= 2, words[1].count == 3, words[1].allSatisfy(\.isDigit),
            let status = Int(String(decoding: words[1], as: UTF8.self)),
            (100...699).contains(status)
        else { throw SIPFault(.badNumber, at: "start line") }
        return .response(status, words.count < 3 ? "" : String(decoding: words[2], as: UTF8.self))
    }

    static func field(_ line: [UInt8]) throws(SIPFault) -> HeaderField {
        guard let colon = line.firstIndex(of: .colon) else {
            throw SIPFault(.badText, at: "header")
        }
        let name = line[..<colon].trimmed
        guard !name.isEmpty, name.allSatisfy(\.isToken), name.startIndex == 0 else {
            throw SIPFault(.badText, at: "header")
        }
        return HeaderField(
            String(decoding: name, as: UTF8.self),
            String(decoding: line[(colon + 1)...].trimmed, as: UTF8.self)
        )
    }
}

/// Takes the lines of a head one by one, the folded ones joined (RFC 3261 §7.3.1).
private struct LineReader {
    private let bytes: ArraySlice<UInt8>
    /// Behind the line that was read last.
    private(set) var place: Int
    private let start: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        place = bytes.startIndex
        start = bytes.startIndex
    }

    /// - Returns: `nil` at the end; an empty line ends a head.
    mutating func next() throws(SIPFault) -> [UInt8]? {
        guard var line = try piece() else { return nil }
        while !line.isEmpty, place < bytes.endIndex, bytes[place].isBlank {
            guard let more = try piece() else { break }
            line = Array(line.trimmedBehind) + [.space] + Array(more.trimmed)
            guard line.count <= SIPLimits.lineBytesMax else {
                throw SIPFault(.tooLong, at: "header")
            }
        }
        guard String(validating: line, as: UTF8.self) != nil else {
            throw SIPFault(.notUTF8, at: "header")
        }
        return line
    }

    private mutating func piece() throws(SIPFault) -> [UInt8]? {
        guard place < bytes.endIndex else { return nil }
        let rest = bytes[place...]
        guard let end = rest.firstIndex(where: { $0 == .carriageReturn || $0 == .lineFeed }) else {
            throw SIPFault(.cutOff, at: "header")
        }
        guard end + 1 < bytes.endIndex, bytes[end] == .carriageReturn, bytes[end + 1] == .lineFeed
        else { throw SIPFault(.bareLineEnd, at: "header") }
        guard end - place <= SIPLimits.lineBytesMax, end - start <= SIPLimits.headBytesMax else {
            throw SIPFault(.tooLong, at: "header")
        }
        place = end + 2
        return Array(rest[..<end])
    }
}

extension [UInt8] {
    /// Without blanks at its end.
    fileprivate var trimmedBehind: ArraySlice<UInt8> {
        var rest = self[...]
        while let last = rest.last, last.isBlank { rest = rest.dropLast() }
        return rest
    }
}
