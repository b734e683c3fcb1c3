// SPDX-License-Identifier: Apache-2.0
import Events
import Hummingbird
import Metrics

/// The way every request takes before it reaches a route.
///
/// ```swift
/// let door = GatewayDoor(accounts: accounts, limits: limits, metrics: registry, isTLS: false)
/// door.add(SessionRoutes(ledger: ledger).routes)
/// let server = GatewayServer(door: door, configuration: …, logger: logger)
/// ```
struct GatewayDoor {
    /// Has the routes.
    ///
    /// `HEAD` follows from `GET`.
    let router: Router<GatewayContext>
    let limits: GatewayLimits
    let isTLS: Bool
    /// The routes that it has by itself.
    let ownRoutes: [Route]
    private let routes = RouteTable()

    /// Makes a door without routes of its own but `/metrics`, for admins: the numbers are those of the whole ledger.
    ///
    /// - Parameters:
    ///   - accounts: Who may sign in.
    ///   - limits: What holds for each request.
    ///   - metrics: What `/metrics` shows.
    ///   - isTLS: Whether the server speaks TLS.
    ///   - proxies: Who is believed about whom it brings.
    ///   - ledger: Records who is turned away; `nil` for a door without a ledger behind it.
    init(
        accounts: AccountStore,
        limits: GatewayLimits = GatewayLimits(),
        metrics: PrometheusRegistry,
        isTLS: Bool = false,
        trusting proxies: TrustedProxies = .none,
        recordingRefusalsIn ledger: Ledger? = nil
    ) {
        self.limits = limits
        self.isTLS = isTLS
        router = Router(context: GatewayContext.self, options: .autoGenerateHeadEndpoints)
        let capacity = limits.rememberedClients
        let sockets = SocketQuota(
            ofPrincipal: limits.socketsOfPrincipal,
            ofStranger: limits.socketsOfStranger
        )
        let answers = SocketQuota(
            of: "transcripts and pictures",
            ofPrincipal: limits.answersOfHolder,
            ofStranger: 0
        )
        let ofStrangers = ClientRates(limits.requestsOfAddress, capacity: capacity)
        let ofPrincipal = ClientRates(limits.requestsOfPrincipal, capacity: capacity)
        router.add(
            middleware: RequestIDMiddleware(limits: limits, sockets: sockets, answers: answers)
        )
        router.add(middleware: ClientAddressMiddleware(proxies: proxies))
        router.add(middleware: AccessLogMiddleware(metrics: metrics))
        router.add(middleware: SecurityHeadersMiddleware(isTLS: isTLS))
        if let ledger { router.add(middleware: LedgerTimeMiddleware(clock: ledger.log.clock)) }
        router.add(middleware: ProblemMiddleware(routes: routes))
        router.add(middleware: ExpectationMiddleware())
        if let ledger { router.add(middleware: HeldFolderMiddleware(folder: ledger.log.held)) }
        if let ledger { router.add(middleware: RefusalMiddleware(ledger: ledger)) }
        router.add(
            middleware: AuthenticationMiddleware(
                accounts: accounts,
                strangers: ofStrangers,
                isTLS: isTLS,
                routes: routes
            )
        )
        router.add(middleware: RequestRateMiddleware(rates: ofPrincipal))
        if let ledger { router.add(middleware: RefusalMiddleware(ledger: ledger)) }
        router.add(middleware: DeclaredRightsMiddleware(ledger: ledger, routes: routes))
        router.add(middleware: DepartureMiddleware())
        router.add(middleware: UnreadAnswerMiddleware())
        // Without a token they are shown on a listener of their own; see MetricsServer.
        ownRoutes = [Route(.get, "/metrics", for: [.admin]) { _, _ in metrics.response() }]
        add(ownRoutes)
    }

    /// Takes routes.
    func add(_ routes: [Route]) {
        for route in routes {
            self.routes.declare(route)
            route.install(in: router)
        }
    }

    /// What answers requests, once all routes are added.
    func responder() -> some HTTPResponder<GatewayContext> {
        let responder = router.buildResponder()
        routes.fill(from: router)
        return HeadGate(router: responder)
    }
}
