// SPDX-License-Identifier: Apache-2.0
public import Events

/// The messages of one session, and how far each side has received and seen them.
public struct Chat: Hashable, Sendable {
    /// In the order of the log.
    public private(set) var messages: [Message] = []
    /// How many messages each side has seen, counted from the first.
    public private(set) var seen: [Party: Int] = [:]
    private var numbers: [MessageID: Int] = [:]
    private var taken: [TemporaryID: MessageID] = [:]
    private var rejected: Set<TemporaryID> = []

    /// One message; its text stays in the log, its picture in the blob folder.
    public struct Message: Hashable, Sendable {
        public let id: MessageID
        public let from: Party
        /// Where it stands: what a resend is answered with.
        public let place: Place
        /// The event that said it.
        public let cause: Cause
        public internal(set) var deliveredTo: Set<Party> = []
    }

    /// A sender's own id for a message: only that sender's repetition means the same message.
    public struct TemporaryID: Hashable, Sendable {
        public let sender: Actor
        public let text: String
    }

    /// The message that a sender's temporary id became.
    public func message(_ id: TemporaryID) -> Message? {
        taken[id].flatMap { self[$0] }
    }

    /// Whether a message with that temporary id was rejected before.
    public func isRejected(_ id: TemporaryID) -> Bool { rejected.contains(id) }

    /// The message with an id.
    public subscript(id: MessageID) -> Message? { numbers[id].map { messages[$0] } }

    /// Whether a side has not seen a message of the chat yet; what it saw never goes back (ruling 5).
    func isUnseen(upTo message: MessageID, by party: Party) -> Bool {
        numbers[message].map { $0 >= seen[party] ?? 0 } ?? false
    }

    mutating func apply(_ event: ChatEvent, of envelope: Envelope) {
        switch event {
        case .messageSent(let sent):
            add(sent.message, as: sent.temporaryID, from: sent.from, envelope)
        case .attachmentAdded(let added):
            add(added.message, as: added.temporaryID, from: added.from, envelope)
        case .messageRejected(let message):
            rejected.insert(TemporaryID(sender: envelope.actor, text: message.temporaryID))
        case .messageDelivered(let delivered):
            guard let number = numbers[delivered.message] else { return }
            messages[number].deliveredTo.insert(delivered.to)
        case .messageSeen(let seenUpTo):
            guard let number = numbers[seenUpTo.upTo] else { return }
            seen[seenUpTo.by] = max(seen[seenUpTo.by] ?? 0, number + 1)
        case .quickResponseChosen: break
        }
    }

    private mutating func add(
        _ message: MessageID,
        as temporaryID: String,
        from party: Party,
        _ envelope: Envelope
    ) {
        guard numbers[message] == nil else { return }
        numbers[message] = messages.count
        taken[TemporaryID(sender: envelope.actor, text: temporaryID)] = message
        messages.append(
            Message(id: message, from: party, place: Place(envelope), cause: Cause(envelope))
        )
    }
}
