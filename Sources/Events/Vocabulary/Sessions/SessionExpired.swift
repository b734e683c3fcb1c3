// SPDX-License-Identifier: Apache-2.0
/// Nothing was started within the limit; nothing can be started any more.
public struct SessionExpired: EventPayload {
    public static let kind: Kind = "session.expired/1"

    public let caller: PersonID
    public let reason: Reason

    public init(caller: PersonID, reason: Reason) {
        self.caller = caller
        self.reason = reason
    }

    public var links: [Subject] {
        [.person(caller)]
    }

    /// Why it ended by itself.
    public enum Reason: String, Codable, Hashable, Sendable, CaseIterable {
        case startLimit = "start_limit"
    }
}
