// SPDX-License-Identifier: Apache-2.0
internal import Crypto
public import Foundation

/// The SHA-256 of some bytes, in 64 lower-case hexadecimal digits.
public struct SHA256Digest: Hashable, Sendable, Codable, LosslessStringConvertible {
    /// The digits.
    public let text: String

    /// Reads 64 lower-case hexadecimal digits; `nil` for anything else.
    public init?(_ description: String) {
        guard description.utf8.count == 64,
            description.utf8.allSatisfy({
                $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9")
                    || $0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "f")
            })
        else { return nil }
        text = description
    }

    /// Digests bytes.
    public init(of bytes: some DataProtocol) {
        self.init(bytes: Array(Crypto.SHA256.hash(data: bytes)))
    }

    /// Writes the 32 bytes as digits.
    public init(bytes: some Collection<UInt8>) {
        precondition(bytes.count == 32, "a SHA-256 digest has 32 bytes, not \(bytes.count)")
        let digits = Array("0123456789abcdef".utf8)
        text = String(
            decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
            as: UTF8.self
        )
    }

    public var description: String { text }

    /// Reads and checks the text.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let digest = SHA256Digest(text) else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "\"\(text)\" is no SHA-256 of 64 lower-case digits"
                )
            )
        }
        self = digest
    }

    /// Writes the text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
