// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import GRDB
import Logging

/// What is changed about accounts: the ledger first, then the accounts follow it (decision 0034).
///
/// What cannot be recorded changes nothing. What a crash, or a full disk, keeps from the accounts they are brought to at the next
/// start, or as soon as they can be written again.
extension Ledger {
    /// Forbids a user to sign in: every token ends, and open sessions become free.
    func disable(
        _ user: UserAccount,
        reason: String,
        _ context: CommandContext
    ) async throws {
        try await change(user, .disabled(reason: reason), leaving: nil, context)
        try await signOut(UserID(unchecked: user.id), context)
    }

    /// Lets a user sign in again.
    func enable(_ user: UserAccount, reason: String, _ context: CommandContext) async throws {
        try await change(user, .enabled(reason: reason), leaving: user.role, context)
    }

    /// Forbids a user to sign in, or lets the user sign in again.
    func setDisabled(
        _ isDisabled: Bool,
        _ user: UserAccount,
        reason: String,
        _ context: CommandContext
    ) async throws {
        if isDisabled {
            try await disable(user, reason: reason, context)
        } else {
            try await enable(user, reason: reason, context)
        }
    }

    /// Changes what a user may do, and signs the user out.
    func setRole(
        _ role: Role,
        of user: UserAccount,
        reason: String,
        _ context: CommandContext
    ) async throws {
        guard role != user.role else { return }
        try await change(user, .role(role, reason: reason), leaving: role, context)
        try await signOut(UserID(unchecked: user.id), context)
    }

    /// Sets a temporary password, which the user must change, and signs the user out.
    ///
    /// - Returns: The password, at the only moment when it can be read.
    func resetPassword(of user: UserAccount, _ context: CommandContext) async throws -> String {
        let password = TemporaryPassword.random()
        try await accounts.probe()
        try await accounts.following.change {
            try await record(.passwordChanged(.reset), of: user, context)
        } making: {
            try await accounts.resetPassword(ofUser: user.id, to: password)
        }
        try await signOut(UserID(unchecked: user.id), context)
        return password
    }

    /// Records what is to be so of an account, then makes it so; one after another, so that no two end the last admin together.
    private func change(
        _ user: UserAccount,
        _ change: ChangeAccount.Change,
        leaving role: Role?,
        _ context: CommandContext
    ) async throws {
        try await accounts.changing.take {
            if role != .admin { try await accounts.refuseLastAdmin(user.id) }
            try await accounts.probe()
            try await accounts.following.change {
                try await record(change, of: user, context)
            } making: {
                try await follow(user.id)
            }
        }
    }

    /// Brings an account to what the ledger says of it.
    ///
    /// One whose person was erased has ended: nothing opens it again, be it the last admin's, or one that an earlier version
    /// did not call disabled.
    func follow(_ id: String) async throws {
        let known = try handler.current(User.self, UserID(unchecked: id))
        let user = try await accounts.user(id: id)
        guard known.account != nil else { return }
        guard try !isErased(user) else { return try await accounts.bar([id]) }
        if let role = known.role, role != user.role { try await accounts.setRole(role, ofUser: id) }
        if known.isDisabled != user.isDisabled {
            try await accounts.setDisabled(known.isDisabled, user: id)
        }
    }

    /// The same when the accounts may be an earlier day's, or changed by hand: the ledger counts, also of the last admin.
    ///
    /// Nothing is recorded because the file says so, but for the end of an account whose person was erased, which the ledger
    /// itself tells.
    func settle(_ user: UserAccount) async throws {
        let known = try handler.current(User.self, UserID(unchecked: user.id))
        guard let account = known.account, let role = known.role else { return }
        guard try !isErased(user) else {
            try await accounts.bar([user.id])
            guard !known.isDisabled else { return }
            return try await record(
                .disabled(reason: "the person was erased"),
                of: user,
                context(actor: .ledger, organisation: account.organisation)
            )
        }
        guard
            role != user.role || known.isDisabled != user.isDisabled
                || account.organisation.text != user.org
        else { return }
        try await accounts.changing.take {
            try await accounts.bring(
                user.id,
                to: role,
                of: account.organisation.text,
                isDisabled: known.isDisabled
            )
        }
        logger.warning(
            "an account was brought to what the ledger says of it",
            metadata: ["category": "security", "user": "\(user.id)"]
        )
    }

    /// What a request asks that was recorded already, and perhaps no more than that: the account follows, and its user has left.
    func settle(_ user: UserAccount, asked context: CommandContext) async throws {
        try await settle(user)
        try await signOut(UserID(unchecked: user.id), context)
    }

    /// Brings all accounts to what the ledger says of them, as after a time in which they could not be written.
    ///
    /// They are behind until all of it is made.
    func followAll() async throws {
        let failures = accounts.following.failures
        do {
            for user in try await accounts.users() { try await settle(user) }
            try await followEnds()
        } catch {
            accounts.following.fallBehind(error)
            throw error
        }
        accounts.following.catchUp(since: failures)
    }

    /// Ends the tokens and phones of which the log says that they ended, and the sign-ins of before what the accounts do not
    /// know: they may be an earlier day's (decision 0055).
    ///
    /// - Throws: Also for an entry that cannot be read, when the other ends are made: nothing is noted as followed then.
    func followEnds() async throws {
        let size = log.size
        let known = try await accounts.followed()
        let ends = try await ends(since: known > size ? 0 : known)
        let count = try await accounts.make(ends)
        if count > 0 {
            logger.warning(
                "the accounts had tokens or phones that had ended by the ledger; they have ended",
                metadata: ["category": "security", "count": "\(count)"]
            )
        }
        if let unread = ends.unread { throw unread }
        do {
            try await accounts.noteFollowed(size)
        } catch let error as DatabaseError where error.isOfDisk {
            // They follow some events again; what had ended has ended.
        }
    }

    /// What has ended: all issued tokens and phones by name, and whose sign-ins ended since a position.
    private func ends(since next: UInt64) async throws -> AccountStore.Ends {
        var ends = AccountStore.Ends()
        each(UserTokenRevoked.kind, of: &ends) { event, ends in
            if case .user(.tokenRevoked(let fact)) = event.fact { ends.tokens.insert(fact.token) }
        }
        each(UserTokenIssued.kind, of: &ends) { event, ends in
            if case .user(.tokenIssued(let fact)) = event.fact { ends.tokens.insert(fact.token) }
        }
        for user in try await accounts.users() {
            let known = try handler.current(User.self, UserID(unchecked: user.id))
            ends.issued.formUnion(known.issuedTokens)
        }
        ends.tokens.subtract(ends.issued)
        each(DeviceRevoked.kind, of: &ends) { event, ends in
            ends.devices.insert(String(event.envelope.subject.name))
        }
        for kind in [UserDisabled.kind, UserRoleChanged.kind, UserPasswordChanged.kind] {
            each(kind, since: next, of: &ends) { event, ends in
                ends.users[String(event.envelope.subject.name)] = event.envelope.time.date
            }
        }
        each(UserLoggedOut.kind, since: next, of: &ends) { event, ends in
            ends.signIns[String(event.envelope.subject.name)] = event.envelope.time.date
        }
        return ends
    }

    /// Takes in the events of a kind; what cannot be read is noted, and keeps no other kind from being taken in.
    private func each(
        _ kind: Kind,
        since first: UInt64 = 0,
        of ends: inout AccountStore.Ends,
        _ take: (RecordedEvent, inout AccountStore.Ends) -> Void
    ) {
        let decoder = EventDecoder()
        var next = LogPosition(first)
        do {
            while let page = try Optional(log.entries(of: kind, from: next)),
                let last = page.last
            {
                for entry in page { take(try decoder.decode(entry), &ends) }
                next = last.envelope.position.next
            }
        } catch {
            ends.unread = ends.unread ?? error
        }
    }

    /// Issues a token of a user; no token is good of which the ledger does not know.
    func issueToken(
        of user: UserAccount,
        life: Duration?,
        provedBy proof: PasswordProof? = nil,
        _ context: CommandContext
    ) async throws -> IssuedToken {
        let issued = try await accounts.issueToken(
            forUser: user.id,
            life: life,
            provedBy: proof
        )
        do {
            let change = ChangeAccount.Change.tokenIssued(
                issued.id,
                until: Timestamp(issued.expires)
            )
            try await record(change, of: user, context)
        } catch {
            try await accounts.revoke(tokenID: issued.id)
            throw error
        }
        return issued
    }

    /// Ends a token of a user, who has left if it was the last.
    func revokeToken(
        _ id: String,
        of user: UserAccount,
        _ context: CommandContext
    ) async throws {
        try await accounts.probe()
        try await accounts.following.change {
            try await record(.tokenRevoked(id), of: user, context)
        } making: {
            try await accounts.revoke(tokenID: id)
        }
        try await signOut(UserID(unchecked: user.id), context)
    }

    /// Ends a registered phone, its tokens and its pushes.
    func revokeDevice(
        _ device: DeviceID,
        reason: String,
        _ context: CommandContext
    ) async throws {
        try await accounts.probe()
        try await accounts.following.change {
            _ = try await handler.handle(RevokeDevice(device, reason: reason), context)
        } making: {
            try await accounts.revokeDevice(id: "\(device)")
        }
    }

    func record(
        _ change: ChangeAccount.Change,
        of user: UserAccount,
        _ context: CommandContext
    ) async throws {
        let command = ChangeAccount(UserID(unchecked: user.id), change)
        _ = try await handler.handle(command, context)
    }
}

extension Timestamp {
    /// To the millisecond below, as the tables have it.
    fileprivate var date: Date { Date(milliseconds: microseconds / 1_000) }
}
