// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The host of a URL that somebody else gave: an address, or a name that is spelt in one way only.
///
/// Programs read `127.1`, `0x7f000001` or `localhost.` each in a way of its own. What one could judge as a name and another
/// contact as an address is neither here.
enum PushHost: Sendable, Hashable {
    case address(PushAddress)
    case name(String)

    /// Reads a host; `nil` for what is neither.
    ///
    /// - Parameter text: As it stands in a URL, in lower case: an address of version 6 in brackets.
    init?(_ text: String) {
        if text.hasPrefix("[") {
            guard text.hasSuffix("]"),
                let address = PushAddress(String(text.dropFirst().dropLast())),
                address.bytes.count == 16
            else { return nil }
            self = .address(address)
        } else if let address = PushAddress(text), address.bytes.count == 4 {
            self = .address(address)
        } else {
            guard Self.isName(text) else { return nil }
            self = .name(text)
        }
    }

    /// Without brackets.
    var text: String {
        switch self {
        case .address(let address): address.text
        case .name(let name): name
        }
    }

    /// How far away it is; of a name what it says by itself, before anybody looks it up.
    var distance: PushAddress.Distance {
        switch self {
        case .address(let address): address.distance
        case .name(let name): Self.distance(of: name)
        }
    }

    /// Names that are of this machine (RFC 6761), and of this site: of one word, or below those that are in no public tree
    /// (RFC 6762, RFC 8375, and ICANN's `internal`).
    private static func distance(of name: String) -> PushAddress.Distance {
        func isBelow(_ zone: String) -> Bool { name == zone || name.hasSuffix(".\(zone)") }
        if isBelow("localhost") { return .machine }
        let isOfSite =
            !name.contains(".") || ["local", "internal", "home.arpa"].contains(where: isBelow)
        return isOfSite ? .site : .internet
    }

    /// Whether it is words of letters, digits and hyphens with a dot between each two (RFC 1123); the last one begins with a
    /// letter, for what ends in a number is an address to most programs, however it is written.
    private static func isName(_ text: String) -> Bool {
        let words = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard text.utf8.count <= 253, words.allSatisfy(isWord), let first = words.last?.first else {
            return false
        }
        return isLetter(first)
    }

    private static func isWord(_ word: Substring.UTF8View) -> Bool {
        let hyphen = UInt8(ascii: "-")
        return (1...63).contains(word.count) && word.first != hyphen && word.last != hyphen
            && word.allSatisfy { isLetter($0) || isDigit($0) || $0 == hyphen }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
