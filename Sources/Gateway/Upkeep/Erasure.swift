// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import Projections

/// What follows a `person.erased`: the key, the accounts, the recordings, the rows of read models.
///
/// Each step may be done again, so what a crash interrupts is finished by the next start.
struct Erasure: Sendable {
    let ledger: Ledger

    /// Whether the ledger holds, or held, a key of the person.
    func knows(_ person: PersonID) throws -> Bool {
        if ledger.keys.key(of: person) != nil { return true }
        return ledger.keys.isDestroyed(person)
    }

    /// Carries out an erasure that is in the log; returns once nothing of the person can be read.
    ///
    /// The key is overwritten and synced first: from then on rows and exports show nothing, whatever
    /// else is interrupted.
    ///
    /// - Returns: How many recordings were deleted.
    func finish(_ person: PersonID) async throws -> Int {
        try ledger.keys.destroy(person)
        try await ledger.accounts.erase(person: person.description)
        if let last = ledger.log.size.checkedPrevious {
            for state in ledger.readModels.runner.states {
                try await ledger.readModels.runner.wait(for: last, on: state.identity.name)
            }
        }
        return try await deleteRecordings(of: person)
    }

    /// Carries out again what the log says, in case a crash or an old backup undid a part of it.
    func finishAll() async throws {
        for erased in try await ledger.readModels.registry.erasures() {
            _ = try await finish(erased.person)
        }
    }

    private func deleteRecordings(of person: PersonID) async throws -> Int {
        let sessions = try ledger.handler.current(Caller.self, person).sessions.keys
        let recordings = ledger.readModels.recordings
        var deleted = 0
        for session in sessions.sorted(by: { $0.description < $1.description }) {
            for picture in try await ledger.readModels.conversations.pictures(in: session) {
                try await ledger.blobs.delete(picture.blob)
            }
            for recording in try await recordings.recordings(of: CaseReference(session)) {
                for seen in try await recordings.inspections(of: recording.stream) {
                    if let still = seen.thumbnail { try await ledger.blobs.delete(still) }
                }
                if try delete(ledger.folder.media.appending(path: recording.file)) { deleted += 1 }
            }
        }
        return deleted
    }

    /// - Returns: Whether there was such a file.
    private func delete(_ file: URL) throws -> Bool {
        guard FileManager.default.fileExists(atPath: file.path) else { return false }
        try FileManager.default.removeItem(at: file)
        return true
    }
}
