// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import HTTPTypes
import Hummingbird

/// Whose account somebody may change, and what is told of accounts.
extension Ledger {
    /// The account in the path, for whoever may manage it: admins anybody's, an organisation's admin those of the
    /// organisation below admin and auditor.
    ///
    /// - Throws: 401, 403, and 404 for an account elsewhere.
    func managed(_ context: GatewayContext) async throws -> (Principal, UserAccount) {
        let principal = try context.signedIn(as: .admin, .organisationAdmin)
        let id = context.parameters.get("id") ?? ""
        let user = try await accounts.user(id: id)
        guard principal.role != .admin else { return (principal, user) }
        guard user.org == principal.org else { throw AccountError.accountUnknown(id) }
        guard user.role != .admin, user.role != .auditor else {
            throw Problem(.forbidden, detail: "only an admin changes an admin or an auditor")
        }
        return (principal, user)
    }

    /// What comes with a change of somebody's account: the events belong to that account's organisation.
    func context(
        of principal: Principal,
        managing user: UserAccount,
        _ requestID: String,
        command: CommandID? = nil,
        asked: SHA256Digest = .saidByID
    ) -> CommandContext {
        context(
            actor: principal.ledgerActor,
            organisation: OrganisationID(unchecked: user.org),
            command: command,
            correlation: requestID,
            asked: asked
        )
    }

    /// One coming or going.
    struct SignIn: Sendable, Hashable {
        let at: Timestamp
        let isIn: Bool
        /// How, or why.
        let how: String
        /// Where from; `nil` where it was not told, and for a person who was erased.
        let address: String?
    }

    /// When a user signed in and out, newest first.
    func signIns(of user: UserID, limit: Int) throws -> [SignIn] {
        let subject = Subject.user(user)
        guard var next = try log.revision(of: subject).map({ $0.rawValue + 1 }) else { return [] }
        var found: [SignIn] = []
        while next > 0, found.count < limit {
            let first = next - min(next, 256)
            let page = try log.entries(
                of: subject,
                from: Revision(first),
                limit: Int(next - first)
            )
            for entry in page.reversed() where found.count < limit {
                try signIn(in: EventDecoder().decode(entry)).map { found.append($0) }
            }
            next = first
        }
        return found
    }

    private func signIn(in event: RecordedEvent) throws -> SignIn? {
        switch event.fact {
        case .user(.loggedIn(let fact)):
            SignIn(
                at: event.envelope.time,
                isIn: true,
                how: fact.method.rawValue,
                address: try fact.address?.opened(with: keys).value
            )
        case .user(.loggedOut(let fact)):
            SignIn(at: event.envelope.time, isIn: false, how: fact.reason.rawValue, address: nil)
        default: nil
        }
    }
}
