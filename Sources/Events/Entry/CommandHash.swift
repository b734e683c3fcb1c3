// SPDX-License-Identifier: Apache-2.0
/// What a command asked, as its entries keep it: `commandhash`, 24 characters of base64url.
///
/// Two bytes name the ledger's key by which it was made, sixteen are the code. It tells a repetition from another
/// command under the same id, and nothing else: without the keys nobody can try what was asked (``CommandHasher``).
public struct CommandHash: Hashable, Sendable {
    /// As it stands in entries.
    public let text: String

    /// Reads 24 characters of base64url; `nil` for anything else.
    public init?(_ text: String) {
        guard text.utf8.count == Self.length, Base64URL.bytes(text) != nil else { return nil }
        self.text = text
    }

    init(bytes: [UInt8]) {
        text = Base64URL.text(bytes)
    }

    private static let length = 24
}
