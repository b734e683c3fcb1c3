// SPDX-License-Identifier: Apache-2.0
import Crypto
import Events
import Foundation
import Synchronization

/// The codes that hang at patrol points: the point's id and an HMAC under the point's secret (ruling 26).
///
/// The secrets of all points derive from one, which lies wrapped in the folder and never in the log;
/// so a point's code can be printed again, and nobody makes one from what the log shows.
final class PatrolCodes: Sendable {
    /// How the text of every code begins, which tells it from other people's.
    static let prefix = "daybook-patrol:"
    private static let purpose = "daybook patrol codes"

    private let ledger: Ledger
    private let secret = Mutex<[UInt8]?>(nil)

    init(_ ledger: Ledger) {
        self.ledger = ledger
    }

    /// The text of a point's code: prefix, id, a dot, 32 hexadecimal digits.
    ///
    /// - Throws: When the secret cannot be read or made.
    func text(of point: PatrolPointID) throws -> String {
        "\(Self.prefix)\(point).\(try tag(of: point))"
    }

    /// What a scanned text says; `nil` if it names no point at all.
    ///
    /// - Throws: When the secret cannot be read.
    func read(_ text: String) throws -> (point: PatrolPointID, isGenuine: Bool)? {
        guard text.hasPrefix(Self.prefix) else { return nil }
        let parts = text.dropFirst(Self.prefix.count).split(
            separator: ".",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        guard let first = parts.first, let point = PatrolPointID(String(first)) else { return nil }
        let tag = Data(try tag(of: point).utf8)
        return (point, parts.count == 2 && SecretBytes.areEqual(Data(parts[1].utf8), tag))
    }

    private func tag(of point: PatrolPointID) throws -> String {
        let id = Data(point.description.utf8)
        let root = SymmetricKey(data: try rootSecret())
        let secret = SymmetricKey(data: HMAC<SHA256>.authenticationCode(for: id, using: root))
        let code = HMAC<SHA256>.authenticationCode(for: id, using: secret)
        return code.prefix(16).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    private func rootSecret() throws -> [UInt8] {
        try secret.withLock { secret in
            if let secret { return secret }
            let loaded = try load()
            secret = loaded
            return loaded
        }
    }

    private func load() throws -> [UInt8] {
        // Both keys go by their names.
        try ledger.log.held.check()
        let configuration = ledger.configuration
        let place = configuration.masterKey ?? .standard(for: configuration.folder)
        let masterKey = try place.key(for: ledger.folder)
        let file = ledger.folder.root.appending(path: "patrol.key")
        if FileManager.default.fileExists(atPath: file.path) {
            let wrapped = [UInt8](try Data(contentsOf: file))
            guard let secret = masterKey.unwrap(wrapped, for: Self.purpose) else {
                throw StartError.folder(file.path, reason: "it does not open with the master key")
            }
            return secret
        }
        let secret = SecretBytes.random(32)
        guard let wrapped = masterKey.wrap(secret, for: Self.purpose) else {
            throw StartError.folder(file.path, reason: "the secret could not be wrapped")
        }
        try DurableFile.write(Data(wrapped), to: file, permissions: 0o600)
        return secret
    }
}
