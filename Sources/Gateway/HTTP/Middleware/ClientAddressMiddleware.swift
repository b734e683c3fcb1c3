// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import Hummingbird

/// Finds out from which address a request came, where a proxy that is trusted brought it.
///
/// Stands before everything that logs or counts by address.
struct ClientAddressMiddleware: RouterMiddleware {
    typealias Context = GatewayContext

    let proxies: [NetworkRange]

    func handle(
        _ request: Request,
        context: Context,
        next: NextResponder
    ) async throws -> Response {
        guard !proxies.isEmpty else { return try await next(request, context) }
        var context = context
        context.remoteAddress = Self.client(
            of: request.headers,
            peer: context.remoteAddress,
            proxies: proxies
        )
        return try await next(request, context)
    }

    /// The client behind the proxies: the right-most address that is none of them.
    ///
    /// `Forwarded` (RFC 7239) counts before `X-Forwarded-For`. From a peer that is no trusted proxy neither counts. Where a
    /// proxy says nothing readable, the last one that is known stands for the client.
    ///
    /// - Parameters:
    ///   - headers: Of the request.
    ///   - peer: Who is connected.
    ///   - proxies: Who is believed.
    /// - Returns: An address, without a port.
    static func client(
        of headers: HTTPFields,
        peer: String,
        proxies: [NetworkRange]
    ) -> String {
        func isTrusted(_ address: NetworkAddress) -> Bool {
            proxies.contains { $0.contains(address) }
        }
        guard var last = NetworkAddress(peer), isTrusted(last) else { return peer }
        for hop in hops(headers).reversed() {
            guard let address = address(hop) else { break }
            last = address
            if !isTrusted(address) { break }
        }
        return last.text
    }

    /// What each proxy says it was asked by, the first one first.
    private static func hops(_ headers: HTTPFields) -> [String] {
        let forwarded = headers[values: .forwarded]
        guard forwarded.isEmpty else {
            return WebSocketHandshake.list(forwarded).map { element in
                element.split(separator: ";")
                    .map { $0.trimmingCharacters(in: .whitespaces) }
                    .first { $0.lowercased().hasPrefix("for=") }
                    .map { String($0.dropFirst(4)).trimmingCharacters(in: ["\""]) } ?? ""
            }
        }
        return WebSocketHandshake.list(headers[values: .forwardedFor])
    }

    /// An address with or without a port: `192.0.2.1:80`, `[2001:db8::1]:80`.
    private static func address(_ hop: String) -> NetworkAddress? {
        if let address = NetworkAddress(hop) { return address }
        guard let colon = hop.lastIndex(of: ":") else { return nil }
        return NetworkAddress(hop[..<colon])
    }
}

extension HTTPField.Name {
    fileprivate static let forwarded = named("Forwarded")
    fileprivate static let forwardedFor = named("X-Forwarded-For")

    private static func named(_ name: String) -> Self {
        guard let name = Self(name) else { preconditionFailure("\(name) is no header name") }
        return name
    }
}
