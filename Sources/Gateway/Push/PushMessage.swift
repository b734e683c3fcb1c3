// SPDX-License-Identifier: Apache-2.0
import Commands
import Crypto
import Events
import Foundation

/// What a phone is told, spelt as the source document spells it (Video, iteration 1), and ruling 27.
///
/// No person, no text and no name of anything: who reads a locked screen learns that the centre asks.
struct PushMessage: Encodable, Hashable {
    let data: Content

    struct Content: Encodable, Hashable {
        /// `video_call`, `location` or `chat`.
        let messageType: String
        /// When the session was opened: an RFC 3339 time in UTC.
        let sessionCreatedTimestamp: String
        /// How long after that it is worth anything: `HH:MM:SS`.
        let sessionTimeLimit: String

        private enum CodingKeys: String, CodingKey {
            case messageType = "message_type"
            case sessionCreatedTimestamp = "session_created_timestamp"
            case sessionTimeLimit = "session_time_limit"
        }
    }

    init(_ topic: PushTopic, sessionCreatedAt created: Timestamp) {
        let limit = max(0, Int((topic.expiresAt - created) / .seconds(1)))
        let parts = [limit / 3_600, limit / 60 % 60, limit % 60].map { number in
            number < 10 ? "0\(number)" : "\(number)"
        }
        data = Content(
            messageType: topic.template.rawValue,
            sessionCreatedTimestamp: created.description,
            sessionTimeLimit: parts.joined(separator: ":")
        )
    }

    /// The header `Topic`: while the phone is out of reach, a newer message on a session replaces an older one.
    static func topicName(_ template: PushTopic.Template, in session: SessionID) -> String {
        let digest = SHA256.hash(data: Data("\(session) \(template.rawValue)".utf8))
        return Data(digest.prefix(24)).base64URL
    }
}
