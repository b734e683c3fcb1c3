// SPDX-License-Identifier: Apache-2.0
public import Events

/// A hold ends; two people must approve.
public struct LiftHold: Command {
    public let hold: HoldID
    public let reason: String
    public let approvedBy: [UserID]

    public init(_ hold: HoldID, reason: String, approvedBy: [UserID]) {
        self.hold = hold
        self.reason = reason
        self.approvedBy = approvedBy
    }

    /// Why it stays.
    public enum Refusal: CommandRefusal {
        case unknown(HoldID)
        case needsTwoPeople(HoldID)
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .unknown(let hold):
                Problem(
                    .notFound,
                    "hold-unknown",
                    "lifting a hold refused: there is no hold \(hold); check the id",
                    facts: ["hold": "\(hold)"]
                )
            case .needsTwoPeople(let hold):
                Problem(
                    .forbidden,
                    "hold-needs-two-people",
                    "lifting hold \(hold) refused: two different people must approve; "
                        + "name a second one",
                    facts: ["hold": "\(hold)"]
                )
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    public var subject: Subject { HoldingOrganisations.lane }

    public func read(_ ledger: inout LedgerView) throws -> Holds {
        try ledger.read(Holds.self, ledger.organisation)
    }

    public func decide(
        _ state: Holds,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        try InputFault.check(
            reason,
            "reason",
            bytesMax: CommandLimits.noteBytesMax,
            else: Refusal.unacceptable
        )
        guard !state.lifted.contains(hold) else { return .already(()) }
        guard state.active[hold] != nil else { throw .unknown(hold) }
        guard approvedBy.count == 2, Set(approvedBy).count == 2 else {
            throw .needsTwoPeople(hold)
        }
        let lifted = HoldLifted(hold: hold, reason: reason, approvedBy: approvedBy)
        return .record([.hold(context.organisation, .lifted(lifted))])
    }
}
