// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Hummingbird

/// What the guest of a one-use link may have besides the routes that say so (ruling 39).
///
/// Which session it is, the rights of each route say: a guest's token names it.
enum GuestRights {
    /// How long a guest may still read what was said after the session has ended.
    static let grace = Duration.seconds(600)

    /// Whether a guest may have a topic of live pages.
    static func admit(_ topic: Topic) -> Bool {
        switch topic {
        case .me, .session: true
        case .desk, .reports, .channels, .incident, .stream: false
        }
    }
}

extension Principal {
    /// Whether the token is of a one-use link, and so limited to its session.
    var isGuest: Bool { !scopes.isEmpty }
}

extension Ledger {
    /// Lets the guest of a one-use link in while the session lasts, and for a little while after.
    ///
    /// - Returns: For how long still; `nil` for whoever is no guest, and while no end is known.
    /// - Throws: `AccountError.tokenExpired` when every session that the token names is over.
    @discardableResult
    func checkGuest(_ principal: Principal) throws -> Duration? {
        guard principal.isGuest else { return nil }
        let sessions = principal.scopes.compactMap { Subject($0) }
            .filter { $0.category == "session" }
            .compactMap { SessionID(String($0.name)) }
        var last: Timestamp?
        for id in sessions {
            let session = try handler.current(Session.self, id)
            if let endedAt = session.endedAt {
                last = max(last ?? endedAt, endedAt)
            } else if session.contact != nil {
                return nil
            }
        }
        let now = now
        guard let end = last.map({ $0 + GuestRights.grace }), now < end else {
            throw AccountError.tokenExpired
        }
        return end - now
    }
}

/// Lets those use a route for whom it is declared, and nobody else; a path that is no route is nobody's to refuse.
struct DeclaredRightsMiddleware: RouterMiddleware {
    typealias Context = GatewayContext

    /// Tells whether the session of a guest is over; `nil` for a door without one.
    let ledger: Ledger?
    let routes: RouteTable

    func handle(
        _ request: Request,
        context: Context,
        next: NextResponder
    ) async throws -> Response {
        guard let endpoint = context.endpointPath, endpoint != RouteTable.none else {
            return try await next(request, context)
        }
        // A door without a ledger has nothing to protect: what it is given besides declared routes is for trying it out.
        let route = routes[request.method, endpoint]
        // A door without a ledger has nothing to protect: what it is given besides declared routes is for trying it out.
        if route == nil, ledger == nil { return try await next(request, context) }
        var context = context
        let askers = route?.askers ?? []
        (context.askers, context.reads) = (askers, route?.reads)
        if let principal = context.principal, principal.isGuest {
            guard askers.isGuestToo || askers.areStrangersToo else {
                throw Problem(
                    .forbidden,
                    detail: "this link is good for its session only; register the phone for more"
                )
            }
            // What is open to strangers stays open to who was a guest.
            if askers.isGuestToo { try ledger?.checkGuest(principal) }
        }
        if !askers.areStrangersToo { _ = try askers.principal(in: context) }
        return try await next(request, context)
    }
}
