// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import Logging

/// Begins to sign anew in a folder whose history cannot be proved any more: after a restore that lacks the end, an import,
/// or a forgery that somebody decided to live with.
///
/// The ledger keeps its name and its entries and gets another key, so that nothing that the former key signed is ever
/// contradicted in its name. Every checkpoint of the new key says how many entries it found, and `daybook verify` repeats it.
enum NewOrigin {
    /// Makes the new key and takes the former checkpoints away.
    ///
    /// It begins with entries that cannot be read, too: their leaves are of the bytes, and what they said counts no more.
    ///
    /// - Parameters:
    ///   - configuration: The ledger's.
    ///   - isRestored: Whether it is a backup, behind which the former key may have signed more, though nothing here tells.
    /// - Returns: How many entries the new key found.
    /// - Throws: ``StartError/originWhole(_:)`` when nothing speaks against the ledger as it is, and what reading all of it throws;
    ///   nothing is put aside or removed then.
    @discardableResult
    static func begin(
        _ configuration: GatewayConfiguration,
        isRestored: Bool = false
    ) throws -> UInt64 {
        let folder = LedgerFolder(root: configuration.folder)
        try folder.checkAccess()
        let place = configuration.masterKey ?? .standard(for: configuration.folder)
        let masterKey = try place.key(for: folder)
        // A wrong master key looks like a foreign origin.key, and must not replace the right one.
        if FileManager.default.fileExists(atPath: folder.personKeys.path) {
            _ = try KeyStore.open(at: folder.personKeys, masterKey: masterKey, for: .reading)
        }
        guard let origin = try SigningIdentity.origin(ofLogIn: folder),
            try isRestored || isDoubted(folder, configuration, masterKey)
        else { throw StartError.originWhole(folder.root.path) }
        let signer = try SigningIdentity.signer(origin)
        let begun = try EventLog.retireCheckpoints(in: folder.root)
        // What it finds is what it vouches for: nothing that comes between this and its first checkpoint.
        try EventLog.seal(
            folder.root,
            with: CommitSealer(masterKey: masterKey, verifier: signer.verifier)
        )
        let signing = try SigningIdentity.write(
            signer,
            begun: begun,
            to: folder,
            masterKey,
            configuration.clock.now()
        )
        try takeFolders(folder, signing.identity)
        return begun
    }

    /// Imported entries came without keys, recordings and pictures: the folders begin empty, and are nobody's to mount.
    private static func takeFolders(_ folder: LedgerFolder, _ identity: LedgerIdentity) throws {
        guard !FileManager.default.fileExists(atPath: folder.personKeys.path) else { return }
        for place in [folder.media, folder.blobs]
        where !FileManager.default.fileExists(atPath: place.path) {
            try FolderMark.give(to: place, of: folder, identity)
        }
    }

    private static func isDoubted(
        _ folder: LedgerFolder,
        _ configuration: GatewayConfiguration,
        _ masterKey: MasterKey
    ) throws -> Bool {
        let signing: SigningIdentity
        do {
            signing = try SigningIdentity.open(
                folder,
                origin: nil,
                masterKey: masterKey,
                now: configuration.clock.now()
            )
        } catch StartError.originKeyUnusable, StartError.identityUnreadable {
            return true
        }
        return try EventLog.isDoubted(
            folder.root,
            configuration: LogConfiguration(
                origin: signing.key.signer.name,
                keys: NoKeys(),
                signer: signing.key.signer,
                memory: signing.memory(in: folder, masterKey),
                clock: configuration.clock
            )
        )
    }
}
