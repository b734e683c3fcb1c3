// SPDX-License-Identifier: Apache-2.0
/// A session came to belong to this incident.
public struct IncidentSessionLinked: EventPayload {
    public static let kind: Kind = "incident.session_linked/1"

    public let session: SessionID
    /// The incident it belonged to before.
    public let from: IncidentID?
    public let reason: String

    public init(session: SessionID, from: IncidentID? = nil, reason: String) {
        self.session = session
        self.from = from
        self.reason = reason
    }

    public var links: [SubjectLink] {
        [.member(.session(session))] + (from.map { [.about(.incident($0))] } ?? [])
    }
}
