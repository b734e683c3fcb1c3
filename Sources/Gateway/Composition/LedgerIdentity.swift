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

/// The key that signs checkpoints: `origin.key`, wrapped under the master key.
enum OriginKey {
    private static let purpose = "daybook origin key"

    /// Opens the signer of a folder; on the first start makes it, and `daybook.json` behind it.
    ///
    /// The identity is written last: a folder with it is complete.
    ///
    /// - Parameters:
    ///   - folder: The ledger's folder.
    ///   - origin: The name asked for; `nil` takes the one that the folder has, or this machine's.
    ///   - masterKey: What the key is wrapped under.
    /// - Returns: What signs as the ledger.
    /// - Throws: ``StartError`` when the folder has another name, or its key cannot be read, opened or written.
    static func open(
        _ folder: LedgerFolder,
        origin: String?,
        masterKey: MasterKey
    ) throws(StartError) -> NoteSigner {
        guard let identity = try LedgerIdentity.read(from: folder.identity) else {
            return try make(folder, origin: origin ?? machineOrigin, masterKey: masterKey)
        }
        if let origin, origin != identity.origin {
            throw .otherOrigin(found: identity.origin, asked: origin)
        }
        do {
            let wrapped = [UInt8](try Data(contentsOf: folder.originKey))
            guard let text = masterKey.unwrap(wrapped, for: purpose) else {
                throw StartError.originKeyUnusable(folder.originKey.path)
            }
            let signer = try NoteSigner(skey: String(decoding: text, as: UTF8.self))
            guard signer.verifier.vkey == identity.vkey else {
                throw StartError.originKeyUnusable(folder.originKey.path)
            }
            return signer
        } catch {
            throw .originKeyUnusable(folder.originKey.path)
        }
    }

    private static func make(
        _ folder: LedgerFolder,
        origin: String,
        masterKey: MasterKey
    ) throws(StartError) -> NoteSigner {
        let signer: NoteSigner
        guard origin.utf8.allSatisfy({ originBytes.contains($0) }) else {
            throw .originUnusable(origin)
        }
        do {
            signer = try NoteSigner(name: origin)
        } catch {
            throw .originUnusable(origin)
        }
        guard let wrapped = masterKey.wrap(Array(signer.skey.utf8), for: purpose) else {
            throw .originKeyUnusable(folder.originKey.path)
        }
        try DurableFile.write(Data(wrapped), to: folder.originKey, permissions: 0o600)
        try LedgerIdentity(origin: origin, vkey: signer.verifier.vkey).write(to: folder.identity)
        return signer
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
