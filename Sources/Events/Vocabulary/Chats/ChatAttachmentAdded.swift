// SPDX-License-Identifier: Apache-2.0
/// A side sent a picture; it counts as a message of the chat.
///
/// The picture lies in the blob folder, sealed for the person, as it came: what the camera wrote into it,
/// such as the place, is evidence, too.
public struct ChatAttachmentAdded: EventPayload {
    public static let kind: Kind = "chat.attachment_added/1"

    public let message: MessageID
    /// The sender's own id for it, unique per sender.
    public let temporaryID: String
    public let from: Party
    /// Whose key seals the blob: the caller of the session.
    public let person: PersonID
    /// The digest of the sealed blob, which is its name; it tells nothing of the picture.
    public let blob: SHA256Digest
    /// The length of the sealed blob.
    public let bytes: Int
    public let mediaType: MediaType
    /// In pixels, as the file says.
    public let width: Int
    public let height: Int

    public init(
        message: MessageID,
        temporaryID: String,
        from: Party,
        person: PersonID,
        blob: SHA256Digest,
        bytes: Int,
        mediaType: MediaType,
        width: Int,
        height: Int
    ) {
        self.message = message
        self.temporaryID = temporaryID
        self.from = from
        self.person = person
        self.blob = blob
        self.bytes = bytes
        self.mediaType = mediaType
        self.width = width
        self.height = height
    }

    /// What the bytes themselves say that they are.
    public enum MediaType: String, Codable, Hashable, Sendable, CaseIterable {
        case jpeg = "image/jpeg"
        case png = "image/png"
        case webP = "image/webp"
    }
}
