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
    ///   - reach: Where push services may be; names are looked up later, when something is sent, and it is read once more then.
    /// - Throws: ``Problem`` 422 that says which rule it breaks.
    init(_ text: String, within reach: PushReach) throws(Problem) {
        guard text.utf8.count <= PushLimits.endpointBytes else {
            throw Self.unusable("it has more than \(PushLimits.endpointBytes) bytes")
        }
        guard var url = URLComponents(string: text), let scheme = url.scheme?.lowercased(),
            let name = url.encodedHost?.lowercased(), let host = PushHost(name)
        else { throw Self.unusable("it is no URL of a plain host name or address") }
        guard url.user == nil, url.password == nil, url.fragment == nil else {
            throw Self.unusable("it has a user, a password or a fragment")
        }
        let isHere = host.distance == .machine
        guard scheme == "https" || (scheme == "http" && isHere && reach == .machine) else {
            throw Self.unusable("it is not https")
        }
        guard url.rangeOfPort == nil || url.port != nil, PushPort.admits(url.port, of: scheme)
        else { throw Self.unusable("its port is no push service's") }
        guard reach.admits(host.distance) else {
            throw Self.unusable("its address is not public")
        }
        // Whoever contacts it must see the very name that was judged here.
        (url.scheme, url.encodedHost, url.port) = (scheme, name, url.port)
        guard let plain = url.string else { throw Self.unusable("it is no URL") }
        self.text = plain
        self.host = host.text
        origin = "\(scheme)://\(name)" + (url.port.map { ":\($0)" } ?? "")
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
