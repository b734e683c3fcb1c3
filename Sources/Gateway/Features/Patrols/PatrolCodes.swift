// SPDX-License-Identifier: Apache-2.0
import Commands
import Crypto
import Events
import Foundation
import Synchronization

/// The codes that hang at patrol points: the point's id and an HMAC under the point's secret (ruling 26).
///
/// The secrets of all points derive from one, which lies wrapped in the folder and never in the log; so a point's code can be
/// printed again, and nobody makes one from what the log shows. All characters are of the alphanumeric set of QR codes, and the tag is
/// short enough to be typed where no camera reads the label.
final class PatrolCodes: Sendable {
    /// How the text of every code begins, which tells it from other people's.
    static let prefix = "DAYBOOK-PATROL:"
    private static let purpose = "daybook patrol codes"
    /// 80 bits: sixteen characters.
    private static let tagBytes = 10

    private let ledger: Ledger
    private let secret = Mutex<[UInt8]?>(nil)

    init(_ ledger: Ledger) {
        self.ledger = ledger
    }

    /// The text of one of a point's codes: prefix, id, a dot, the tag, both in Crockford's base32.
    ///
    /// - Throws: When the secret cannot be read or made.
    func text(of point: PatrolPointID, number: Int) throws -> String {
        "\(Self.prefix)\(Base32.text(of: point.uuid.bytes)).\(try tag(of: point, number))"
    }

    /// The point that a scanned text names, and its tag; `nil` if it names no point at all.
    func read(_ text: String) -> (point: PatrolPointID, tag: String)? {
        let text = text.uppercased()
        guard text.hasPrefix(Self.prefix) else { return nil }
        let parts = text.dropFirst(Self.prefix.count).split(
            separator: ".",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        guard parts.count == 2, let bytes = Base32.bytes(of: parts[0], count: 16),
            let uuid = UUIDv7(bytes: bytes)
        else { return nil }
        return (PatrolPointID(uuid), String(parts[1]))
    }

    /// Which of a point's codes has a tag, up to the one with the number `newest`, which hangs there now.
    ///
    /// - Throws: When the secret cannot be read.
    func verdict(
        on tag: String,
        of point: PatrolPointID,
        newest: Int
    ) throws -> CheckIn.CodeVerdict {
        let given = Data(tag.utf8)
        let known = try (1...newest).reversed().first { number in
            SecretBytes.areEqual(given, Data(try self.tag(of: point, number).utf8))
        }
        return known.map { .genuine(number: $0) } ?? .forged
    }

    private func tag(of point: PatrolPointID, _ number: Int) throws -> String {
        let root = SymmetricKey(data: try rootSecret())
        let id = Data(point.description.utf8)
        let secret = SymmetricKey(data: HMAC<SHA256>.authenticationCode(for: id, using: root))
        let code = HMAC<SHA256>.authenticationCode(for: Data("\(number)".utf8), using: secret)
        return Base32.text(of: Array(code.prefix(Self.tagBytes)))
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

/// Crockford's base32: digits and the capital letters but I, L, O and U, which are easily taken for others.
private enum Base32 {
    private static let characters = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

    /// The number that the bytes are, most significant bit first, with zero bits before it where it does not fill the last character.
    static func text(of bytes: [UInt8]) -> String {
        let count = (bytes.count * 8 + 4) / 5
        let padding = count * 5 - bytes.count * 8
        let bits =
            Array(repeating: 0, count: padding)
            + bytes.flatMap { byte in (0..<8).map { Int(byte >> (7 - $0)) & 1 } }
        return String(
            (0..<count).map { place in
                characters[bits[place * 5..<place * 5 + 5].reduce(0) { $0 << 1 | $1 }]
            }
        )
    }

    /// So many bytes; `nil` where the text is not theirs.
    static func bytes(of text: Substring, count: Int) -> [UInt8]? {
        let values = text.compactMap { characters.firstIndex(of: $0) }
        guard values.count == text.count, values.count == (count * 8 + 4) / 5 else { return nil }
        let bits = values.flatMap { value in (0..<5).map { value >> (4 - $0) & 1 } }
        let padding = bits.count - count * 8
        guard bits[..<padding].allSatisfy({ $0 == 0 }) else { return nil }
        return (0..<count).map { place in
            let start = padding + place * 8
            return UInt8(bits[start..<start + 8].reduce(0) { $0 << 1 | $1 })
        }
    }
}
