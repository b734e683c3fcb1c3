// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Logging
import Projections

/// Whom chats that wait for an operator alert (ruling 19): the signed-in operators who may take one
/// more; when there is none, the supervisors.
///
/// Everybody at the desk sees the queue all the same.
struct PendingAlerts: Sendable {
    let ledger: Ledger

    /// Whether pending chats are to alert a reader, by what is so now.
    func concern(_ reader: Principal) async throws -> Bool {
        switch reader.role {
        case .operator: return try reader.user.map(mayTakeChat) ?? false
        case .supervisor: return try await nobodyIsAvailable(in: reader.scope)
        case .caller, .reporter, .guard, .rescuer, .analyst, .auditor, .organisationAdmin, .admin,
            .service:
            return false
        }
    }

    private func mayTakeChat(_ user: UserID) throws -> Bool {
        let handler = ledger.handler
        let sessions = try handler.current(Operator.self, user).sessions
        let workload = Workload(
            open: try sessions.map { try handler.current(Session.self, $0) },
            policy: try handler.current(Policy.self, OperatorLimit.policy)
        )
        return workload.admits(addingText: true, at: ledger.now)
    }

    private func nobodyIsAvailable(in scope: Scope) async throws -> Bool {
        do {
            // As far as the model is: a live page waits for nobody, and asks again within seconds.
            let present = try await ledger.readModels.desk.operators(
                in: scope,
                signedIn: true
            )
            return try !present.contains { try $0.role == .operator && mayTakeChat($0.id) }
        } catch let error as ReadModelError {
            // While nobody knows who is there, a supervisor too many is the smaller fault.
            ledger.logger.debug("presence unknown", metadata: ["reason": "\(error)"])
            return true
        }
    }
}
