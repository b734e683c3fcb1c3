// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Logging

/// Tells one client what happens in one session, and records that it arrived and was seen.
///
/// A client that has the chat open sees what reaches it: `seen` follows `delivered` at once, as
/// the source's "operator connected message" means it, unless the client says itself what was
/// seen. Whoever only looks on, such as a supervisor, is told and records neither.
struct ChatFollower: Sendable {
    let ledger: Ledger
    let connection: WebSocketConnection
    let session: SessionID
    /// Who is told; nothing is told or recorded once that one is signed out, or the session is private to another.
    let right: LiveRight
    let seeing: Seeing

    /// When a message counts as seen.
    enum Seeing: Sendable, Hashable {
        case onDelivery
        /// The client says so, and is told the messages' ids for it.
        case reported
    }

    /// Follows the session until the connection or the log ends, or the reader loses the right: then the client is told
    /// so, and asks for it again when it is theirs again.
    ///
    /// What goes wrong closes the connection: the client comes back and is told again.
    ///
    /// - Parameter followed: What the connection follows.
    func run(in followed: FollowedSessions) async {
        do {
            while true {
                let asked = followed.asks(for: session)
                guard try await follow() else { return }
                // Unless it was asked for again meanwhile: the answer may be another now.
                if followed.end(session, asked: asked) {
                    return try await connection.send(text: ChatReply.lost(session).json)
                }
            }
        } catch is WebSocketClosed {
            // The client left.
        } catch is CancellationError {
            // So did the socket.
        } catch let error as AccountError {
            let problem = ProblemTable.problem(for: error)
            await connection.close(problem.closeCode, reason: problem.type.slug)
        } catch {
            connection.logger.error("chat follower failed", metadata: ["error": "\(error)"])
            let problem = ProblemTable.problem(for: error)
            await connection.close(problem.closeCode, reason: problem.type.slug)
        }
    }

    private var reader: Principal { right.principal }

    /// Tells what there is to tell for as long as that may be.
    ///
    /// - Returns: Whether the right was lost, also in the middle: a session that another operator claimed meanwhile is
    ///   private to that one; `false` when there is nothing more to come.
    private func follow() async throws -> Bool {
        do {
            try await tellAll()
            return false
        } catch is ReadingRights.Refusal {
            return true
        }
    }

    private func tellAll() async throws {
        guard let sender = reader.sender else { return }
        // Before the first reading, so that nothing comes unheard in between.
        var rings = ledger.bells.listen(to: .session(session)).makeAsyncIterator()
        var view = ChatView(of: sender.party)
        var next = Revision(0)
        repeat {
            try await catchUp(&view, from: &next)
            try await right.check()
            try await tell(view.takeNews(), as: sender)
        } while await rings.next() != nil
    }

    /// Reads a little at a time, and lets others go on in between: whoever opens a long chat again and again reads all of it
    /// each time.
    private func catchUp(_ view: inout ChatView, from next: inout Revision) async throws {
        let decoder = EventDecoder()
        while true {
            let page = try ledger.log.entries(
                of: .session(session),
                from: next,
                limit: ledger.configuration.limits.chatPageEntries
            )
            guard let last = page.last else { return }
            for entry in page { view.take(try decoder.decode(entry)) }
            next = last.envelope.revision.next
            await Task.yield()
        }
    }

    private func tell(_ news: ChatView.News, as sender: Sender) async throws {
        if !news.arrived.isEmpty { try await deliver(news.arrived, to: sender) }
        for message in news.seen {
            try await send(.seen(session, message))
        }
        if news.isOtherTyping { try await send(.active(session)) }
    }

    /// Sends what the reader may still hear.
    private func send(_ reply: ChatReply) async throws {
        try await right.check()
        try await connection.send(text: reply.json)
    }

    /// Hands messages over, a few at a time.
    ///
    /// They count as delivered once the client's end has answered a ping behind them, so that what a broken connection
    /// swallowed is delivered again. What the client has not taken is not read.
    private func deliver(_ messages: [ChatView.Message], to sender: Sender) async throws {
        let areSeen = seeing == .onDelivery
        var left = messages[...]
        while !left.isEmpty {
            let page = left.prefix(Self.pageMessages)
            left = left.dropFirst(page.count)
            for message in page {
                // What was erased meanwhile reaches nobody.
                guard let reply = try reply(message) else { continue }
                try await send(reply)
            }
            try await connection.confirmReceipt()
            let some = page.map(\.id)
            try await record(MarkDelivered(some, in: session, to: sender, areSeen: areSeen))
        }
    }

    /// Messages that are delivered before the client's end is asked: as many as one command takes.
    private static let pageMessages = MarkDelivered.messagesMax

    private func reply(_ message: ChatView.Message) throws -> ChatReply? {
        let page = try ledger.log.entries(
            of: .session(session),
            from: message.revision,
            limit: 1
        )
        guard let event = try page.first.map({ try EventDecoder().decode($0) }) else { return nil }
        let seconds = event.envelope.time.microseconds / 1_000_000
        switch event.fact {
        case .chat(.messageSent(let sent)):
            guard let text = try sent.text.opened(with: ledger.keys.unrecorded(.followed)).value
            else { return nil }
            let timestamp = sent.clientTimestamp
            return .message(
                session,
                text: text,
                timestamp: timestamp.isEmpty ? String(seconds) : timestamp,
                temporaryMessageID: sent.temporaryID,
                id: seeing == .reported ? sent.message : nil
            )
        case .chat(.attachmentAdded(let picture)):
            guard seeing != .reported else {
                return .picture(session, picture, timestamp: String(seconds))
            }
            // The source's clients know texts only; they read where the picture is.
            return .message(
                session,
                text: "Picture: /v1/sessions/\(session)/pictures/\(picture.message)",
                timestamp: String(seconds),
                temporaryMessageID: picture.temporaryID,
                id: nil
            )
        default: return nil
        }
    }

    /// Records for the owner and the caller; from others the decision takes nothing.
    private func record(_ command: some Command) async throws {
        // A receipt may come long after: what a page of somebody signed out shows, nobody has seen.
        try await right.check()
        let context = ledger.context(of: reader, correlation: connection.id)
        do {
            _ = try await ledger.handler.handle(command, context)
        } catch let refusal as any CommandRefusal {
            connection.logger.debug("not recorded", metadata: ["reason": "\(refusal)"])
        }
    }
}
