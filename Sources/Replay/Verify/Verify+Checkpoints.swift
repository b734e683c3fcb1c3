// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import Media

extension Verify {
    /// Adds the file beside the log, read before it, and what whoever asks has kept.
    mutating func addCheckpoints(to log: LogVerification) throws {
        switch CheckpointFile.read(in: folder) {
        case .missing: hasCheckpointFile = false
        case .note(let text): log.add(checkpoint: text, from: .folder)
        case .keptOut(let why): report.notLookedAt.append("checkpoint (\(why))")
        case .unreadable(let fault):
            add(
                .damage,
                "file checkpoint",
                "it cannot be read: \(fault)",
                "compare with a checkpoint that was kept elsewhere"
            )
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
            let text = String(decoding: bytes, as: UTF8.self)
            // A note that no longer is one says nothing of the ledger.
            var fault = ChangedText.fault(inNote: Array(bytes))
            do {
                _ = try Checkpoint(text: SignedNote(text).text)
            } catch {
                fault = fault ?? "\(error)"
            }
            if let fault {
                throw CannotVerify(
                    "verify against \(file.path) was not possible: it holds no checkpoint as it was signed (\(fault)); copy it as it is from where it was kept"
                )
            }
            log.add(checkpoint: text, from: .auditor(file.lastPathComponent))
        }
    }

    /// Holds every checkpoint against its key and against the log; only both together prove anything.
    mutating func checkCheckpoints(
        _ log: LogVerification,
        _ verifiers: [NoteVerifier],
        _ suspects: [UInt64]
    ) throws {
        let start = ContinuousClock.now
        var list = log.checkpoints
        list.check(origin: log.origin, verifiers: verifiers)
        report.add(list.findings)
        for finding in list.compare(
            roots: log.merge.roots,
            reached: log.merge.reached,
            isWhole: log.isWhole,
            suspects: suspects
        ) {
            add(finding)
        }
        let proving = list.known.filter { $0.isVerified && $0.agrees(with: log.merge.roots) }
            .max { $0.checkpoint.size < $1.checkpoint.size }
        if let proving, proving.checkpoint.size > 0 {
            report.provedSize = proving.checkpoint.size
            report.checkpoint = proving.note.description
            if let key = proving.key, let source = report.key?.source {
                report.key = .init(id: "\(key.key)", vkey: key.vkey, source: source)
            }
        }
        report.contradictedSize = list.known.lazy.filter {
            $0.isVerified && $0.checkpoint.size <= log.merge.reached
                && !$0.agrees(with: log.merge.roots)
        }.map(\.checkpoint.size).min()
        report.begun = list.known.filter(\.isVerified).map(\.checkpoint.begun).max() ?? 0
        report.add("checkpoints", words(list, log, verifiers), since: start)
        if verifiers.isEmpty, !list.known.isEmpty {
            add(
                .note,
                "checkpoints",
                "no signature was checked: there is no public key here",
                "give the key with --vkey"
            )
        }
        if report.begun > 0 {
            report.notLookedAt.append(
                "how positions 0..<\(report.begun) came: they were there when this key began (--new-origin)"
            )
        }
    }

    private func words(
        _ list: CheckpointList,
        _ log: LogVerification,
        _ verifiers: [NoteVerifier]
    ) -> String {
        let count = list.known.count
        guard count > 0 else { return "none" }
        let agreeing = list.agreeing(with: log.merge.roots)
        let signed = list.known.count(where: \.isVerified)
        return "\(agreeing) of \(count) agree with the log, "
            + (verifiers.isEmpty ? "no signature checked" : "\(signed) signed with the key")
    }

    /// Finds checkpoints that must be there and are not.
    mutating func checkPresence(_ log: LogVerification, _ papers: LedgerPapers) {
        report.hasTraces = papers.hasTraces
        guard log.isWhole else { return }
        if log.size == 0 { checkEmptiness() }
        let inLog = log.checkpoints.known.count { $0.source == .log }
        let inFile = log.checkpoints.known.contains { $0.source == .folder }
        if inFile, inLog == 0 {
            addMissing("the log has none, though the file checkpoint was written behind it")
        }
        // The first is in the log a moment before it is in the file.
        if !hasCheckpointFile, inLog > 1 {
            addMissing("the log has \(inLog), and the file checkpoint is missing")
        }
        if inLog > 0, !papers.isOfGateway, options.vkeys.isEmpty {
            add(
                .damage,
                LedgerDescription.fileName,
                "it is missing, though the log was signed",
                "restore it, or give the key with --vkey"
            )
        }
        checkSigned(log, papers.signed)
        for gap in log.merge.checkpointGaps.prefix(ReplayLimits.findingsPerCheckMax) {
            add(
                Finding(
                    .damage,
                    place: "checkpoints",
                    position: gap.lowerBound,
                    "none was signed while positions \(gap.lowerBound)...\(gap.upperBound) were recorded; while events arrive there is one a minute",
                    advice: "compare with checkpoints that were kept elsewhere"
                )
            )
        }
    }

    /// Nobody films for a log that has no entry.
    private mutating func checkEmptiness() {
        let folders = [
            ("media", volumes.folders(of: folder)), ("blobs", [folder.appending(path: "blobs")]),
        ]
        for (name, places) in folders {
            let count = places.flatMap(FolderListing.files(below:)).count
            guard count > 0 else { continue }
            add(
                .damage,
                "log/data.mdb",
                "it has no entries, and \(count) files lie in \(name)",
                "restore the log from a backup"
            )
        }
    }

    private mutating func addMissing(_ fact: String) {
        add(.damage, "checkpoints", fact, "compare with a checkpoint that was kept elsewhere")
    }

    /// Holds the log against what the gateway remembers under its master key.
    private mutating func checkSigned(_ log: LogVerification, _ signed: SignedHead?) {
        guard let signed, signed.size > 0 else { return }
        if signed.size > log.size {
            add(
                Finding(
                    .damage,
                    place: OriginKey.fileName,
                    position: log.size,
                    "\(signed.size) entries were signed at \(signed.time) and the log has \(log.size): positions \(log.size)..<\(signed.size) are lost",
                    advice: "restore the log from a backup that has them"
                )
            )
        } else if log.merge.roots[signed.size] != signed.root {
            add(
                .damage,
                OriginKey.fileName,
                "the first \(signed.size) entries are not those that were signed at \(signed.time)",
                "restore the log from a backup"
            )
        }
        // The log's row is written first: no crash leaves the memory of a checkpoint that the log does not have.
        let sizes = log.checkpoints.known.lazy.filter { $0.source == .log }.map(\.checkpoint.size)
        guard !sizes.contains(signed.size) else { return }
        let newest = sizes.max().map { "one over \($0) at most" } ?? "none"
        addMissing(
            "\(signed.size) entries were signed at \(signed.time), and the log has \(newest): what was signed behind it was taken out"
        )
    }
}
