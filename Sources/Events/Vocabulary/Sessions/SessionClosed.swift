// SPDX-License-Identifier: Apache-2.0
/// The session ended; it takes no message and no video any more.
public struct SessionClosed: EventPayload {
    public static let kind: Kind = "session.closed/1"

    public let caller: PersonID
    public let by: Party
    /// Who owned it when it ended.
    public let owner: UserID?
    /// How it ended, in the centre's words, such as `handled`.
    public let disposition: String
    public let note: Sealed<String>?

    public init(
        caller: PersonID,
        by: Party,
        owner: UserID? = nil,
        disposition: String,
        note: Sealed<String>? = nil
    ) {
        self.caller = caller
        self.by = by
        self.owner = owner
        self.disposition = disposition
        self.note = note
    }

    public var links: [SubjectLink] {
        [.caller(.person(caller))] + (owner.map { [.owner(.user($0))] } ?? [])
    }
}
