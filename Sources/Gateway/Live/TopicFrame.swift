// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation

/// A JSON frame for a live page.
enum TopicFrame: Sendable {
    /// What stands behind `position` will be told; none stands before the first event.
    case subscribed(Topic, position: LogPosition?, alerting: Bool?)
    case unsubscribed(Topic)
    /// Something happened; `entry` is absent where its contents are private to another operator.
    case event(Topic, TopicEvent, alerting: Bool?)
    /// Everything up to here was told: where to resume.
    case position(Topic, LogPosition?, alerting: Bool?)
    /// What was asked cannot be done, or a topic ended.
    case error(topic: String?, Problem)
}

/// An entry as a topic shows it.
struct TopicEvent: Sendable {
    let envelope: Envelope
    /// The entry byte for byte, as the feed has it; `nil` for those who may know no more than that
    /// it happened, and to which session.
    let entry: [UInt8]?
    /// Who has the session now, where the entry is left out.
    var owner: UserID?
}

extension TopicFrame {
    private struct Fields: Encodable {
        let type: String
        var topic: String?
        var position: String?
        var kind: Kind?
        var subject: Subject?
        var time: Timestamp?
        var owner: UserID?
        var isPrivate: Bool?
        /// On the desk: whether pending chats are to alert this reader now (ruling 19).
        var alerting: Bool?
        var problem: [String: ProblemFact]?
    }

    /// The frame as text.
    var json: String {
        get throws {
            let text = String(decoding: try JSONBody.encoder.encode(fields), as: UTF8.self)
            guard case .event(_, let event, _) = self, let entry = event.entry else { return text }
            // The entry is canonical JSON already and goes out as it was stored.
            return "{\"entry\":" + String(decoding: entry, as: UTF8.self) + "," + text.dropFirst()
        }
    }

    private var fields: Fields {
        switch self {
        case .subscribed(let topic, let position, let alerting):
            Fields(
                type: "subscribed",
                topic: topic.name,
                position: position.map { "\($0)" },
                alerting: alerting
            )
        case .unsubscribed(let topic): Fields(type: "unsubscribed", topic: topic.name)
        case .position(let topic, let position, let alerting):
            Fields(
                type: "position",
                topic: topic.name,
                position: position.map { "\($0)" },
                alerting: alerting
            )
        case .error(let topic, let problem):
            Fields(type: "error", topic: topic, problem: problem.members)
        case .event(let topic, let event, let alerting):
            Fields(
                type: "event",
                topic: topic.name,
                position: "\(event.envelope.position)",
                kind: event.envelope.kind,
                subject: event.envelope.subject,
                time: event.envelope.time,
                owner: event.owner,
                isPrivate: event.entry == nil ? true : nil,
                alerting: alerting
            )
        }
    }
}
