// SPDX-License-Identifier: Apache-2.0
/// This incident is one of its own again.
///
/// The sessions that had moved with it, and did not move on, were linked to it in the same append.
public struct IncidentUnmerged: EventPayload {
    public static let kind: Kind = "incident.unmerged/1"

    /// The incident that it had been merged into.
    public let from: IncidentID
    /// The sessions that came back.
    public let sessions: [SessionID]
    public let reason: String

    public init(from: IncidentID, sessions: [SessionID], reason: String) {
        self.from = from
        self.sessions = sessions
        self.reason = reason
    }

    public var links: [SubjectLink] { [.member(.incident(from))] }
}
