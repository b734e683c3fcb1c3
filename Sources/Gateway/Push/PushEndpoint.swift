// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation

/// The address of a subscription at its push service: whoever has it can use up the owner's patience, so it is a secret.
struct PushEndpoint: Sendable, Hashable {
    let text: String
    /// The name or address, without brackets.
    let host: String
    /// Scheme, host and port: whom our proof of identity is for.
    let origin: String

    /// Reads and checks an address.
    ///
    /// - Parameters:
    ///   - text: As the browser gave it.
    ///   - reach: Where push services may be; names are looked up later, when something is sent.
    /// - Throws: ``Problem`` 422 that says which rule it breaks.
    init(_ text: String, within reach: PushReach) throws(Problem) {
        guard text.utf8.count <= PushLimits.endpointBytes else {
            throw Self.unusable("it has more than \(PushLimits.endpointBytes) bytes")
        }
        guard var url = URLComponents(string: text), let scheme = url.scheme?.lowercased(),
            let host = url.encodedHost?.lowercased(), Self.isPlain(host)
        else { throw Self.unusable("it is no URL of a plain host name or address") }
        guard url.user == nil, url.password == nil, url.fragment == nil else {
            throw Self.unusable("it has a user, a password or a fragment")
        }
        let bare = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        let address = PushAddress(bare)
        let isHere = bare == "localhost" || address?.distance == .machine
        guard scheme == "https" || (scheme == "http" && isHere && reach == .machine) else {
            throw Self.unusable("it is not https")
        }
        guard reach.admits(isHere ? .machine : address?.distance ?? .internet) else {
            throw Self.unusable("its address is not public")
        }
        // Whoever contacts it must see the very name that was judged here.
        (url.scheme, url.encodedHost) = (scheme, host)
        guard let plain = url.string else { throw Self.unusable("it is no URL") }
        self.text = plain
        self.host = bare
        origin = "\(scheme)://\(host)" + (url.port.map { ":\($0)" } ?? "")
    }

    private static func isPlain(_ host: String) -> Bool {
        !host.isEmpty
            && host.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: "["),
                    UInt8(ascii: "]"):
                    true
                default: false
                }
            }
    }

    /// What the ledger knows of it, sealed.
    var digest: SHA256Digest { SHA256Digest(of: Data(text.utf8)) }

    private static func unusable(_ why: String) -> Problem {
        Problem(
            .pushSubscriptionUnusable,
            detail: "the endpoint cannot be used: \(why); send the browser's own"
        )
    }
}
