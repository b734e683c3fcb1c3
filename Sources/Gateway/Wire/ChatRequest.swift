// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
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
    /// Which of the three quick responses a caller's message is: an addition of ours.
    let quickResponse: ChatQuickResponseChosen.Service?
    /// By which way an operator wants the message to go: an addition of ours.
    let via: AnswerWay?

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
        case quickResponse = "QuickResponse"
        case via = "Via"
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
        quickResponse = try members.decodeIfPresent(
            ChatQuickResponseChosen.Service.self,
            forKey: .quickResponse
        )
        via = try members.decodeIfPresent(AnswerWay.self, forKey: .via)
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
    /// reader of JSON takes: those are passed over here, and so is all but ASCII where too many marks stand in a row. No page sends
    /// a frame longer than ``GatewayLimits/namedFrameBytes``, and nobody looks for a name in one.
    init(in frame: String) {
        self.init()
        guard frame.utf8.count <= GatewayLimits.namedFrameBytes else { return }
        do {
            self = try JSONBody.value(in: Self.readable(Array(frame.utf8)))
        } catch {
            // It is no object: it names nothing.
            return
        }
    }

    private static func readable(_ frame: [UInt8]) -> Data {
        let isSound = OutsideText.isSound(json: frame)
        var readable = Data(capacity: frame.count)
        var rest = frame[...]
        while let byte = rest.first {
            let piece = rest.prefix(length(of: rest))
            rest = rest.dropFirst(piece.count)
            let isKept = piece.count == 6 ? isSound && !isHalf(piece) : isSound || byte < 0x80
            if isKept { readable.append(contentsOf: piece) } else { readable.append(replacement) }
        }
        return readable
    }

    private static let replacement = UInt8(ascii: "?")

    /// Bytes of what stands first: a character that is escaped, or one byte.
    private static func length(of rest: ArraySlice<UInt8>) -> Int {
        guard rest.first == UInt8(ascii: "\\") else { return 1 }
        return rest.dropFirst().first == UInt8(ascii: "u") ? 6 : 2
    }

    /// Whether an escape stands for half of a character, U+D800 to U+DFFF.
    private static func isHalf(_ escape: ArraySlice<UInt8>) -> Bool {
        let digits = escape.dropFirst(2)
        guard let first = digits.first, let second = digits.dropFirst().first else { return false }
        return "dD".utf8.contains(first) && "89abcdefABCDEF".utf8.contains(second)
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
