// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import HTTPTypes
import Hummingbird
import Projections

/// The footage of cameras that belongs to an incident: what is kept, its pictures, and what proves them.
///
/// A kept span is the incident's: its readers see it, and nothing before or after, also without a right to look at the camera.
struct IncidentFootageRoutes: Sendable {
    let ledger: Ledger
    let answers: FootageAnswers
    let export: FootageExport

    private static let reading = "incident-footage"

    var routes: [Route] {
        let span = "/v1/incidents/:id/footage/:number"
        let readers = Askers.readersOfTheCentre
        let reads = Self.reading
        return [
            Route(.get, "/v1/incidents/:id/footage", for: readers, list),
            Route(.post, "/v1/incidents/:id/footage", for: .deskAndAbove, keep),
            Route(.get, "\(span)/files", for: readers, files),
            Route(.get, "\(span)/media", for: readers, reads: reads, media),
            Route(.get, "\(span)/still", for: readers, reads: reads, still),
            Route(.get, "\(span)/export", for: readers, reads: reads, film),
            Route(.get, "\(span)/proof", for: readers, reads: reads, proof),
        ]
    }

    // MARK: - Keeping

    private struct KeptBody: Encodable {
        let number: String
        let camera: CameraID
        let name: String
        let site: String?
        let from: Timestamp
        let until: Timestamp
        let by: Actor
        let at: Timestamp
    }

    private func list(_ request: Request, _ context: GatewayContext) async throws -> Response {
        var items: [KeptBody] = []
        for kept in try await spans(request, context).kept {
            let camera = try await ledger.handler.settled(Camera.self, kept.camera)
            items.append(
                KeptBody(
                    number: "\(kept.position)",
                    camera: kept.camera,
                    name: kept.name,
                    site: camera.settings?.site,
                    from: kept.firstAt,
                    until: kept.lastAt,
                    by: kept.by,
                    at: kept.at
                )
            )
        }
        return try .json(PageBody(items: items))
    }

    private struct KeepBody: Decodable {
        let camera: CameraID
        let from: Timestamp
        let until: Timestamp
    }

    private func keep(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let named: IncidentID = try context.id()
        let (id, command) = try await ledger.command(request, context, about: named)
        let right: Right = { try $0.requireWriter(named, which: id, $1) }
        try right(ledger.rights, command.asker)
        let body = try command.decoded(KeepBody.self)
        _ = try await CameraSight(ledger).check(body.camera, for: command.asker.principal)
        let keep = KeepFootage(
            of: body.camera,
            for: id,
            from: body.from,
            until: body.until
        )
        return try await ledger.answer(keep, command, if: right)
    }

    // MARK: - Reading

    /// The spans that an incident and those merged into it keep, in their order, for a reader of the incident.
    private func spans(
        _ request: Request,
        _ context: GatewayContext
    ) async throws -> (incident: IncidentID, kept: [KeptFootage]) {
        let reader = try context.signedIn()
        let id = try ledger.incident(named: try context.id(), at: nil, for: reader)
        try await ledger.awaitLevel(request, of: CameraService.name)
        let merged = try ledger.handler.current(MergedIncidents.self, id).incidents
        var kept: [KeptFootage] = []
        for incident in [id] + merged {
            kept += try await ledger.readModels.cameras.kept(for: incident)
        }
        return (id, kept.sorted { $0.position < $1.position })
    }

    /// The span that the path names.
    private func span(
        _ request: Request,
        _ context: GatewayContext
    ) async throws -> (incident: IncidentID, kept: KeptFootage) {
        let (incident, kept) = try await spans(request, context)
        let number = context.parameters.get("number")
        guard let found = kept.first(where: { "\($0.position)" == number }) else {
            throw Problem(
                .notFound,
                detail: "the incident keeps no such footage; choose a number of its list"
            )
        }
        return (incident, found)
    }

    /// The same with what there is of it, for somebody who is about to see pictures, which is recorded.
    ///
    /// - Throws: 410 where there is nothing of it.
    private func shown(
        _ request: Request,
        _ context: GatewayContext
    ) async throws -> (kept: KeptFootage, hours: [FootageExport.Hour]) {
        let (incident, kept) = try await span(request, context)
        _ = try await ledger.keys(toRead: .incident(incident), context, fields: ["footage"])
        let hours = try await export.hours(of: kept)
        guard !hours.isEmpty else { throw Problem.footageAbsent }
        return (kept, hours)
    }

    private func stillMay(_ context: GatewayContext) throws -> @Sendable () async throws -> Void {
        let id: IncidentID = try context.id()
        let ledger = ledger
        return LiveRight(ledger.liveReader(try context.signedIn())) {
            _ = try ledger.incident(named: id, at: nil, for: $0)
        }.check
    }

    private func files(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let kept = try await span(request, context).kept
        return try .json(PageBody(items: try await export.hours(of: kept).map(\.body)))
    }

    private func media(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let kept = try await shown(request, context).kept
        return try await answers.film(
            request,
            of: kept.camera,
            within: kept.span,
            stillMay: try stillMay(context)
        )
    }

    private func still(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let kept = try await shown(request, context).kept
        let jpeg = try await answers.still(
            of: kept.camera,
            at: try request.time("at") ?? kept.firstAt,
            within: kept.span,
            for: context.signedIn().holder
        )
        return .jpeg(jpeg)
    }

    private func film(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let hours = try await shown(request, context).hours
        let hour = try request.time("hour")
        guard let part = hours.first(where: { $0.name.hour == hour }) else {
            throw Problem(.notFound, detail: "hour is the startedAt of one of the span's files")
        }
        return try await export.film(part, stillMay: try stillMay(context))
    }

    private func proof(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let (kept, hours) = try await shown(request, context)
        return try await export.proof(
            of: kept,
            hours,
            for: context.signedIn(),
            stillMay: stillMay(context)
        )
    }
}

extension Problem {
    /// A span is kept, and there is no film of it.
    fileprivate static let footageAbsent = Problem(
        ProblemType("footage-absent", .gone, "No footage"),
        detail:
            "there is no footage of this span: its newest minute comes when it is over, and what was removed before it was kept is gone"
    )
}

extension KeptFootage {
    var span: ClosedRange<Timestamp> { firstAt...max(firstAt, lastAt) }
}
