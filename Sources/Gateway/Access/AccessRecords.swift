// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import HTTPTypes
import Logging

/// Who was turned away, recorded once per reader, thing, reason and minute.
extension Ledger {
    /// Counts that somebody without a valid token was turned away; see ``StrangerRefusals``.
    ///
    /// - Parameters:
    ///   - address: Where the request came from.
    ///   - attempt: What was tried: method and route, without values.
    ///   - reason: Why.
    func countRefusal(of address: String, attempt: String, reason: AccessRefused.Reason) {
        strangers.count(reason, attempt: attempt, address: address)
        logger.info(
            "a stranger was turned away",
            metadata: [
                "category": "security", "attempt": "\(attempt)", "reason": "\(reason.rawValue)",
                "network": "\(NetworkAddress.block(of: address) ?? "local")",
            ]
        )
    }

    /// Records that somebody who is known was turned away.
    ///
    /// What cannot be recorded is logged: a refusal must not turn into another answer.
    ///
    /// - Parameters:
    ///   - reader: Who was.
    ///   - resource: From what; one that does not exist is left out, so that invented ids make no history.
    ///   - attempt: What was tried: method and route, without values.
    ///   - reason: Why.
    func recordRefusal(
        of reader: Principal,
        from resource: Subject?,
        attempt: String,
        reason: AccessRefused.Reason
    ) async {
        do {
            let known = try resource.flatMap { try existing($0) }
            let command = RecordAccess(
                refusedTo: reader.ledgerActor,
                resource: known,
                attempt: attempt,
                reason: reason
            )
            let owner =
                reader.seesAllOrganisations ? try known.flatMap { try rights.owner(of: $0) } : nil
            let context = context(
                actor: reader.ledgerActor,
                organisation: owner ?? reader.organisation,
                command: command.commandID(at: now)
            )
            _ = try await handler.handle(command, context)
        } catch CommandFault.overBudget {
            // That was recorded once; more would be what the budget forbids.
        } catch {
            logger.error("a refusal was not recorded", metadata: ["error": "\(error)"])
        }
    }

    /// What a subject names: itself, or for `incident/` and the id of a session its incident (ruling 17).
    ///
    /// - Returns: `nil` if there is no such thing.
    private func existing(_ resource: Subject) throws -> Subject? {
        if try log.revision(of: resource) != nil { return resource }
        guard resource.category == "incident", let id = IncidentID(String(resource.name)) else {
            return nil
        }
        return try rights.incident(named: id).map { .incident($0) }
    }

    /// Records what was counted of strangers.
    func record(_ tally: StrangerRefusals.Tally) async {
        let command = RecordAccess(
            refusedTo: .nobody,
            attempt: tally.attempt,
            reason: tally.reason,
            count: tally.count,
            network: tally.network
        )
        let context = context(actor: .nobody, organisation: configuration.organisation)
        do {
            _ = try await handler.handle(command, context)
        } catch {
            logger.error(
                "refusals of strangers were not recorded",
                metadata: ["error": "\(error)", "count": "\(tally.count)"]
            )
        }
    }

    /// Lets somebody read a session, or records the refusal and throws it.
    ///
    /// For sockets; what routes throw is recorded by ``RefusalMiddleware``.
    func admit(_ reader: Principal, to session: SessionID, attempt: String) async throws {
        do {
            try rights.check(session, for: reader)
        } catch let refusal as ReadingRights.Refusal {
            await record(refusal: refusal, of: reader, from: .session(session), attempt: attempt)
            throw refusal
        }
    }

    /// Records what was thrown at somebody on a socket, if it turned them away.
    func record(
        refusal error: any Error,
        of reader: Principal,
        from resource: Subject?,
        attempt: String
    ) async {
        guard let reason = AccessRefused.Reason(ProblemTable.problem(for: error)) else { return }
        await recordRefusal(of: reader, from: resource, attempt: attempt, reason: reason)
    }

    /// Who may read what.
    var rights: ReadingRights { ReadingRights(log: log, states: handler) }
}

extension AccessRefused.Reason {
    /// Why a problem turned somebody away; `nil` if it did not.
    init?(_ problem: Problem) {
        switch (problem.type.slug, problem.type.status.code) {
        case ("session-private", _), ("session-not-owned", _): self = .ownership
        case ("session-of-other-caller", _): self = .otherNumber
        case ("session-expired", 401): self = .token
        case ("password-must-change", _), ("cross-origin", _): return nil
        // Whoever refused that has recorded it, once.
        case ("over-budget", _): return nil
        // Whoever found that out has recorded it, with the reason that it knew.
        case ("device-of-other-number", _), ("device-not-valid", _): return nil
        case (_, 403): self = .role
        case (_, 429): self = .rate
        default: return nil
        }
    }
}
