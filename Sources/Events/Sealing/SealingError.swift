// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Why a sealed field did not open, or the keys could not be used.
public enum SealingError: Error, Hashable, Sendable {
    // Opening a field.
    /// The box is no base64url of commitment, nonce, ciphertext and tag.
    case malformed(SealedField)
    /// The commitment is not that of this secret: another key sealed it, or its first bytes were changed.
    case otherSecret(SealedField)
    /// The commitment is right and the rest was changed.
    case damaged(SealedField)
    /// It opened, and what is inside is not of the type asked for.
    case unreadable(SealedField, reason: String)

    // The master key.
    case masterKeyMissing(place: String)
    case masterKeyMalformed(place: String, bytes: Int)
    case masterKeyExists(URL)

    // The file of keys.
    case notAKeyStore(URL)
    case wrongMasterKey(URL)
    /// A slot, counted from 1, whose checksum is wrong though it was written long ago.
    case damagedSlot(Int, URL)
    /// Another process writes keys there.
    case inUse(URL)
    /// It was opened for reading.
    case readOnly(URL)
    /// There is no room for another key; what was there is as it was.
    case full(URL)
    /// The person was erased; a new key under the same id would hide that.
    case destroyed(PersonID)
    /// The system refused: the call and its `errno`.
    case system(call: String, URL, errno: Int32)
}

extension SealingError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .malformed(let field):
            "\(opening(field)) its box is no base64url of commitment, nonce, ciphertext and tag"
        case .otherSecret(let field):
            "\(opening(field)) it is not sealed with this key, or its first 32 bytes were changed; compare the entry with its leaf hash"
        case .damaged(let field):
            "\(opening(field)) its ciphertext was changed; compare the entry with its leaf hash"
        case .unreadable(let field, let reason):
            "\(opening(field)) what is inside has another shape: \(reason)"
        case .masterKeyMissing(let place):
            "no master key at \(place): bring the one with which this ledger was made, or point to it; another opens nothing"
        case .masterKeyMalformed(let place, let bytes):
            "the master key at \(place) has \(bytes) bytes of text; 64 hexadecimal digits or the base64 of 32 bytes are needed"
        case .masterKeyExists(let file):
            "no master key was created: \(file.path) exists, and overwriting it would erase everybody; move it away first"
        case .notAKeyStore(let file):
            "\(file.path) is no file of person keys; restore it from a backup, or point to the right folder"
        case .wrongMasterKey(let file):
            "the master key does not fit \(file.path); use the one with which the file was made"
        case .damagedSlot(let slot, let file):
            "slot \(slot) of \(file.path) is damaged: the person's sealed data cannot be read; restore the file from a backup"
        case .inUse(let file):
            "another process writes keys to \(file.path); stop it, or open the file for reading"
        case .readOnly(let file):
            "\(file.path) was opened for reading; only the gateway creates and destroys keys"
        case .full(let file):
            "no key was made: there is no room for \(file.path); make room, then repeat"
        case .destroyed(let person):
            "person \(person) was erased and gets no new key; use a new person id"
        case .system(let call, let file, let errno):
            "\(call) failed on \(file.path): \(SystemRefusal.words(errno))"
        }
    }

    private func opening(_ field: SealedField) -> String {
        "the sealed field \(field.pointer) of event \(field.event) did not open:"
    }
}
