// SPDX-License-Identifier: Apache-2.0
import Events

/// A frame that the gateway sends on `/chat`: names, order and values as the source document has
/// them (Emergency App, 0.2.2.2); `IncidentID` is the session (ruling 17).
enum ChatReply: Sendable, Hashable {
    /// The answer to `start_session`.
    case opened(SessionID)
    case failed
    /// The client may have no more of the session: it is another operator's now.
    case lost(SessionID)
    /// The other side is typing.
    case active(SessionID)
    /// A message of the other side; our clock's Unix seconds unless the sender gave a time. Its id only for clients that
    /// report what was seen.
    case message(
        SessionID,
        text: String,
        timestamp: String,
        temporaryMessageID: String,
        id: MessageID?
    )
    /// A picture of the other side, whose bytes come by HTTP; only for clients that report what was seen.
    case picture(SessionID, ChatAttachmentAdded, timestamp: String)
    /// The message is on disk: it will not get lost, and sending it again changes nothing.
    case delivered(SessionID, temporaryMessageID: String, MessageID)
    /// The message was not taken; `error` is shown to the user.
    case rejected(incidentID: String?, temporaryMessageID: String?, error: String)
    /// The other side has opened the chat and sees this message.
    case seen(SessionID, MessageID)

    /// The frame.
    var json: String {
        switch self {
        case .opened(let session):
            Self.object([("IncidentID", "\(session)"), ("Type", "session"), ("Status", "open")])
        case .failed:
            Self.object([("IncidentID", nil), ("Type", "session"), ("Status", "failed")])
        case .lost(let session):
            Self.object([("IncidentID", "\(session)"), ("Type", "session"), ("Status", "lost")])
        case .active(let session):
            Self.object([("IncidentID", "\(session)"), ("Type", "session"), ("Status", "active")])
        case .message(let session, let text, let timestamp, let temporaryID, let id):
            Self.object(
                [
                    ("IncidentID", "\(session)"), ("Type", "message"), ("Message", text),
                    ("Timestamp", timestamp), ("TempMessageID", temporaryID),
                ] + (id.map { [("MessageID", "\($0)")] } ?? [])
            )
        case .picture(let session, let picture, let timestamp):
            Self.object([
                ("IncidentID", "\(session)"), ("Type", "picture"), ("Timestamp", timestamp),
                ("TempMessageID", picture.temporaryID), ("MessageID", "\(picture.message)"),
                ("MediaType", picture.mediaType.rawValue), ("Width", "\(picture.width)"),
                ("Height", "\(picture.height)"),
            ])
        case .delivered(let session, let temporaryID, let message):
            Self.object([
                ("IncidentID", "\(session)"), ("Type", "message_report"),
                ("TempMessageID", temporaryID), ("MessageID", "\(message)"),
                ("Status", "delivered"), ("Error", ""),
            ])
        case .rejected(let incident, let temporaryID, let error):
            Self.object([
                ("IncidentID", incident), ("Type", "message_report"),
                ("TempMessageID", temporaryID), ("MessageID", nil), ("Status", "failed"),
                ("Error", error),
            ])
        case .seen(let session, let message):
            Self.object([
                ("IncidentID", "\(session)"), ("Type", "message_report"),
                ("MessageID", "\(message)"), ("Status", "seen"),
            ])
        }
    }

    /// An object with its members in the order of the source.
    private static func object(_ members: [(name: String, value: String?)]) -> String {
        let texts = members.map { member in
            "\"\(member.name)\":\(member.value.map(JSONText.quoted) ?? "null")"
        }
        return "{\(texts.joined(separator: ","))}"
    }
}
