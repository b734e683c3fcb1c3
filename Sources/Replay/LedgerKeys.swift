// SPDX-License-Identifier: Apache-2.0
public import Events
public import Foundation

/// The keys of people, for an auditor who was given the master key.
public enum LedgerKeys {
    /// Opens `DIR/keys` for reading.
    ///
    /// - Parameters:
    ///   - folder: The ledger's folder.
    ///   - masterKeyFile: The file that holds the master key.
    ///   - environment: Where `DAYBOOK_MASTER_KEY_FILE` and `DAYBOOK_MASTER_KEY` are looked for otherwise.
    /// - Returns: The keys; `nil` if no master key was given, which leaves sealed fields sealed.
    /// - Throws: `SealingError`.
    public static func open(
        of folder: URL,
        masterKeyFile: String?,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> (any PersonKeys)? {
        guard let masterKey = try masterKey(masterKeyFile, environment) else { return nil }
        return try KeyStore.open(
            at: folder.appending(path: "keys"),
            masterKey: masterKey,
            for: .reading
        )
    }

    /// What a ledger's checkpoints are verified with, as its folder says to everybody; none where it does not.
    ///
    /// Whether `daybook.json` is whole, verify says.
    static func verifiers(of folder: URL) -> [NoteVerifier] {
        let file = folder.appending(path: LedgerDescription.fileName)
        guard !RegularFile.isSpecial(file.path),
            let described = try? LedgerDescription.read(from: folder),
            let verifier = try? NoteVerifier(vkey: described.vkey)
        else { return [] }
        return [verifier]
    }

    /// The master key that was given; `nil` if none was.
    ///
    /// - Parameters:
    ///   - file: The file that holds it.
    ///   - environment: Where it is looked for otherwise.
    /// - Returns: The key.
    /// - Throws: `SealingError` when there is none where it should be.
    public static func masterKey(
        _ file: String?,
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> MasterKey? {
        if let file = file ?? environment["DAYBOOK_MASTER_KEY_FILE"] {
            return try MasterKey.read(from: URL(fileURLWithPath: file))
        }
        guard environment["DAYBOOK_MASTER_KEY"] != nil else { return nil }
        return try MasterKey.read(fromEnvironment: "DAYBOOK_MASTER_KEY")
    }
}
