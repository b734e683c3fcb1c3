// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import HTTPTypes

/// The second person of an action that needs two, who signs in for just that action (ruling 40).
struct Approval: Decodable, Sendable {
    let login: String
    let password: String

    /// How long whoever made an account, opened it, promoted it or set its password may stand behind it.
    static let distance = Duration.seconds(24 * 3600)
    /// Who may be a second person.
    static let roles: Set<Role> = [.supervisor, .organisationAdmin, .admin]
}

extension Ledger {
    /// Checks that a second person is present and is another than the first.
    ///
    /// - Parameters:
    ///   - approval: The second person's login and password.
    ///   - principal: The first person.
    ///   - origin: Where the request comes from.
    /// - Returns: The second person.
    /// - Throws: 403 for a wrong password, another organisation, a lesser role, the first person again, or somebody behind
    ///   whom the first person may stand (``AccountTies``); 500 where that cannot be read; 429 after too many wrong passwords.
    func approver(
        _ approval: Approval,
        of principal: Principal,
        from origin: SignInOrigin
    ) async throws -> UserID {
        let second = try await present(approval, from: origin)
        try await check(second, approvesFor: principal.user, in: principal.org)
        return UserID(unchecked: second.id)
    }

    /// Checks that somebody who is present may be the second person of another.
    func check(
        _ second: UserAccount,
        approvesFor first: UserID?,
        in organisation: String
    ) async throws {
        guard second.id != first?.text else {
            throw Problem.approverRefused("the second person must be another than the first")
        }
        guard Approval.roles.contains(second.role), !second.isTemporary,
            second.role == .admin || second.org == organisation
        else {
            throw Problem.approverRefused(
                "who approves is a supervisor or an admin of the same organisation, "
                    + "with a password of their own"
            )
        }
        guard let first else { throw Problem.approverRefused("the first person is a user, too") }
        let ties = try await accountTies()
        let people = [UserID(unchecked: second.id), first]
        if let end = ties.reached(from: people[0])[first] {
            throw Problem.approverRefused(
                "one of the two, or somebody behind both, made or changed the other's account within 24 hours; "
                    + "the two may approve for each other from \(end) on. Until then somebody else must approve: "
                    + "accounts made with `daybook user add` are tied to nobody"
            )
        }
        if let unread = ties.unread(near: people) { throw Problem.tiesUnreadable(of: unread) }
    }

    /// The ties between all accounts that hold now.
    ///
    /// An account whose entries cannot be read keeps none of the others from being read.
    private func accountTies() async throws -> AccountTies {
        var ties = AccountTies()
        for account in try await accounts.users() {
            let id = UserID(unchecked: account.id)
            do {
                ties.add(try handler.current(User.self, id).makers, of: id, at: now)
            } catch let error where error.isOfDamage {
                note(UnreadEntries(users: [account.id]))
            }
        }
        ties.unread = Set(accounts.following.unread.users.map { UserID(unchecked: $0) })
        return ties
    }

    /// Somebody who shows login and password for one action.
    func present(_ approval: Approval, from origin: SignInOrigin) async throws -> UserAccount {
        do {
            return try await accounts.verifyPassword(
                login: approval.login,
                password: approval.password,
                from: origin
            )
        } catch AccountError.signInRefused {
            throw Problem.approverRefused("login or password of who approves is wrong")
        } catch AccountError.accountUnreadable {
            throw Problem(
                .ledgerDamaged,
                detail:
                    "what the ledger says of the account of who approves cannot be read; somebody else must approve"
            )
        }
    }
}

extension Problem {
    fileprivate static func approverRefused(_ detail: String) -> Problem {
        Problem(
            ProblemType("approver-refused", .forbidden, "Nobody approved"),
            detail: detail
        )
    }

    fileprivate static func tiesUnreadable(of account: UserID) -> Problem {
        Problem(
            .ledgerDamaged,
            detail:
                "who stands behind account \(account) cannot be read, and one of the two is tied to it, or is it; "
                + "somebody else must approve, or the log be restored: /readyz says which entries are damaged",
            facts: ["user": .string(account.text)]
        )
    }
}
