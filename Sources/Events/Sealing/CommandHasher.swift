// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Makes the hashes by which a ledger knows its commands again.
///
/// The key comes from the ledger's signing key, and from the key of everybody for whom the command's events have a
/// sealed field: with the first one of them that is destroyed nobody can try any more what was asked.
struct CommandHasher: Sendable {
    private let key: SIMD4<UInt64>
    private let tag: [UInt8]

    /// Takes the ledger's key; a log that signs nothing has none, and makes no hashes.
    init?(_ signer: NoteSigner?) {
        guard let signer else { return nil }
        var seed = SIMD4<UInt64>.zero
        withUnsafeMutableBytes(of: &seed) { $0.copyBytes(from: signer.seed) }
        key = HMACSHA256.code(of: Array("daybook command key".utf8), key: seed)
        tag = Array(bytes(of: HMACSHA256.code(of: Array("tag".utf8), key: key)).prefix(2))
    }

    /// The hash of what was asked; `nil` when a person's key is gone.
    func hash(
        _ asked: SHA256Digest,
        about persons: Set<PersonID>,
        _ keys: any PersonKeys
    ) -> CommandHash? {
        var key = key
        for person in persons.sorted(by: { $0.description < $1.description }) {
            guard let own = keys.key(of: person) else { return nil }
            key = own.code(of: Array("command".utf8) + [0] + bytes(of: key))
        }
        let code = bytes(of: HMACSHA256.code(of: Array(asked.text.utf8), key: key))
        return CommandHash(bytes: tag + code.prefix(16))
    }

    /// Whether a hash was made by this ledger's key; those of another one say nothing here.
    func made(_ hash: CommandHash) -> Bool {
        Base64URL.bytes(hash.text)?.prefix(2).elementsEqual(tag) ?? false
    }
}

/// The people for whom a payload in canonical JSON has a sealed field.
///
/// No text of a value can look like one, for its quotes are escaped.
func sealedPersons(in data: ArraySlice<UInt8>) -> Set<PersonID> {
    let mark: StaticString = #"{"sealed":""#
    var persons: Set<PersonID> = []
    data.withUnsafeBytes { bytes in
        guard let start = bytes.baseAddress else { return }
        let length = mark.utf8CodeUnitCount
        var offset = 0
        while offset + length <= bytes.count,
            let brace = memchr(start + offset, 0x7B, bytes.count - offset - length + 1)
        {
            offset = UnsafeRawPointer(brace) - start + 1
            guard memcmp(brace, mark.utf8Start, length) == 0 else { continue }
            let id = String(decoding: bytes[(offset + length - 1)...].prefix(36), as: UTF8.self)
            if let person = PersonID(id) { persons.insert(person) }
        }
    }
    return persons
}

private func bytes(of words: SIMD4<UInt64>) -> [UInt8] {
    withUnsafeBytes(of: words) { Array($0) }
}

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
