// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A frame that a client sends on `/chat`, spelt as the source document has it (Emergency App,
/// 0.2.2.2), with the `Token` of ruling 16.
struct ChatRequest: Decodable, Sendable, Hashable {
    /// `start_session`, `session`, `message` or `message_report`.
    let type: String
    /// The session; an incident's id is taken, too (ruling 17).
    let incidentID: String?
    let status: String?
    let message: String?
    /// Kept as it came, a number in its digits; never ordered by.
    let timestamp: String?
    let temporaryMessageID: String?
    let messageID: String?
    /// Needed in the first frame unless the upgrade had a Bearer header.
    let token: String?
    /// `reported` in `start_session`: the client says itself what was seen, and is told the ids of messages for it.
    ///
    /// An addition of ours; without it what is delivered counts as seen, as the source has it.
    let seen: String?

    fileprivate enum Member: String, CodingKey {
        case type = "Type"
        case incidentID = "IncidentID"
        case status = "Status"
        case message = "Message"
        case timestamp = "Timestamp"
        case temporaryMessageID = "TempMessageID"
        case messageID = "MessageID"
        case token = "Token"
        case seen = "Seen"
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Member.self)
        type = try members.decode(String.self, forKey: .type)
        incidentID = try members.decodeIfPresent(String.self, forKey: .incidentID)
        status = try members.decodeIfPresent(String.self, forKey: .status)
        message = try members.decodeIfPresent(String.self, forKey: .message)
        temporaryMessageID = try members.decodeIfPresent(String.self, forKey: .temporaryMessageID)
        messageID = try members.decodeIfPresent(String.self, forKey: .messageID)
        token = try members.decodeIfPresent(String.self, forKey: .token)
        seen = try members.decodeIfPresent(String.self, forKey: .seen)
        do {
            timestamp = try members.decodeIfPresent(String.self, forKey: .timestamp)
        } catch {
            timestamp = String(try members.decode(Int64.self, forKey: .timestamp))
        }
    }
}

extension ChatRequest {
    /// What a frame is about, as far as it says so: also of one that cannot be taken, so that its sender knows which.
    struct Name: Sendable, Hashable {
        var incidentID: String?
        var temporaryMessageID: String?
    }

    var name: Name { Name(incidentID: incidentID, temporaryMessageID: temporaryMessageID) }
}

extension ChatRequest.Name: Decodable {
    /// Finds it in a frame that could not be read.
    ///
    /// A browser cuts an emoji in two where a text has as many characters as it may, and writes each half as an escape that no
    /// reader of JSON takes: those are passed over here.
    init(in frame: String) {
        let readable = frame.replacing(#/\\u[dD][89a-fA-F][0-9a-fA-F]{2}/#, with: "?")
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(readable.utf8))
        } catch {
            // It is no object: it names nothing.
            self.init()
        }
    }

    /// Takes each member that is a text, whatever the others are.
    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: ChatRequest.Member.self)
        func text(_ member: ChatRequest.Member) -> String? {
            do { return try members.decode(String.self, forKey: member) } catch { return nil }
        }
        incidentID = text(.incidentID)
        temporaryMessageID = text(.temporaryMessageID)
    }
}
