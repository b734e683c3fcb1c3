// SPDX-License-Identifier: Apache-2.0
import Hummingbird

/// Refuses requests that come faster than a client may send them, with 429 and `Retry-After`.
struct RequestRateMiddleware: RouterMiddleware {
    typealias Context = GatewayContext

    /// Whose requests are counted together.
    enum Client: Sendable {
        /// Those of one address; stands before the authentication.
        case address
        /// Those of one signed-in user or device; stands behind it, lets strangers pass.
        case principal
    }

    let client: Client
    let rates: ClientRates

    func handle(
        _ request: Request,
        context: Context,
        next: NextResponder
    ) async throws -> Response {
        if let key = key(in: context), let wait = rates.admit(key) {
            throw Problem.tooManyRequests("send fewer requests a second", wait: wait)
        }
        return try await next(request, context)
    }

    private func key(in context: Context) -> String? {
        switch client {
        case .address: NetworkAddress.holder(of: context.remoteAddress)
        case .principal: context.principal?.actor
        }
    }
}
