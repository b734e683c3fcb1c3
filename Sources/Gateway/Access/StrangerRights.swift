// SPDX-License-Identifier: Apache-2.0
import HTTPTypes

/// What is open to whoever comes, signed in or not: the routes that stand here, and no others.
///
/// The OpenAPI file declares the same by its `security`; a test holds one against the other.
enum StrangerRights {
    /// By method and pattern.
    ///
    /// On `/chat` the first frame may have the token; of the tree's tiles a stranger gets hashes.
    static let routes: Set<String> = [
        "GET /", "GET /console", "GET /call", "GET /replay", "GET /replay/{incident}",
        "GET /trends", "GET /admin", "GET /admin/{part}",
        "GET /web/**", "GET /vendor", "GET /vendor/{file}",
        "GET /j/{link}", "GET /healthz", "GET /readyz", "GET /checkpoint", "GET /tile/**",
        "GET /v1/ledger", "POST /v1/auth/login", "POST /v1/links/use", "POST /v1/devices",
        "GET /chat",
    ]

    /// Whether a stranger may use a route; a path that is no route is nobody's to refuse.
    static func admit(_ method: HTTPRequest.Method, _ pattern: String?) -> Bool {
        guard let route = route(method, pattern) else { return true }
        return routes.contains(route)
    }

    /// A route as it stands in tables of rights, `HEAD` as the `GET` that it follows from; `nil` for what is none.
    static func route(_ method: HTTPRequest.Method, _ pattern: String?) -> String? {
        guard let pattern, pattern != "NotFound" else { return nil }
        return "\(method == .head ? "GET" : method.rawValue) \(pattern)"
    }
}
