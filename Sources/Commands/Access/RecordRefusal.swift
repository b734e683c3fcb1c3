// SPDX-License-Identifier: Apache-2.0
public import Events

/// Somebody was turned away; recorded once per attempt, reason and minute by ``commandID(at:)``.
public struct RecordRefusal: Command {
    public let of: Actor
    public let resource: Subject?
    /// What was tried, such as a route.
    public let attempt: String
    public let reason: AccessRefused.Reason
    /// The network address, sealed for the person whom it tells about.
    public let address: Sealed<String>?

    public init(
        of actor: Actor,
        resource: Subject? = nil,
        attempt: String,
        reason: AccessRefused.Reason,
        address: Sealed<String>? = nil
    ) {
        of = actor
        self.resource = resource
        self.attempt = attempt
        self.reason = reason
        self.address = address
    }

    /// Why it was not recorded.
    public enum Refusal: CommandRefusal {
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    public var subject: Subject { .access(of) }

    /// Nothing that was recorded before matters.
    public func read(_ ledger: inout LedgerView) {}

    public func decide(
        _ state: Void,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        try InputFault.check(
            attempt,
            "attempt",
            bytesMax: CommandLimits.noteBytesMax,
            else: Refusal.unacceptable
        )
        let refused = AccessRefused(
            resource: resource,
            attempt: attempt,
            reason: reason,
            address: address
        )
        return .record([.access(of, .refused(refused))])
    }

    /// The id under which this refusal is one command for a whole minute.
    public func commandID(at now: Timestamp) -> CommandID {
        .ofMinute(now, ["refused", resource?.text ?? "-", attempt, reason.rawValue])
    }
}
