// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import Hummingbird

/// Whom the gateway believes about whom they bring, and by which header.
struct TrustedProxies: Sendable {
    let ranges: [NetworkRange]
    let header: ProxyHeader

    /// Nobody.
    static let none = Self(ranges: [], header: .forwardedFor)
}

/// Finds out from which address a request came, where a proxy that is trusted brought it.
///
/// Stands before everything that logs or counts by address.
struct ClientAddressMiddleware: RouterMiddleware {
    typealias Context = GatewayContext

    let proxies: TrustedProxies

    func handle(
        _ request: Request,
        context: Context,
        next: NextResponder
    ) async throws -> Response {
        guard !proxies.ranges.isEmpty else { return try await next(request, context) }
        var context = context
        context.forwardedHost = Self.host(
            in: request.headers,
            peer: context.remoteAddress,
            proxies: proxies
        )
        context.remoteAddress = Self.client(
            of: request.headers,
            peer: context.remoteAddress,
            proxies: proxies
        )
        return try await next(request, context)
    }

    /// The client behind the proxies: the right-most address that is none of them.
    ///
    /// Only the header counts that the proxy writes, and only from a trusted proxy: the other one may be the client's own
    /// words, passed on. Where a proxy says nothing readable, the last one that is known stands for the client.
    ///
    /// - Parameters:
    ///   - headers: Of the request.
    ///   - peer: Who is connected.
    ///   - proxies: Who is believed.
    /// - Returns: An address, without a port.
    static func client(
        of headers: HTTPFields,
        peer: String,
        proxies: TrustedProxies
    ) -> String {
        func isTrusted(_ address: NetworkAddress) -> Bool {
            proxies.ranges.contains { $0.contains(address) }
        }
        guard var last = NetworkAddress(peer), isTrusted(last) else { return peer }
        for hop in hops(headers, proxies.header).reversed() {
            guard let address = address(hop) else { break }
            last = address
            if !isTrusted(address) { break }
        }
        return last.text
    }

    /// What the last proxy was asked for, in the header that it writes; `nil` if it is none that is trusted, or does not tell.
    static func host(in headers: HTTPFields, peer: String, proxies: TrustedProxies) -> String? {
        guard let address = NetworkAddress(peer),
            proxies.ranges.contains(where: { $0.contains(address) })
        else { return nil }
        switch proxies.header {
        case .forwardedFor:
            return WebSocketHandshake.list(headers[values: .forwardedHost]).last { !$0.isEmpty }
        case .forwarded:
            let elements = ForwardedElement.list(headers[values: .forwarded])
            guard elements.last?.isReadable == true else { return nil }
            return elements.compactMap { $0["host"] }.last { !$0.isEmpty }
        }
    }

    /// Whom each proxy says that it was asked by, the first one first; empty where one says nothing.
    private static func hops(_ headers: HTTPFields, _ header: ProxyHeader) -> [String] {
        switch header {
        case .forwardedFor: WebSocketHandshake.list(headers[values: .forwardedFor])
        case .forwarded:
            ForwardedElement.list(headers[values: .forwarded]).map { $0["for"] ?? "" }
        }
    }

    /// An address with or without a port: `192.0.2.1:80`, `[2001:db8::1]:80`.
    private static func address(_ hop: String) -> NetworkAddress? {
        // An address of version 6 in brackets, with a zone and a port, at most.
        guard hop.utf8.count <= 96 else { return nil }
        if let address = NetworkAddress(hop) { return address }
        guard let colon = hop.lastIndex(of: ":") else { return nil }
        return NetworkAddress(hop[..<colon])
    }
}

extension HTTPField.Name {
    fileprivate static let forwarded = named("Forwarded")
    fileprivate static let forwardedFor = named("X-Forwarded-For")
    fileprivate static let forwardedHost = named("X-Forwarded-Host")

    private static func named(_ name: String) -> Self {
        guard let name = Self(name) else { preconditionFailure("\(name) is no header name") }
        return name
    }
}
