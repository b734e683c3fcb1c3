// SPDX-License-Identifier: Apache-2.0
import Crypto
import CryptoExtras
import Foundation

/// What it costs to check a password with scrypt (RFC 7914).
struct PasswordCost: Sendable, Hashable {
    /// Base-2 logarithm of N.
    var logRounds: Int
    /// r.
    var blockSize: Int
    /// p.
    var parallelism: Int

    /// 32 MiB and some 0.2 s of one core.
    static let standard = Self(logRounds: 15, blockSize: 8, parallelism: 3)

    /// An order by what it takes, the same at all times.
    func isLess(than other: PasswordCost) -> Bool {
        (logRounds, blockSize, parallelism)
            < (other.logRounds, other.blockSize, other.parallelism)
    }
}

/// A salted scrypt hash of a password, with what is needed to check it.
///
/// Printed as `$scrypt$ln=15,r=8,p=3$<salt>$<hash>`, so that the cost can rise without a change
/// of the accounts.
struct PasswordHash: Sendable, Hashable {
    let cost: PasswordCost
    let salt: Data
    let hash: Data

    /// Hashes a new password.
    ///
    /// Blocks for as long as the cost says.
    ///
    /// - Parameters:
    ///   - password: What is hashed.
    ///   - cost: What trying it out will cost.
    ///   - salt: 16 bytes; `nil` for fresh ones, as every new password has.
    /// - Throws: What deriving throws.
    init(of password: String, cost: PasswordCost, salt: Data? = nil) throws {
        let salt = salt ?? Data(SecretBytes.random(16))
        self.cost = cost
        self.salt = salt
        hash = try Self.derive(Self.normal(password), salt: salt, cost: cost)
    }

    /// Reads the printed form; `nil` when it is not one.
    init?(_ text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[1] == "scrypt", let cost = PasswordCost(parts[2]),
            let salt = Data(base64Encoded: String(parts[3])),
            let hash = Data(base64Encoded: String(parts[4])), hash.count == 32
        else { return nil }
        self.cost = cost
        self.salt = salt
        self.hash = hash
    }

    /// Whether a password is the one.
    ///
    /// Blocks; takes the same time for either answer.
    func matches(_ password: String) throws -> Bool {
        if try matches(Self.normal(password)) { return true }
        // As it was hashed before 2026-11-26.
        let former = Data(password.precomposedStringWithCanonicalMapping.utf8)
        return try former != Self.normal(password) && matches(former)
    }

    private func matches(_ password: Data) throws -> Bool {
        SecretBytes.areEqual(hash, try Self.derive(password, salt: salt, cost: cost))
    }

    /// Whether it is of the same password as another one with its salt and cost.
    func isSame(as other: PasswordHash) -> Bool {
        salt == other.salt && cost == other.cost && SecretBytes.areEqual(hash, other.hash)
    }

    /// The printed form.
    var text: String {
        "$scrypt$\(cost.text)$\(salt.base64EncodedString())$\(hash.base64EncodedString())"
    }

    /// What is hashed: normal form KC, so that keyboards agree which compose differently or are full-width (NIST SP 800-63B-4 §3.1.1.2),
    /// without the blank that phones put behind a word.
    private static func normal(_ password: String) -> Data {
        let form = password.precomposedStringWithCompatibilityMapping
        let end = form.unicodeScalars.lastIndex { !$0.properties.isWhitespace }
        let text = end.map { form.unicodeScalars[...$0] }
        // One of blanks alone stays what it is.
        return Data((text.map { String($0) } ?? form).utf8)
    }

    private static func derive(_ password: Data, salt: Data, cost: PasswordCost) throws -> Data {
        let key = try KDF.Scrypt.deriveKey(
            from: password,
            salt: salt,
            outputByteCount: 32,
            rounds: 1 << cost.logRounds,
            blockSize: cost.blockSize,
            parallelism: cost.parallelism
        )
        return key.withUnsafeBytes { Data($0) }
    }
}

extension PasswordCost {
    fileprivate var text: String { "ln=\(logRounds),r=\(blockSize),p=\(parallelism)" }

    fileprivate init?(_ text: Substring) {
        let numbers = text.split(separator: ",").map { item in
            item.split(separator: "=").last.flatMap { Int($0) }
        }
        guard numbers.count == 3, let rounds = numbers[0], let size = numbers[1],
            let parallelism = numbers[2], (1...24).contains(rounds), (1...32).contains(size),
            (1...16).contains(parallelism)
        else { return nil }
        self.init(logRounds: rounds, blockSize: size, parallelism: parallelism)
    }
}
