// SPDX-License-Identifier: Apache-2.0
public import Events

/// A side sends a picture, whose sealed bytes are on disk already.
///
/// The same temporary id from the same sender is the same message, as for texts. To a session that has
/// ended it is refused and recorded.
public struct SendPicture: Command {
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

    /// Why the picture was not taken.
    public enum Refusal: CommandRefusal {
        case unknown(SessionID)
        /// The session has ended; recorded as `chat.message_rejected`.
        case ended(SessionID)
        case notYours(SenderMismatch)
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .unknown(let id): SessionUnavailable.unknown(id).problem(of: "sending a picture")
            case .ended(let id): SendMessage.Refusal.ended(id).problem
            case .notYours(let why): why.problem(of: "sending a picture")
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    public var subject: Subject { .session(session) }

    public func read(_ ledger: inout LedgerView) throws -> Session {
        try ledger.read(Session.self, session)
    }

    public func decide(
        _ state: Session,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Outcome> {
        try InputFault.check(
            temporaryID,
            "temporaryID",
            bytesMax: CommandLimits.temporaryIDBytesMax,
            else: Refusal.unacceptable
        )
        guard let contact = state.contact else { throw .unknown(session) }
        let own = Chat.TemporaryID(sender: context.stamp.actor, text: temporaryID)
        if let known = state.chat.message(own) { return .already(known.id, known.place) }
        try from.check(on: state, else: Refusal.notYours)
        guard state.isOpen(at: context.now) else {
            guard !state.chat.isRejected(own) else { throw .ended(session) }
            let rejected = ChatMessageRejected(
                temporaryID: temporaryID,
                from: from.party,
                reason: "the session has ended"
            )
            return .record([.chat(session, .messageRejected(rejected))])
        }
        let added = ChatAttachmentAdded(
            message: message,
            temporaryID: temporaryID,
            from: from.party,
            person: contact.caller,
            blob: picture.blob,
            bytes: picture.bytes,
            mediaType: picture.mediaType,
            width: picture.width,
            height: picture.height
        )
        return .record([.chat(session, .attachmentAdded(added))])
    }

    public func outcome(of recorded: [Write]) throws(Refusal) -> Outcome? {
        guard recorded.first(ChatMessageRejected.self) == nil else { throw .ended(session) }
        return recorded.first(ChatAttachmentAdded.self)?.payload.message
    }
}
