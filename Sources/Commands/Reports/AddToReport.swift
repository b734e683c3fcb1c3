// SPDX-License-Identifier: Apache-2.0
public import Events

/// Why nothing was added to a report.
public enum ReportAdditionRefusal: CommandRefusal {
    case unknown(ReportID)
    case reporterErased(ReportID)
    case full(ReportID, what: String, max: Int)
    case unacceptable(InputFault)

    public var problem: Problem {
        switch self {
        case .unknown(let id): .unknown(id, attempt: "adding to the report")
        case .reporterErased(let id):
            Problem(
                .gone,
                "report-erased",
                "adding to report \(id) refused: its reporter's data was erased; change its status instead",
                facts: ["report": "\(id)"]
            )
        case .full(let id, let what, let max):
            Problem(
                .conflict,
                "report-full",
                "adding to report \(id) refused: it has \(max) \(what); no more are taken",
                facts: ["report": "\(id)", "max": String(max)]
            )
        case .unacceptable(let fault): fault.problem
        }
    }
}

/// The report and its reporter, for what is added to it.
public struct ReportAdditionState {
    let report: Report
    let reporter: Person?

    init(_ report: ReportID, _ ledger: inout LedgerView) throws {
        self.report = try ledger.read(Report.self, report)
        reporter = try self.report.reporter.map { try ledger.read(Person.self, $0) }
    }

    /// Whose key encrypts what is added.
    func person() throws(ReportAdditionRefusal) -> PersonID {
        guard let reporter else { throw .unknown(report.id) }
        guard !reporter.isErased else { throw .reporterErased(report.id) }
        return reporter.id
    }
}

/// A photo joins a report; its encrypted bytes are on disk already.
public struct AddReportPhoto: Command {
    public let report: ReportID
    public let photo: ReportPhotoAdded

    public init(_ photo: ReportPhotoAdded, to report: ReportID) {
        (self.photo, self.report) = (photo, report)
    }

    /// The photo's blob: the first one's, if it came before.
    public typealias Outcome = SHA256Digest
    public typealias Refusal = ReportAdditionRefusal

    public var subject: Subject { .report(report) }

    public func read(_ ledger: inout LedgerView) throws -> ReportAdditionState {
        try ReportAdditionState(report, &ledger)
    }

    public func decide(
        _ state: ReportAdditionState,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Outcome> {
        _ = try state.person()
        if let number = photo.number {
            if let before = state.report.photos[number] { return .already(before) }
            try InputFault.check(
                (1...CommandLimits.photosMax).contains(number),
                "number",
                number,
                allowed: "1 to \(CommandLimits.photosMax)",
                else: Refusal.unacceptable
            )
        }
        let max = CommandLimits.photosOfReportMax
        guard state.report.photoCount < max else {
            throw .full(report, what: "photos", max: max)
        }
        return .record([.report(report, .photoAdded(photo))])
    }

    public func outcome(of recorded: [Write]) -> Outcome? {
        recorded.first(ReportPhotoAdded.self)?.payload.blob
    }
}

/// A rescuer writes how it goes.
public struct AddReportUpdate: Command {
    public let report: ReportID
    public let by: UserID
    public let text: String

    public init(_ text: String, by user: UserID, to report: ReportID) {
        (self.text, self.by, self.report) = (text, user, report)
    }

    public typealias Refusal = ReportAdditionRefusal

    public var subject: Subject { .report(report) }

    public func read(_ ledger: inout LedgerView) throws -> ReportAdditionState {
        try ReportAdditionState(report, &ledger)
    }

    public func decide(
        _ state: ReportAdditionState,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        let person = try state.person()
        try InputFault.check(
            text,
            "text",
            bytesMax: CommandLimits.noteBytesMax,
            else: Refusal.unacceptable
        )
        let max = CommandLimits.updatesOfReportMax
        guard state.report.updateCount < max else {
            throw .full(report, what: "updates", max: max)
        }
        let added = ReportUpdateAdded(by: by, text: .open(text, of: person))
        return .record([.report(report, .updateAdded(added))])
    }
}

extension Problem {
    /// There is no such report.
    static func unknown(_ report: ReportID, attempt: String) -> Problem {
        Problem(
            .notFound,
            "report-unknown",
            "\(attempt) refused: there is no report \(report); check the id",
            facts: ["report": "\(report)"]
        )
    }

    /// The report is over.
    static func over(_ report: ReportID, attempt: String) -> Problem {
        Problem(
            .conflict,
            "report-over",
            "\(attempt) report \(report) refused: it is over; submit a new report",
            facts: ["report": "\(report)"]
        )
    }
}
