// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation

/// Who a ledger is: `daybook.json`, readable for everybody, also without the gateway.
struct LedgerIdentity: Codable, Hashable, Sendable {
    /// `source` of every entry, origin of every checkpoint.
    let origin: String
    /// What checkpoints are verified with (C2SP signed-note).
    let vkey: String

    /// Reads the identity; `nil` if the folder has none yet.
    static func read(from file: URL) throws(StartError) -> LedgerIdentity? {
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        do {
            return try JSONDecoder().decode(Self.self, from: Data(contentsOf: file))
        } catch {
            throw .identityUnreadable(file.path)
        }
    }

    /// Keeps the identity; returns once it is on disk.
    func write(to file: URL) throws(StartError) {
        do {
            let data = try JSONBody.encoder.encode(self)
            try DurableFile.write(data + [0x0A], to: file, permissions: 0o644)
        } catch let error as StartError {
            throw error
        } catch {
            preconditionFailure("two strings always encode: \(error)")
        }
    }
}

/// How a ledger signs: with the key of `origin.key`, as `daybook.json` says to everybody.
struct SigningIdentity {
    let key: OriginKey
    /// Why the folder is not to be believed; `nil` if its files agree.
    let doubt: String?

    var identity: LedgerIdentity {
        LedgerIdentity(origin: key.signer.name, vkey: key.signer.verifier.vkey)
    }

    /// What a log is told of its signatures.
    func memory(in folder: LedgerFolder, _ masterKey: MasterKey) -> SigningMemory {
        SigningMemory(
            last: key.signed,
            begun: key.begun,
            doubt: doubt,
            sealer: CommitSealer(masterKey: masterKey, verifier: key.signer.verifier),
            isSealed: key.isSealed
        ) { [key] head in
            var key = key
            key.signed = head
            key.isSealed = true
            try key.write(to: folder.root, masterKey: masterKey)
        }
    }

    /// Opens the signer of a folder; on the first start makes it, and `daybook.json` behind it.
    ///
    /// The identity is written last: a folder with it is complete. Where there is a log already and no key, nothing is
    /// written: such a folder was robbed of its key, or entries were imported into it, and a new origin is to be asked for.
    ///
    /// - Parameters:
    ///   - folder: The ledger's folder.
    ///   - origin: The name asked for; `nil` takes the one that the folder has, or this machine's.
    ///   - masterKey: What the key is wrapped under.
    ///   - now: When a new key begins.
    ///   - isDemo: Whether a ledger that is made now is a demo.
    /// - Returns: What signs as the ledger.
    /// - Throws: ``StartError`` when the folder has another name, or its key cannot be read, opened or written; when a ledger that
    ///   is none is to be a demo.
    static func open(
        _ folder: LedgerFolder,
        origin: String?,
        masterKey: MasterKey,
        now: Timestamp,
        isDemo: Bool = false
    ) throws(StartError) -> SigningIdentity {
        let identity = try LedgerIdentity.read(from: folder.identity)
        guard let key = try key(folder, masterKey) else {
            guard identity == nil else { throw .originKeyUnusable(folder.originKey.path) }
            return try make(
                folder,
                origin: origin,
                masterKey: masterKey,
                now: now,
                isDemo: isDemo
            )
        }
        try folder.checkBeginning(with: key)
        guard key.isDemo || !isDemo else { throw .noDemo(folder.root.path) }
        if let origin, origin != key.signer.name {
            throw .otherOrigin(found: key.signer.name, asked: origin)
        }
        return SigningIdentity(key: key, doubt: doubt(identity, key.signer))
    }

    private static func key(
        _ folder: LedgerFolder,
        _ masterKey: MasterKey
    ) throws(StartError) -> OriginKey? {
        do {
            return try OriginKey.read(from: folder.root, masterKey: masterKey)
        } catch {
            throw .originKeyUnusable(folder.originKey.path)
        }
    }

    private static func doubt(_ identity: LedgerIdentity?, _ signer: NoteSigner) -> String? {
        guard let identity else {
            return
                "daybook.json is gone, which says {\"origin\":\"\(signer.name)\",\"vkey\":\"\(signer.verifier.vkey)\"}"
        }
        guard identity.vkey == signer.verifier.vkey, identity.origin == signer.name else {
            return "daybook.json names another key than origin.key holds"
        }
        return nil
    }

    private static func make(
        _ folder: LedgerFolder,
        origin: String?,
        masterKey: MasterKey,
        now: Timestamp,
        isDemo: Bool
    ) throws(StartError) -> SigningIdentity {
        let log = folder.root.appending(path: "log/data.mdb")
        guard !FileManager.default.fileExists(atPath: log.path) else {
            guard !isDemo else { throw .noDemo(folder.root.path) }
            let signer = try signer(try Self.origin(ofLogIn: folder) ?? origin ?? machineOrigin)
            return SigningIdentity(
                key: OriginKey(signer: signer, signed: nil),
                doubt: "daybook.json and origin.key are gone, so nothing tells what was signed"
            )
        }
        let signer = try signer(origin ?? machineOrigin)
        return try write(signer, begun: 0, isDemo: isDemo, to: folder, masterKey, now)
    }

    /// Makes a key the ledger's own; returns once it and `daybook.json` are on disk.
    static func write(
        _ signer: NoteSigner,
        begun: UInt64,
        isDemo: Bool = false,
        to folder: LedgerFolder,
        _ masterKey: MasterKey,
        _ now: Timestamp
    ) throws(StartError) -> SigningIdentity {
        let key = OriginKey(
            signer: signer,
            signed: .nothing(at: now),
            begun: begun,
            isSealed: true,
            isDemo: isDemo
        )
        do {
            try key.write(to: folder.root, masterKey: masterKey)
        } catch {
            throw .folder(folder.originKey.path, reason: "\(error)")
        }
        let made = SigningIdentity(key: key, doubt: nil)
        try made.identity.write(to: folder.identity)
        return made
    }

    /// A new key for a name.
    static func signer(_ origin: String) throws(StartError) -> NoteSigner {
        guard origin.utf8.allSatisfy({ originBytes.contains($0) }) else {
            throw .originUnusable(origin)
        }
        do {
            return try NoteSigner(name: origin)
        } catch {
            throw .originUnusable(origin)
        }
    }

    /// What a log calls itself; `nil` if it has no name yet.
    static func origin(ofLogIn folder: LedgerFolder) throws(StartError) -> String? {
        do {
            let reader = try LedgerReader.open(folder.root, usingIndex: false)
            defer { reader.close() }
            return reader.origin
        } catch {
            throw .folder(folder.root.path, reason: "\(error)")
        }
    }

    /// What the log takes in an origin, too.
    private static let originBytes = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_/:".utf8
    )

    /// A name for a ledger that was given none.
    private static var machineOrigin: String {
        let host = ProcessInfo.processInfo.hostName.lowercased()
        let usable = host.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "-.".contains($0)) }
        return (usable.isEmpty ? "localhost" : usable) + "/main"
    }
}
