// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import HTTPTypes
import Hummingbird
import Projections

/// The footage of cameras that belongs to an incident.
struct IncidentFootageRoutes: Sendable {
    let ledger: Ledger

    var routes: [Route] {
        [
            Route(.get, "/v1/incidents/:id/footage", for: .readersOfTheCentre, list),
            Route(.post, "/v1/incidents/:id/footage", for: .deskAndAbove, keep),
        ]
    }

    private struct KeptBody: Encodable {
        let camera: CameraID
        let name: String
        let from: Timestamp
        let until: Timestamp
        let by: Actor
        let at: Timestamp
    }

    private func list(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let reader = try context.signedIn()
        let id = try ledger.incident(named: try context.id(), at: nil, for: reader)
        try await ledger.awaitLevel(request, of: CameraService.name)
        let merged = try ledger.handler.current(MergedIncidents.self, id).incidents
        var kept: [KeptFootage] = []
        for incident in [id] + merged {
            kept += try await ledger.readModels.cameras.kept(for: incident)
        }
        let items = kept.sorted { $0.position < $1.position }.map {
            KeptBody(
                camera: $0.camera,
                name: $0.name,
                from: $0.firstAt,
                until: $0.lastAt,
                by: $0.by,
                at: $0.at
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
}
