// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import HTTPTypes
import Hummingbird

/// Whose account somebody may change, and what is told of accounts.
extension Ledger {
    /// The account in the path, for whoever may read how it is managed; see ``UserAccount/requireManager(_:of:)``.
    ///
    /// - Throws: 401, 403, 404 for an account elsewhere, 410 for one that ended with its person.
    func managed(_ context: GatewayContext) async throws -> (Principal, UserAccount) {
        let principal = try context.signedIn()
        try principal.require(.managers)
        let user = try await account(context.parameters.get("id") ?? "", managedBy: principal)
        return (principal, user)
    }

    /// The account in the path, for whoever may change it; when it is changed, ``requireStill(_:toChange:)`` asks again.
    ///
    /// - Throws: As ``managed(_:)``.
    func managed(_ context: GatewayContext, by asker: Asker) async throws -> UserAccount {
        try await account(context.parameters.get("id") ?? "", managedBy: asker.principal)
    }

    /// The same where one's own account is one's own.
    func ownOrManaged(_ context: GatewayContext, by asker: Asker) async throws -> UserAccount {
        let id = context.parameters.get("id") ?? ""
        guard asker.userID != id else { return try await accounts.user(id: id) }
        try asker.principal.require(.managers)
        return try await managed(context, by: asker)
    }

    private func account(_ id: String, managedBy principal: Principal) async throws -> UserAccount {
        let user = try await accounts.user(id: id)
        try user.requireManager(principal.role, of: principal.org)
        guard try !isErased(user) else {
            throw Problem(
                .personErased,
                detail: "the person behind account \(user.id) was erased; make another account"
            )
        }
        return user
    }

    /// Asks in the turn in which an account is changed whether whoever changes it may still: by the rows of then, theirs and its.
    ///
    /// - Throws: 401 for who is signed out by now, or is somebody else; what ``UserAccount/requireManager(_:of:)`` throws.
    func requireStill(_ changer: AccountChanger, toChange id: String) async throws {
        guard case .asker(let asker) = changer else { return }
        let now = try await stillSignedIn(asker.principal)
        let user = try await accounts.user(id: id)
        try user.requireManager(now.role, of: now.org)
    }

    /// The same of a token, which is one's own, or of a service that one manages.
    func requireStill(_ changer: AccountChanger, toIssueTokenOf id: String) async throws {
        guard case .asker(let asker) = changer else { return }
        let now = try await stillSignedIn(asker.principal)
        guard now.userID != id else { return }
        let user = try await accounts.user(id: id)
        try user.requireManager(now.role, of: now.org)
        try user.requireService()
    }

    /// The accounts behind which a person stands; they end with the person.
    func userAccounts(behind person: PersonID) async throws -> [UserAccount] {
        let ids = try handler.current(Footprint.self, person).accounts.map(\.text)
        guard !ids.isEmpty else { return [] }
        return try await accounts.users().filter { ids.contains($0.id) }
    }

    /// Whether the person behind an account was erased, and somebody vouches for that.
    func isErased(_ user: UserAccount) throws -> Bool {
        let known = try handler.current(User.self, UserID(unchecked: user.id))
        guard let person = known.account?.person,
            !unvouchedErasures.contains(where: { $0.person == person })
        else { return false }
        return try handler.current(Person.self, person).isErased
    }

    /// What comes with a change of somebody's account: the events belong to that account's organisation.
    func context(
        of request: CommandRequest,
        managing user: UserAccount,
        command: CommandID? = nil
    ) -> CommandContext {
        context(
            actor: request.asker.ledgerActor,
            organisation: OrganisationID(unchecked: user.org),
            command: command ?? request.command,
            correlation: request.requestID,
            asked: request.asked
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
    func signIns(of user: UserID, limit: Int, _ keys: ReadingKeys) throws -> [SignIn] {
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
                try signIn(in: EventDecoder().decode(entry), keys).map { found.append($0) }
            }
            next = first
        }
        return found
    }

    private func signIn(in event: RecordedEvent, _ keys: ReadingKeys) throws -> SignIn? {
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

/// Who changes an account.
enum AccountChanger: Sendable {
    /// Who sits at this machine, and may.
    case console
    /// Who asked over the network.
    case asker(Asker)
}

extension UserAccount {
    /// Refuses a token of a person, for anybody but that person.
    func requireService() throws(Problem) {
        guard role == .service else {
            throw Problem(
                .forbidden,
                detail: "a token for somebody else is for the role service only"
            )
        }
    }

    /// Lets somebody manage this account, or throws why not: admins anybody's, an organisation's admin those of the
    /// organisation below admin and auditor.
    ///
    /// - Throws: 403; 404 for an account elsewhere.
    func requireManager(_ role: Role, of organisation: String) throws {
        guard !isManaged(by: role, of: organisation) else { return }
        guard role == .organisationAdmin, org == organisation else {
            throw AccountError.accountUnknown(id)
        }
        throw Problem(.forbidden, detail: "only an admin changes an admin or an auditor")
    }

    /// Whether somebody of that role and organisation may manage it.
    func isManaged(by role: Role, of organisation: String) -> Bool {
        guard role != .admin else { return true }
        return role == .organisationAdmin && org == organisation && self.role != .admin
            && self.role != .auditor
    }
}
