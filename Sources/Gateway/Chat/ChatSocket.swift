// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import HTTPTypes
import Logging
import Threads

/// Serves one `/chat` connection: takes the client's frames one by one, and tells it what the other
/// side does.
///
/// Everything goes through the log: what a client is told was read from it, so the two sides may be
/// connected to different processes in a row, and a restart loses nothing.
struct ChatSocket: Sendable {
    let ledger: Ledger
    let connection: WebSocketConnection
    /// Where the connection comes from.
    let address: String
    let limits: GatewayLimits
    /// How many chats each principal opens, on this connection and others.
    let openings: ClientRates
    /// What this connection is told of.
    private let followed = FollowedSessions()

    /// Returns when the client leaves; throws what closes the connection.
    ///
    /// - Parameter principal: Who the upgrade request said it is; `nil` lets the first frame say.
    /// - Throws: What closes the connection.
    func run(as principal: Principal?) async throws {
        let signedIn = Latch()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await closeStranger(unless: signedIn) }
            var client = principal
            var live: LiveReader?
            if let principal { live = watched(principal, &group) }
            var seeing = ChatFollower.Seeing.onDelivery
            for await message in connection.messages {
                guard let request = try await request(in: message, from: client),
                    let speaker = try await identify(request, known: client)
                else { continue }
                client = speaker
                signedIn.raise()
                let reader = live ?? watched(speaker, &group)
                reader.renew(speaker)
                live = reader
                if request.seen == "reported" { seeing = .reported }
                guard let session = try await answer(request, from: speaker),
                    followed.ask(for: session)
                else { continue }
                let follower = ChatFollower(
                    ledger: ledger,
                    connection: connection,
                    session: session,
                    right: ledger.right(of: reader, toRead: session),
                    seeing: seeing
                )
                group.addTask { await follower.run(in: followed) }
            }
            group.cancelAll()
        }
    }

    /// Whoever speaks, watched over for as long as the connection lasts.
    private func watched(
        _ speaker: Principal,
        _ group: inout ThrowingTaskGroup<Void, any Error>
    ) -> LiveReader {
        let reader = ledger.liveReader(speaker)
        group.addTask {
            do {
                try await reader.untilEnd()
            } catch {
                let problem = ProblemTable.problem(for: error)
                await connection.close(problem.closeCode, reason: problem.type.slug)
            }
        }
        return reader
    }

    private func closeStranger(unless signedIn: Latch) async throws {
        try await Task.sleep(for: limits.chatSignInTime)
        guard !signedIn.isRaised else { return }
        await connection.close(.policyViolation, reason: "unauthorized")
    }

    /// Reads a frame; of one that cannot be read its sender is told, and a stranger is sent away.
    private func request(
        in message: WebSocketMessage,
        from client: Principal?
    ) async throws -> ChatRequest? {
        guard case .text(let text) = message else {
            throw Problem(.unsupportedMediaType, detail: "chat frames are JSON text")
        }
        do {
            return try JSONBody.value(ChatRequest.self, in: Data(text.utf8))
        } catch {
            let problem = ProblemTable.problem(for: error)
            let fault = problem.detail ?? "it is no JSON"
            try await reject(ChatRequest.Name(in: text), "This could not be read: \(fault).")
            guard client != nil else { throw problem }
            return nil
        }
    }

    // MARK: - Who speaks

    /// Who sent a frame; a token that is not valid ends the connection.
    private func identify(_ request: ChatRequest, known: Principal?) async throws -> Principal? {
        do {
            let principal: Principal
            if let token = request.token {
                principal = try await ledger.accounts.authenticate(token)
                guard known.map({ $0.actor == principal.actor }) ?? true else {
                    throw AccountError.tokenUnknown
                }
            } else if let known {
                principal = try await ledger.accounts.confirm(known)
            } else {
                throw Problem.unauthorized("the first frame needs a Token")
            }
            try ledger.checkGuest(principal)
            guard !principal.mustChangePassword else {
                throw Problem(.passwordMustChange, detail: "change the temporary password first")
            }
            return principal
        } catch {
            if let account = error as? AccountError, let reason = AccessRefused.Reason(account) {
                await recordRefusal(of: known, reason: reason)
            }
            try await connection.send(text: ChatReply.failed.json)
            throw error
        }
    }

    private func recordRefusal(of known: Principal?, reason: AccessRefused.Reason) async {
        guard let known else {
            return ledger.countRefusal(
                of: address,
                attempt: "/chat",
                reason: reason
            )
        }
        await ledger.recordRefusal(of: known, from: nil, attempt: "/chat", reason: reason)
    }

    // MARK: - What is said

    /// Answers a frame.
    ///
    /// - Returns: The session that the client takes part in from now on, if the frame says so.
    private func answer(_ request: ChatRequest, from speaker: Principal) async throws -> SessionID?
    {
        do {
            switch request.type {
            case "start_session": return try await start(request, speaker)
            case "session" where request.status == "active":
                return try await signal(request, speaker)
            case "message": return try await send(request, speaker)
            case "message_report" where request.status == "seen":
                return try await markSeen(request, speaker)
            default:
                try await reject(request.name, "This program does not know such a message.")
                return nil
            }
        } catch let closed as WebSocketClosed {
            throw closed
        } catch {
            await record(error, for: request, speaker)
            try await report(error, for: request)
            return nil
        }
    }

    private func start(_ request: ChatRequest, _ speaker: Principal) async throws -> SessionID {
        let session: SessionID
        if let person = speaker.person {
            try admit(try openSession(of: speaker, person), speaker)
            try ledger.keys.create(person)
            let command = StartChat(
                caller: person,
                phone: speaker.phoneNumber,
                device: speaker.deviceID.flatMap { DeviceID($0) }
            )
            session = try await handle(command, speaker).session
        } else {
            session = try self.session(in: request, for: speaker)
            try ledger.rights.check(session, for: speaker)
            try await ledger.recordReading(
                of: .session(session),
                by: speaker,
                for: "chat",
                fields: ["text"]
            )
            if try ledger.handler.current(Session.self, session).owner == speaker.user {
                let sender = try speaker.requireSender()
                try await handle(SignalActivity(session, by: sender, activity: .opened), speaker)
            }
        }
        try await connection.send(text: ChatReply.opened(session).json)
        return session
    }

    /// Counts the opening of a chat that this connection does not follow yet: it is read from its beginning.
    ///
    /// - Parameters:
    ///   - session: `nil` for one that will begin.
    ///   - speaker: Who opens it.
    /// - Throws: 429 when too many were opened.
    private func admit(_ session: SessionID?, _ speaker: Principal) throws(Problem) {
        if let session, followed.isFollowed(session) { return }
        guard let wait = openings.admit(speaker.holder) else { return }
        throw .tooManyRequests("open fewer chats; stay in one that is open", wait: wait)
    }

    /// The session in which a caller goes on; `nil` if a new one begins.
    ///
    /// Who came by a one-use link begins no session but goes on in theirs, as long as it is open; a new phone goes on in none
    /// that it does not see; and nobody goes on in the session of another organisation that knows the same person.
    private func openSession(of speaker: Principal, _ person: PersonID) throws -> SessionID? {
        let open = try ledger.handler.current(Caller.self, person).openSession
        if let open,
            !speaker.reaches(
                try ledger.handler.current(Session.self, open).contact?.organisation
            )
        {
            throw ReadingRights.Refusal.unknown(.session(open))
        }
        if let open, try ledger.rights.sees(open, speaker) { return open }
        guard !speaker.isGuest else {
            throw Problem(.forbidden, detail: "the session of this link is over; telephone again")
        }
        guard open == nil else { throw Problem.sessionOfOtherPhone }
        return nil
    }

    private func signal(_ request: ChatRequest, _ speaker: Principal) async throws -> SessionID {
        let session = try session(in: request, for: speaker)
        let sender = try speaker.requireSender()
        try await handle(SignalActivity(session, by: sender, activity: .typing), speaker)
        return session
    }

    private func send(_ request: ChatRequest, _ speaker: Principal) async throws -> SessionID {
        let session = try session(in: request, for: speaker)
        guard let temporaryID = request.temporaryMessageID, let text = request.message else {
            throw Problem(.malformedJSON, detail: "a message has Message and TempMessageID")
        }
        let command = SendMessage(
            text,
            in: session,
            from: try speaker.requireSender(),
            temporaryID: temporaryID,
            clientTimestamp: request.timestamp ?? "",
            channel: .webSocket,
            quickResponse: request.quickResponse,
            way: request.via
        )
        let message = try await handle(command, speaker)
        try SentBefore(message, in: session, as: temporaryID, ledger).check(says: text)
        let reply = ChatReply.delivered(session, temporaryMessageID: temporaryID, message)
        try await connection.send(text: reply.json)
        return session
    }

    private func markSeen(_ request: ChatRequest, _ speaker: Principal) async throws -> SessionID {
        let session = try session(in: request, for: speaker)
        guard let message = request.messageID.flatMap({ MessageID($0) }) else {
            throw Problem(.malformedJSON, detail: "a report of having seen has a MessageID")
        }
        let sender = try speaker.requireSender()
        try await handle(MarkSeen(upTo: message, in: session, by: sender), speaker)
        return session
    }

    @discardableResult
    private func handle<C: Command>(_ command: C, _ speaker: Principal) async throws -> C.Outcome {
        let context = ledger.context(of: speaker, correlation: connection.id)
        return try await ledger.handler.handle(command, context).outcome
    }

    /// The session that a frame names, by its own id or by that of its incident; a one-use link knows no other than its own.
    private func session(in request: ChatRequest, for speaker: Principal) throws -> SessionID {
        let id = try sessionNamed(in: request, for: speaker)
        // One that is not there at all is refused by the command, in its own words.
        let owner = try ledger.handler.current(Session.self, id).contact?.organisation
        guard speaker.admits(.session(id)), owner == nil || speaker.reaches(owner) else {
            throw ReadingRights.Refusal.unknown(.session(id))
        }
        try ledger.rights.requireSeen(id, by: speaker)
        if owner != nil { try admit(id, speaker) }
        return id
    }

    private func sessionNamed(in request: ChatRequest, for speaker: Principal) throws -> SessionID {
        guard let text = request.incidentID, let id = SessionID(text) else {
            throw Problem(.malformedJSON, detail: "IncidentID is missing, or is no id")
        }
        if try ledger.handler.current(Session.self, id).contact != nil { return id }
        let found = try IncidentID(text).map { try ledger.rights.sessions(of: $0) } ?? []
        let own = try found.first { candidate in
            let session = try ledger.handler.current(Session.self, candidate)
            return speaker.person.map { $0 == session.contact?.caller }
                ?? (session.owner == speaker.user)
        }
        return own ?? id
    }

    // MARK: - What went wrong

    /// Whoever is turned away stands in the ledger, as at every other door.
    private func record(_ error: any Error, for request: ChatRequest, _ speaker: Principal) async {
        await ledger.record(
            refusal: error,
            of: speaker,
            from: request.incidentID.flatMap { SessionID($0) }.map { .session($0) },
            attempt: "/chat \(request.type)"
        )
    }

    private func report(_ error: any Error, for request: ChatRequest) async throws {
        let problem = ProblemTable.problem(for: error)
        if problem.isFault {
            connection.logger.error("chat frame failed", metadata: ["error": "\(error)"])
        }
        switch request.type {
        case "message", "message_report": try await reject(request.name, Self.words(for: problem))
        default: try await connection.send(text: ChatReply.failed.json)
        }
    }

    private func reject(_ name: ChatRequest.Name, _ words: String) async throws {
        let reply = ChatReply.rejected(
            incidentID: name.incidentID,
            temporaryMessageID: name.temporaryMessageID,
            error: words
        )
        try await connection.send(text: reply.json)
    }

    /// What the popup says.
    private static func words(for problem: Problem) -> String {
        switch problem.type.slug {
        case "chat-ended": "This chat has ended. Start a new chat to go on."
        case "session-unknown", "not-found": "There is no such chat. Start a new chat."
        case "field-too-long": "The message is too long. Send it in parts."
        case "field-empty": "Nothing in the message can be seen."
        case _ where problem.isFault: "The message was not stored. It will be sent again."
        default: problem.detail ?? problem.type.title
        }
    }
}

extension Problem {
    /// The number's owner is in a session that began before this phone was registered.
    static let sessionOfOtherPhone = Problem(
        ProblemType("session-of-other-phone", .forbidden, "On another phone"),
        detail:
            "your number is in a session on another phone; agree to this one there, or ask whom you speak with"
    )
}

extension Principal {
    /// The number that the device proved.
    var phoneNumber: PhoneNumber? {
        if case .device(_, _, let number) = identity { PhoneNumber(number)?.readAgain } else { nil }
    }
}

extension Principal {
    /// The side of a session that this one can be; a socket asks anew who speaks with each frame.
    fileprivate func requireSender() throws(Problem) -> Sender {
        guard let sender else { throw Problem(.forbidden, detail: "you have no part in sessions") }
        return sender
    }
}
