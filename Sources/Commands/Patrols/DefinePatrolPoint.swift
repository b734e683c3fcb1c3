// SPDX-License-Identifier: Apache-2.0
public import Events

/// A place on a guard's tour is set up, or moved.
public struct DefinePatrolPoint: Command {
    public let point: PatrolPointID
    public let definition: PatrolPointDefined

    public init(_ point: PatrolPointID, as definition: PatrolPointDefined) {
        self.point = point
        self.definition = definition
    }

    /// Why it was not set up.
    public enum Refusal: CommandRefusal {
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    public var subject: Subject { .patrolPoint(point) }

    public func read(_ ledger: inout LedgerView) throws -> PatrolPoint {
        try ledger.read(PatrolPoint.self, point)
    }

    public func decide(
        _ state: PatrolPoint,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        for (field, text) in [("site", definition.site), ("name", definition.name)] {
            try InputFault.check(
                text,
                field,
                bytesMax: CommandLimits.wordBytesMax,
                else: Refusal.unacceptable
            )
        }
        let place = Fix(latitude: definition.latitude, longitude: definition.longitude)
        try InputFault.check(
            place.isPlausible,
            "latitude, longitude",
            "\(definition.latitude), \(definition.longitude)",
            allowed: "on Earth",
            else: Refusal.unacceptable
        )
        try InputFault.check(
            definition.radiusMetres > 0
                && definition.radiusMetres <= CommandLimits.patrolRadiusMetresMax,
            "radiusMetres",
            definition.radiusMetres,
            allowed: "above 0 and at most \(CommandLimits.patrolRadiusMetresMax)",
            else: Refusal.unacceptable
        )
        guard state.definition != definition else { return .already(()) }
        return .record([.patrol(point, .pointDefined(definition))])
    }
}
