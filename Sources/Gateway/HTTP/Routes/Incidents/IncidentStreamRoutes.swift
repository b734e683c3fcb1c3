// SPDX-License-Identifier: Apache-2.0
import Events
import Hummingbird
import Projections

/// `GET /v1/incidents/{id}/streams`: what all callers of one event show, each with its number, for tiles beside each other.
struct IncidentStreamRoutes: Sendable {
    let ledger: Ledger

    var routes: [Route] {
        [
            Route(
                .get,
                "/v1/incidents/:id/streams",
                for: .readersOfTheCentre,
                reads: "incident-streams",
                streams
            )
        ]
    }

    @Sendable private func streams(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let reader = try context.signedIn()
        guard reader.deviceID == nil else {
            throw Problem(.forbidden, detail: "your role finds no recordings")
        }
        let point = try request.asOf(in: ledger.log)
        let id = try ledger.incident(named: try context.id(), at: point, for: reader)
        let recordings = try await recordings(of: id, at: point, for: reader, request)
        // What left the incident by now may be private to somebody else.
        let rows = try recordings.filter { try ledger.rights.admits(reader, to: $0.session) }
            .map(RecordingSearchRoutes.Row.init)
        _ = try await ledger.keys(toRead: .incident(id), context, fields: ["address", "phone"])
        return try .json(PageBody(items: rows))
    }

    /// From the read model, or from tables as they were; oldest first.
    private func recordings(
        of id: IncidentID,
        at point: AsOf.Point?,
        for reader: Principal,
        _ request: Request
    ) async throws -> [Recording] {
        if let point {
            let tables = try await ledger.asOf(for: reader).database(
                RecordingsProjector(),
                of: CaseReference(id),
                at: point
            )
            return try await Recordings(tables).recordings(of: CaseReference(id))
        }
        try await ledger.awaitLevel(request, of: "recordings")
        return try await ledger.readModels.recordings.recordings(of: CaseReference(id))
    }
}
