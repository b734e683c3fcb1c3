// SPDX-License-Identifier: Apache-2.0
public import Events

/// A side sends a picture, whose sealed bytes are on disk already.
///
/// The same temporary id from the same sender is the same message, as for texts. To a session that has
/// ended it is refused and recorded.
public struct SendPicture: SessionCommand {
    public let session: SessionID
    public let from: Sender
    /// The ledger's id for the message, made before the bytes were written.
    public let message: MessageID
    /// The sender's own id for it.
    public let temporaryID: String
    public let picture: Picture

    /// What the event says of the file.
    public struct Picture: Hashable, Sendable {
        public let blob: SHA256Digest
        public let bytes: Int
        public let mediaType: ChatAttachmentAdded.MediaType
        public let width: Int
        public let height: Int

        public init(
            blob: SHA256Digest,
            bytes: Int,
            mediaType: ChatAttachmentAdded.MediaType,
            width: Int,
            height: Int
        ) {
            self.blob = blob
            self.bytes = bytes
            self.mediaType = mediaType
            self.width = width
            self.height = height
        }
    }

    public init(
        _ picture: Picture,
        as message: MessageID,
        in session: SessionID,
        from: Sender,
        temporaryID: String
    ) {
        self.session = session
        self.from = from
        self.message = message
        self.temporaryID = temporaryID
        self.picture = picture
    }

    /// The ledger's id for the message: of the first one if it was sent before.
    public typealias Outcome = MessageID

    public typealias Refusal = SendRefusal

    public func decide(
        _ state: Session,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Outcome> {
        try submission.decide(state, &context) { caller, _ in
            .attachmentAdded(
                ChatAttachmentAdded(
                    message: message,
                    temporaryID: temporaryID,
                    from: from.party,
                    person: caller,
                    blob: picture.blob,
                    bytes: picture.bytes,
                    mediaType: picture.mediaType,
                    width: picture.width,
                    height: picture.height
                )
            )
        }
    }

    public func outcome(of recorded: [Write]) throws(Refusal) -> Outcome? {
        try submission.checkAccepted(recorded)
        return recorded.first(ChatAttachmentAdded.self)?.payload.message
    }

    private var submission: ChatSubmission {
        ChatSubmission(session: session, from: from, temporaryID: temporaryID)
    }
}
