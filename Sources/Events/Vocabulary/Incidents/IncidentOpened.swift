// SPDX-License-Identifier: Apache-2.0
/// An incident was opened, together with its first session.
public struct IncidentOpened: EventPayload {
    public static let kind: Kind = "incident.opened/1"

    /// The centre's word for it; `unclassified` at first.
    public let type: String
    /// 1 is the most urgent, 5 the least.
    public let priority: Int
    public let summary: Sealed<String>?

    public init(type: String, priority: Int, summary: Sealed<String>? = nil) {
        self.type = type
        self.priority = priority
        self.summary = summary
    }
}
