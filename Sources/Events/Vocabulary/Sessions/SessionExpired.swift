// SPDX-License-Identifier: Apache-2.0
/// Nothing was started within the limit; nothing can be started any more.
public struct SessionExpired: EventPayload {
    public static let kind: Kind = "session.expired/1"

    public let caller: PersonID
    /// Who owned it when it ended.
    public let owner: UserID?
    public let reason: Reason

    public init(caller: PersonID, owner: UserID? = nil, reason: Reason) {
        self.caller = caller
        self.owner = owner
        self.reason = reason
    }

    public var links: [SubjectLink] {
        [.caller(.person(caller))] + (owner.map { [.owner(.user($0))] } ?? [])
    }

    /// Why it ended by itself.
    public enum Reason: String, Codable, Hashable, Sendable, CaseIterable {
        case startLimit = "start_limit"
    }
}
