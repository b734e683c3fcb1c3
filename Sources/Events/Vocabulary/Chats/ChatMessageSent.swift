// SPDX-License-Identifier: Apache-2.0
/// A message was accepted.
public struct ChatMessageSent: EventPayload {
    public static let kind: Kind = "chat.message_sent/1"

    public let message: MessageID
    /// The sender's own id for it, unique per sender.
    public let temporaryID: String
    public let from: Party
    public let text: Sealed<String>
    /// As the client wrote it; never ordered by (ruling 16).
    public let clientTimestamp: String
    public let channel: Channel

    public init(
        message: MessageID,
        temporaryID: String,
        from: Party,
        text: Sealed<String>,
        clientTimestamp: String,
        channel: Channel
    ) {
        self.message = message
        self.temporaryID = temporaryID
        self.from = from
        self.text = text
        self.clientTimestamp = clientTimestamp
        self.channel = channel
    }

    /// How it arrived.
    public enum Channel: String, Codable, Hashable, Sendable, CaseIterable {
        case webSocket = "websocket"
        case http
    }
}
