// SPDX-License-Identifier: Apache-2.0
/// The caller answered, or the request became stale.
public struct SessionRequestAnswered: EventPayload {
    public static let kind: Kind = "session.request_answered/1"

    public let request: RequestID
    public let answer: Answer

    public init(request: RequestID, answer: Answer) {
        self.request = request
        self.answer = answer
    }

    /// How it ended.
    public enum Answer: String, Codable, Hashable, Sendable, CaseIterable {
        case accepted
        case declined
        case stale
    }
}
