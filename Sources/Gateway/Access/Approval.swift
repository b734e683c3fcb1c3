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
    ///   whom the first person may stand (``tie(of:with:)``); 429 after too many wrong passwords.
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
        if let end = try await tie(of: UserID(unchecked: second.id), with: first) {
            throw Problem.approverRefused(
                "one of the two, or somebody behind both, made or changed the other's account within 24 hours; "
                    + "the two may approve for each other from \(end) on. Until then somebody else must approve: "
                    + "accounts made with `daybook user add` are tied to nobody"
            )
        }
    }

    /// Until when one person may stand behind two accounts: whoever made an account, opened it, promoted it or set its
    /// password within 24 hours may know its password, in either direction and over any number of accounts between.
    ///
    /// - Returns: When the last chain of such ties between the two will have come apart; `nil` if there is none.
    private func tie(of user: UserID, with other: UserID) async throws -> Timestamp? {
        let now = now
        var ties: [UserID: [(account: UserID, end: Timestamp)]] = [:]
        for account in try await accounts.users() {
            let id = UserID(unchecked: account.id)
            let makers = try handler.current(User.self, id).makers
            for (maker, moment) in makers where now - moment < Approval.distance {
                ties[id, default: []].append((maker, moment + Approval.distance))
                ties[maker, default: []].append((id, moment + Approval.distance))
            }
        }
        // A chain holds as long as its weakest tie; of several the last one counts.
        var ends: [UserID: Timestamp] = [:]
        var open = [user]
        while let next = open.popLast() {
            for tie in ties[next, default: []] where tie.account != user {
                let end = ends[next].map { min($0, tie.end) } ?? tie.end
                guard ends[tie.account].map({ $0 < end }) ?? true else { continue }
                ends[tie.account] = end
                open.append(tie.account)
            }
        }
        return ends[other]
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
