// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import HTTPTypes
import Hummingbird
import Projections

/// The routes of guards' tours: places, their codes, and scans.
struct PatrolRoutes: Sendable {
    let ledger: Ledger
    let codes: PatrolCodes

    init(ledger: Ledger) {
        self.ledger = ledger
        codes = PatrolCodes(ledger)
    }

    var routes: [Route] {
        [
            Route(.post, "/v1/patrol-points", for: .supervision, define),
            Route(
                .get,
                "/v1/patrol-points",
                for: [.guard, .operator, .supervisor, .auditor, .organisationAdmin, .admin],
                points
            ),
            Route(.get, "/v1/patrol-points/:id/qr", for: .supervision, code),
            Route(.post, "/v1/check-ins", for: [.guard], checkIn),
            Route(
                .get,
                "/v1/check-ins",
                for: [.guard, .operator, .supervisor, .auditor, .organisationAdmin, .admin],
                reads: "check-in-list",
                checkIns
            ),
        ]
    }

    /// What sets up a place, or moves the one with that id.
    private struct PointRequest: Decodable {
        let id: PatrolPointID?
        let site: String
        let name: String
        let latitude: Double
        let longitude: Double
        let radiusMetres: Double
    }

    private func define(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let request = try await ledger.command(
            request,
            context
        )
        let body: PointRequest = try request.decoded()
        if let id = body.id {
            try ledger.rights.requireInReach(.patrolPoint(id), of: request.asker)
        }
        let point = try body.id ?? known(request) ?? ledger.newID()
        let definition = PatrolPointDefined(
            site: body.site,
            name: body.name,
            latitude: body.latitude,
            longitude: body.longitude,
            radiusMetres: body.radiusMetres
        )
        let command = DefinePatrolPoint(point, as: definition)
        return try await ledger.answer(
            command,
            request,
            status: body.id == nil ? .created : .ok
        ) { ["point": "\(point)"] }
    }

    /// The place that the same request set up before: a repetition must name it again.
    private func known(_ request: CommandRequest) throws -> PatrolPointID? {
        let stamp = ledger.context(
            of: request.asker.principal,
            command: request.command,
            asked: request.asked
        ).stamp
        guard let receipt = try ledger.log.receipt(of: stamp) else { return nil }
        return receipt.revisions.keys.first { $0.category == "patrol_point" }
            .flatMap { PatrolPointID(String($0.name)) }
    }

    private func points(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let principal = try context.signedIn()
        try await ledger.awaitLevel(request, of: "check-ins")
        let points = try await ledger.readModels.checkIns.points(in: principal.scope)
        return try .json(PageBody(items: points.map(PatrolPointBody.init)))
    }

    /// A place's code, to be printed as a QR code and hung there.
    private struct CodeBody: Encodable {
        let point: PatrolPointID
        let code: String
    }

    private func code(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let principal = try context.signedIn()
        let point: PatrolPointID = try context.id()
        try ledger.rights.requireThere(.patrolPoint(point), for: principal)
        return try .json(CodeBody(point: point, code: codes.text(of: point)))
    }

    private func checkIns(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let principal = try context.signedIn()
        var filter = CheckIns.Filter()
        filter.guardID = principal.role == .guard ? principal.user : nil
        filter.before = try request.cursor("before", in: ledger.log)?.position
        filter.limit = try request.number(
            "limit",
            default: 100,
            in: 1...ProjectionLimits.listRowsMax
        )
        try await ledger.awaitLevel(request, of: "check-ins")
        let found = try await ledger.readModels.checkIns.checkIns(
            filter,
            in: principal.scope
        )
        let keys = try await ledger.keys(
            toRead: Subject(unchecked: "check-ins/\(principal.organisation)"),
            context,
            fields: ["fix", "distanceMetres", "note"]
        )
        let next = found.count == filter.limit ? found.last?.position : nil
        return try .list(FullPage(rows: found, next: next), at: \.position) {
            try CheckInBody($0, keys: keys)
        }
    }
}
