// SPDX-License-Identifier: Apache-2.0

/// Watches the names of members in JSON that comes byte by byte: all names here are ASCII, and written as they are.
///
/// Whoever reads JSON hashes each name, also of a member that nobody wants; of other text that takes fifty times as long.
struct MemberNames: Sendable {
    /// Whether all names until now are.
    private(set) var arePlain = true
    private var place = Place.outside
    /// Whether the string that is coming, or has just ended, is ASCII without escapes of characters.
    private var isPlain = true

    private enum Place {
        case outside
        case inside
        /// Behind a backslash.
        case escape
        /// Behind a string: a colon makes it a name.
        case behind
    }

    mutating func take(_ byte: UInt8) {
        switch place {
        case .inside: takeInside(byte)
        case .escape:
            place = .inside
            if byte == UInt8(ascii: "u") { isPlain = false }
        case .outside, .behind: takeOutside(byte)
        }
    }

    private mutating func takeInside(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): place = .behind
        case UInt8(ascii: "\\"): place = .escape
        case 0x80...: isPlain = false
        default: break
        }
    }

    private mutating func takeOutside(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): (place, isPlain) = (.inside, true)
        case UInt8(ascii: " "), 0x09, 0x0A, 0x0D: break
        case UInt8(ascii: ":") where place == .behind:
            arePlain = arePlain && isPlain
            place = .outside
        default: place = .outside
        }
    }
}
