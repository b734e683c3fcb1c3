// SPDX-License-Identifier: Apache-2.0
import Events
import Hummingbird
import Projections

/// Whether the gateway lives, and whether it can do its work.
struct HealthRoutes: Sendable {
    let ledger: Ledger

    /// How many events a read model may be behind while the gateway counts as ready.
    static let lagMax: UInt64 = 10_000

    func add(to router: Router<GatewayContext>) {
        router.get("/healthz", use: health)
        router.get("/readyz", use: readiness)
    }

    private struct HealthBody: Encodable {
        let status: String
        let events: UInt64
    }

    /// 503 once the log takes nothing any more: restart the process.
    @Sendable private func health(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        if let reason = ledger.log.readOnlyReason { throw reason }
        return try .json(HealthBody(status: "ok", events: ledger.log.size))
    }

    private struct ReadModelBody: Encodable {
        let name: String
        let version: Int
        let isServing: Bool
        let reached: UInt64
        let failure: String?
        let failures: Int
    }

    private struct ServiceBody: Encodable {
        let name: String
        let isWell: Bool
        /// Whether the gateway is not ready while it has a fault.
        let isNeeded: Bool
        let fault: String?
        let failures: Int
    }

    private struct ReadinessBody: Encodable {
        let ready: Bool
        let events: UInt64
        let clock: ClockBody
        let readModels: [ReadModelBody]
        let services: [ServiceBody]
    }

    /// 503 while a read model is being built, stands still or is far behind, or a service has a fault without which a call goes wrong;
    /// each is named, and so is the fault of one that can be late.
    @Sendable private func readiness(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let size = ledger.log.size
        let states = ledger.readModels.runner.states
        let isReady =
            ledger.log.readOnlyReason == nil && ledger.standings.canServe
            && states.allSatisfy { $0.isWell && $0.reached + Self.lagMax >= size }
        let body = ReadinessBody(
            ready: isReady,
            events: size,
            clock: ClockBody(ledger.log.clock.standing),
            readModels: states.map { state in
                ReadModelBody(
                    name: state.identity.name,
                    version: state.identity.version,
                    isServing: state.isServing,
                    reached: state.reached,
                    failure: state.failure.map { "\($0)" },
                    failures: state.failures
                )
            },
            services: ledger.standings.all.map { standing in
                ServiceBody(
                    name: standing.name,
                    isWell: standing.fault == nil,
                    isNeeded: standing.need == .toServe,
                    fault: standing.fault,
                    failures: standing.failures
                )
            }
        )
        return try .json(body, status: isReady ? .ok : .serviceUnavailable)
    }
}
