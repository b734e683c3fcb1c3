// SPDX-License-Identifier: Apache-2.0
public import Events

/// A telephone texted: its words, pictures and place come into the person's open session, or into a new one, all together.
///
/// The caller's key must exist before, or the caller be a newcomer. The same temporary id in the same session is the same message.
public struct TakeTelephoneMessage: Command {
    public let caller: PersonID
    /// The number, if it is certain.
    public let phone: PhoneNumber?
    public let device: DeviceID?
    public let request: Request
    public let content: Content

    public init(
        from caller: PersonID,
        phone: PhoneNumber? = nil,
        device: DeviceID? = nil,
        _ request: Request,
        _ content: Content
    ) {
        self.caller = caller
        self.phone = phone
        self.device = device
        self.request = request
        self.content = content
    }

    /// The request of SIP.
    public struct Request: Sendable {
        public let sender: SIPSender
        /// Whether the number is certain: a registered phone sent it, or a trunk asserted it.
        public let isVerified: Bool
        public let trunk: String?
        public let transport: SIPMessageReceived.Transport
        public let method: SIPMessageReceived.Method
        public let sequence: Int
        public let raw: SHA256Digest
        public let rawBytes: Int
        /// What a repetition of the request has, too: digits and letters.
        public let temporaryID: String

        public init(
            from sender: SIPSender,
            isVerified: Bool,
            trunk: String?,
            transport: SIPMessageReceived.Transport,
            method: SIPMessageReceived.Method,
            sequence: Int,
            raw: SHA256Digest,
            rawBytes: Int,
            temporaryID: String
        ) {
            self.sender = sender
            self.isVerified = isVerified
            self.trunk = trunk
            self.transport = transport
            self.method = method
            self.sequence = sequence
            self.raw = raw
            self.rawBytes = rawBytes
            self.temporaryID = temporaryID
        }
    }

    /// What the request says.
    public struct Content: Sendable {
        public var text: String?
        /// The encrypted bytes are on disk already.
        public var pictures: [SendPicture.Picture] = []
        public var place: Place?

        public init(text: String? = nil) {
            self.text = text
        }

        /// Where the sender is.
        public enum Place: Sendable {
            case fix(Fix, method: String)
            case unreadable
        }
    }

    /// The session that it came into.
    public typealias Outcome = SessionID

    /// Why it was not taken.
    public enum Refusal: CommandRefusal {
        case personErased(PersonID)
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .personErased(let person): .personErased(person, attempt: "taking a text")
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    public var subject: Subject { .person(caller) }

    public func read(_ ledger: inout LedgerView) throws -> Opening {
        try Opening.read(of: caller, by: nil, &ledger)
    }

    public func decide(
        _ state: Opening,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<SessionID> {
        try check()
        guard !state.person.isErased else { throw .personErased(caller) }
        let open = state.openSession.flatMap { $0.isOpen(at: context.now) ? $0 : nil }
        let own = Chat.TemporaryID(sender: context.stamp.actor, text: request.temporaryID)
        if let open, let known = open.chat.message(own) { return .already(open.id, known.place) }
        var writes: [Write] = []
        let session: SessionID
        if let open {
            session = open.id
        } else {
            session = context.newID()
            writes = state.overdue(at: context.now) + Opening.writes(session, created(&context))
        }
        let messages = messages(&context)
        writes += messages.map { .chat(session, $0.event) }
        writes.append(.sip(session, .messageReceived(received(messages.first?.id))))
        if let place { writes.append(.location(session, place)) }
        return .record(writes)
    }

    public func outcome(of recorded: [Write]) -> SessionID? {
        recorded.first(SIPMessageReceived.self)?.subject.sessionID
    }

    private func check() throws(Refusal) {
        try InputFault.check(
            request.temporaryID,
            "temporaryID",
            bytesMax: CommandLimits.temporaryIDBytesMax,
            else: Refusal.unacceptable
        )
        if let text = content.text {
            try InputFault.check(
                text,
                "text",
                bytesMax: CommandLimits.messageBytesMax,
                else: Refusal.unacceptable
            )
        }
        guard case .fix(let fix, let method) = content.place else { return }
        try InputFault.check(fix, else: Refusal.unacceptable)
        try InputFault.check(
            method,
            "method",
            bytesMax: CommandLimits.wordBytesMax,
            else: Refusal.unacceptable
        )
    }

    private func created(_ context: inout CommandContext) -> SessionCreated {
        SessionCreated(
            incident: context.newID(),
            caller: caller,
            phone: phone.map { .open($0, of: caller) },
            device: device,
            channel: .telephone,
            openedBy: .caller
        )
    }

    /// The text first, then the pictures; the first has the request's temporary id.
    private func messages(_ context: inout CommandContext) -> [(id: MessageID, event: ChatEvent)] {
        var messages: [(id: MessageID, event: ChatEvent)] = []
        if let text = content.text {
            let id: MessageID = context.newID()
            let sent = ChatMessageSent(
                message: id,
                temporaryID: request.temporaryID,
                from: .caller,
                text: .open(text, of: caller),
                clientTimestamp: "",
                channel: .sip
            )
            messages.append((id, .messageSent(sent)))
        }
        for picture in content.pictures {
            let id: MessageID = context.newID()
            let number = messages.isEmpty ? "" : ".\(messages.count)"
            let added = ChatAttachmentAdded(
                message: id,
                temporaryID: request.temporaryID + number,
                from: .caller,
                person: caller,
                blob: picture.blob,
                bytes: picture.bytes,
                mediaType: picture.mediaType,
                width: picture.width,
                height: picture.height
            )
            messages.append((id, .attachmentAdded(added)))
        }
        return messages
    }

    private func received(_ message: MessageID?) -> SIPMessageReceived {
        SIPMessageReceived(
            person: caller,
            sender: .open(request.sender, of: caller),
            isVerified: request.isVerified,
            trunk: request.trunk,
            transport: request.transport,
            method: request.method,
            sequence: request.sequence,
            message: message,
            raw: request.raw,
            rawBytes: request.rawBytes
        )
    }

    private var place: LocationEvent? {
        switch content.place {
        case .fix(let fix, let method)?:
            .reported(
                LocationReported(person: caller, fix: .open(fix, of: caller), method: method)
            )
        case .unreadable?: .unavailable(LocationUnavailable(reason: .unreadable))
        case nil: nil
        }
    }
}
