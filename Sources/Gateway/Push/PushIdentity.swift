// SPDX-License-Identifier: Apache-2.0
import Crypto
import Events
import Foundation

/// Who we are to push services (RFC 8292, VAPID): one key for the life of a ledger, `push.key`, wrapped under the master key.
///
/// Browsers bind their subscriptions to it: with another key, every one of them is void.
struct PushIdentity: Sendable {
    private let key: P256.Signing.PrivateKey
    /// Whom a push service turns to: `mailto:` or `https:`.
    let contact: String
    private static let purpose = "daybook push key"

    init(key: P256.Signing.PrivateKey, contact: String) {
        self.key = key
        self.contact = contact
    }

    /// The public key, as a browser takes it to subscribe.
    var publicKey: String { key.publicKey.x963Representation.base64URL }

    /// Opens the key of a folder, or makes it.
    ///
    /// - Throws: ``StartError/pushKeyUnusable(_:)`` for a key that does not open with the master key.
    static func open(
        _ folder: LedgerFolder,
        masterKey: MasterKey,
        contact: String
    ) throws(StartError) -> PushIdentity {
        let file = folder.pushKey
        guard FileManager.default.fileExists(atPath: file.path) else {
            let key = P256.Signing.PrivateKey()
            guard let wrapped = masterKey.wrap(Array(key.rawRepresentation), for: purpose) else {
                throw .pushKeyUnusable(file.path)
            }
            try DurableFile.write(Data(wrapped), to: file, permissions: 0o600)
            return PushIdentity(key: key, contact: contact)
        }
        do {
            let wrapped = [UInt8](try Data(contentsOf: file))
            guard let raw = masterKey.unwrap(wrapped, for: purpose) else {
                throw StartError.pushKeyUnusable(file.path)
            }
            let key = try P256.Signing.PrivateKey(rawRepresentation: raw)
            return PushIdentity(key: key, contact: contact)
        } catch {
            throw .pushKeyUnusable(file.path)
        }
    }

    private struct Header: Encodable {
        let typ = "JWT"
        let alg = "ES256"
    }

    private struct Claims: Encodable {
        let aud: String
        let exp: Int
        let sub: String
    }

    /// The `Authorization` of a request to a push service.
    ///
    /// - Parameters:
    ///   - audience: The origin of the push service: `https://push.example.net`.
    ///   - now: Seconds since 1970.
    /// - Returns: The scheme `vapid` with token and key.
    /// - Throws: What the cryptographic library says.
    func authorization(for audience: String, at now: Int) throws -> String {
        let claims = Claims(aud: audience, exp: now + PushLimits.proofSeconds, sub: contact)
        let encoder = JSONBody.encoder
        let signed =
            try encoder.encode(Header()).base64URL + "." + encoder.encode(claims).base64URL
        let signature = try key.signature(for: Data(signed.utf8)).rawRepresentation.base64URL
        return "vapid t=\(signed).\(signature), k=\(publicKey)"
    }
}
