// SPDX-License-Identifier: Apache-2.0
import Events
public import Foundation
import Projections

/// Verifies a ledger: that nothing in it was changed, removed, reordered or added by anybody but its writer.
///
/// Needs no server and no keys, trusts no file, and never writes. Blocks the caller's thread until it is done.
public struct Verify {
    let folder: URL
    var options: VerifyOptions
    let progress: @Sendable (VerifyProgress) -> Void
    var report: VerifyReport

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
        try checkReadable()
        let identity = try readIdentity()
        let index = options.looks(at: .index) ? readIndex() : nil
        let log = LogVerification(options, index: index, progress: progress)
        log.expectsCheckpoints = identity.isOfGateway
        if let signed = identity.signed { log.wantedSizes = [signed.size] }
        try addCheckpoints(to: log)
        let start = ContinuousClock.now
        let walk = LogWalk(folder: folder, program: options.program, silence: options.silence)
        try log.run("log/data.mdb") { take in try walk.run(take) }
        report.addLog(log, isQuick: options.isQuick, since: start)
        checkOrigin(log, identity)
        let suspects = log.merge.index?.wrongLeaves ?? []
        try checkCheckpoints(log, try verifier(identity), suspects)
        checkSeal(log, identity)
        checkPresence(log, identity)
        checkIndex(log)
        checkPeople(log)
        await checkRest(log)
        sayWhatWasLeftOut(log, identity)
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
        if log.origin == nil, log.size > 0 {
            add(
                .damage,
                "log/data.mdb",
                "it does not say which ledger it is",
                "restore it from a backup"
            )
        }
    }

    private mutating func sayWhatWasLeftOut(_ log: LogVerification, _ identity: LedgerPapers) {
        if options.isQuick {
            report.notLookedAt.append("everything but the log and its checkpoints (--quick)")
            return
        }
        for part in VerifyOptions.Part.allCases where options.without.contains(part) {
            report.notLookedAt.append("\(part.rawValue) (--without \(part.rawValue))")
        }
        let sealed = log.merge.sealed.count
        if options.keys == nil, sealed > 0 {
            report.notLookedAt.append("the inside of \(sealed) sealed fields (no master key)")
        }
        let accounts = folder.appending(path: "accounts.db").path
        if identity.isOfGateway, options.looks(at: .accounts),
            !FileManager.default.fileExists(atPath: accounts)
        {
            report.notLookedAt.append("accounts.db, which is gone: nobody can sign in")
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
