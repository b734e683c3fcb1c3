// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import HTTPTypes
import Hummingbird
import Projections

/// The routes of field reports: submitting one, finding them, and moving one along.
struct ReportRoutes: Sendable {
    let ledger: Ledger

    /// How far a rescuer sees around the team, unless the query says less: 30 miles (source S2).
    static let rescuerReachMetres = 48_280

    var routes: [Route] {
        [
            Route(
                .post,
                "/v1/reports",
                for: [
                    .reporter, .caller, .guard, .rescuer, .operator, .supervisor,
                    .organisationAdmin, .admin,
                ],
                submit
            ),
            Route(
                .get,
                "/v1/reports",
                for: [
                    .reporter, .caller, .guard, .rescuer, .operator, .supervisor, .auditor,
                    .organisationAdmin, .admin, .service,
                ],
                reads: "report-list",
                list
            ),
            Route(
                .get,
                "/v1/reports/:id",
                for: Askers([
                    .rescuer, .operator, .supervisor, .auditor, .organisationAdmin, .admin,
                    .service,
                ]).orOwner(as: .reporter, .caller, .guard),
                reads: "report",
                show
            ),
            Route(
                .post,
                "/v1/reports/:id/status",
                for: [.rescuer, .operator, .supervisor, .organisationAdmin, .admin],
                changeStatus
            ),
        ]
    }

    private func submit(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let request = try await ledger.command(
            request,
            context
        )
        let body: ReportRequest = try request.decoded()
        let command = SubmitReport(
            by: try ledger.personBehind(request.asker.principal),
            at: body.fix,
            species: body.species,
            sizeClass: body.sizeClass,
            condition: body.condition,
            notes: body.notes,
            contact: body.contact,
            photos: body.photos ?? []
        )
        return try await ledger.answer(command, request, status: .created) { id in
            ["report": "\(id)"]
        }
    }

    private func changeStatus(
        _ request: Request,
        _ context: GatewayContext
    ) async throws -> Response {
        let report: ReportID = try context.id()
        let request = try await ledger.command(
            request,
            context,
            about: .report(report)
        )
        try ledger.rights.requireInReach(.report(report), of: request.asker)
        guard let user = request.asker.user else {
            throw Problem(.forbidden, detail: "a status is changed by a user, not by a device")
        }
        let body: StatusRequest = try request.decoded()
        let command = ChangeReportStatus(of: report, to: body.to, by: user, note: body.note)
        return try await ledger.answer(command, request)
    }

    private func show(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let principal = try context.signedIn()
        let id: ReportID = try context.id()
        try await ledger.awaitLevel(request, of: "reports")
        guard let report = try await ledger.readModels.reports.report(id, in: principal.scope),
            try principal.seesAllReports || isOwn(report, of: principal)
        else {
            throw Problem(.notFound, detail: "there is no report \(id); check the id")
        }
        let history = try await ledger.readModels.reports.history(of: id)
        let keys = try await ledger.keys(
            toRead: .report(id),
            context,
            fields: ["fix", "notes", "contact"]
        )
        var body = try ReportBody(report, keys: keys)
        body.history = try history.map { try ReportChangeBody($0, keys: keys) }
        return try .json(body, revision: report.revision)
    }

    /// Whether somebody made a report, on this phone or while it was theirs (ruling 39).
    private func isOwn(_ report: FieldReport, of principal: Principal) throws -> Bool {
        guard try report.reporter == ledger.personBehind(principal) else { return false }
        guard let begin = principal.past.begin else { return true }
        return report.submittedAt >= begin
    }

    private func list(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let principal = try context.signedIn()
        let filter = try filter(request, principal)
        let centre = try request.centre("near")
        let reach = try request.number(
            "withinMetres",
            default: Self.rescuerReachMetres,
            in: 1...20_100_000
        )
        try await ledger.awaitLevel(request, of: "reports")
        let reports = ledger.readModels.reports
        let keys = try await ledger.keys(
            toRead: Subject(unchecked: "reports/\(principal.organisation)"),
            context,
            fields: ["fix", "notes", "contact"]
        )
        let answer: Response
        if let centre {
            let items = try await reports.reports(
                near: centre,
                withinMetres: Double(reach),
                in: principal.scope,
                filter,
                keys: keys
            ).map { try ReportBody($0.report, keys: keys, metresAway: $0.metres) }
            answer = try .json(PageBody(items: items))
        } else {
            let found = try await reports.reports(filter, in: principal.scope)
            let next = found.count == filter.limit ? found.last?.submittedPosition : nil
            answer = try .list(FullPage(rows: found, next: next), at: \.submittedPosition) {
                try ReportBody($0, keys: keys)
            }
        }
        return answer
    }

    private func filter(_ request: Request, _ principal: Principal) throws -> Reports.Filter {
        var filter = Reports.Filter()
        let status: ReportStatus? = try request.word("status")
        filter.statuses = status.map { [$0] }
        filter.species = request.text("species")
        filter.reporter = principal.seesAllReports ? nil : try ledger.personBehind(principal)
        filter.submittedFrom = principal.past.begin
        filter.before = try request.cursor("before", in: ledger.log)?.position
        filter.limit = try request.number(
            "limit",
            default: 100,
            in: 1...ProjectionLimits.listRowsMax
        )
        return filter
    }
}

extension Principal {
    /// Whether the role sees reports of other people.
    fileprivate var seesAllReports: Bool {
        switch role {
        case .rescuer, .operator, .supervisor, .auditor, .organisationAdmin, .admin, .service: true
        case .caller, .reporter, .guard, .analyst: false
        }
    }
}
