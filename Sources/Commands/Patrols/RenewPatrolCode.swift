// SPDX-License-Identifier: Apache-2.0
public import Events

/// A point gets another code, and its older labels count no more.
public struct RenewPatrolCode: Command {
    public let point: PatrolPointID
    /// The number of the code that is to go, so that two who renew the same one renew it once; `nil` for whichever hangs there.
    public let number: Int?

    public init(_ point: PatrolPointID, number: Int? = nil) {
        (self.point, self.number) = (point, number)
    }

    /// Why it keeps its code.
    public enum Refusal: CommandRefusal {
        case unknownPoint(PatrolPointID)
        /// Each scan is compared with all codes that the point ever had.
        case tooMany(PatrolPointID)

        public var problem: Problem {
            switch self {
            case .unknownPoint(let point):
                Problem(
                    .notFound,
                    "patrol-point-not-found",
                    "renewing the code refused: there is no point \(point); look at the list",
                    facts: ["point": "\(point)"]
                )
            case .tooMany(let point):
                Problem(
                    .conflict,
                    "patrol-codes-too-many",
                    "renewing the code refused: point \(point) had \(CommandLimits.patrolCodesMax) "
                        + "codes; set up a new point",
                    facts: ["point": "\(point)", "max": "\(CommandLimits.patrolCodesMax)"]
                )
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
        guard state.definition != nil else { throw .unknownPoint(point) }
        if let number, number < state.codeNumber { return .already(()) }
        guard state.codeNumber < CommandLimits.patrolCodesMax else { throw .tooMany(point) }
        let renewed = PatrolCodeRenewed(number: state.codeNumber + 1)
        return .record([.patrol(point, .codeRenewed(renewed))])
    }
}
