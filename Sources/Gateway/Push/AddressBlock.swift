// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A block of addresses, and how far away it is: the special-purpose registries of IANA (RFC 6890) as one table.
struct AddressBlock: Sendable {
    private let prefix: [UInt8]
    private let bits: Int
    private let place: Place

    private enum Place {
        case at(PushAddress.Distance)
        /// An address of version 4 stands in it from this byte on, and says how far.
        case four(from: Int)
    }

    /// The first that has an address counts; what stands in none of version 4 is the Internet.
    private static let table: [AddressBlock] = [
        AddressBlock("0.0.0.0/8", .forbidden),
        AddressBlock("10.0.0.0/8", .site),
        AddressBlock("100.64.0.0/10", .site),
        AddressBlock("127.0.0.0/8", .machine),
        AddressBlock("169.254.0.0/16", .forbidden),
        AddressBlock("172.16.0.0/12", .site),
        AddressBlock("192.0.0.0/24", .forbidden),
        AddressBlock("192.0.2.0/24", .forbidden),
        AddressBlock("192.31.196.0/24", .forbidden),
        AddressBlock("192.52.193.0/24", .forbidden),
        AddressBlock("192.88.99.0/24", .forbidden),
        AddressBlock("192.168.0.0/16", .site),
        AddressBlock("192.175.48.0/24", .forbidden),
        AddressBlock("198.18.0.0/15", .forbidden),
        AddressBlock("198.51.100.0/24", .forbidden),
        AddressBlock("203.0.113.0/24", .forbidden),
        AddressBlock("224.0.0.0/4", .forbidden),
        AddressBlock("240.0.0.0/4", .forbidden),
    ]

    /// The same of version 6.
    ///
    /// Only `2000::/3` is handed out as public (RFC 4291 §2.4), so the last two have all that is left.
    private static let tableOfSix: [AddressBlock] = [
        AddressBlock("::1/128", .machine),
        AddressBlock("::/128", .forbidden),
        AddressBlock("::ffff:0:0/96", fourFrom: 12),
        AddressBlock("::/96", fourFrom: 12),
        AddressBlock("64:ff9b::/96", fourFrom: 12),
        AddressBlock("2002::/16", fourFrom: 2),
        AddressBlock("2001::/23", .forbidden),
        AddressBlock("2001:db8::/32", .forbidden),
        AddressBlock("2620:4f:8000::/48", .forbidden),
        AddressBlock("3fff::/20", .forbidden),
        AddressBlock("fc00::/7", .site),
        AddressBlock("2000::/3", .internet),
        AddressBlock("::/0", .forbidden),
    ]

    /// How far away an address is.
    ///
    /// - Parameter bytes: Four, or sixteen.
    /// - Returns: What the first block says that has it.
    static func distance(of bytes: [UInt8]) -> PushAddress.Distance {
        let blocks = bytes.count == 4 ? table : tableOfSix
        switch blocks.first(where: { $0.has(bytes) })?.place {
        case .at(let distance): return distance
        case .four(let start): return distance(of: Array(bytes[start..<start + 4]))
        case nil: return .internet
        }
    }

    private init(_ text: String, _ distance: PushAddress.Distance) {
        self.init(text, at: .at(distance))
    }

    private init(_ text: String, fourFrom start: Int) {
        self.init(text, at: .four(from: start))
    }

    private init(_ text: String, at place: Place) {
        let parts = text.split(separator: "/")
        guard parts.count == 2, let address = PushAddress(String(parts[0])),
            let bits = Int(parts[1])
        else { preconditionFailure("\(text) is no block of addresses") }
        prefix = address.bytes
        self.bits = bits
        self.place = place
    }

    private func has(_ bytes: [UInt8]) -> Bool {
        let whole = bits / 8
        guard bytes.prefix(whole).elementsEqual(prefix.prefix(whole)) else { return false }
        let rest = bits % 8
        return rest == 0 || (bytes[whole] ^ prefix[whole]) >> (8 - rest) == 0
    }
}
