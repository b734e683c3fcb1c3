// SPDX-License-Identifier: Apache-2.0
import Events
import HTTPTypes
import Hummingbird
import Projections

/// Upkeep of the read models; nothing here touches the ledger.
struct ReadModelRoutes: Sendable {
    let ledger: Ledger

    var routes: [Route] {
        [
            Route(.post, "/v1/read-models/:name/rebuild", for: [.admin], rebuild)
        ]
    }

    private struct RebuiltBody: Encodable {
        let name: String
        /// How many events it stands for.
        let reached: String
    }

    /// Builds a read model beside the one that serves; answers when it has taken over.
    @Sendable private func rebuild(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        _ = try context.signedIn()
        let name = try context.parameters.require("name")
        let runner = ledger.readModels.runner
        try await runner.rebuild([name])
        let reached = runner.states.first { $0.identity.name == name }?.reached ?? 0
        return try .json(RebuiltBody(name: name, reached: String(reached)))
    }
}
