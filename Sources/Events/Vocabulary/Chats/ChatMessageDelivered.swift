// SPDX-License-Identifier: Apache-2.0
/// A message reached the other side.
public struct ChatMessageDelivered: EventPayload {
    public static let kind: Kind = "chat.message_delivered/1"

    public let message: MessageID
    public let to: Party

    public init(message: MessageID, to: Party) {
        self.message = message
        self.to = to
    }
}
