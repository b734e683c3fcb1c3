// SPDX-License-Identifier: Apache-2.0
import Foundation

/// An address of the Internet, version 4 or 6; one of version 4 in the clothes of version 6 is version 4.
struct NetworkAddress: Sendable, Hashable {
    /// Four bytes, or sixteen.
    let bytes: [UInt8]

    /// Reads an address as text, in brackets or not; `nil` for a name.
    init?(_ text: some StringProtocol) {
        let bare =
            text.hasPrefix("[") && text.hasSuffix("]") ? text.dropFirst().dropLast() : text[...]
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, String(bare), &four) == 1 {
            bytes = withUnsafeBytes(of: &four, Array.init)
        } else if inet_pton(AF_INET6, String(bare), &six) == 1 {
            let all = withUnsafeBytes(of: &six, Array.init)
            let isMapped =
                all.prefix(10).allSatisfy { $0 == 0 } && all[10] == 0xFF && all[11] == 0xFF
            bytes = isMapped ? Array(all[12...]) : all
        } else {
            return nil
        }
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// As text without brackets.
    var text: String {
        let length = Int(INET6_ADDRSTRLEN)
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        return String(unsafeUninitializedCapacity: length) { buffer in
            buffer.withMemoryRebound(to: CChar.self) { characters in
                _ = inet_ntop(family, bytes, characters.baseAddress, socklen_t(length))
                return characters.prefix { $0 != 0 }.count
            }
        }
    }

    /// The same with all bits behind the first ones zero.
    func network(bits: Int) -> NetworkAddress {
        NetworkAddress(
            bytes: bytes.enumerated().map { index, byte in
                let kept = min(8, max(0, bits - index * 8))
                return byte & ~UInt8(truncatingIfNeeded: 0xFF >> kept)
            }
        )
    }

    /// The part of an address that one holder has for sure: version 4 whole, of version 6 the first 64 bits.
    ///
    /// - Parameter address: As a connection tells it; what is no address stands for itself, cut to a length.
    /// - Returns: The address, or `2001:db8:1:2::/64`.
    static func holder(of address: String) -> String {
        guard let parsed = NetworkAddress(address) else { return String(address.prefix(64)) }
        return parsed.bytes.count == 4 ? parsed.text : parsed.network(bits: 64).text + "/64"
    }

    /// A network that is told of strangers: so large that it names nobody; `nil` for what is no address.
    static func block(of address: String) -> String? {
        guard let parsed = NetworkAddress(address) else { return nil }
        let bits = parsed.bytes.count == 4 ? 24 : 48
        return "\(parsed.network(bits: bits).text)/\(bits)"
    }
}

/// A range of addresses: `10.0.0.0/8`, `2001:db8::/32`, or one address.
struct NetworkRange: Sendable, Hashable {
    private let base: NetworkAddress
    private let bits: Int

    /// Reads `ADDRESS` or `ADDRESS/BITS`; `nil` for anything else.
    init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let first = parts.first, parts.count <= 2, let address = NetworkAddress(first) else {
            return nil
        }
        let all = address.bytes.count * 8
        let bits = parts.count == 2 ? Int(parts[1]) : all
        guard let bits, (0...all).contains(bits) else { return nil }
        (base, self.bits) = (address.network(bits: bits), bits)
    }

    /// Whether an address lies in it.
    func contains(_ address: NetworkAddress) -> Bool {
        address.bytes.count == base.bytes.count && address.network(bits: bits) == base
    }
}
