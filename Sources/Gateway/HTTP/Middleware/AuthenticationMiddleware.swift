// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird
import Logging

/// Finds out who sent a request, from a token in it; nobody is turned away for having none.
///
/// A token that is there but not valid is refused with 401, so that a client learns that it is
/// signed out instead of seeing less. But an old cookie is nobody's where strangers may come: a page cannot put it away,
/// and it would keep a browser from ever signing in again. What a role may do is for the routes to say.
struct AuthenticationMiddleware: RouterMiddleware {
    typealias Context = GatewayContext

    let accounts: AccountStore
    /// What strangers of one address may ask; who is signed in is not kept out by others behind the same address.
    let strangers: ClientRates
    /// Whether the server speaks TLS.
    let isTLS: Bool
    /// Where strangers may come.
    let routes: RouteTable

    func handle(
        _ request: Request,
        context: Context,
        next: NextResponder
    ) async throws -> Response {
        guard let credential = Credential(of: request, to: context.endpointPath) else {
            try admitStranger(context)
            return try await UntoldFault.keeping { try await next(request, context) }
        }
        try credential.refuseOtherSites(
            request,
            forwardedHost: context.forwardedHost,
            isTLS: isTLS
        )
        var context = context
        let principal: Principal
        do {
            principal = try await accounts.authenticate(credential.token)
        } catch let error as AccountError {
            try admitStranger(context)
            guard credential.place == .cookie, !request.asksForWebSocket,
                routes.areForStrangers(request.method, context.endpointPath)
            else { throw error }
            return try await UntoldFault.keeping { try await next(request, context) }
        }
        context.principal = principal
        context.logger[metadataKey: "actor"] = .string(principal.actor)
        try BelievedSender(of: request)?.require(principal)
        return try await next(request, context)
    }

    private func admitStranger(_ context: Context) throws {
        try strangers.check(NetworkAddress.holder(of: context.remoteAddress))
    }
}
