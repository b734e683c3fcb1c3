// SPDX-License-Identifier: Apache-2.0
/// A session turned out not to belong to this incident.
///
/// Where it belongs now says the `incident.session_linked` in the same append.
public struct IncidentSessionUnlinked: EventPayload {
    public static let kind: Kind = "incident.session_unlinked/1"

    public let session: SessionID
    /// The incident to which it went.
    public let to: IncidentID
    public let reason: String

    public init(session: SessionID, to: IncidentID, reason: String) {
        self.session = session
        self.to = to
        self.reason = reason
    }

    public var links: [SubjectLink] { [.member(.session(session)), .about(.incident(to))] }
}
