// SPDX-License-Identifier: Apache-2.0
import Events
public import Foundation

/// Where the master key comes from; never from inside the ledger's folder.
public enum MasterKeyPlace: Sendable, Hashable {
    /// A file; made on the first start of a new ledger.
    case file(URL)
    /// An environment variable.
    case environment(name: String)

    /// The variable that holds the key itself.
    public static let variable = "DAYBOOK_MASTER_KEY"

    /// The variable that names the file with the key.
    public static let fileVariable = "DAYBOOK_MASTER_KEY_FILE"

    /// Where the key is looked for unless told: the two variables, the service manager's credential
    /// `daybook-master-key`, or a file beside the folder.
    public static func standard(
        for folder: URL,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> MasterKeyPlace {
        if let file = environment[fileVariable] { return .file(URL(filePath: file)) }
        if environment[variable] != nil { return .environment(name: variable) }
        if let credentials = environment["CREDENTIALS_DIRECTORY"] {
            let file = URL(filePath: credentials).appending(path: "daybook-master-key")
            if FileManager.default.fileExists(atPath: file.path) { return .file(file) }
        }
        let folder = folder.standardizedFileURL
        return .file(
            folder.deletingLastPathComponent()
                .appending(path: folder.lastPathComponent + ".master-key")
        )
    }

    /// Reads the key, or makes it if the ledger is new.
    ///
    /// A ledger that exists never gets a new key: that would erase everybody.
    func key(for folder: LedgerFolder) throws -> MasterKey {
        switch self {
        case .environment(let name): return try .read(fromEnvironment: name)
        case .file(let file):
            guard !folder.contains(file) else { throw StartError.masterKeyInside(file.path) }
            // Whatever is wrapped already was wrapped under another.
            let isNew = ![folder.identity, folder.originKey, folder.personKeys].contains {
                FileManager.default.fileExists(atPath: $0.path)
            }
            if isNew, !isThere { return try .create(at: file) }
            return try .read(from: file)
        }
    }

    /// Whether somebody has put a key there, or an earlier start has.
    var isThere: Bool {
        switch self {
        case .environment(let name): ProcessInfo.processInfo.environment[name] != nil
        case .file(let file): FileManager.default.fileExists(atPath: file.path)
        }
    }
}

extension MasterKeyPlace: CustomStringConvertible {
    public var description: String {
        switch self {
        case .environment(let name): "the variable \(name)"
        case .file(let file): file.path
        }
    }
}
