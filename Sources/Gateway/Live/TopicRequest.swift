// SPDX-License-Identifier: Apache-2.0
import Events

/// A JSON frame of a live page.
enum TopicRequest: Sendable, Hashable {
    /// `{"type":"subscribe","topic":"desk","after":"1204"}`: tell what stands behind position 1204;
    /// without `after`, what comes from now on.
    case subscribe(Topic, after: LogPosition?)
    /// `{"type":"unsubscribe","topic":"desk"}`.
    case unsubscribe(Topic)
}

extension TopicRequest: Decodable {
    private struct Fields: Decodable {
        let type: String
        let topic: String
        var after: String?
    }

    /// - Throws: ``Problem`` in words for the page, or `DecodingError`.
    init(from decoder: any Decoder) throws {
        let fields = try Fields(from: decoder)
        func fault(_ words: String) -> Problem { Problem(.malformedJSON, detail: words) }
        guard let topic = Topic(fields.topic) else {
            throw fault("a topic is desk, me, reports, session/ID, incident/ID or stream/ID")
        }
        switch fields.type {
        case "subscribe":
            let after = try fields.after.map { text -> LogPosition in
                guard let position = LogPosition(text) else {
                    throw fault("after is the position of an event, as text")
                }
                return position
            }
            self = .subscribe(topic, after: after)
        case "unsubscribe": self = .unsubscribe(topic)
        default: throw fault("the type is subscribe or unsubscribe")
        }
    }
}
