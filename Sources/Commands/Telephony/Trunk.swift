// SPDX-License-Identifier: Apache-2.0
public import Events

/// A trunk, whose word on its callers' numbers is believed.
public struct Trunk: Fold {
    public let id: String
    /// `nil` before it was named.
    public private(set) var settings: SIPTrunkSet?

    public init(_ id: String) {
        self.id = id
    }

    public static func source(of id: String) -> FoldSource { .subject(.trunk(id)) }

    /// Takes in an event of the trunk's subject.
    public mutating func apply(_ event: RecordedEvent) {
        guard case .sip(.trunkSet(let set)) = event.fact else { return }
        settings = set
    }
}

/// Names a trunk, or changes it.
public struct SetTrunk: Command {
    /// Small letters, digits and hyphens.
    public let trunk: String
    public let settings: SIPTrunkSet

    public init(_ trunk: String, to settings: SIPTrunkSet) {
        self.trunk = trunk
        self.settings = settings
    }

    /// Why it was not named.
    public enum Refusal: CommandRefusal {
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    public var subject: Subject { .trunk(trunk) }

    public func read(_ ledger: inout LedgerView) throws -> Trunk {
        try ledger.read(Trunk.self, trunk)
    }

    public func decide(
        _ state: Trunk,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        for (field, text) in [("name", settings.name), ("host", settings.host)] {
            try InputFault.check(
                text,
                field,
                bytesMax: CommandLimits.wordBytesMax,
                else: Refusal.unacceptable
            )
        }
        guard state.settings != settings else { return .already(()) }
        return .record([.trunk(trunk, .trunkSet(settings))])
    }
}

/// Records that something came to the sockets of SIP and was none.
public struct RecordMalformedSIP: Command {
    public let malformed: SIPMalformedReceived

    public init(_ malformed: SIPMalformedReceived) {
        self.malformed = malformed
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

    public var subject: Subject { .malformedSIP }

    public func read(_ ledger: inout LedgerView) throws {}

    public func decide(
        _ state: Void,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        try InputFault.check(
            malformed.fault,
            "fault",
            bytesMax: CommandLimits.wordBytesMax,
            else: Refusal.unacceptable
        )
        return .record([.malformedSIP(.malformedReceived(malformed))])
    }
}
