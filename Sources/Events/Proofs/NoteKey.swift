// SPDX-License-Identifier: Apache-2.0
import Crypto

/// What a signature line names: a key by its name and its short id (C2SP signed-note).
///
/// Names are compared by their bytes; Swift strings would take some different names for equal.
public struct NoteKey: Sendable {
    /// The name of the key, usually a URL without scheme.
    public let name: String
    /// The first four bytes of the key's hash, as a big-endian number.
    public let id: UInt32

    /// The id as eight hexadecimal digits.
    public var idHex: String {
        withUnsafeBytes(of: id.bigEndian) { HexText.encode($0) }
    }

    /// Whether a name may stand in a signature line: not empty, no Unicode space, control
    /// character or plus sign, at most 1,024 bytes.
    ///
    /// - Parameter name: The name.
    /// - Returns: Whether it may be used.
    public static func isValid(name: String) -> Bool {
        guard 1...ProofLimits.nameBytesMax ~= name.utf8.count else { return false }
        return name.unicodeScalars.allSatisfy { scalar in
            scalar != "+" && scalar.value >= 0x20 && !scalar.properties.isWhitespace
        }
    }

    /// The id of a key: SHA-256(name ‖ 0x0A ‖ type ‖ public key), cut to four bytes.
    static func id(name: String, type: UInt8, publicKey: [UInt8]) -> UInt32 {
        let digest = SHA256.hash(data: [UInt8](name.utf8) + [0x0a, type] + publicKey)
        return digest.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }
}

extension NoteKey: Hashable {
    public static func == (left: NoteKey, right: NoteKey) -> Bool {
        left.id == right.id && left.name.utf8.elementsEqual(right.name.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
    }
}

extension NoteKey: CustomStringConvertible {
    public var description: String { "\(name)+\(idHex)" }
}
