// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import HTTPTypes
import Hummingbird

/// What the guest of a one-use link may use: the routes and topics that stand here, and no others (ruling 39).
///
/// Which session it is, the rights of each route say: a guest's token names it.
enum GuestRights {
    /// How long a guest may still read what was said after the session has ended.
    static let grace = Duration.seconds(600)

    /// The routes of the session that the link was for.
    static let ofSession: Set<String> = [
        "GET /v1/me", "POST /v1/auth/logout", "GET /chat", "GET /v1/ws", "GET /v1/sessions",
        "GET /v1/sessions/{id}", "GET /v1/sessions/{id}/transcript",
        "POST /v1/sessions/{id}/messages", "POST /v1/sessions/{id}/pictures",
        "GET /v1/sessions/{id}/pictures/{message}", "POST /v1/sessions/{id}/consents",
        "POST /v1/sessions/{id}/locations", "POST /v1/requests/{id}/opened",
        "POST /v1/requests/{id}/answer", "POST /v1/sessions/{id}/streams", "GET /v1/streams/{id}",
        "POST /v1/streams/{id}/stop", "PUT /v1/streams/{id}/parts/{part}",
        "GET /v1/streams/{id}/ingest",
    ]

    /// Whether a guest may use a route; what is open to strangers, a page sends its cookie to as well.
    static func admit(_ method: HTTPRequest.Method, _ pattern: String?) -> Bool {
        StrangerRights.admit(method, pattern) || isOfSession(method, pattern)
    }

    /// Whether a route is about the guest's session.
    static func isOfSession(_ method: HTTPRequest.Method, _ pattern: String?) -> Bool {
        StrangerRights.route(method, pattern).map(ofSession.contains) ?? false
    }

    /// Whether a guest may have a topic of live pages.
    static func admit(_ topic: Topic) -> Bool {
        switch topic {
        case .me, .session: true
        case .desk, .incident, .stream: false
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

/// Turns strangers, and the guest of a one-use link, away from whatever is not declared to be theirs.
struct DeclaredRightsMiddleware: RouterMiddleware {
    typealias Context = GatewayContext

    let ledger: Ledger

    func handle(
        _ request: Request,
        context: Context,
        next: NextResponder
    ) async throws -> Response {
        guard let principal = context.principal else {
            guard StrangerRights.admit(request.method, context.endpointPath) else {
                throw Problem.notSignedIn
            }
            return try await next(request, context)
        }
        if principal.isGuest {
            guard GuestRights.admit(request.method, context.endpointPath) else {
                throw Problem(
                    .forbidden,
                    detail: "this link is good for its session only; register the phone for more"
                )
            }
            // What is open to strangers stays open to who was a guest.
            if GuestRights.isOfSession(request.method, context.endpointPath) {
                try ledger.checkGuest(principal)
            }
        }
        return try await next(request, context)
    }
}
