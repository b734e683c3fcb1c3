// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import GRDB
import Projections

/// What a start opens, opened for reading: what it would refuse, or serve for readers alone, is told before it does.
extension Doctor {
    /// The files of the ledger, as far as a look can tell; `daybook verify` reads every entry.
    func files() -> [Finding] {
        let origin: OriginKey
        let masterKey: MasterKey
        do {
            let place = configuration.masterKey ?? .standard(for: configuration.folder)
            masterKey = try place.key(for: folder)
            guard let key = try OriginKey.read(from: folder.root, masterKey: masterKey) else {
                return []
            }
            origin = key
        } catch {
            // The line about the master key says it.
            return []
        }
        let rowKey = SealedRows.key(of: masterKey, ledger: origin.signer.name)
        return [folders()] + log(origin, masterKey) + [accounts(rowKey), pushKey(masterKey)]
    }

    /// Whether a gateway serves the folder now.
    var isServed: Bool {
        let descriptor = open(folder.root.appending(path: "lock").path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        // A shared try that lets go at once: it disturbs nobody who already serves.
        guard flock(descriptor, LOCK_SH | LOCK_NB) == 0 else { return errno == EWOULDBLOCK }
        flock(descriptor, LOCK_UN)
        return false
    }

    /// What must be a folder, and what must be a file, is one wherever it is there.
    private func folders() -> Finding {
        let folders = [
            folder.root.appending(path: "log"), folder.root.appending(path: "index"),
            folder.readModels, folder.media, folder.blobs,
        ]
        let files = [
            folder.root.appending(path: "lock"), folder.root.appending(path: "clock"),
            folder.personKeys, folder.accounts, folder.pushKey,
        ]
        let wrong =
            folders.filter { Self.isFolder($0) == false }
            + files.filter { Self.isFolder($0) == true }
        guard wrong.isEmpty else {
            let names = wrong.map(\.lastPathComponent).joined(separator: ", ")
            return bad(
                "folders",
                "\(names): a file where a folder belongs, or the other way round; move it away"
            )
        }
        return good("folders", "each is one where it is there")
    }

    /// `nil` for what is not there.
    private static func isFolder(_ place: URL) -> Bool? {
        var facts = stat()
        guard stat(place.path, &facts) == 0 else { return nil }
        return facts.st_mode & S_IFMT == S_IFDIR
    }

    private func log(_ origin: OriginKey, _ masterKey: MasterKey) -> [Finding] {
        let reader: LedgerReader
        do {
            reader = try LedgerReader.open(folder.root)
        } catch {
            return [bad("log", "\(error); restore it from a backup")]
        }
        defer { reader.close() }
        do {
            let size = try reader.size()
            return [try ends(of: reader, size, origin)] + keys(reader, size, origin, masterKey)
        } catch {
            return [bad("log", "\(error); restore it from a backup")]
        }
    }

    /// Its first and last entry, and what was signed of it.
    private func ends(
        of reader: LedgerReader,
        _ size: UInt64,
        _ origin: OriginKey
    ) throws -> Finding {
        let signed = origin.signed?.size ?? 0
        guard size >= signed else {
            return bad(
                "log",
                "it has \(size) events, and \(signed) were signed: it is served for reading only; restore it from a backup, or begin a new origin with daybook serve --new-origin"
            )
        }
        guard size > 0 else { return good("log", "nothing in it yet") }
        let last = reader.readableRun(from: size - 1, below: size)
        guard last.unreadable.isEmpty else {
            return bad(
                "log",
                "its last entry, at position \(size - 1), cannot be read: it is served for reading only; restore it from a backup, or begin a new origin with daybook serve --new-origin"
            )
        }
        guard let shown = checkpointSize else {
            guard signed > 0 else { return good("log", "\(size) events, none signed yet") }
            return bad(
                "log",
                "the file checkpoint is gone or cannot be read: it is served for reading only; restore the file from a backup"
            )
        }
        let waits = reader.readableRun(from: min(shown, size - 1), below: size, limit: 1)
            .entries.first.map { configuration.clock.now() - $0.envelope.time }
        guard isServed, shown < size, let waits, waits > Self.unsignedMax else {
            return good("log", "\(size) events, \(shown) of them signed")
        }
        return bad(
            "log",
            "\(size - min(size, shown)) events are not signed for \(waits.components.seconds) s: the services of /readyz say why; see to it before the next start"
        )
    }

    /// Events wait a minute for a checkpoint; longer ones wait for somebody.
    private static let unsignedMax = Duration.seconds(180)

    /// How much the published checkpoint is over.
    private var checkpointSize: UInt64? {
        do {
            let file = folder.root.appending(path: "checkpoint")
            let note = try SignedNote(String(decoding: Data(contentsOf: file), as: UTF8.self))
            return try Checkpoint(text: note.text).size
        } catch {
            return nil
        }
    }

    /// Holds the keys against as much of the log as was there before they were read.
    private func keys(
        _ reader: LedgerReader,
        _ size: UInt64,
        _ origin: OriginKey,
        _ masterKey: MasterKey
    ) -> [Finding] {
        do {
            let file = folder.personKeys
            guard KeyStore.exists(at: file) || size <= origin.begun else {
                throw StartError.keysLost(file.path, reason: "is missing or empty")
            }
            let erasures = try reader.entries(at: reader.positions(of: PersonErased.kind))
            let erased = try erasures.compactMap { entry in
                try (EventDecoder().decode(entry).fact.payload as? PersonErased)?.person
            }
            let keys = try KeyStore.open(at: file, masterKey: masterKey, for: .reading)
            let unreadable = try Ledger.checkKeys(
                keys,
                againstEntries: size,
                begun: origin.begun,
                erased: Set(erased)
            ) { position, limit in
                reader.readableRun(from: position.rawValue, below: size, limit: limit)
            }
            let looked = Ledger.entriesLookedAt
            let found = good(
                "keys",
                "\(keys.count) people have one, and nobody of the first \(looked.first) or the newest \(looked.newest) entries lacks one"
            )
            return [found] + entries(unreadable)
        } catch {
            return [bad("keys", "\(error)")]
        }
    }

    /// What cannot be read of the entries that were looked at.
    private func entries(_ unreadable: [UnreadableEntries]) -> [Finding] {
        guard !unreadable.isEmpty else { return [] }
        let places = unreadable.prefix(10).map { "\($0.place): \($0.reason)" }
        let more = unreadable.count > 10 ? " and \(unreadable.count - 10) more" : ""
        return [
            doubtful(
                "entries",
                "some cannot be read, and what is asked about their subjects is refused (\(places.joined(separator: "; "))\(more)): run daybook verify, restore the log, or begin a new origin without what they said (daybook serve --new-origin)"
            )
        ]
    }

    /// A copy of the accounts is looked through, for a look at the file itself would leave others beside it; where somebody
    /// serves, they are there already.
    private func accounts(_ rowKey: DerivedKey) -> Finding {
        let file = folder.accounts
        guard FileManager.default.fileExists(atPath: file.path) else {
            return bad(
                "accounts",
                "\(file.lastPathComponent) is gone, and nobody can sign in: restore it from a backup; without one the next start of daybook serve tells a new password for admin, who makes the other accounts anew"
            )
        }
        do {
            guard !isServed else {
                try DatabaseNeighbours.check(file)
                return try accounts(at: file.path, rowKey, inPlace: true)
            }
            let copy = try DatabaseCopy(file)
            return try accounts(at: copy.path, rowKey, inPlace: copy.isInPlace)
        } catch let error as StartError {
            return bad("accounts", "\(error)")
        } catch let error as DatabaseError {
            return bad("accounts", "\(StartError.ofAccounts(file.path, error))")
        } catch {
            return damaged("\(error)")
        }
    }

    private func accounts(
        at path: String,
        _ rowKey: DerivedKey,
        inPlace: Bool
    ) throws -> Finding {
        var configuration = Configuration()
        configuration.readonly = inPlace
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { _ = try? queue.close() }
        return try queue.read { database in
            if let fault = try AccountSchema.fault(in: database) { return damaged(fault) }
            if try SealedRows.areMissing(database) {
                throw StartError.accountsUncoded(folder.accounts.path)
            }
            let words = try String.fetchOne(database, sql: "PRAGMA integrity_check(1)")
            guard words == "ok" else { return damaged(words ?? "it cannot be checked") }
            if try SealedRows.areIn(database) {
                SealedRows.teach(database, rowKey)
                let foreign = try SealedRows.foreign(in: database)
                guard foreign.isEmpty else { return planted(foreign) }
            }
            let users = try Int.fetchOne(database, sql: "SELECT count(*) FROM users") ?? 0
            return good("accounts", inPlace ? "open, and whole" : "\(users) users")
        }
    }

    private func planted(_ rows: [String: Int]) -> Finding {
        let counts = rows.sorted { $0.key < $1.key }.map { "\($0.value) of \($0.key)" }
        return bad(
            "accounts",
            "rows without a code of this ledger's gateway (\(counts.joined(separator: ", "))): somebody wrote them who has no key, and the next start of daybook serve takes them away; find out who can write the folder, and give users whose rows they were another password (daybook user reset-password), or restore the file from a backup"
        )
    }

    private func damaged(_ reason: String) -> Finding {
        bad("accounts", "accounts.db is damaged: \(reason); restore it from a backup")
    }

    private func pushKey(_ masterKey: MasterKey) -> Finding {
        guard FileManager.default.fileExists(atPath: folder.pushKey.path) else {
            return good("push key", "none yet; it is made at the next start")
        }
        do {
            _ = try PushIdentity.open(folder, masterKey: masterKey, contact: "")
            return good("push key", "opens")
        } catch {
            return bad("push key", "\(error)")
        }
    }
}
