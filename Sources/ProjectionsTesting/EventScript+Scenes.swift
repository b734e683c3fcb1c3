// SPDX-License-Identifier: Apache-2.0
public import Events

/// The scenes that most tests begin with.
extension EventScript {
    /// An operator opens a session for a number, or a caller opens one.
    ///
    /// - Returns: The session, its incident and the caller.
    public mutating func openSession(
        channel: SessionCreated.Channel = .chat,
        by party: Party = .caller,
        phone: String? = "+447712345678",
        limitSeconds: Int? = nil,
        caller known: PersonID? = nil
    ) throws -> (session: SessionID, incident: IncidentID, caller: PersonID) {
        let session: SessionID = id()
        let incident: IncidentID = id()
        let caller = known ?? person()
        let number = phone.flatMap { PhoneNumber($0) }
        let created = SessionCreated(
            incident: incident,
            caller: caller,
            phone: number.map { .open($0, of: caller) },
            channel: channel,
            openedBy: party,
            startLimitSeconds: limitSeconds,
            expiresAt: limitSeconds.map { now + .seconds($0 + 1) }
        )
        try record(.session(.created(created)), on: .session(session))
        try record(
            .incident(.opened(IncidentOpened(type: "unclassified", priority: 3))),
            on: .incident(incident),
            after: .zero
        )
        try record(
            .incident(.sessionLinked(IncidentSessionLinked(session: session, reason: "opened"))),
            on: .incident(incident),
            after: .zero
        )
        return (session, incident, caller)
    }

    /// An operator takes a session.
    public mutating func claim(_ session: SessionID, by owner: UserID) throws {
        try record(
            .session(.claimed(SessionClaimed(owner: owner))),
            on: .session(session),
            by: .user(owner, as: .operator)
        )
    }

    /// A side writes a message.
    public mutating func say(
        _ text: String,
        in session: SessionID,
        from party: Party,
        of person: PersonID
    ) throws -> MessageID {
        let message: MessageID = id()
        let sent = ChatMessageSent(
            message: message,
            temporaryID: "t-\(events.count)",
            from: party,
            text: .open(text, of: person),
            clientTimestamp: "1795000000",
            channel: .webSocket
        )
        try record(.chat(.messageSent(sent)), on: .session(session))
        return message
    }

    /// A side sends a picture.
    public mutating func show(
        in session: SessionID,
        from party: Party,
        of person: PersonID
    ) throws -> MessageID {
        let message: MessageID = id()
        let added = ChatAttachmentAdded(
            message: message,
            temporaryID: "p-\(events.count)",
            from: party,
            person: person,
            blob: SHA256Digest(
                bytes: (0..<32).map { UInt8(truncatingIfNeeded: $0 + events.count) }
            ),
            bytes: 81_000,
            mediaType: .jpeg,
            width: 4_032,
            height: 3_024
        )
        try record(.chat(.attachmentAdded(added)), on: .session(session))
        return message
    }

    /// Video begins in a session.
    public mutating func startStream(
        in session: SessionID,
        _ incident: IncidentID,
        _ caller: PersonID,
        file: String = "2026/11/2026-11-21-13-11-0.webm",
        timeZone: String = "UTC"
    ) throws -> StreamID {
        let stream: StreamID = id()
        let started = StreamStarted(
            session: session,
            incident: incident,
            caller: caller,
            transport: .webSocket,
            codec: .vp9,
            width: 640,
            height: 360,
            framesPerSecond: 30,
            kilobitsPerSecond: 1_000,
            quality: .medium,
            camera: "rear",
            file: file,
            timeZone: timeZone
        )
        try record(.stream(.started(started)), on: .stream(stream))
        let signal = SessionActivitySignalled(by: .caller, activity: .streaming, stream: stream)
        try record(.session(.activitySignalled(signal)), on: .session(session), after: .zero)
        return stream
    }

    /// A second of video arrives.
    public mutating func archiveChunk(
        _ number: Int,
        of stream: StreamID,
        file: String = "2026/11/2026-11-21-13-11-0.webm",
        after pause: Duration = .seconds(1)
    ) throws {
        let chunk = StreamChunkArchived(
            number: number,
            file: file,
            offset: 4_096 + number * 125_000,
            length: 125_000,
            sha256: SHA256Digest(
                bytes: (0..<32).map { _ in UInt8.random(in: 0...255, using: &chance) }
            ),
            firstMilliseconds: number * 1_000,
            lastMilliseconds: number * 1_000 + 967,
            keyFrame: true,
            part: 0,
            through: (number + 1) * 125_000
        )
        try record(.stream(.chunkArchived(chunk)), on: .stream(stream), after: pause)
    }

    /// An account is made.
    public mutating func createUser(
        _ user: UserID,
        _ role: Role,
        name: String? = nil
    ) throws -> PersonID {
        let person = person()
        let created = UserCreated(
            organisation: .main,
            role: role,
            person: person,
            name: name.map { .open($0, of: person) },
            mustChangePassword: false
        )
        try record(.user(.created(created)), on: .user(user))
        return person
    }

    /// A person's key is destroyed and the log says so.
    public mutating func erase(_ person: PersonID) throws {
        try record(
            .person(.erased(PersonErased(person: person, reason: "asked for"))),
            on: .person(person)
        )
        destroyKey(of: person)
    }
}
