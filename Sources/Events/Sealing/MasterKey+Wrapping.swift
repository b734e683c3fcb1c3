// SPDX-License-Identifier: Apache-2.0
internal import Crypto
import Foundation

extension MasterKey {
    /// Wraps a small secret, such as the ledger's signing key, for keeping it in the ledger's folder.
    ///
    /// - Parameters:
    ///   - secret: The bytes to keep.
    ///   - purpose: What they are for; a secret wrapped for one purpose does not unwrap for another.
    /// - Returns: Nonce, ciphertext and tag of AES-256-GCM; `nil` when the cryptographic library fails.
    public func wrap(_ secret: [UInt8], for purpose: String) -> [UInt8]? {
        do {
            return try AES.GCM.seal(secret, using: wrappingKey(purpose)).combined.map {
                [UInt8]($0)
            }
        } catch {
            return nil
        }
    }

    /// Unwraps what ``wrap(_:for:)`` gave; `nil` for another key or purpose, or changed bytes.
    public func unwrap(_ wrapped: [UInt8], for purpose: String) -> [UInt8]? {
        do {
            let box = try AES.GCM.SealedBox(combined: wrapped)
            return [UInt8](try AES.GCM.open(box, using: wrappingKey(purpose)))
        } catch {
            return nil
        }
    }

    private func wrappingKey(_ purpose: String) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: symmetricKey,
            info: Data(purpose.utf8),
            outputByteCount: 32
        )
    }
}
