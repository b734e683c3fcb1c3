// SPDX-License-Identifier: Apache-2.0
import Events
import HTTPTypes
import Hummingbird

/// Tells the ledger's time with every answer: by the wall clock of `Date` a client would count wrong while that is not followed.
struct LedgerTimeMiddleware: RouterMiddleware {
    typealias Context = GatewayContext

    let clock: GuardedClock

    func handle(
        _ request: Request,
        context: Context,
        next: NextResponder
    ) async throws -> Response {
        var response = try await next(request, context)
        response.headers[.ledgerTime] = "\(clock.now)"
        return response
    }
}
