// SPDX-License-Identifier: Apache-2.0
/// A side saw all messages up to this one.
public struct ChatMessageSeen: EventPayload {
    public static let kind: Kind = "chat.message_seen/1"

    public let upTo: MessageID
    public let by: Party

    public init(upTo: MessageID, by: Party) {
        self.upTo = upTo
        self.by = by
    }
}
