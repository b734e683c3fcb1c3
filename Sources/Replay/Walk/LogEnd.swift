// SPDX-License-Identifier: Apache-2.0
public import Events
public import Foundation

/// Whether a log ends where its own keys ended it: with the master key as its seal says of every entry, without it as far
/// as that can be seen without reading the log.
///
/// For whoever shows what the log holds: a log that was cut off looks like a shorter one, and one that somebody wrote on
/// like a longer one. Without the master key nothing that is believed here is proved; ``Verify`` does that.
public enum LogEnd {
    /// What is missing behind the end, what stands behind the end of the last commit, or what would tell and does not.
    ///
    /// - Parameters:
    ///   - folder: The ledger's folder.
    ///   - masterKey: Opens what the gateway remembers of what it signed, and makes the seal of a commit.
    /// - Returns: The facts; `nil` if nothing tells of another end.
    /// - Throws: `EventLogError` when the log cannot be opened.
    /// - Complexity: O(entries) with the master key.
    public static func fault(
        of folder: URL,
        masterKey: MasterKey? = nil
    ) throws -> String? {
        // Read before the log, which may grow meanwhile.
        let papers = EndPapers(folder, masterKey)
        let file = CheckpointFile.read(in: folder)
        let ledger = try LedgerReader.open(folder, usingIndex: false)
        defer { ledger.close() }
        var told = EndTold(papers, ledger.origin)
        told.hear(file)
        told.hearLog { try ledger.newestCheckpointNote() }
        let end = try ledger.sealedEnd()
        told.hear(end.seal, of: end.size)
        if let doubt = try told.doubt(of: ledger) { told.faults.append(doubt) }
        return told.faults.isEmpty ? nil : told.faults.joined(separator: "; ")
    }
}

/// What stands beside a log about its end, besides checkpoints.
private struct EndPapers {
    let masterKey: MasterKey?
    /// What the master key opens of `origin.key`; whether that is whole, verify says.
    let origin: OriginKey?
    /// The keys that checkpoints are believed by; none where there is none to be found.
    let verifiers: [NoteVerifier]
    /// Whether there is what only a gateway leaves, which seals each commit: an imported log has no seal.
    let isOfGateway: Bool
    /// What is wrong with it, where that keeps something from being told.
    let faults: [String]

    private static let traces = [
        LedgerDescription.fileName, OriginKey.fileName, "keys", "accounts.db", "push.key",
    ]

    init(_ folder: URL, _ masterKey: MasterKey?) {
        let path = { (name: String) in folder.appending(path: name).path }
        let special = [LedgerDescription.fileName, OriginKey.fileName].filter {
            RegularFile.isSpecial(path($0))
        }
        self.masterKey = masterKey
        isOfGateway = Self.traces.contains { FileManager.default.fileExists(atPath: path($0)) }
        origin =
            special.contains(OriginKey.fileName)
            ? nil : masterKey.flatMap { try? OriginKey.read(from: folder, masterKey: $0) }
        var faults = special.map { "\($0) is neither a file nor a folder" }
        // A copy without keys has neither of the two.
        let hasKeys = FileManager.default.fileExists(atPath: path("keys"))
        if masterKey != nil, hasKeys, origin == nil, !special.contains(OriginKey.fileName) {
            faults.append(
                "\(OriginKey.fileName) does not open with this master key, or is gone: nothing tells what was signed last"
            )
        }
        self.faults = faults
        verifiers = origin.map { [$0.signer.verifier] } ?? LedgerKeys.verifiers(of: folder)
    }
}

/// What was heard about the end of a log, until it is held against the log.
private struct EndTold {
    var faults: [String]
    private let papers: EndPapers
    private let origin: String?
    private var claims: [Claim] = []
    /// How many entries a checkpoint that is believed covers, or the master key tells to have been signed.
    private var vouched: UInt64 = 0
    private var isSigned = false
    private var size: UInt64 = 0
    private var seal: Seal = .none

    private struct Claim {
        let source: String
        let size: UInt64
    }

    private enum Seal {
        case none
        /// Something stands in its place that no program writes.
        case unreadable
        case found(CommitSeal)
    }

    init(_ papers: EndPapers, _ origin: String?) {
        self.papers = papers
        self.origin = origin
        faults = papers.faults
        guard let signed = papers.origin?.signed else { return }
        claims.append(Claim(source: "at \(signed.time) were signed", size: signed.size))
        vouched = signed.size
    }

    mutating func hear(_ file: CheckpointFile) {
        switch file {
        // What this reader may not read says nothing of the ledger.
        case .missing, .keptOut: break
        case .unreadable(let fault): faults.append("the file checkpoint cannot be read: \(fault)")
        case .note(let text): hear(text, from: "the file checkpoint")
        }
    }

    mutating func hearLog(_ note: () throws -> String?) {
        do {
            if let text = try note() { hear(text, from: "its newest checkpoint") }
        } catch {
            faults.append("its newest checkpoint cannot be read: \(error)")
        }
    }

    private mutating func hear(_ text: String, from source: String) {
        do {
            let checkpoint = try Checkpoint(believing: text, of: origin, papers.verifiers)
            claims.append(Claim(source: "\(source) covers", size: checkpoint.size))
            vouched = max(vouched, checkpoint.size)
            isSigned = true
        } catch {
            faults.append("\(source) is not to be believed: \(error)")
        }
    }

    mutating func hear(_ text: String?, of size: UInt64) {
        self.size = size
        guard let text else { return }
        guard let found = CommitSeal(text: text) else {
            seal = .unreadable
            return
        }
        seal = .found(found)
        claims.append(Claim(source: "its last commit reached", size: found.size))
    }

    /// Why the log does not end where it should.
    func doubt(of ledger: LedgerReader) throws -> String? {
        if let longest = claims.max(by: { $0.size < $1.size }), longest.size > size {
            return
                "the log has \(size) entries, and \(longest.source) \(longest.size): positions \(size)..<\(longest.size) are lost"
        }
        switch seal {
        case .none: return missingSeal
        case .unreadable: return unvouched("the seal of its last commit cannot be read")
        case .found(let seal) where seal.size < size:
            return
                "the log has \(size) entries, and its last commit reached \(seal.size): nobody vouches for positions \(seal.size)..<\(size)"
        case .found(let seal): return try otherSeal(seal, ledger)
        }
    }

    /// Why there should be a seal.
    ///
    /// Imported entries have none, nor has a log that nobody wrote to, nor what a program left from before there were any:
    /// that, the master key tells. Without it, what a checkpoint covers needs none.
    private var missingSeal: String? {
        guard size > 0 else { return nil }
        if let origin = papers.origin {
            return origin.isSealed ? unvouched("the seal of its last commit is gone") : nil
        }
        guard papers.isOfGateway || isSigned, vouched < size else { return nil }
        return unvouched("its last commit has no seal")
    }

    private func unvouched(_ fact: String) -> String {
        vouched < size
            ? "\(fact): nobody vouches for positions \(vouched)..<\(size)"
            : "\(fact): nothing tells whether more stood behind position \(size)"
    }

    /// A seal of the right size may be anybody's: only its key makes the code over these entries.
    private func otherSeal(_ seal: CommitSeal, _ ledger: LedgerReader) throws -> String? {
        guard let masterKey = papers.masterKey, let origin = papers.origin, origin.isSealed else {
            return nil
        }
        let sealer = CommitSealer(masterKey: masterKey, verifier: origin.signer.verifier)
        do {
            guard try !sealer.made(seal, over: ledger.root(over: size)) else { return nil }
            let fact = "the seal of its last commit is not over these entries"
            return vouched < size ? unvouched(fact) : fact
        } catch EventLogError.damaged {
            // Whoever shows the log names what cannot be read of it.
            return nil
        }
    }
}
