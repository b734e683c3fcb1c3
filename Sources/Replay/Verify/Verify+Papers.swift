// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation

/// What a folder says of itself beside its log: who it is, what it signs with, and what it signed last.
struct LedgerPapers {
    var description: LedgerDescription?
    /// What the master key opens of `origin.key`.
    var origin: OriginKey?
    /// Whether a gateway served the folder: then there must be checkpoints.
    var isOfGateway = false
    /// Whether there is what only a gateway leaves, whatever became of its papers.
    var hasTraces = false

    /// What was signed last, as the master key's holder knows it.
    var signed: SignedHead? { origin?.signed }
}

extension Verify {
    /// Reads what stands beside the log, and opens what the master key opens.
    mutating func readIdentity() throws -> LedgerPapers {
        var papers = LedgerPapers()
        papers.description = readDescription()
        let files = FileManager.default
        let description = folder.appending(path: LedgerDescription.fileName).path
        let origin = folder.appending(path: OriginKey.fileName).path
        let hasDescription = files.fileExists(atPath: description)
        let hasOrigin = files.fileExists(atPath: origin)
        papers.isOfGateway = hasDescription || hasOrigin
        papers.hasTraces = Self.traces.contains {
            files.fileExists(atPath: folder.appending(path: $0).path)
        }
        if hasOrigin, !hasDescription, options.vkeys.isEmpty {
            add(
                .damage,
                LedgerDescription.fileName,
                "it is missing, though a gateway served this ledger",
                "restore it; its content is public"
            )
        }
        if hasDescription, !hasOrigin, !options.without.contains(.keys) {
            add(
                .damage,
                OriginKey.fileName,
                "it is missing: nothing tells what was signed last, and nobody can sign on",
                "restore it from a backup, or say --without keys"
            )
        }
        try openKeys(&papers)
        return papers
    }

    /// Who removes the papers removes no less by that: these tell of a gateway, too.
    private static let traces = [
        "keys", "accounts.db", "push.key", "media", "blobs", LedgerDescription.fileName,
        OriginKey.fileName,
    ]

    private mutating func readDescription() -> LedgerDescription? {
        do {
            return try LedgerDescription.read(from: folder)
        } catch {
            if let fault = noteUnlessOwn(error, LedgerDescription.fileName) {
                add(
                    .damage,
                    LedgerDescription.fileName,
                    "it cannot be read: \(fault)",
                    "restore it; its content is public"
                )
            }
            return nil
        }
    }

    private mutating func openKeys(_ papers: inout LedgerPapers) throws {
        guard let masterKey = options.masterKey, !options.without.contains(.keys) else { return }
        var originFault: String?
        do {
            papers.origin = try OriginKey.read(from: folder, masterKey: masterKey)
        } catch {
            originFault = noteUnlessOwn(error, OriginKey.fileName)
        }
        let file = folder.appending(path: "keys")
        var keysFault: String?
        // A file that is not here is missed by whoever counts the people.
        if !options.isQuick, FileManager.default.fileExists(atPath: file.path) {
            do {
                options.keys = try KeyStore.open(at: file, masterKey: masterKey, for: .reading)
            } catch {
                keysFault = noteUnlessOwn(error, "keys")
            }
        }
        if originFault != nil, options.keys == nil {
            throw CannotVerify(
                "verify with this master key was not possible: it opens neither origin.key nor keys; give the one with which the ledger was made"
            )
        }
        if originFault != nil {
            add(
                .damage,
                OriginKey.fileName,
                "this master key, which opens the keys of people, does not open it",
                "restore it from a backup"
            )
        }
        if let keysFault {
            add(.damage, "keys", keysFault, "restore the file of keys from a backup")
        }
    }

    /// Like ``noteUnlessOwn(_:_:)``, for what the log names: whoever hides it makes no verdict better.
    mutating func noteKeptOut(_ error: any Error, _ name: String) -> String? {
        let fault = noteUnlessOwn(error, name)
        if fault == nil { report.isKeptOut = true }
        return fault
    }

    /// Names a file that the system keeps from being read; gives the words of any other fault.
    mutating func noteUnlessOwn(_ error: any Error, _ name: String) -> String? {
        guard let own = OwnCondition.words(error) else { return "\(error)" }
        report.notLookedAt.append("\(name) (\(own))")
        return nil
    }

    /// The keys that signatures are checked with, and who says that they are the ledger's.
    mutating func verifiers(_ papers: LedgerPapers) throws -> [NoteVerifier] {
        let described = papers.description?.vkey
        if let signer = papers.origin?.signer.verifier, let described, signer.vkey != described {
            add(
                .damage,
                LedgerDescription.fileName,
                "it names another key than \(OriginKey.fileName) holds",
                "restore it; its content is public"
            )
        }
        guard options.vkeys.isEmpty else { return try givenVerifiers() }
        let opened = papers.origin?.signer.verifier.vkey
        guard let vkey = opened ?? described else { return [] }
        do {
            let verifier = try NoteVerifier(vkey: vkey)
            let source = opened == nil ? LedgerDescription.fileName : OriginKey.fileName
            report.key = .init(id: "\(verifier.key)", vkey: vkey, source: source)
            return [verifier]
        } catch {
            add(
                .damage,
                LedgerDescription.fileName,
                "\(error)",
                "restore it, or give the key with --vkey"
            )
            return []
        }
    }

    private mutating func givenVerifiers() throws -> [NoteVerifier] {
        do {
            let verifiers = try options.vkeys.map { try NoteVerifier(vkey: $0) }
            report.key = verifiers.last.map {
                .init(id: "\($0.key)", vkey: $0.vkey, source: "--vkey")
            }
            return verifiers
        } catch {
            throw CannotVerify("verify with --vkey was not possible: \(error)")
        }
    }
}
