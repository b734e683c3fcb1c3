// SPDX-License-Identifier: Apache-2.0
/// A rescuer moved the report along.
public struct ReportStatusChanged: EventPayload {
    public static let kind: Kind = "report.status_changed/1"

    public let from: ReportStatus
    public let to: ReportStatus
    public let by: UserID
    public let note: Sealed<String>?

    public init(from: ReportStatus, to: ReportStatus, by: UserID, note: Sealed<String>? = nil) {
        self.from = from
        self.to = to
        self.by = by
        self.note = note
    }
}
