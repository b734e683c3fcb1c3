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
    let bytes: [UInt8]

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

    var distance: Distance { AddressBlock.distance(of: bytes) }
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
