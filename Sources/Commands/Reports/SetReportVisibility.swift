// SPDX-License-Identifier: Apache-2.0
public import Events

/// Says whether everybody may see a report, or a photo of it.
public struct SetReportVisibility: Command {
    public let report: ReportID
    public let setting: ReportVisibilitySet

    public init(of report: ReportID, _ setting: ReportVisibilitySet) {
        (self.report, self.setting) = (report, setting)
    }

    /// Why it stays as it is.
    public enum Refusal: CommandRefusal {
        case unknown(ReportID)
        case unknownPhoto(ReportID)
        case notAgreed(ReportID)

        public var problem: Problem {
            switch self {
            case .unknown(let id): .unknown(id, attempt: "changing what is public of the report")
            case .unknownPhoto(let id):
                Problem(
                    .notFound,
                    "report-photo-unknown",
                    "changing what is public refused: report \(id) has no such photo; look at it again",
                    facts: ["report": "\(id)"]
                )
            case .notAgreed(let id):
                Problem(
                    .conflict,
                    "report-photos-not-agreed",
                    "showing a photo of report \(id) to everybody refused: the reporter did not agree; show those of your own people",
                    facts: ["report": "\(id)"]
                )
            }
        }
    }

    public var subject: Subject { .report(report) }

    public func read(_ ledger: inout LedgerView) throws -> Report {
        try ledger.read(Report.self, report)
    }

    public func decide(
        _ state: Report,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        guard state.status != nil else { throw .unknown(report) }
        if let photo = setting.photo {
            guard state.staffPhotos.contains(photo) || state.photos.values.contains(photo) else {
                throw .unknownPhoto(report)
            }
            let consent = Report.Visible(part: .reporterPhotos, photo: nil)
            guard
                !setting.isPublic || state.staffPhotos.contains(photo)
                    || state.visibility[consent] == true
            else { throw .notAgreed(report) }
        }
        let visible = Report.Visible(part: setting.of, photo: setting.photo)
        guard state.visibility[visible] != setting.isPublic else { return .already(()) }
        return .record([.report(report, .visibilitySet(setting))])
    }
}
