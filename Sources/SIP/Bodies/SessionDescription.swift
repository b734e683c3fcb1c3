// SPDX-License-Identifier: Apache-2.0

/// A session description as far as an offer must be known to refuse it (RFC 8866 §5, RFC 3264 §6).
public struct SessionDescription: Hashable, Sendable {
    /// One `m=` line.
    public struct Media: Hashable, Sendable {
        /// Such as `audio`, in small letters.
        public let kind: String
        /// 0 where it is not wanted.
        public let port: Int
        /// Such as `RTP/AVP`, in capitals.
        public let transport: String
        public let formats: [String]
    }

    public let media: [Media]

    /// Reads a body of type `application/sdp`; lines may end in LF alone.
    public static func parse(_ body: [UInt8]) throws(SIPFault) -> SessionDescription {
        guard body.count <= SIPLimits.headBytesMax else { throw SIPFault(.tooLong, at: "SDP") }
        guard let text = String(validating: body, as: UTF8.self) else {
            throw SIPFault(.notUTF8, at: "SDP")
        }
        let lines = text.utf8.split { $0 == .carriageReturn || $0 == .lineFeed }
        guard lines.first?.elementsEqual("v=0".utf8) == true else {
            throw SIPFault(.badText, at: "SDP")
        }
        var media: [Media] = []
        for line in lines where line.starts(with: "m=".utf8) {
            guard media.count < SIPLimits.mediaMax else { throw SIPFault(.tooMany, at: "SDP") }
            media.append(try mediaLine(String(decoding: line.dropFirst(2), as: UTF8.self)))
        }
        return SessionDescription(media: media)
    }

    private static func mediaLine(_ line: String) throws(SIPFault) -> Media {
        let words = line.split(separator: " ")
        guard words.count >= 4, let port = words[1].split(separator: "/").first,
            port.utf8.allSatisfy(\.isDigit), let number = UInt16(port)
        else { throw SIPFault(.badText, at: "SDP") }
        return Media(
            kind: words[0].lowercased(),
            port: Int(number),
            transport: words[2].uppercased(),
            formats: words[3...].map(String.init)
        )
    }
}
