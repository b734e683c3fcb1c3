// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
public import Foundation

/// Puts a backup back as a ledger that can be served, with everybody erased who was erased since it was made.
///
/// It grows beside its folder and takes its name at the end: nothing is served of it before the erasures were carried out. The
/// restored ledger signs with a new key, for the former one may have signed what came behind the backup.
public struct Restore: Sendable {
    /// The folder of one backup.
    public var backup: URL
    /// The new ledger's folder, which is not there yet, or is empty.
    public var folder: URL
    /// The file with the master key; `nil` for the standard places of the new folder.
    public var masterKey: URL?
    /// Lists of erasures; `nil` for those beside the backup.
    public var erasures: [URL]?
    /// Whether nothing was recorded behind the backup, so that the key stays.
    public var keepsKey = false

    public init(_ backup: URL, to folder: URL) {
        self.backup = backup
        self.folder = folder
    }

    /// What was restored.
    public struct Outcome: Sendable {
        public let backup: Backup
        /// How many people were erased again.
        public let erased: Int
    }

    /// Restores.
    ///
    /// - Returns: What was restored.
    /// - Throws: ``BackupError``; what copying, opening and erasing throw. Nothing is left then.
    public func run() async throws -> Outcome {
        let made = try Backup.read(backup)
        let entries = try erasureEntries()
        let source = backup.appending(path: Backup.ledger)
        let files = FileManager.default
        if let names = try? files.contentsOfDirectory(atPath: folder.path), !names.isEmpty {
            throw BackupError.occupied(folder.path)
        }
        let place = folder.standardizedFileURL
        let growing = place.deletingLastPathComponent()
            .appending(path: ".\(place.lastPathComponent).restoring")
        if files.fileExists(atPath: growing.path) { try files.removeItem(at: growing) }
        do {
            for name in try FileCopy.names(below: source, withMarks: true) {
                try FileCopy.copy(
                    source.appending(path: name),
                    to: growing.appending(path: name)
                )
            }
            try check(growing, against: made)
            try mark(growing)
            let erased = try await erase(entries, in: growing)
            try FileCopy.syncFolders(below: growing)
            try DurableFile.move(growing, to: place)
            FolderOwner.handOver(new: place)
            return Outcome(backup: made, erased: erased)
        } catch {
            try? files.removeItem(at: growing)
            throw error
        }
    }

    /// The entries of all lists, in order.
    private func erasureEntries() throws -> [Entry] {
        let lists = try erasures ?? besides()
        return try lists.flatMap { try ErasureList.entries(in: $0) }
    }

    private func besides() throws -> [URL] {
        let place = backup.standardizedFileURL.deletingLastPathComponent()
        let names = try FileManager.default.contentsOfDirectory(atPath: place.path)
            .filter { $0.hasPrefix("erasures-") && $0.hasSuffix(".jsonl") }
        guard !names.isEmpty else { throw BackupError.noErasures(backup.path) }
        return names.sorted().map { place.appending(path: $0) }
    }

    private func check(_ growing: URL, against made: Backup) throws {
        let log = try EntryStore.open(growing).contents()
        guard log.size == made.entries, log.root.description == made.root else {
            throw BackupError.notWhole(
                backup.path,
                found: "\(log.size) entries with root \(log.root)",
                wanted: "\(made.entries) with \(made.root)"
            )
        }
    }

    /// Marks the folders of recordings and pictures as the ledger's, wherever those lay from which they come.
    private func mark(_ growing: URL) throws {
        let ledger = LedgerFolder(root: growing)
        guard let identity = try LedgerIdentity.read(from: ledger.identity) else {
            throw BackupError.noBackup(backup.path)
        }
        for place in [ledger.media, ledger.blobs] {
            try FolderMark.give(to: place, of: ledger, identity)
        }
    }

    /// Carries out what the lists say of people and holds of the backup.
    ///
    /// - Returns: How many people were erased.
    private func erase(_ entries: [Entry], in growing: URL) async throws -> Int {
        var upkeep = Upkeep(folder: growing)
        upkeep.configuration.masterKey =
            masterKey.map(MasterKeyPlace.file) ?? .standard(for: folder)
        upkeep.configuration.carriesOutErasures = true
        // All read models are built from nothing first, however long that takes.
        upkeep.configuration.readWait = .seconds(7 * 86_400)
        if !keepsKey { try NewOrigin.begin(upkeep.configuration, isRestored: true) }
        let (work, keepsKey) = (upkeep, keepsKey)
        return try await upkeep.work { ledger in
            var erased = 0
            for entry in entries {
                let owner = entry.envelope.organisation
                switch try EventDecoder().decode(entry).fact {
                case .hold(.lifted(let lifted)):
                    try await lift(lifted, work.context(in: ledger, for: owner), in: ledger)
                case .person(.erased(let found)):
                    guard try Erasure(ledger: ledger).knows(found.person),
                        try !ledger.handler.current(Person.self, found.person).isErased
                    else { continue }
                    guard !keepsKey else { throw BackupError.erasedSince(1) }
                    try await erase(found, by: work, owner, in: ledger)
                    erased += 1
                default: continue
                }
            }
            return erased
        }
    }

    private func lift(_ lifted: HoldLifted, _ context: CommandContext, in ledger: Ledger)
        async throws
    {
        let holds = try ledger.handler.current(Holds.self, context.organisation)
        guard holds.active[lifted.hold] != nil else { return }
        let command = LiftHold(lifted.hold, reason: lifted.reason, approvedBy: lifted.approvedBy)
        _ = try await ledger.handler.handle(command, context)
    }

    private func erase(
        _ found: PersonErased,
        by upkeep: Upkeep,
        _ owner: OrganisationID,
        in ledger: Ledger
    ) async throws {
        // What was open when the backup was made ended before the erasure.
        for person in try ledger.handler.everybody(whoIs: found.person) {
            guard let open = try ledger.handler.current(Caller.self, person).openSession else {
                continue
            }
            _ = try await ledger.handler.handle(
                CloseSession(open, by: .system, disposition: "restored"),
                upkeep.context(in: ledger, for: owner)
            )
        }
        let accounts = try await ledger.userAccounts(behind: found.person)
        let command = ErasePerson(
            found.person,
            by: found.by,
            approvedBy: found.approvedBy ?? [],
            within: .ledger,
            reason: found.reason
        )
        let erasure = Erasure(ledger: ledger)
        try await erasure.ending(accounts) {
            _ = try await ledger.handler.handle(command, upkeep.context(in: ledger, for: owner))
        }
        let outcome = try await erasure.finish(everybodyWhoIs: found.person)
        guard outcome.left.isEmpty else { throw ErasureUnfinished(left: outcome.left) }
    }
}
