// SPDX-License-Identifier: Apache-2.0
import Events
public import Foundation
import Media
import Projections

/// Verifies a ledger: that nothing in it was changed, removed, reordered or added by anybody but its writer.
///
/// Needs no server and no keys, trusts no file, and never writes. Blocks the caller's thread until it is done.
public struct Verify {
    let folder: URL
    var options: VerifyOptions
    let progress: @Sendable (VerifyProgress) -> Void
    var report: VerifyReport
    /// Who was erased, and by which position; as the report has them.
    var erasures: [PersonID: UInt64] = [:]
    /// Whether the log was read to its end, and every entry could be decoded; else an erasure may stand where it was not.
    var isLogUnderstood = true
    /// What is not here, and may have been erased by an event that could not be read: how many, by what they are.
    var unexplained: [String: Int] = [:]
    /// Where erasures are looked for once more; `nil` while the log cannot be read here.
    var rereadFrom: UInt64?
    /// Where recordings lie.
    var volumes = VolumeList()
    /// Whether anything has the name of the file `checkpoint`, whatever it is.
    var hasCheckpointFile = true
    /// What an erasure should have removed.
    var remains: [(finding: Finding, isThere: @Sendable () -> Bool)] = []

    /// Verifies a ledger's folder.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - options: What is looked at, and against what.
    ///   - progress: Hears how far it has come, on any thread.
    /// - Returns: What was found.
    /// - Throws: ``CannotVerify`` if neither sound nor damaged can be said.
    public static func ledger(
        at folder: URL,
        options: VerifyOptions = VerifyOptions(),
        progress: @escaping @Sendable (VerifyProgress) -> Void = { _ in }
    ) async throws -> VerifyReport {
        var verify = Verify(
            folder: folder,
            options: options,
            progress: progress,
            report: VerifyReport(subject: folder.path)
        )
        try await verify.run()
        return verify.report
    }

    private mutating func run() async throws {
        guard checkTypes() else { return }
        try checkReadable()
        readVolumes()
        let identity = try readIdentity()
        let index = options.looks(at: .index) ? readIndex() : nil
        let log = LogVerification(options, index: index, progress: progress)
        log.expectation =
            identity.isOfGateway ? .everywhere : identity.hasTraces ? .behindNewest : .nowhere
        if let signed = identity.signed { log.wantedSizes = [signed.size] }
        try addCheckpoints(to: log)
        let start = ContinuousClock.now
        let walk = LogWalk(folder: folder, program: options.program, silence: options.silence)
        try log.run("log/data.mdb") { take in try walk.run(take) }
        report.addLog(log, isQuick: options.isQuick, since: start)
        if log.isWhole { rereadFrom = log.size }
        isLogUnderstood = log.isUnderstood
        checkOrigin(log, identity)
        let suspects = log.merge.index?.wrongLeaves ?? []
        try checkCheckpoints(log, try verifiers(identity), suspects)
        checkSeal(log, identity)
        checkPresence(log, identity)
        checkIndex(log)
        checkPeople(log)
        await checkRest(log)
        if log.isUnderstood { try await checkAccounts(log, identity) }
        try await checkRemains()
        nameUnexplained()
        nameParts(log, identity)
    }

    private mutating func readVolumes() {
        do {
            volumes = try VolumeList.read(of: folder)
        } catch {
            add(
                .damage,
                VolumeList.fileName,
                "it cannot be read: \(error), so that only media was looked into",
                "write it anew: daybook volume add for each folder of recordings"
            )
        }
    }

    /// What needs the log, and is looked at behind it.
    private mutating func checkRest(_ log: LogVerification) async {
        if !options.isQuick {
            await checkMedia(log.merge.media)
            checkBlobs(log.merge.blobs, log.merge.media)
        }
        // Reading a log in this process that another could not read to its end could end this one.
        guard log.isWhole else { return }
        checkRepetitions(log) { [folder] positions in try Self.entries(positions, of: folder) }
        if options.checksStory { checkStory() }
        if options.looks(at: .read) { await checkReadModels(allProjectors) }
    }

    private func checkReadable() throws {
        let file = folder.appending(path: "log/data.mdb")
        do {
            _ = try LMDBFileHead.read(file)
        } catch {
            throw CannotVerify(
                "verify \(folder.path) was not possible: \(file.path): \(error.localizedDescription); name the ledger's folder with --data, as a user who may read it"
            )
        }
    }

    private mutating func checkOrigin(_ log: LogVerification, _ identity: LedgerPapers) {
        report.origin = log.origin
        if let described = identity.description?.origin, let origin = log.origin,
            described != origin
        {
            add(
                .damage,
                LedgerDescription.fileName,
                "it says that the ledger is \(described), the log says \(origin)",
                "restore the file or the log, whichever is foreign"
            )
        }
        if log.isWhole, log.format != EntryStore.format {
            add(
                .damage,
                "log/data.mdb",
                "it says that it is written as \(log.format ?? "nothing"), and this program reads \(EntryStore.format)",
                "restore it from a backup; a log of a newer daybook is verified by that one"
            )
        }
        if log.origin == nil, log.size > 0 {
            add(
                .damage,
                "log/data.mdb",
                "it does not say which ledger it is",
                "restore it from a backup"
            )
        }
    }

    mutating func add(
        _ severity: Finding.Severity,
        _ place: String,
        _ fact: String,
        _ advice: String = ""
    ) {
        add(Finding(severity, place: place, fact, advice: advice))
    }

    mutating func add(_ finding: Finding) {
        var list = FindingList()
        list.add(finding)
        report.add(list)
    }
}
