// SPDX-License-Identifier: Apache-2.0
import Events
import Hummingbird
import Projections

/// Whether queries are level with the log and every part does its work: what `/readyz` answers.
struct Readiness: Sendable {
    /// Who asks.
    enum Asker: Hashable {
        /// Hears which parts are well, by name, and nothing of this machine.
        case anybody
        /// An admin, or whoever reaches the listener of the metrics: hears why one is not.
        case whoeverRunsIt
    }

    let ledger: Ledger

    /// How many events a read model may be behind while the gateway counts as ready.
    static let lagMax: UInt64 = 10_000

    /// Whether the gateway lives, for a listener without the gateway's middleware; see ``HealthRoutes/health(of:)``.
    func health() -> Response {
        do {
            return try HealthRoutes.health(of: ledger)
        } catch {
            return ProblemTable.problem(for: error).response(requestID: "healthz")
        }
    }

    /// 503 while the log takes nothing, a read model is being built, stands still or is far behind, or a service has a fault
    /// without which a call goes wrong; each is named, and so is one with a fault that can be late.
    func response(for asker: Asker) throws -> Response {
        let size = ledger.log.size
        let models = ledger.readModels.runner.states.map { state in
            (state: state, isWell: state.isWell && state.reached + Self.lagMax >= size)
        }
        let readOnly = ledger.log.readOnlyReason
        let isReady =
            readOnly == nil && ledger.standings.canServe && models.allSatisfy { $0.isWell }
        let isTold = asker == .whoeverRunsIt
        let clock = ledger.log.clock.standing
        let body = Body(
            ready: isReady,
            isDemo: ledger.isDemo,
            warnings: ledger.standings.all
                .filter { $0.fault != nil && !$0.isInTheWay }.map(\.name),
            events: size,
            log: PartBody(isWell: readOnly == nil, fault: isTold ? readOnly.map { "\($0)" } : nil),
            clock: isTold
                ? .whole(ClockBody(clock)) : .outline(.init(isFollowed: clock.heldSince == nil)),
            readModels: models.map { ReadModelBody($0.state, isWell: $0.isWell, isTold: isTold) },
            services: ledger.standings.all.map { ServiceBody($0, isTold: isTold) }
        )
        return try .json(body, status: isReady ? .ok : .serviceUnavailable)
    }
}

private struct Body: Encodable {
    let ready: Bool
    /// Whether whoever reaches the gateway signs in as anybody.
    let isDemo: Bool
    /// The parts with a fault that the gateway can serve with.
    let warnings: [String]
    let events: UInt64
    let log: PartBody
    let clock: Clock
    let readModels: [ReadModelBody]
    let services: [ServiceBody]
}

private struct PartBody: Encodable {
    let isWell: Bool
    let fault: String?
}

private enum Clock: Encodable {
    case outline(Outline)
    case whole(ClockBody)

    struct Outline: Encodable {
        let isFollowed: Bool
    }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .outline(let outline): try outline.encode(to: encoder)
        case .whole(let body): try body.encode(to: encoder)
        }
    }
}

private struct ReadModelBody: Encodable {
    let name: String
    let isWell: Bool
    let version: Int?
    let isServing: Bool?
    let reached: UInt64?
    let failure: String?
    let failures: Int?

    init(_ state: ReadModelState, isWell: Bool, isTold: Bool) {
        name = state.identity.name
        self.isWell = isWell
        version = isTold ? state.identity.version : nil
        isServing = isTold ? state.isServing : nil
        reached = isTold ? state.reached : nil
        failure = isTold ? state.failure.map { "\($0)" } : nil
        failures = isTold ? state.failures : nil
    }
}

private struct ServiceBody: Encodable {
    let name: String
    let isWell: Bool
    /// Whether the gateway is not ready while it has a fault.
    let isNeeded: Bool
    let fault: String?
    let failures: Int?

    init(_ standing: ServiceStandings.Standing, isTold: Bool) {
        name = standing.name
        isWell = standing.fault == nil
        isNeeded = standing.fault == nil ? standing.need == .toServe : standing.isInTheWay
        fault = isTold ? standing.fault?.words : nil
        failures = isTold ? standing.failures : nil
    }
}
