// SPDX-License-Identifier: Apache-2.0
import Events

/// A session while its story is written.
struct Contact {
    let session: SessionID
    let incident: IncidentID
    let caller: Town.Caller
    /// Which member of the town owns it.
    var owner: Int?
    /// The stream that runs.
    var live: StreamScene?
    /// What the incident is taken for.
    var type = "unclassified"
    var priority = 3
    /// Streams so far.
    var streams = 0
    /// Messages so far.
    var messages = 0
    /// When the start limit runs out, if it has one.
    private(set) var expiresAt: Timestamp?

    init(session: SessionID, incident: IncidentID, caller: Town.Caller) {
        self.session = session
        self.incident = incident
        self.caller = caller
    }

    var subject: Subject { .session(session) }

    /// The caller's device, or the person where there is none.
    var callerActor: Actor {
        caller.device.map { .device($0) } ?? Actor(unchecked: "caller/\(caller.person)")
    }

    /// The facts with which a session begins (ruling 17).
    mutating func opening(_ created: SessionCreated) -> [(Subject, Fact)] {
        expiresAt = created.expiresAt
        let opened = IncidentOpened(type: type, priority: priority)
        let linked = IncidentSessionLinked(
            session: session,
            reason: "opened with its first session"
        )
        return [
            (subject, .session(.created(created))),
            (.incident(incident), .incident(.opened(opened))),
            (.incident(incident), .incident(.sessionLinked(linked))),
        ]
    }
}

extension Timestamp {
    /// Later than every moment of a story.
    static let max = Timestamp(microseconds: 253_402_300_799_999_999)
}
