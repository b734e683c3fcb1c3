// SPDX-License-Identifier: Apache-2.0

/// A body's type (RFC 2045 §5.1), as in `Content-Type`.
public struct ContentType: Hashable, Sendable {
    /// `text/plain`: in small letters, without parameters.
    public let name: String
    public let parameters: [SIPParameter]

    /// Reads the value of a `Content-Type` field.
    public static func parse(_ value: String) throws(SIPFault) -> ContentType {
        var scanner = FieldScanner(value)
        scanner.skipBlanks()
        guard let type = scanner.token(), scanner.take(.slash), let subtype = scanner.token() else {
            throw SIPFault(.badText, at: "Content-Type")
        }
        return ContentType(
            name: "\(type)/\(subtype)".lowercased(),
            parameters: try scanner.parameters(of: "Content-Type")
        )
    }

    /// The value of a parameter without quotes.
    public func parameter(_ name: String) -> String? { parameters.first(name)?.value?.unquoted }
}

/// One part of a body; a body that is not multipart is one part.
public struct BodyPart: Hashable, Sendable {
    public let fields: HeaderFields
    /// `text/plain` where the part does not tell.
    public let type: ContentType
    public let bytes: [UInt8]

    /// The part's name without angle brackets, as a `cid:` URL has it.
    public var contentID: String? {
        fields["Content-ID"].map {
            String(decoding: $0.utf8.filter { $0 != .less && $0 != .greater }, as: UTF8.self)
        }
    }
}

/// The parts of a body: `multipart/mixed`, `related`, `alternative`, `signed`, also within each other (RFC 2046 §5.1).
///
/// A last part without closing line is taken: telephones forget it.
public struct MultipartBody: Hashable, Sendable {
    /// The parts that are no multipart themselves, in their order.
    public private(set) var parts: [BodyPart] = []

    /// Takes a message's body apart.
    ///
    /// - Returns: No part where the body is empty.
    public static func parse(_ body: [UInt8], fields: HeaderFields) throws(SIPFault)
        -> MultipartBody
    {
        var all = MultipartBody()
        guard !body.isEmpty else { return all }
        try all.take(body[...], fields, depth: 0)
        return all
    }

    /// The part that a URL such as `<cid:loc@caller.example>` names; its percent signs are resolved.
    public func part(named url: String) -> BodyPart? {
        var name = url.utf8.filter { $0 != .less && $0 != .greater }[...].trimmed
        guard name.prefix(4).map({ $0 | 0x20 }).elementsEqual("cid:".utf8) else { return nil }
        name = name.dropFirst(4)
        let plain = String(decoding: name, as: UTF8.self).percentDecoded
        return parts.first { $0.contentID == plain }
    }

    private mutating func take(
        _ body: ArraySlice<UInt8>,
        _ fields: HeaderFields,
        depth: Int
    ) throws(SIPFault) {
        let type = try ContentType.parse(fields["Content-Type"] ?? "text/plain")
        guard type.name.hasPrefix("multipart/") else {
            guard parts.count < SIPLimits.partsMax else {
                throw SIPFault(.tooMany, at: "multipart body")
            }
            parts.append(BodyPart(fields: fields, type: type, bytes: Array(body)))
            return
        }
        guard depth < SIPLimits.multipartDepthMax else {
            throw SIPFault(.tooMany, at: "multipart body")
        }
        guard let boundary = type.parameter("boundary"), !boundary.isEmpty else {
            throw SIPFault(.missing, at: "boundary")
        }
        guard boundary.utf8.count <= SIPLimits.boundaryBytesMax else {
            throw SIPFault(.tooLong, at: "boundary")
        }
        let pieces = Self.pieces(of: body, Array("--\(boundary)".utf8))
        guard !pieces.isEmpty else { throw SIPFault(.missing, at: "boundary") }
        guard pieces.count <= SIPLimits.partsMax else {
            throw SIPFault(.tooMany, at: "multipart body")
        }
        for piece in pieces {
            let (fields, content) = try Self.part(piece)
            try take(content, fields, depth: depth + 1)
        }
    }

    /// What stands between the lines that consist of the delimiter; a line that only begins like it parts nothing.
    private static func pieces(
        of body: ArraySlice<UInt8>,
        _ delimiter: [UInt8]
    ) -> [ArraySlice<UInt8>] {
        var pieces: [ArraySlice<UInt8>] = []
        var (line, begun) = (body.startIndex, Int?.none)
        while line < body.endIndex, pieces.count <= SIPLimits.partsMax {
            let feed = body[line...].firstIndex(of: .lineFeed) ?? body.endIndex
            let next = min(feed + 1, body.endIndex)
            if body[line...].starts(with: delimiter) {
                var rest = body[(line + delimiter.count)..<max(feed, line + delimiter.count)]
                let isLast = rest.starts(with: [.hyphen, .hyphen])
                if isLast { rest = rest.dropFirst(2) }
                if rest.allSatisfy({ $0.isBlank || $0 == .carriageReturn }) {
                    // The line end before a delimiter belongs to it.
                    if let begun { pieces.append(withoutLineEnd(body[begun..<max(begun, line)])) }
                    if isLast { return pieces }
                    begun = next
                }
            }
            line = next
        }
        if let begun, begun < body.endIndex { pieces.append(body[begun...]) }
        return pieces
    }

    private static func withoutLineEnd(_ piece: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard piece.last == .lineFeed else { return piece }
        let rest = piece.dropLast()
        return rest.last == .carriageReturn ? rest.dropLast() : rest
    }

    /// A part's header fields and its content; lines may end in LF alone.
    private static func part(
        _ piece: ArraySlice<UInt8>
    ) throws(SIPFault) -> (HeaderFields, ArraySlice<UInt8>) {
        var fields = HeaderFields()
        var rest = piece
        var field: [UInt8] = []
        while true {
            let line = rest.prefix { $0 != .lineFeed }
            rest = rest.dropFirst(line.count + 1)
            let text = line.last == .carriageReturn ? line.dropLast() : line
            if let first = text.first, first.isBlank, !field.isEmpty {
                field += [.space] + text.trimmed
            } else {
                if !field.isEmpty { fields.append(try SIPHead.field(field)) }
                field = Array(text)
            }
            guard field.count <= SIPLimits.lineBytesMax else {
                throw SIPFault(.tooLong, at: "part")
            }
            guard fields.all.count <= SIPLimits.fieldsMax else {
                throw SIPFault(.tooMany, at: "part")
            }
            if text.isEmpty { return (fields, rest) }
        }
    }
}
