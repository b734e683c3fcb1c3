// SPDX-License-Identifier: Apache-2.0
/// What can happen in the chat of a session.
public enum ChatEvent: Hashable, Sendable {
    case messageSent(ChatMessageSent)
    case attachmentAdded(ChatAttachmentAdded)
    case messageRejected(ChatMessageRejected)
    case messageDelivered(ChatMessageDelivered)
    case messageSeen(ChatMessageSeen)

    /// The payload inside the case.
    public var payload: any EventPayload {
        switch self {
        case .messageSent(let payload): payload
        case .attachmentAdded(let payload): payload
        case .messageRejected(let payload): payload
        case .messageDelivered(let payload): payload
        case .messageSeen(let payload): payload
        }
    }
}
