// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import HTTPTypes

/// The keys of a browser that takes pushes: only it can read what is encrypted for them (RFC 8291).
struct PushReceiver: Sendable, Hashable {
    /// The point on P-256, uncompressed: 65 bytes.
    let publicKey: Data
    /// The authentication secret: 16 bytes.
    let secret: Data

    /// - Throws: ``Problem`` 422 for what no browser gives.
    init(p256dh: String, auth: String) throws(Problem) {
        guard let publicKey = Data(base64URL: p256dh), let secret = Data(base64URL: auth),
            PushReceiver.isPoint(publicKey), secret.count == 16
        else {
            throw Problem(
                .pushSubscriptionUnusable,
                detail: "keys are p256dh, a point of P-256, and auth, 16 bytes, in base64url; "
                    + "send what the browser's subscription has"
            )
        }
        (self.publicKey, self.secret) = (publicKey, secret)
    }

    /// From what was checked before.
    init(publicKey: Data, secret: Data) {
        (self.publicKey, self.secret) = (publicKey, secret)
    }

    /// Encrypts a message for the browser (RFC 8291 §3.4), filled up to one length for all.
    ///
    /// - Parameters:
    ///   - message: At most ``PushLimits/plaintextBytes``.
    ///   - ephemeral: A key for this message alone.
    ///   - salt: 16 bytes of chance.
    ///   - filled: To how many bytes.
    /// - Returns: The body of the request to the push service.
    /// - Throws: What the cryptographic library says.
    func seal(
        _ message: Data,
        with ephemeral: P256.KeyAgreement.PrivateKey = .init(),
        salt: Data = Data(SecretBytes.random(16)),
        filled: Int = PushLimits.plaintextBytes
    ) throws -> Data {
        let browser = try P256.KeyAgreement.PublicKey(x963Representation: publicKey)
        let shared = try ephemeral.sharedSecretFromKeyAgreement(with: browser)
        let own = ephemeral.publicKey.x963Representation
        let keyingMaterial = shared.hkdfDerivedSymmetricKey(
            using: SHA256.self,
            salt: secret,
            sharedInfo: Data("WebPush: info".utf8) + [0] + publicKey + own,
            outputByteCount: 32
        )
        return try EncryptedContent(salt: salt).seal(
            message,
            padding: max(0, filled - message.count),
            secret: keyingMaterial,
            keyID: own
        )
    }

    private static func isPoint(_ bytes: Data) -> Bool {
        do {
            _ = try P256.KeyAgreement.PublicKey(x963Representation: bytes)
            return bytes.count == 65
        } catch {
            return false
        }
    }
}

extension ProblemType {
    /// A subscription to which nothing can be sent, or may not.
    static let pushSubscriptionUnusable = Self(
        "push-subscription-unusable",
        .unprocessableContent,
        "Push subscription not usable"
    )
}
