// SPDX-License-Identifier: Apache-2.0
import Events

/// What the log says about a sealed file of the blob folder.
struct BlobFact: Sendable {
    /// The position of the event.
    let position: UInt64
    let digest: SHA256Digest
    /// The length of the sealed file.
    let bytes: Int
    /// Whose key seals it.
    let person: PersonID

    /// Reads it from an event; `nil` if the event names no file.
    init?(_ fact: ChatEvent, at position: UInt64) {
        guard case .attachmentAdded(let added) = fact else { return nil }
        self.position = position
        digest = added.blob
        bytes = added.bytes
        person = added.person
    }
}
