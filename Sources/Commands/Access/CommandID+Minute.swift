// SPDX-License-Identifier: Apache-2.0
import Events

extension CommandID {
    /// An id that is the same for the same words in the same minute, and for nothing else.
    ///
    /// The words are spelt out as far as there is room; a hash of all of them tells the rest apart.
    static func ofMinute(_ now: Timestamp, _ words: [String]) -> CommandID {
        let minute = now.microseconds / 60_000_000
        let all = words.joined(separator: "\u{0}")
        let spelt = words.joined(separator: "~").utf8.prefix(80)
            .map { isAllowed($0) ? Character(Unicode.Scalar($0)) : "_" }
        return CommandID(unchecked: "\(String(spelt))~\(fnv1a(all))~\(minute)")
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "._~-".utf8.contains(byte)
        }
    }

    /// FNV-1a over 64 bits: the same in every process, which `Hasher` is not.
    private static func fnv1a(_ text: String) -> String {
        let hash = text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { hash, byte in
            (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        }
        return String(hash, radix: 16)
    }
}
