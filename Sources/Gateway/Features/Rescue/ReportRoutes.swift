// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import HTTPTypes
import Hummingbird
import Projections

/// The routes of field reports: submitting one, finding them, and moving one along.
struct ReportRoutes: Sendable {
    let ledger: Ledger
    private let gate: PictureGate

    init(ledger: Ledger) {
        self.ledger = ledger
        gate = PictureGate(ledger.configuration.limits)
    }

    /// Whether somebody still has something to do with a report.
    private enum State: String, CaseIterable {
        case active, past
    }

    /// Rows that are looked through for one page of what a rescuer may see.
    private static let rowsPerPageMax = 5_000

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
                for: Self.rescuers,
                changeStatus
            ),
            Route(.post, "/v1/reports/:id/updates", for: Self.rescuers, addUpdate),
            Route(.post, "/v1/reports/:id/photos", for: Self.rescuers, addPhoto),
            Route(.post, "/v1/reports/:id/assign", for: .deskAndAbove, assign),
            Route(
                .get,
                "/v1/reports/:id/photos/:photo",
                for: AgencyRoutes.readers,
                reads: "report-photo",
                photo
            ),
        ] + care + exports
    }

    /// Who moves reports along.
    static let rescuers: Askers = [
        .rescuer, .operator, .supervisor, .organisationAdmin, .admin,
    ]

    private func submit(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let request = try await ledger.command(
            request,
            context
        )
        let body: ReportRequest = try request.decoded()
        var command = SubmitReport(
            by: try ledger.personBehind(request.asker.principal),
            at: body.fix,
            species: body.species,
            sizeClass: body.sizeClass,
            condition: body.condition,
            notes: body.notes,
            contact: body.contact,
            photos: body.photos ?? [],
            publishesPhotos: body.publishPhotos ?? false
        )
        try command.check()
        command.assignment =
            AgencyChoice(
                for: body.fix,
                body.species,
                among: try await ledger.agencies(of: request.asker.organisation)
            )?.assigned(at: body.fix)
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
        let right: Right = { try $0.requireRescuer(of: report, $1) }
        try right(ledger.rights, request.asker)
        let user = try request.asker.requireUser()
        let body: StatusRequest = try request.decoded()
        let command = ChangeReportStatus(of: report, to: body.to, by: user, note: body.note)
        return try await ledger.answer(command, request, if: right)
    }

    private func addUpdate(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let report: ReportID = try context.id()
        let request = try await ledger.command(request, context, about: .report(report))
        let right: Right = { try $0.requireRescuer(of: report, $1) }
        try right(ledger.rights, request.asker)
        let body: UpdateRequest = try request.decoded()
        let command = AddReportUpdate(
            body.text,
            by: try request.asker.requireUser(),
            to: report
        )
        return try await ledger.answer(command, request, if: right, status: .created) {
            NoOutcome()
        }
    }

    private func addPhoto(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let report: ReportID = try context.id()
        let principal = try context.signedIn()
        return try await gate.pass(of: principal.holder) {
            let command = try await ledger.command(
                request,
                context,
                about: .report(report),
                content: .bytes(
                    max: context.limits.pictureBytes,
                    within: context.limits.pictureArrival
                )
            )
            let right: Right = { try $0.requireRescuer(of: report, $1) }
            let (body, isNew) = try await ReportPhotos(ledger: ledger).add(
                command.bytes,
                to: report,
                by: try command.asker.requireUser(),
                ledger.context(of: command, if: right)
            )
            return try .json(body, status: isNew ? .created : .ok)
        }
    }

    private func assign(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let report: ReportID = try context.id()
        let request = try await ledger.command(request, context, about: .report(report))
        let right: Right = { try $0.requireInReach(.report(report), of: $1) }
        try right(ledger.rights, request.asker)
        let body: AssignRequest = try request.decoded()
        let known = try ledger.handler.current(Report.self, report)
        guard let submitted = known.submitted else { throw AssignReport.Refusal.unknown(report) }
        let place = try submitted.fix.opened(with: ledger.keys.unrecorded(.compared)).value
        let assignment = ReportAssigned(
            agency: body.agency,
            rule: .manual,
            cell: known.assignment?.fact.cell ?? place?.cell ?? "",
            by: try request.asker.requireUser(),
            reason: body.reason.map { .open($0, of: submitted.reporter) }
        )
        return try await ledger.answer(AssignReport(report, assignment), request, if: right)
    }

    private func photo(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let reader = try context.signedIn()
        let id: ReportID = try context.id()
        try await ledger.awaitLevel(request, of: "reports")
        let (report, _) = try await seen(id, by: reader)
        guard let name = context.parameters.get("photo").flatMap({ SHA256Digest($0) }),
            let photo = try await ledger.readModels.reports.photos(of: [report.id])[report.id]?
                .first(where: { $0.blob == name })
        else { throw Problem(.notFound, detail: "report \(id) has no such photo") }
        _ = try await ledger.keys(toRead: .report(id), context, fields: ["photo"])
        let seat = try context.answerSeat()
        guard let length = try await ledger.blobs.length(photo.blob, of: photo.person) else {
            throw Problem.pictureErased
        }
        let pieces = PictureAnswer(
            blobs: ledger.blobs,
            blob: photo.blob,
            person: photo.person,
            length: length,
            pieceBytes: context.limits.picturePieceBytes,
            stillMay: { [ledger] in try await ledger.stillSignedIn(reader) }
        )
        return Response(
            status: .ok,
            headers: [
                .contentType: photo.mediaType.rawValue,
                .cacheControl: "private, no-store",
                .contentSecurityPolicy: "default-src 'none'; sandbox",
            ],
            body: pieces.body(holding: seat)
        )
    }

    /// A report that somebody may see.
    ///
    /// - Throws: 404 for one that is not there, or is not theirs to see.
    func seen(
        _ id: ReportID,
        by reader: Principal
    ) async throws -> (FieldReport, RescuerSight) {
        let sight = try await RescuerSight(of: reader, in: ledger)
        let comparing = ledger.keys.unrecorded(.compared)
        guard let report = try await ledger.readModels.reports.report(id, in: reader.scope),
            try reader.seesAllReports
                ? sight.sees(report, keys: comparing) : isOwn(report, of: reader)
        else {
            throw Problem(.notFound, detail: "there is no report \(id); check the id")
        }
        return (report, sight)
    }

    private func show(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let principal = try context.signedIn()
        let id: ReportID = try context.id()
        try await ledger.awaitLevel(request, of: "reports")
        let (report, sight) = try await seen(id, by: principal)
        let reports = ledger.readModels.reports
        let history = try await reports.history(of: id)
        let photos = try await reports.photos(of: [id])[id] ?? []
        let keys = try await ledger.keys(
            toRead: .report(id),
            context,
            fields: ["fix", "notes", "contact"]
        )
        var body = try body(of: report, photos, sight, keys)
        // What rescuers write for one another is not the reporter's.
        guard principal.seesAllReports else { return try .json(body, revision: report.revision) }
        (body.duplicates, body.possibleDuplicates) = try await same(
            as: report,
            for: principal,
            sight,
            keys
        )
        body.history = try history.map { try ReportChangeBody($0, keys: keys) }
        body.updates = try await reports.updates(of: id).map {
            try ReportUpdateBody($0, keys: keys)
        }
        body.assignments = try await reports.assignments(of: id).map {
            try ReportAssignmentBody($0, to: agencyName($0.agency), keys: keys)
        }
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
        let reach = try request.number("withinMetres", default: 48_280, in: 1...20_100_000)
        try await ledger.awaitLevel(request, of: "reports")
        let reports = ledger.readModels.reports
        let sight = try await RescuerSight(of: principal, in: ledger)
        let keys = try await ledger.keys(
            toRead: Subject(unchecked: "reports/\(principal.organisation)"),
            context,
            fields: ["fix", "notes", "contact"]
        )
        if let centre {
            let near = try await reports.reports(
                near: centre,
                withinMetres: Double(reach),
                in: principal.scope,
                filter,
                keys: keys
            ) { try sight.sees($0, keys: keys) }
            let photos = try await reports.photos(of: near.map(\.report.id))
            let items = try near.map {
                try body(of: $0.report, photos[$0.report.id] ?? [], sight, keys, from: $0.metres)
            }
            return try .json(PageBody(items: items))
        }
        let (found, next) = try await seen(filter, by: principal, sight, keys)
        let photos = try await reports.photos(of: found.map(\.id))
        return try .list(FullPage(rows: found, next: next), at: \.submittedPosition) {
            try body(of: $0, photos[$0.id] ?? [], sight, keys)
        }
    }

    /// A page of the reports that somebody may see, and where the next one begins.
    func seen(
        _ filter: Reports.Filter,
        by reader: Principal,
        _ sight: RescuerSight,
        _ keys: ReadingKeys
    ) async throws -> ([FieldReport], next: LogPosition?) {
        var (seen, page, looked): ([FieldReport], Reports.Filter, Int) = ([], filter, 0)
        page.limit = max(filter.limit, 100)
        while looked < Self.rowsPerPageMax {
            let rows = try await ledger.readModels.reports.reports(page, in: reader.scope)
            for row in rows where try sight.sees(row, keys: keys) {
                seen.append(row)
                if seen.count == filter.limit { return (seen, row.submittedPosition) }
            }
            guard rows.count == page.limit, let last = rows.last else { return (seen, nil) }
            page.before = last.submittedPosition
            looked += rows.count
        }
        return (seen, page.before)
    }

    private func body(
        of report: FieldReport,
        _ photos: [ReportPhoto],
        _ sight: RescuerSight,
        _ keys: ReadingKeys,
        from metres: Double? = nil
    ) throws -> ReportBody {
        try ReportBody(
            report,
            of: report.agency.map(agencyName),
            isMine: sight.isMine(report),
            photos,
            keys: keys,
            metresAway: metres ?? sight.metres(to: report.fix.opened(with: keys).value),
            isForStaff: sight.isOfStaff
        )
    }

    func agencyName(_ id: AgencyID) throws -> AgencyName {
        let definition = try ledger.handler.current(Agency.self, id).definition
        return AgencyName(id: id, name: definition?.name ?? "\(id)")
    }

    func filter(_ request: Request, _ principal: Principal) throws -> Reports.Filter {
        var filter = Reports.Filter()
        let status: ReportStatus? = try request.word("status")
        filter.statuses = status.map { [$0] }
        filter.species = request.text("species")
        let state: State? = try request.word("state")
        filter.isOpen = state.map { $0 == .active }
        filter.submittedFrom = try request.time("from")
        filter.submittedBefore = try request.time("until")
        filter.reporter = principal.seesAllReports ? nil : try ledger.personBehind(principal)
        if let begin = principal.past.begin {
            filter.submittedFrom = filter.submittedFrom.map { max($0, begin) } ?? begin
        }
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
    var seesAllReports: Bool {
        switch role {
        case .rescuer, .operator, .supervisor, .auditor, .organisationAdmin, .admin, .service: true
        case .caller, .reporter, .guard, .analyst: false
        }
    }
}
