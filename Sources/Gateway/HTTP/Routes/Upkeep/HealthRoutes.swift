// SPDX-License-Identifier: Apache-2.0
import Events
import Hummingbird

/// Whether the gateway lives, and whether it can do its work.
struct HealthRoutes: Sendable {
    let ledger: Ledger

    var routes: [Route] {
        [
            Route(.get, "/healthz", for: .strangers, health),
            Route(.get, "/readyz", for: .strangers, readiness),
        ]
    }

    private struct HealthBody: Encodable {
        let status: String
        let events: UInt64
    }

    @Sendable private func health(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        try Self.health(of: ledger)
    }

    /// 503 once the log takes nothing any more, or its disk is gone: restart the process.
    static func health(of ledger: Ledger) throws -> Response {
        if let reason = ledger.log.readOnlyReason { throw reason }
        guard MachineWatch.isStorageWell(ledger.standings) else {
            throw Problem(.unavailable, detail: "the disk of the ledger does not write")
        }
        return try .json(HealthBody(status: "ok", events: ledger.log.size))
    }

    /// Whoever comes is told which part has a fault; what the fault is has paths and reasons of this machine, and is an admin's.
    @Sendable private func readiness(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let isAdmin = context.principal.map { $0.role == .admin && !$0.mustChangePassword } ?? false
        return try Readiness(ledger: ledger).response(for: isAdmin ? .whoeverRunsIt : .anybody)
    }
}
