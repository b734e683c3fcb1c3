// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation

@testable import Gateway

/// The keys of a browser that takes pushes, and how it reads them: RFC 8291 and 8188 once more, step by step from HMAC.
struct BrowserKeys: Sendable {
    let key: P256.KeyAgreement.PrivateKey
    let secret: Data

    init(key: P256.KeyAgreement.PrivateKey = .init(), secret: Data = Data((1...16).map { $0 })) {
        self.key = key
        self.secret = secret
    }

    var p256dh: String { key.publicKey.x963Representation.base64URL }
    var auth: String { secret.base64URL }

    /// The subscription as a browser gives it.
    func subscription(at endpoint: String) -> [String: any Sendable] {
        ["endpoint": endpoint, "keys": ["p256dh": p256dh, "auth": auth]]
    }

    /// Reads a message that was encrypted for these keys.
    func open(_ body: Data) throws -> Data {
        let sender = Data(body.dropFirst(21).prefix(Int(body[body.startIndex + 20])))
        let shared = try key.sharedSecretFromKeyAgreement(
            with: P256.KeyAgreement.PublicKey(x963Representation: sender)
        )
        let prk = hmac(secret, shared.withUnsafeBytes { Data($0) })
        let info = Data("WebPush: info\0".utf8) + key.publicKey.x963Representation + sender
        return try Self.open(body, keyingMaterial: hmac(prk, info + [1]))
    }

    /// Reads `aes128gcm` (RFC 8188): one record or more.
    static func open(_ body: Data, keyingMaterial: Data) throws -> Data {
        let body = Data(body)
        let salt = body.prefix(16)
        let recordBytes = Int(body[16..<20].reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
        var records = body.dropFirst(21 + Int(body[20]))
        let prk = hmac(Data(salt), keyingMaterial)
        let key = hmac(prk, Data("Content-Encoding: aes128gcm\0\u{1}".utf8)).prefix(16)
        let base = [UInt8](hmac(prk, Data("Content-Encoding: nonce\0\u{1}".utf8)).prefix(12))
        var message = Data()
        var number: UInt16 = 0
        while !records.isEmpty {
            let record = records.prefix(recordBytes)
            records = records.dropFirst(recordBytes)
            var nonce = base
            nonce[10] ^= UInt8(number >> 8)
            nonce[11] ^= UInt8(number & 0xFF)
            let box = try AES.GCM.SealedBox(combined: Data(nonce) + record)
            let plain = try AES.GCM.open(box, using: SymmetricKey(data: key))
            let end = plain.lastIndex { $0 != 0 } ?? plain.startIndex
            guard plain[end] == (records.isEmpty ? 2 : 1) else { throw WrongDelimiter() }
            message += plain[..<end]
            number += 1
        }
        return message
    }

    /// A record does not end as its place asks for.
    struct WrongDelimiter: Error {}
}

private func hmac(_ key: Data, _ data: Data) -> Data {
    Data(HMAC<SHA256>.authenticationCode(for: data, using: SymmetricKey(data: key)))
}
