// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Logging
import Projections

/// Something that becomes due by time alone: rows of the deadlines read model become commands.
///
/// The rows survive a restart, and a command id names policy, causing event and step, so no timer
/// is lost and nothing is done twice. A row only names what to look at, for whoever can write the
/// folder can write a row: its event, its organisation and whether it is due come from the log.
protocol TimedPolicy: Sendable {
    /// Permanent: actor, subject and command ids are made of it.
    var name: String { get }
    /// What `policy.enabled` says.
    var settings: [String: Int] { get }
    /// Does what is due; called only while the read model is level with the log.
    ///
    /// - Parameters:
    ///   - now: The gateway's clock.
    ///   - start: The policy acts on events behind this position.
    /// - Throws: When rows or log cannot be read, or the log not be written; it is tried again.
    func act(at now: Timestamp, behind start: LogPosition) async throws
}

extension Ledger {
    /// Hands a policy's command to the log.
    ///
    /// A refusal means that the row was overtaken by something newer; the row will go.
    func handle(
        _ command: some Command,
        of policy: String,
        because cause: Cause,
        step: String
    ) async throws {
        let context = context(
            actor: .policy(policy),
            organisation: cause.organisation,
            command: CommandID(unchecked: "\(policy)~\(cause.event)~\(step)"),
            causation: cause.event
        )
        do {
            _ = try await handler.handle(command, context)
        } catch let refusal as any CommandRefusal {
            logger.debug(
                "policy refused",
                metadata: ["policy": "\(policy)", "reason": "\(refusal)"]
            )
        }
    }

    /// Acts on what is due of one subject: where its entries cannot be read nothing is done, and the others wait for nobody.
    ///
    /// The log names the entry, and `/readyz` with it.
    ///
    /// - Returns: What came of it; `nil` where nothing was done.
    @discardableResult
    func unlessDamaged<Value>(_ act: () async throws -> Value) async throws -> Value? {
        do {
            return try await act()
        } catch let error as EventLogError {
            guard case .damaged = error else { throw error }
        } catch let error as EventDecodingError {
            logger.debug("a policy passes what is due", metadata: ["reason": "\(error)"])
        }
        return nil
    }

    /// Records from where on each policy acts, and by which numbers; nothing if that is known.
    func enablePolicies() async throws {
        for policy in timedPolicies { try await enable(policy.name, policy.settings) }
        try await enable(PushPolicy.name, PushPolicy.settings(configuration.push))
        try await enable(DeliveryPolicy.name, [:])
        try await enable(
            Policy.callerVideo,
            ["anytime": configuration.policies.callersFilmAnytime ? 1 : 0]
        )
        // Where it is not said, what was said before stays.
        if let texts = configuration.policies.textSessions {
            try await enable(OperatorLimit.policy, ["sessions": 1, "textSessions": texts])
        }
        // From here on no start believes a row of the accounts without a code.
        try await enable(SealedRows.policy, [:])
    }

    private func enable(_ policy: String, _ settings: [String: Int]) async throws {
        let context = context(
            actor: .policy(policy),
            organisation: configuration.organisation
        )
        do {
            _ = try await handler.handle(EnablePolicy(policy, settings: settings), context)
        } catch let error where error.isOfDamage {
            // Whoever needs help is helped by the others.
            logger.critical(
                "what the log says of a policy cannot be read; run daybook verify, restore the log",
                metadata: ["policy": "\(policy)", "error": "\(error)"]
            )
        }
    }

    /// Where a policy was first enabled; later changes of its numbers do not move it.
    func start(ofPolicy name: String) throws -> LogPosition {
        let first = try log.entries(of: .policy(name), limit: 1).first
        return first?.envelope.position ?? LogPosition(log.size)
    }

    /// The policies that time alone sets off.
    var timedPolicies: [any TimedPolicy] {
        [
            StartLimitPolicy(ledger: self), RequestExpiryPolicy(ledger: self),
            StreamSilencePolicy(ledger: self), RoundsPolicy(ledger: self),
            CallOutPolicy(ledger: self), DispatchPolicy(ledger: self),
            AssignmentPolicy(ledger: self),
        ]
    }
}
