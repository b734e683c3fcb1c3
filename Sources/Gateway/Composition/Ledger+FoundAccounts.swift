// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import GRDB
import Logging
import Projections

/// The accounts as a start finds them: whoever could write the file may have (decision 0059).
extension Ledger {
    /// Opens the accounts, and tells what was done with the file.
    ///
    /// Tokens and codes end by the ledger's time, too: one that was issued while the wall clock was fast would otherwise be good
    /// for as long as that was wrong.
    static func accounts(
        in folder: LedgerFolder,
        _ masterKey: MasterKey,
        _ log: EventLog,
        _ configuration: GatewayConfiguration,
        _ logger: Logger
    ) throws -> AccountStore {
        try setJournalAside(in: folder, logger)
        do {
            let accounts = try AccountStore(
                path: folder.accounts.path,
                fingerprintKey: DerivedKey(of: masterKey, for: "daybook request fingerprint"),
                rowKey: SealedRows.key(of: masterKey, ledger: log.origin),
                adoption: try rowAdoption(configuration, log),
                in: log.held,
                limits: configuration.limits.accounts,
                now: { [clock = log.clock] in
                    Date(timeIntervalSince1970: Double(clock.now.microseconds) / 1_000_000)
                },
                jumps: { [clock = log.clock] in clock.jumps }
            )
            tell(of: accounts.opening, logger)
            return accounts
        } catch let error as DatabaseError {
            throw StartError.ofAccounts(folder.accounts.path, error)
        }
    }

    /// By the log, of which nobody can take anything away unnoticed; what the file says of itself anybody can write.
    private static func rowAdoption(
        _ configuration: GatewayConfiguration,
        _ log: EventLog
    ) throws -> AccountStore.RowAdoption {
        let policy = Subject.policy(SealedRows.policy)
        var wish = AccountStore.RowAdoption(
            isAsked: configuration.adoptsAccounts,
            isDoubted: log.isDoubted,
            areSealed: try log.revision(of: policy) != nil
        )
        do throws(EventLogError) {
            wish.sealedAt = try log.entries(of: policy, limit: 1).first?.envelope.time.date
        } catch {
            // Damaged, it said so all the same, whenever that was.
            guard error.isOfDamage else { throw error }
        }
        return wish
    }

    /// A crash leaves none: who has it played in could make anybody an admin.
    private static func setJournalAside(in folder: LedgerFolder, _ logger: Logger) throws {
        let journal: URL?
        do {
            journal = try DatabaseNeighbours.setJournalAside(of: folder.accounts)
        } catch {
            throw StartError.accountsUnusable(
                folder.accounts.path,
                reason: "a journal lies beside it and cannot be moved away: \(error)"
            )
        }
        guard let journal else { return }
        logger.critical(
            "a journal lay beside accounts.db, which is not ours; it was moved away unread",
            metadata: ["category": "security", "file": "\(journal.lastPathComponent)"]
        )
    }

    private static func tell(of opening: AccountStore.Opening, _ logger: Logger) {
        if let fault = opening.indexFault {
            logger.critical(
                "an index of accounts.db was not what its table says; all are made anew",
                metadata: ["category": "security", "fault": "\(fault)"]
            )
        }
        switch opening.adoption {
        case .done(let rows)?:
            logger.warning(
                "accounts were adopted: rows without a code are believed from now on; leave --adopt-accounts away",
                metadata: ["category": "security", "rows": "\(rows)"]
            )
        case .doneBefore?:
            logger.warning(
                "nothing was adopted, for that was done less than a day ago; leave --adopt-accounts away",
                metadata: ["category": "security"]
            )
        case nil: break
        }
    }

    /// What the accounts are told of rights while they serve.
    ///
    /// - Parameters:
    ///   - handler: Knows what the ledger says.
    ///   - log: May be in doubt.
    ///   - unvouched: Whose erasure nobody vouches for.
    ///   - logger: Hears of rows that said something else.
    /// - Returns: What they ask.
    static func teller(
        _ handler: CommandHandler,
        of log: EventLog,
        unvouched: Set<PersonID>,
        _ logger: Logger
    ) -> AccountTeller {
        AccountTeller { id in
            let known = try await handler.settled(User.self, UserID(unchecked: id))
            guard let account = known.account, let role = known.role else { return nil }
            let isErased =
                try !unvouched.contains(account.person)
                && handler.current(Person.self, account.person).isErased
            return ToldAccount(
                role: role,
                org: account.organisation.text,
                isDisabled: known.isDisabled || isErased,
                passwordAt: known.passwordAt
            )
        } readPhone: { id in
            guard let device = DeviceID(id) else { return false }
            return try await handler.settled(Device.self, device).person != nil
        } mustKnow: {
            log.isDoubted
        } hasFollowed: { user in
            logger.critical(
                "somebody's account had other rights than the ledger gives it; it has these now",
                metadata: [
                    "category": "security", "user": "\(user.id)", "role": "\(user.role.rawValue)",
                    "organisation": "\(user.org)", "disabled": "\(user.isDisabled)",
                ]
            )
        }
    }

    /// Tells of rows that nobody made who has the key, and disarms them where a gateway is to serve.
    ///
    /// Work at the console leaves them, so that the log of the gateway tells of them.
    static func meetForeignRows(
        of accounts: AccountStore,
        _ handler: CommandHandler,
        disarms: Bool,
        _ logger: Logger
    ) throws {
        do {
            let foreign = try accounts.foreignRows()
            guard !foreign.isEmpty else { return }
            if disarms {
                try accounts.disarmForeignRows { user in
                    do {
                        return try handler.current(User.self, UserID(unchecked: user)).account
                            != nil
                    } catch let error where error.isOfDamage {
                        // There are entries of it: an account that keeps its id, and may do nothing.
                        return true
                    }
                }
            }
            logger.critical(
                "rows of accounts.db were written by somebody who has no key, and open nothing\(disarms ? " now" : "; the next start of daybook serve takes them away")",
                metadata: ["category": "security", "rows": "\(foreign)"]
            )
        } catch let error as DatabaseError {
            throw StartError.ofAccounts(accounts.pool.path, error)
        }
    }
}

extension StartError {
    /// What SQLite said of the accounts: a file that is damaged is restored, and one whose disk is short, or away, is whole.
    static func ofAccounts(_ path: String, _ error: DatabaseError) -> StartError {
        let reason = "\(error.extendedResultCode), \(error.message ?? "no more is known")"
        return switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED: .accountsLocked(path)
        case .SQLITE_FULL: .noRoom(path)
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: .accountsUnusable(path, reason: reason)
        case _ where error.isOfDisk: .accountsOutOfReach(path, reason: reason)
        default: .accountsContradictory(path, reason: reason)
        }
    }
}
