// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import HTTPTypes
import Hummingbird
import Projections

/// Which reports are about the same animal, to which incident one belongs, what the public may see of them, and all that happened to one.
extension ReportRoutes {
    var care: [Route] {
        [
            Route(.put, "/v1/reports/:id/duplicate", for: Self.rescuers, join),
            Route(.delete, "/v1/reports/:id/duplicate", for: Self.rescuers, separate),
            Route(.put, "/v1/reports/:id/incident", for: .deskAndAbove, attach),
            Route(.delete, "/v1/reports/:id/incident", for: .deskAndAbove, detach),
            Route(.put, "/v1/reports/:id/visibility", for: Self.rescuers, setVisibility),
            Route(
                .get,
                "/v1/reports/:id/timeline",
                for: .readersOfTheCentre,
                reads: "timeline",
                timeline
            ),
        ]
    }

    /// How near and how soon after one another two reports of the same kind of animal may be about one.
    private static let sameMetres = 500.0
    private static let sameTime = Duration.seconds(6 * 3_600)
    private static let sameMax = 10

    private func join(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let id: ReportID = try context.id()
        let request = try await ledger.command(request, context, about: .report(id))
        try ledger.rights.requireRescuer(of: id, request.asker)
        let body: DuplicateRequest = try request.decoded()
        return try await join(id, to: body.of, request)
    }

    private func separate(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let id: ReportID = try context.id()
        let request = try await ledger.command(request, context, about: .report(id))
        return try await join(id, to: nil, request)
    }

    private func join(
        _ report: ReportID,
        to other: ReportID?,
        _ request: CommandRequest
    ) async throws -> Response {
        let right: Right = { try $0.requireRescuer(of: report, $1) }
        try right(ledger.rights, request.asker)
        // Nobody learns by joining whether there is a report that they may not see.
        if let other { _ = try await seen(other, by: request.asker.principal) }
        let command = JoinReport(report, to: other, by: try request.asker.requireUser())
        return try await ledger.answer(command, request, if: right)
    }

    private func attach(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let id: ReportID = try context.id()
        let request = try await ledger.command(request, context, about: .report(id))
        try ledger.rights.requireInReach(.report(id), of: request.asker)
        let body: AttachRequest = try request.decoded()
        let incident = try ledger.incident(named: body.incident)
        return try await attach(id, to: incident, request)
    }

    private func detach(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let id: ReportID = try context.id()
        let request = try await ledger.command(request, context, about: .report(id))
        return try await attach(id, to: nil, request)
    }

    private func attach(
        _ report: ReportID,
        to incident: IncidentID?,
        _ request: CommandRequest
    ) async throws -> Response {
        // Who may write about an incident says what belongs to it, and what does no longer.
        let right: Right = { rights, asker in
            try rights.requireInReach(.report(report), of: asker)
            let left = try rights.states.current(Report.self, report).incident
            for incident in [left, incident].compactMap(\.self) {
                try rights.requireWriter(incident, which: incident, asker)
            }
        }
        try right(ledger.rights, request.asker)
        let command = AttachReport(report, to: incident, by: try request.asker.requireUser())
        return try await ledger.answer(command, request, if: right)
    }

    private func setVisibility(
        _ request: Request,
        _ context: GatewayContext
    ) async throws -> Response {
        let id: ReportID = try context.id()
        let request = try await ledger.command(request, context, about: .report(id))
        try ledger.rights.requireRescuer(of: id, request.asker)
        let body: VisibilityRequest = try request.decoded()
        let right: Right = { rights, asker in
            try rights.requireRescuer(of: id, asker)
            let report = try rights.states.current(Report.self, id)
            let isStaffs = body.photo.map(report.staffPhotos.contains) ?? false
            let moderates = Askers.supervision.roles?.contains(asker.role) ?? false
            guard moderates || isStaffs else {
                throw Problem(
                    .forbidden,
                    detail:
                        "what the public sees of a reporter's words and photos is a supervisor's to say"
                )
            }
        }
        try right(ledger.rights, request.asker)
        let setting = ReportVisibilitySet(
            of: body.photo == nil ? .report : .photo,
            photo: body.photo,
            isPublic: body.isPublic,
            by: try request.asker.requireUser()
        )
        return try await ledger.answer(SetReportVisibility(of: id, setting), request, if: right)
    }

    private func timeline(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let id: ReportID = try context.id()
        try ledger.rights.requireThere(.report(id), for: try context.signedIn())
        return try await ledger.timeline(of: CaseReference(id), .report(id), request, context)
    }

    /// The reports that were joined to one, and those that may be about the same animal, as far as the reader sees them.
    func same(
        as report: FieldReport,
        for reader: Principal,
        _ sight: RescuerSight,
        _ keys: ReadingKeys
    ) async throws -> (joined: [ReportID], possible: [ReportNearby]) {
        let reports = ledger.readModels.reports
        let joined = try await reports.joined(to: report.id, in: reader.scope)
            .filter { try sight.sees($0, keys: keys) }
            .map(\.id)
        guard let fix = try report.fix.opened(with: keys).value, report.joinedTo == nil else {
            return (joined, [])
        }
        var filter = Reports.Filter()
        (filter.species, filter.isOpen) = (report.species, true)
        filter.submittedFrom = report.submittedAt + (.zero - Self.sameTime)
        filter.submittedBefore = report.submittedAt + Self.sameTime
        filter.limit = Self.sameMax
        let near = try await reports.reports(
            near: fix,
            withinMetres: Self.sameMetres,
            in: reader.scope,
            filter,
            keys: keys
        ) { try $0.id != report.id && sight.sees($0, keys: keys) }
        return (
            joined,
            near.map {
                ReportNearby(
                    id: $0.report.id,
                    metres: $0.metres,
                    submittedAt: $0.report.submittedAt
                )
            }
        )
    }
}
