// SPDX-License-Identifier: Apache-2.0
import Events

/// What one side of a chat still has to be told, as the session's events say.
///
/// A value without I/O: it takes events in order and gives out the news, each once. Built from the
/// first event of the session, so that a reconnect needs no memory. It knows where messages stand, not what they say: that is
/// read again when it is told, so that a long chat takes no memory of each who follows it.
struct ChatView: Sendable {
    /// The side that is told.
    let side: Party
    private var messages: [Message] = []
    private var numbers: [MessageID: Int] = [:]
    /// How many messages the other side has seen, counted from the first.
    private var seenByOther = 0
    private var isOtherTyping = false
    /// How many messages were looked at for ``News/arrived``, and for ``News/seen``.
    private var handedOut = 0
    private var reportedSeen = 0
    private var isCaughtUp = false

    /// One message, and where it stands among the session's events.
    struct Message: Sendable, Hashable {
        let id: MessageID
        let from: Party
        let revision: Revision
        var isDelivered = false
    }

    /// What to tell.
    struct News: Sendable, Hashable {
        /// Messages of the other side that did not reach this one before.
        var arrived: [Message] = []
        /// Own messages that the other side has seen.
        var seen: [MessageID] = []
        /// The other side types, since the last news.
        var isOtherTyping = false
    }

    init(of side: Party) {
        self.side = side
    }

    /// Takes the next event of the session.
    mutating func take(_ event: RecordedEvent) {
        switch event.fact {
        case .chat(.messageSent(let sent)):
            add(Message(id: sent.message, from: sent.from, revision: event.envelope.revision))
        case .chat(.attachmentAdded(let added)):
            add(Message(id: added.message, from: added.from, revision: event.envelope.revision))
        case .chat(.messageDelivered(let delivered)):
            guard delivered.to == side, let number = numbers[delivered.message] else { return }
            messages[number].isDelivered = true
        case .chat(.messageSeen(let seen)):
            guard seen.by != side, let number = numbers[seen.upTo] else { return }
            seenByOther = max(seenByOther, number + 1)
        case .session(.activitySignalled(let signalled)):
            isOtherTyping = signalled.by != side && signalled.activity == .typing
        default: break
        }
    }

    /// Gives out what is new; the first news leave out typing of long ago.
    mutating func takeNews() -> News {
        var news = News()
        news.arrived = messages[handedOut...].filter { $0.from != side && !$0.isDelivered }
        handedOut = messages.count
        if seenByOther > reportedSeen {
            news.seen = messages[reportedSeen..<seenByOther].filter { $0.from == side }.map(\.id)
            reportedSeen = seenByOther
        }
        news.isOtherTyping = isCaughtUp && isOtherTyping
        isOtherTyping = false
        isCaughtUp = true
        return news
    }

    private mutating func add(_ message: Message) {
        guard numbers[message.id] == nil else { return }
        numbers[message.id] = messages.count
        messages.append(message)
    }
}
