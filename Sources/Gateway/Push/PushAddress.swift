// SPDX-License-Identifier: Apache-2.0
import Foundation

/// An address of the Internet, and how far away it is.
///
/// Whoever subscribes names a URL that this machine will contact. Without this, a phone could make the gateway knock at
/// doors inside the site (server-side request forgery).
struct PushAddress: Sendable, Hashable {
    /// As text without brackets.
    let text: String
    /// Four bytes, or sixteen.
    private let bytes: [UInt8]

    /// How far away it is.
    enum Distance: Hashable, Sendable {
        case internet, site, machine
        /// Reserved, multicast, or of this link only, where clouds keep their credentials.
        case forbidden
    }

    /// Reads an address; `nil` for a name.
    init?(_ text: String) {
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            bytes = withUnsafeBytes(of: &four, Array.init)
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            bytes = withUnsafeBytes(of: &six, Array.init)
        } else {
            return nil
        }
        self.text = text
    }

    var distance: Distance {
        bytes.count == 4 ? Self.distance(ofFour: bytes) : Self.distance(ofSix: bytes)
    }

    private static func distance(ofFour bytes: [UInt8]) -> Distance {
        switch (bytes[0], bytes[1], bytes[2]) {
        case (127, _, _): .machine
        case (10, _, _), (172, 16...31, _), (192, 168, _), (100, 64...127, _): .site
        case (0, _, _), (169, 254, _), (192, 0, 0), (192, 0, 2), (198, 18...19, _),
            (198, 51, 100), (203, 0, 113), (224...255, _, _):
            .forbidden
        default: .internet
        }
    }

    private static func distance(ofSix bytes: [UInt8]) -> Distance {
        let isZero = bytes.prefix(10).allSatisfy { $0 == 0 }
        if isZero, bytes[10] == 0xFF, bytes[11] == 0xFF {
            return distance(ofFour: Array(bytes[12...]))
        }
        if bytes.dropLast().allSatisfy({ $0 == 0 }) {
            return bytes[15] == 1 ? .machine : .forbidden
        }
        // Ways by which an address of version 4 hides in one of version 6.
        if isZero { return distance(ofFour: Array(bytes[12...])) }
        if bytes.starts(with: [0x00, 0x64, 0xFF, 0x9B]) {
            return distance(ofFour: Array(bytes[12...]))
        }
        if bytes.starts(with: [0x20, 0x02]) { return distance(ofFour: Array(bytes[2...5])) }
        switch bytes[0] {
        case 0xFC, 0xFD: return .site
        // What is handed out as public begins with 001 (RFC 4291 §2.4); 2001:db8 is for documents.
        case 0x20...0x3F:
            return bytes.starts(with: [0x20, 0x01, 0x0D, 0xB8]) ? .forbidden : .internet
        default: return .forbidden
        }
    }
}

extension PushReach {
    /// Whether a push service may be so far away.
    func admits(_ distance: PushAddress.Distance) -> Bool {
        switch distance {
        case .internet: true
        case .site: self != .internet
        case .machine: self == .machine
        case .forbidden: false
        }
    }
}

/// Why a push did not get to a push service, or what went wrong with its answer.
enum PushFault: Error, Hashable {
    /// Nobody there, or no answer in time.
    case unreachable(String)
    /// It lies where push services may not be.
    case outOfReach
}
