// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation

/// Vouches for the clusters of one recording until the ledger does, under a key that whoever can write the archive's
/// folder does not have.
///
/// What the ledger has not logged yet is believed by the seal in the cluster alone; what it has logged, by its digest.
public struct RecordingSeal: Sendable {
    private let key: SymmetricKey

    /// Bytes of a code in a cluster.
    static let byteCount = 16

    /// - Parameter key: 32 bytes, of this recording and of no other: a cluster of another one is none of its own.
    public init(key: [UInt8]) {
        self.key = SymmetricKey(data: key)
    }

    /// A seal under a key that nobody keeps: of recordings that are not opened again by another process.
    public static func random() -> RecordingSeal {
        RecordingSeal(key: (0..<32).map { _ in UInt8.random(in: 0...255) })
    }

    /// The code of a cluster's bytes: HMAC-SHA-256 over their digest, its first 128 bits.
    func code(of bytes: some Sequence<UInt8>) -> [UInt8] {
        let digest = SHA256Hex.digest(bytes)
        return Array(HMAC<SHA256>.authenticationCode(for: digest, using: key))
            .prefix(Self.byteCount).map { $0 }
    }

    /// Whether a code is that of a cluster's bytes; one of another length is none.
    func made(_ code: some Sequence<UInt8>, of bytes: some Sequence<UInt8>) -> Bool {
        let (own, given) = (self.code(of: bytes), Array(code))
        return own.count == given.count
            && zip(own, given).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
