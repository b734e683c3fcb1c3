// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import Media
import Projections
import Threads

/// What follows a `person.erased`: the account, the key, the phones, the recordings, the rows of read models.
///
/// Each step may be done again, so what a crash interrupts is finished by the next start.
struct Erasure: Sendable {
    let ledger: Ledger

    /// Whether the ledger holds, or held, a key of the person.
    func knows(_ person: PersonID) throws -> Bool {
        if ledger.keys.hold(person) { return true }
        return ledger.keys.isDestroyed(person)
    }

    /// Records the erasure of somebody behind accounts, which end with it: two such acts at once leave an admin.
    ///
    /// - Parameters:
    ///   - accounts: Those that end.
    ///   - check: Throws where whoever asks may not end them, when nobody else changes them any more.
    ///   - record: Records it.
    /// - Returns: What recording it came to.
    /// - Throws: `AccountError.lastAdmin`; what checking and recording throw.
    func ending<Value: Sendable>(
        _ accounts: [UserAccount],
        if check: () async throws -> Void = {},
        recording record: () async throws -> Value
    ) async throws -> Value {
        let ids = Set(accounts.map(\.id))
        if !ids.isEmpty {
            // Not between the look and the event of a change: it would find a last admin once it is recorded.
            try await ledger.accounts.changing.withLock {
                try await check()
                try await ledger.accounts.setAside(ids)
            }
        }
        do {
            return try await record()
        } catch {
            ledger.accounts.takeBack(ids)
            throw error
        }
    }

    /// Carries out an erasure that is in the log; returns once nothing of the person can be read.
    ///
    /// The person's account ends first, with what is open in its name; what a crash keeps from it, the next start does before
    /// anybody can sign in. Then the key is overwritten and synced: from then on rows and exports show nothing, whatever
    /// else is interrupted. Then go the files, as the log names them, and at last the read models are
    /// waited for, which take what was searched by out of their rows.
    ///
    /// What the log says is held is not deleted, whatever else it says: no writer of ours records both.
    ///
    /// - Returns: What was deleted, and what could not be.
    /// - Throws: `EventLogError.readOnly` for a log that nobody vouches for; ``ErasureUnfounded``.
    func finish(_ person: PersonID) async throws -> Outcome {
        if ledger.log.isDoubted, let reason = ledger.log.readOnlyReason { throw reason }
        // Whoever names the person: only an entry that was committed here erases anybody.
        guard try await ledger.handler.settled(Person.self, person).isErased else {
            ledger.erasureDebt.pay(person)
            throw ErasureUnfounded(person: person)
        }
        if let hold = try ledger.handler.hold(on: person) { return try await keep(person, hold) }
        let users = try ledger.handler.current(Footprint.self, person).accounts
        try await ledger.accounts.end(Set(users.map(\.text)))
        try ledger.keys.destroy(person)
        ledger.readModels.past.forgetAll()
        var outcome = try await deleteFiles(of: person)
        try await ledger.accounts.erase(person: person.description)
        if let last = ledger.log.size.checkedPrevious {
            for state in ledger.readModels.runner.states {
                do {
                    try await ledger.readModels.runner.wait(for: last, on: state.identity.name)
                } catch let fault as ReadModelError {
                    outcome.left.append(Fault(fault))
                }
            }
        }
        let places = try BackupPlaces.read(of: ledger.folder)
        outcome.left += places.tell(ledger.log, of: ledger.identity)
        if outcome.left.isEmpty { ledger.erasureDebt.pay(person) }
        return outcome
    }

    /// The same for all who turned out to be the same, and for the contacts who were erased with them.
    func finish(everybodyWhoIs person: PersonID) async throws -> Outcome {
        var outcome = Outcome()
        for one in try erased(with: person) {
            let own = try await finish(one)
            outcome.recordingsDeleted += own.recordingsDeleted
            outcome.left += own.left
        }
        return outcome
    }

    /// A person, all who turned out to be the same, and the contacts who were erased with them.
    private func erased(with person: PersonID) throws -> [PersonID] {
        let everybody = try ledger.handler.everybody(whoIs: person)
        let contacts = try everybody.flatMap {
            try ledger.handler.current(Citizen.self, $0).contacts.map(\.facts.person)
        }
        return try everybody
            + contacts.filter { try ledger.handler.current(Person.self, $0).isErased }
    }

    /// The same for a request: whatever is left is owed, told, and tried again by ``ErasureService``.
    func finishOrOwe(_ person: PersonID) async -> Outcome {
        var outcome = Outcome()
        do {
            outcome = try await finish(everybodyWhoIs: person)
        } catch {
            outcome.left.append(Fault(error))
        }
        if !outcome.left.isEmpty {
            ledger.erasureDebt.add(Set((try? erased(with: person)) ?? [person]))
        }
        return outcome
    }

    /// Leaves a person's data for a hold; what was gone before the hold came is not owed.
    private func keep(_ person: PersonID, _ hold: HoldPlaced) async throws -> Outcome {
        var outcome = Outcome()
        let files = try ErasedFiles(of: person, in: ledger)
        let volumes = ledger.folders.volumes.volumes
        if !files.recordings.isEmpty { try Self.check(volumes) }
        var isThere = ledger.keys.hold(person)
        for recording in files.recordings where !isThere {
            isThere = volumes.place(of: recording.file) != nil
        }
        for blob in files.blobs where !isThere { isThere = try await ledger.blobs.has(blob) }
        if isThere {
            let words =
                "hold \(hold.hold) keeps everything of person \(person), whom the log calls erased: find out who recorded that, or have the hold lifted"
            outcome.left = [Fault(code: "hold \(hold.hold) \(person)", words: words)]
        } else {
            ledger.erasureDebt.pay(person)
        }
        return outcome
    }

    private func deleteFiles(of person: PersonID) async throws -> Outcome {
        let files = try ErasedFiles(of: person, in: ledger)
        var outcome = Outcome()
        for blob in files.blobs {
            await outcome.note("picture \(blob)") { try await ledger.blobs.delete(blob) }
        }
        for recording in files.recordings {
            var isDeleted = false
            await outcome.note("recording \(recording.file)") {
                isDeleted = try delete(recording, of: files)
            }
            if isDeleted { outcome.recordingsDeleted += 1 }
        }
        return outcome
    }

    /// Refuses to go on while a volume is not there: what is not mounted is not deleted.
    private static func check(_ volumes: Volumes) throws(FolderAway) {
        if let fault = volumes.away.first { throw FolderAway(fault: fault) }
    }

    /// - Returns: Whether there was a file of it on any volume.
    private func delete(
        _ recording: ErasedFiles.Recording,
        of files: ErasedFiles
    ) throws -> Bool {
        let volumes = ledger.folders.volumes.volumes
        try Self.check(volumes)
        let places = volumes.all.map { $0.folder.appending(path: recording.file) }
        guard !Self.parts(of: places).isEmpty, try !files.isAnothers(recording) else {
            return false
        }
        // A drain may have made a copy while its source was removed.
        var isDeleted = false
        while case let parts = Self.parts(of: places), !parts.isEmpty {
            for part in parts where try DurableFile.remove(part) { isDeleted = true }
        }
        return isDeleted
    }

    /// What is there of a recording: its file, a copy that a drain left half done, what was set aside.
    private static func parts(of places: [URL]) -> [URL] {
        let parts =
            places + places.map(VolumeDrain.draft(of:))
            + places.flatMap { SetAside.files(of: $0.path).map { URL(filePath: $0) } }
        return parts.filter { file in
            var facts = stat()
            return lstat(file.path, &facts) == 0 || errno != ENOENT
        }
    }

    /// What carrying out an erasure came to.
    struct Outcome: Sendable {
        var recordingsDeleted = 0
        /// What is still there, each with the reason.
        var left: [Fault] = []

        /// Deletes something; what cannot be deleted keeps nothing else from it.
        fileprivate mutating func note(_ what: String, _ delete: () async throws -> Void) async {
            do {
                try await delete()
            } catch {
                let fault = Fault(error)
                left.append(
                    Fault(code: "\(what) \(fault.code)", words: "\(what): \(fault.words)")
                )
            }
        }
    }
}

/// Somebody is named as erased whom the log does not call so.
struct ErasureUnfounded: Error, CustomStringConvertible {
    let person: PersonID

    var description: String { "the log does not say that person \(person) was erased" }
}
