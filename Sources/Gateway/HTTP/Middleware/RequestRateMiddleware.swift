// SPDX-License-Identifier: Apache-2.0
import Hummingbird

/// Refuses requests that come faster than a client may send them, with 429 and `Retry-After`.
struct RequestRateMiddleware: RouterMiddleware {
    typealias Context = GatewayContext

    let rates: ClientRates

    func handle(
        _ request: Request,
        context: Context,
        next: NextResponder
    ) async throws -> Response {
        if let holder = context.principal?.holder { try rates.check(holder) }
        return try await next(request, context)
    }
}

extension ClientRates {
    /// Counts one request of a client.
    ///
    /// - Throws: 429 with the time to come back when there are too many.
    func check(_ client: String) throws(Problem) {
        guard let wait = admit(client) else { return }
        throw .tooManyRequests("send fewer requests a second", wait: wait)
    }
}
