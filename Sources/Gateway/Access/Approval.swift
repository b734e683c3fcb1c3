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
    ///   whom the first person may stand (``circle(of:)``); 429 after too many wrong passwords.
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
            throw Problem.approverRefused("the second person is another than the first")
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
        guard try await !circle(of: UserID(unchecked: second.id)).contains(first) else {
            throw Problem.approverRefused(
                "one of the two, or somebody behind both, made or changed the other's account "
                    + "within 24 hours; somebody else must approve"
            )
        }
    }

    /// The accounts behind which one person may stand: whoever made an account, opened it, promoted it or set its password
    /// within 24 hours may know its password, in either direction and over any number of accounts between.
    private func circle(of user: UserID) async throws -> Set<UserID> {
        let now = now
        var ties: [UserID: [UserID]] = [:]
        for account in try await accounts.users() {
            let id = UserID(unchecked: account.id)
            let makers = try handler.current(User.self, id).makers
            for (maker, moment) in makers where now - moment < Approval.distance {
                ties[id, default: []].append(maker)
                ties[maker, default: []].append(id)
            }
        }
        var (circle, open) = (Set([user]), [user])
        while let next = open.popLast() {
            open += ties[next, default: []].filter { circle.insert($0).inserted }
        }
        return circle
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
}
