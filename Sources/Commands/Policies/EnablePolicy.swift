// SPDX-License-Identifier: Apache-2.0
public import Events

/// A policy acts from here on, by these numbers.
public struct EnablePolicy: Command {
    public let policy: String
    public let settings: [String: Int]

    public init(_ policy: String, settings: [String: Int] = [:]) {
        self.policy = policy
        self.settings = settings
    }

    /// Why it was not enabled.
    public enum Refusal: CommandRefusal {
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    public var subject: Subject { .policy(policy) }

    public func read(_ ledger: inout LedgerView) throws -> Policy {
        try ledger.read(Policy.self, policy)
    }

    public func decide(
        _ state: Policy,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        try InputFault.check(
            Subject(subject.text) != nil,
            "policy",
            policy,
            allowed: "a name of letters, digits and ._~-",
            else: Refusal.unacceptable
        )
        let wrong = settings.filter { $0.value < 0 }.sorted { $0.key < $1.key }.first
        if let wrong {
            try InputFault.check(
                false,
                wrong.key,
                wrong.value,
                allowed: "0 or more",
                else: Refusal.unacceptable
            )
        }
        guard !state.isEnabled || state.settings != settings else { return .already(()) }
        let enabled = PolicyEnabled(policy: policy, settings: settings)
        return .record([.policy(policy, .enabled(enabled))])
    }
}
