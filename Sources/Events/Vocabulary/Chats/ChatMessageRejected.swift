// SPDX-License-Identifier: Apache-2.0
/// A message was not accepted.
public struct ChatMessageRejected: EventPayload {
    public static let kind: Kind = "chat.message_rejected/1"

    public let temporaryID: String
    public let from: Party
    public let reason: String

    public init(temporaryID: String, from: Party, reason: String) {
        self.temporaryID = temporaryID
        self.from = from
        self.reason = reason
    }
}
