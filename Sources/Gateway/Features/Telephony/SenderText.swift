// SPDX-License-Identifier: Apache-2.0
import Events
import SIP

/// What is kept of the words by which a telephone names itself: no token, no character that acts on what stands beside it, and not
/// more than a length.
enum SenderText {
    /// Bytes of an address.
    static let addressBytesMax = 512
    /// Bytes of a display name.
    static let nameBytesMax = 128

    /// An address; where a token is its user, that of the number instead, or with stars for the token.
    static func address(_ uri: URI, number: String?) -> String? {
        let text = uri.description
        guard text.utf8.count <= addressBytesMax else { return nil }
        let starred = String(decoding: withoutTokens(Array(text.utf8)), as: UTF8.self)
        guard starred != text, let number, case .sip(let sip) = uri else { return starred }
        let plain = SIPURI(isSecure: sip.isSecure, user: number, host: sip.host, port: sip.port)
        return URI.sip(plain).description
    }

    /// A display name; `nil` where nothing of it is left.
    static func name(_ text: String) -> String? {
        let starred = String(decoding: withoutTokens(Array(text.utf8)), as: UTF8.self)
        var name = String(
            String.UnicodeScalarView(
                starred.unicodeScalars.filter {
                    ![.control, .format].contains($0.properties.generalCategory)
                }
            )
        )
        while name.utf8.count > nameBytesMax { name.removeLast() }
        return name.isEmpty ? nil : name
    }

    /// The same with a star for each byte of a token, also of one whose letters are written with percent signs.
    static func withoutTokens(_ bytes: [UInt8]) -> [UInt8] {
        var starred = bytes
        var place = 0
        while place < bytes.count {
            guard let start = ends(of: Array("dbk_".utf8), in: bytes, from: place) else {
                place += 1
                continue
            }
            var end = start
            while let (letter, next) = letter(in: bytes, at: end), letter.isBase64URL { end = next }
            for index in place..<end { starred[index] = UInt8(ascii: "*") }
            place = end
        }
        return starred
    }

    /// Where a word that begins at a place ends; `nil` where another stands there.
    private static func ends(of word: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        var place = start
        for expected in word {
            guard let (letter, next) = letter(in: bytes, at: place), letter == expected else {
                return nil
            }
            place = next
        }
        return place
    }

    /// The byte at a place, or the one that a percent sign with two digits stands for, and where the next one begins.
    private static func letter(in bytes: [UInt8], at place: Int) -> (UInt8, Int)? {
        guard place < bytes.count else { return nil }
        guard bytes[place] == UInt8(ascii: "%"), place + 2 < bytes.count,
            let high = Character(UnicodeScalar(bytes[place + 1])).hexDigitValue,
            let low = Character(UnicodeScalar(bytes[place + 2])).hexDigitValue
        else { return (bytes[place], place + 1) }
        return (UInt8(high << 4 | low), place + 3)
    }
}

extension UInt8 {
    fileprivate var isBase64URL: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
