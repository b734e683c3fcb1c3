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
        if hasOrigin, !hasDescription, options.vkey == nil {
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

    private mutating func openKeys(_ papers: inout LedgerPapers) throws {
        guard let masterKey = options.masterKey, !options.without.contains(.keys) else { return }
        var fitsOrigin = true
        do {
            papers.origin = try OriginKey.read(from: folder, masterKey: masterKey)
        } catch {
            fitsOrigin = false
        }
        let file = folder.appending(path: "keys")
        var fault: String?
        // A file that is not here is missed by whoever counts the people.
        if !options.isQuick, FileManager.default.fileExists(atPath: file.path) {
            do {
                options.keys = try KeyStore.open(at: file, masterKey: masterKey, for: .reading)
            } catch {
                fault = "\(error)"
            }
        }
        if !fitsOrigin, fault != nil {
            throw CannotVerify(
                "verify with this master key was not possible: it opens neither keys nor origin.key; give the one with which the ledger was made"
            )
        }
        if !fitsOrigin {
            add(
                .damage,
                OriginKey.fileName,
                "this master key, which opens the keys of people, does not open it",
                "restore it from a backup"
            )
        }
        if let fault { add(.damage, "keys", fault, "restore the file of keys from a backup") }
    }

    /// The key that signatures are checked with, and who says that it is the ledger's.
    mutating func verifier(_ papers: LedgerPapers) throws -> NoteVerifier? {
        let described = papers.description?.vkey
        if let signer = papers.origin?.signer.verifier, let described, signer.vkey != described {
            add(
                .damage,
                LedgerDescription.fileName,
                "it names another key than \(OriginKey.fileName) holds",
                "restore it; its content is public"
            )
        }
        let sources = [
            (options.vkey, "--vkey"), (papers.origin?.signer.verifier.vkey, OriginKey.fileName),
            (described, LedgerDescription.fileName),
        ]
        guard
            let (vkey, source) = sources.lazy.compactMap({ vkey, source in
                vkey.map { ($0, source) }
            }).first
        else { return nil }
        do {
            let verifier = try NoteVerifier(vkey: vkey)
            report.key = .init(id: "\(verifier.key)", vkey: vkey, source: source)
            return verifier
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
}
