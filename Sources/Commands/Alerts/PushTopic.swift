// SPDX-License-Identifier: Apache-2.0
public import Events

/// What a push tells of, and until when that is worth knowing.
public struct PushTopic: Hashable, Sendable {
    public let template: Template
    public let expiresAt: Timestamp

    /// The `message_type` of the source document and of ruling 27; also the alert's template.
    public enum Template: String, Hashable, Sendable, CaseIterable {
        case videoCall = "video_call"
        case location
        case chat
    }

    /// Whole seconds that are left, at least one.
    func seconds(from now: Timestamp) -> Int {
        max(1, Int((expiresAt - now) / .seconds(1)))
    }
}

extension Session {
    /// The event of which a push would tell; `nil` if the session has none.
    public func event(behind cause: QueuePush.Cause) -> Cause? {
        switch cause {
        case .opening: contact?.cause
        case .request(let id): requests[id]?.cause
        case .message(let id): chat[id]?.cause
        }
    }

    /// What there is to tell the caller by push at a moment; `nil` once it is over.
    ///
    /// - Parameters:
    ///   - cause: What would be told.
    ///   - chatLife: How long a message of the centre is worth telling of.
    ///   - now: The moment.
    /// - Returns: What to tell, and until when it is worth that.
    public func topic(
        of cause: QueuePush.Cause,
        chatLife: Duration,
        at now: Timestamp
    ) -> PushTopic? {
        guard isOpen(at: now) else { return nil }
        switch cause {
        case .opening:
            guard !isStarted, let contact, let expiresAt = contact.expiresAt else { return nil }
            let template: PushTopic.Template = contact.channel == .video ? .videoCall : .chat
            return PushTopic(template: template, expiresAt: expiresAt)
        case .request(let id): return topic(of: id, at: now)
        case .message(let id):
            guard let message = chat[id], message.from == .operator,
                !message.deliveredTo.contains(.caller), chat.isUnseen(upTo: id, by: .caller)
            else { return nil }
            let topic = PushTopic(template: .chat, expiresAt: message.place.time + chatLife)
            return topic.expiresAt > now ? topic : nil
        }
    }

    private func topic(of id: RequestID, at now: Timestamp) -> PushTopic? {
        guard let request = requests[id], request.isPending(at: now),
            let expiresAt = request.expiresAt
        else { return nil }
        switch request.ask {
        case .startVideo: return PushTopic(template: .videoCall, expiresAt: expiresAt)
        case .sendLocation: return PushTopic(template: .location, expiresAt: expiresAt)
        // Who is to stop filming has the page open.
        case .stopVideo: return nil
        }
    }
}
