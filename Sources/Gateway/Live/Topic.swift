// SPDX-License-Identifier: Apache-2.0
import Events

/// What a live page may subscribe to on `WS /v1/ws`.
enum Topic: Sendable, Hashable {
    /// All sessions and incidents that the reader may see, and which video begins, changes and ends in them.
    case desk
    /// A caller's own sessions: also the one that an operator opens next.
    case me
    /// That something happened to a report which the reader may see.
    case reports
    /// That something happened in a channel of which the reader is a member.
    case channels
    /// One session: its life, its chat, its places.
    case session(SessionID)
    /// One incident and the sessions that belong to it.
    case incident(IncidentID)
    /// One stream of video.
    case stream(StreamID)

    /// Reads `desk`, `me`, `reports`, `channels`, or `session/0199…`; `nil` for anything else.
    init?(_ name: String) {
        switch name {
        case "desk":
            self = .desk
            return
        case "me":
            self = .me
            return
        case "reports":
            self = .reports
            return
        case "channels":
            self = .channels
            return
        default: break
        }
        guard let subject = Subject(name) else { return nil }
        let id = String(subject.name)
        let topic: Topic? =
            switch subject.category {
            case "session": SessionID(id).map(Topic.session)
            case "incident": IncidentID(id).map(Topic.incident)
            case "stream": StreamID(id).map(Topic.stream)
            default: nil
            }
        guard let topic else { return nil }
        self = topic
    }

    /// How frames name it.
    var name: String {
        switch self {
        case .desk: "desk"
        case .me: "me"
        case .reports: "reports"
        case .channels: "channels"
        case .session(let id): Subject.session(id).text
        case .incident(let id): Subject.incident(id).text
        case .stream(let id): Subject.stream(id).text
        }
    }

    /// What the records of access call it.
    func resource(for reader: Principal) -> Subject {
        switch self {
        case .desk: Subject(unchecked: "desk/\(reader.org)")
        case .me: reader.person.map { .person($0) } ?? Subject(unchecked: "desk/\(reader.org)")
        case .reports: Subject(unchecked: "reports/\(reader.org)")
        case .channels: Subject(unchecked: "channels/\(reader.org)")
        case .session(let id): .session(id)
        case .incident(let id): .incident(id)
        case .stream(let id): .stream(id)
        }
    }
}

/// Entries that belong together, and at which a follower is woken.
enum LiveSource: Sendable, Hashable {
    case subject(Subject)
    /// Every subject of a category, such as `session`.
    case category(String)
    /// Every entry of a kind.
    case kind(Kind)
    /// The beginning of a person's next session: it wakes, and has no entries of its own, for they stand on that session.
    case person(PersonID)
}
