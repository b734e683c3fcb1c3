// SPDX-License-Identifier: Apache-2.0
internal import Crypto

/// Where the nonces of sealed fields come from.
///
/// Each field is encrypted under a key of its own, so a nonce is secure as long as one place in one event is not
/// sealed twice with different values under the same nonce.
public struct NonceSource: Sendable {
    let next: @Sendable (EventID, _ pointer: String) -> [UInt8]

    /// Twelve bytes of the system's chance for each field.
    public static let random = NonceSource { _, _ in Array(AES.GCM.Nonce()) }

    /// Nonces made from the place alone: sealing the same value at the same place gives the same bytes.
    ///
    /// For ledgers that must come out equal when they are made again, such as fixtures and a repeated import. Never seal
    /// two different values at one place with it.
    public static let fromPlace = NonceSource { event, pointer in
        Array(SHA256.hash(data: Array("\(event)\0\(pointer)".utf8)).prefix(12))
    }
}
