// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import GRDB
import Projections

extension Verify {
    /// Holds `accounts.db` against the events of accounts, phones and tokens: who may act is what the log says, no more.
    ///
    /// Beside a gateway the file changes before the log tells of it, and an erasure comes in the log first: what differs is
    /// looked at again.
    mutating func checkAccounts(_ log: LogVerification, _ papers: LedgerPapers) async throws {
        let path = folder.appending(path: FolderPart.accounts.rawValue)
        guard options.looks(at: .accounts) else { return }
        guard FileManager.default.fileExists(atPath: path.path) else {
            return papers.isOfGateway ? addGone(log) : ()
        }
        let start = ContinuousClock.now
        let now = Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
        var known = log.merge.accounts
        var next = log.size
        var list = FindingList()
        do {
            let rowKey = rowKey(log)
            var file = try AccountsFile(path, rowKey: rowKey) { known.tokens[$0] != nil }
            list = known.compare(file, keys: options.keys, begun: report.begun, now: now)
            for _ in 0..<ReplayLimits.erasureLooksMax where list.damageCount > 0 {
                try Self.follow(folder, from: &next) { known.apply($0) }
                list = known.compare(file, keys: options.keys, begun: report.begun, now: now)
                guard list.damageCount > 0 else { break }
                try await Task.sleep(for: ReplayLimits.erasureLooksEvery)
                file = try AccountsFile(path, rowKey: rowKey) { known.tokens[$0] != nil }
                try Self.follow(folder, from: &next) { known.apply($0) }
                list = known.compare(file, keys: options.keys, begun: report.begun, now: now)
            }
            addAccounts(file, known, list, isKeyed: rowKey != nil, since: start)
        } catch let error as CancellationError {
            throw error
        } catch let error as AccountsFile.ForeignSchema {
            addForeign("\(error)")
        } catch let error as ForeignNeighbour {
            addForeign("\(error)")
        } catch {
            guard let fault = noteUnlessOwn(error, path.lastPathComponent) else { return }
            let words = (error as? DatabaseError)?.message ?? fault
            add(
                .damage,
                path.lastPathComponent,
                "it cannot be read: \(words)",
                "restore it from a backup"
            )
        }
    }

    /// A file that is gone is no better than one from which all was taken.
    private mutating func addGone(_ log: LogVerification) {
        let count = accountsMade(log)
        guard count > 0 else { return }
        add(
            .damage,
            FolderPart.accounts.rawValue,
            "it is gone, and by the log there are \(count) accounts: nobody can sign in",
            "restore it from a backup; without one, start the gateway: it makes the accounts anew, without passwords, and tells one for an admin; a copy without it is looked at with --without accounts"
        )
    }

    /// How many accounts were made since the ledger's key began; those of before may be the ledger's that was imported here.
    func accountsMade(_ log: LogVerification) -> Int {
        log.merge.accounts.users.values.count { $0.made >= report.begun }
    }

    /// What the rows carry codes under, where the master key opens this ledger's keys.
    private func rowKey(_ log: LogVerification) -> DerivedKey? {
        guard let masterKey = options.masterKey, options.keys != nil, let origin = log.origin
        else { return nil }
        return SealedRows.key(of: masterKey, ledger: origin)
    }

    private mutating func addForeign(_ fact: String) {
        add(
            .damage,
            FolderPart.accounts.rawValue,
            fact,
            "find out who put it there, and restore the file from a backup, with nothing else of its name beside it"
        )
    }

    private mutating func addAccounts(
        _ file: AccountsFile,
        _ known: KnownAccounts,
        _ list: FindingList,
        isKeyed: Bool,
        since start: ContinuousClock.Instant
    ) {
        report.add(list)
        if file.isUncoded, isKeyed, !file.users.isEmpty {
            add(
                .damage,
                FolderPart.accounts.rawValue,
                "its rows carry no codes: an earlier program wrote it, or somebody who has no key took them away",
                known.sealed.map {
                    "by position \($0) its rows had codes: restore it from a backup of later, or move it away; no start believes it"
                }
                    ?? "if nobody else could write the folder, daybook serve --adopt-accounts gives them codes, once; otherwise restore it from a backup"
            )
        }
        for (table, rows) in file.foreign.sorted(by: { $0.key < $1.key }) {
            add(
                .damage,
                FolderPart.accounts.rawValue,
                "\(rows) rows of \(table) carry no code of this ledger's gateway: somebody wrote them who has no key",
                "find out who can write the folder; the next start lets nobody in by them"
            )
        }
        var notes = FindingList()
        for one in known.untold {
            notes.add(
                Finding(
                    .note,
                    place: "accounts.db",
                    position: one.position,
                    "account \(one.user) \(one.what), at position \(one.position)",
                    advice:
                        "find out whether a crash or a loss was why, or somebody wrote into the file"
                )
            )
        }
        report.add(notes)
        report.add(
            "accounts",
            "\(file.users.count) accounts, \(file.devices.count) phones, \(file.tokens.count) issued tokens",
            since: start
        )
        var words =
            "of accounts.db: whether rows of an earlier day were put back that no event tells of (names to sign in with, \(file.otherTokens) tokens of sign-ins and phones, open codes and links, addresses of pushes)"
        if !isKeyed {
            let why = options.masterKey == nil ? "no master key" : "the keys do not open"
            words += "; and who made any of them, passwords, too (\(why))"
        }
        if options.keys == nil, !file.devices.isEmpty {
            words += "; and the numbers of \(file.devices.count) phones (no keys)"
        }
        let here = Set(file.users.map(\.id))
        let elsewhere = known.users.count { !here.contains($0.key) && $0.value.made < report.begun }
        if elsewhere > 0 {
            words += "; and \(elsewhere) accounts of before this key began, which are not in it"
        }
        report.notLookedAt.append(words)
    }

    /// Tells what was recorded since.
    private static func follow(
        _ folder: URL,
        from next: inout UInt64,
        _ take: (RecordedEvent) -> Void
    ) throws {
        let ledger = try LedgerReader.open(folder, usingIndex: false)
        defer { ledger.close() }
        let decoder = EventDecoder()
        while let page = try Optional(ledger.entries(from: LogPosition(next))),
            let last = page.last
        {
            for entry in page { take(try decoder.decode(entry)) }
            next = last.envelope.position.next.rawValue
        }
    }
}
