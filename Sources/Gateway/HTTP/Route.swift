// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird

/// One route, with all that is said of who may use it: router, rights check, and the roles that the OpenAPI file says come from it.
///
/// ```swift
/// var routes: [Route] {
///     [
///         Route(.post, "/v1/tours", for: .supervision, define),
///         Route(.get, "/v1/tours/:id", for: [.guard, .operator, .supervisor], show),
///     ]
/// }
/// ```
///
/// What depends on a body or on the state of things stays with the handler.
struct Route: Sendable {
    let method: HTTPRequest.Method
    let path: RouterPath
    /// Who may use it.
    let askers: Askers
    /// What it reads of personal data, as it is recorded; `nil` where it opens nothing, or says at each opening what for.
    let reads: String?
    private let install: @Sendable (Router<GatewayContext>) -> Void

    /// Declares a route.
    ///
    /// - Parameters:
    ///   - method: `HEAD` follows from `GET`.
    ///   - path: With `:name` for what varies.
    ///   - askers: Who may use it; nobody else reaches the handler.
    ///   - reads: What it reads of personal data, in a word: with that stands the record of each reading, see `Ledger.keys(toRead:_:fields:)`.
    ///   - isStreamed: Whether its body is taken as it comes, for as long as it takes.
    ///   - handle: Answers.
    init<Output: ResponseGenerator>(
        _ method: HTTPRequest.Method,
        _ path: RouterPath,
        for askers: Askers,
        reads: String? = nil,
        isStreamed: Bool = false,
        _ handle: @escaping @Sendable (Request, GatewayContext) async throws -> Output
    ) {
        (self.method, self.path, self.askers, self.reads) = (method, path, askers, reads)
        install = { router in
            guard isStreamed else {
                router.on(path, method: method, use: handle)
                return
            }
            router.group(path).add(middleware: BodyLimitMiddleware())
                .on("", method: method, use: handle)
        }
    }

    /// Declares a WebSocket; see `RouterMethods.socket`.
    static func socket<Ticket: Sendable>(
        _ path: RouterPath,
        for askers: Askers,
        limits: @escaping @Sendable (WebSocketLimits) -> WebSocketLimits = { $0 },
        accept: @escaping @Sendable (Request, GatewayContext) async throws -> Ticket,
        handler: @escaping @Sendable (WebSocketConnection, Ticket) async throws -> Void
    ) -> Route {
        Route(path: path, askers: askers) { router in
            router.socket(path, limits: limits, accept: accept, handler: handler)
        }
    }

    private init(
        path: RouterPath,
        askers: Askers,
        install: @escaping @Sendable (Router<GatewayContext>) -> Void
    ) {
        (method, self.path, self.askers, reads) = (.get, path, askers, nil)
        self.install = install
    }

    /// Adds it to a router.
    func install(in router: Router<GatewayContext>) { install(router) }
}
