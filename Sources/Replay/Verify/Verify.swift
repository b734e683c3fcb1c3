// SPDX-License-Identifier: Apache-2.0
import Events
public import Foundation
import Projections

/// Verifies a ledger: that nothing in it was changed, removed, reordered or added by anybody but its writer.
///
/// Needs no server and no keys, trusts no file, and never writes. Blocks the caller's thread until it is done.
public struct Verify {
    let folder: URL
    let options: VerifyOptions
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
        let description = readDescription()
        let index = options.isQuick ? nil : readIndex()
        let log = LogVerification(options, index: index, progress: progress)
        try addCheckpoints(to: log)
        let start = ContinuousClock.now
        let walk = LogWalk(folder: folder, program: options.program, silence: options.silence)
        try log.run("log/data.mdb") { take in try walk.run(take) }
        report.addLog(log, isQuick: options.isQuick, since: start)
        checkOrigin(log, description)
        let suspects = log.merge.index?.wrongLeaves ?? []
        try checkCheckpoints(log, description, suspects)
        checkIndex(log)
        checkPeople(log)
        guard !options.isQuick else { return }
        await checkMedia(log.merge.media)
        checkBlobs(log.merge.blobs)
        // Reading a log in this process that another could not read to its end could end this one.
        if log.isWhole { await checkReadModels(allProjectors) }
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

    // MARK: What the folder says beside the log

    private mutating func readDescription() -> LedgerDescription? {
        do {
            return try LedgerDescription.read(from: folder)
        } catch {
            add(
                .damage,
                LedgerDescription.fileName,
                "it cannot be read: \(error)",
                "restore it; its content is public"
            )
            return nil
        }
    }

    private mutating func addCheckpoints(to log: LogVerification) throws {
        let file = folder.appending(path: "checkpoint")
        if FileManager.default.fileExists(atPath: file.path) {
            do {
                let bytes = try Data(contentsOf: file)
                log.add(checkpoint: String(decoding: bytes, as: UTF8.self), from: .folder)
            } catch {
                add(
                    .damage,
                    "file checkpoint",
                    "it cannot be read: \(error.localizedDescription)",
                    "look at its permissions"
                )
            }
        }
        try addAgainst(to: log)
    }

    /// Adds the checkpoints that whoever asks has kept.
    func addAgainst(to log: LogVerification) throws {
        for file in options.against {
            guard let bytes = FileManager.default.contents(atPath: file.path) else {
                throw CannotVerify(
                    "verify against \(file.path) was not possible: it cannot be read; name a file that holds a signed checkpoint"
                )
            }
            log.add(
                checkpoint: String(decoding: bytes, as: UTF8.self),
                from: .auditor(file.lastPathComponent)
            )
        }
    }

    private mutating func checkOrigin(_ log: LogVerification, _ description: LedgerDescription?) {
        report.origin = log.origin
        if let described = description?.origin, let origin = log.origin, described != origin {
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

    // MARK: Checkpoints

    mutating func checkCheckpoints(
        _ log: LogVerification,
        _ description: LedgerDescription?,
        _ suspects: [UInt64]
    ) throws {
        let start = ContinuousClock.now
        var list = log.checkpoints
        list.check(origin: log.origin, verifier: try verifier(description))
        report.add(list.findings)
        for finding in list.compare(
            roots: log.merge.roots,
            reached: log.merge.reached,
            isWhole: log.isWhole,
            suspects: suspects
        ) {
            add(finding)
        }
        let agreeing = list.known.filter {
            log.merge.roots[$0.checkpoint.size] == $0.checkpoint.root
        }
        report.provedSize = agreeing.map(\.checkpoint.size).max()
        let count = list.known.count
        report.add(
            "checkpoints",
            count == 0
                ? "none" : "\(list.agreeing(with: log.merge.roots)) of \(count) agree with the log",
            since: start
        )
        let proved = report.provedSize ?? 0
        if log.isWhole, proved < log.size, report.damageCount == 0 {
            add(
                .note,
                "checkpoints",
                "positions \(proved)..<\(log.size) are behind the newest checkpoint: no signature covers them yet"
            )
        }
    }

    private mutating func verifier(_ description: LedgerDescription?) throws -> NoteVerifier? {
        guard let vkey = options.vkey ?? description?.vkey else {
            add(
                .note,
                "checkpoints",
                "signatures were not checked: there is no \(LedgerDescription.fileName) with a public key",
                "give the key with --vkey"
            )
            return nil
        }
        do {
            return try NoteVerifier(vkey: vkey)
        } catch {
            guard options.vkey == nil else {
                throw CannotVerify("verify with --vkey was not possible: \(error)")
            }
            add(
                .damage,
                LedgerDescription.fileName,
                "\(error)",
                "restore it, or give the key with --vkey"
            )
            return nil
        }
    }

    // MARK: People

    mutating func checkPeople(_ log: LogVerification) {
        var erased: [PersonID: UInt64] = [:]
        for (person, position) in log.merge.erasures where erased[person] == nil {
            erased[person] = position
            report.erased.append(.init(person: "\(person)", position: position))
        }
        guard let keys = options.keys else { return }
        for (person, place) in log.merge.sealed.closed.sorted(by: {
            $0.value.first < $1.value.first
        })
        where erased[person] == nil {
            add(
                Finding(
                    .damage,
                    place: "keys",
                    position: place.first,
                    "there is no key for person \(person), whose \(place.count) sealed fields begin at position \(place.first), and no event erased them",
                    advice: "restore the file of keys from a backup"
                )
            )
        }
        for (person, position) in erased where keys.key(of: person) != nil {
            add(
                Finding(
                    .damage,
                    place: "keys",
                    position: position,
                    "person \(person) was erased by position \(position) and their key is still there",
                    advice: "start the gateway, which destroys it again; find out who restored it"
                )
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
