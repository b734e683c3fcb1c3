// SPDX-License-Identifier: Apache-2.0
/// This incident turned out to be part of another; its id means the other from now on.
///
/// Its sessions were linked to the other in the same append. Nothing of it is rewritten.
public struct IncidentMerged: EventPayload {
    public static let kind: Kind = "incident.merged/1"

    /// The incident that goes on.
    public let into: IncidentID
    /// The sessions that moved with it.
    public let sessions: [SessionID]
    public let reason: String

    public init(into: IncidentID, sessions: [SessionID], reason: String) {
        self.into = into
        self.sessions = sessions
        self.reason = reason
    }

    public var links: [SubjectLink] { [.member(.incident(into))] }
}
