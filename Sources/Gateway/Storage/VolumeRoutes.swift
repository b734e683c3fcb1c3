// SPDX-License-Identifier: Apache-2.0
import Events
import HTTPTypes
import Hummingbird
import Logging
import Threads

/// The routes of the folders of recordings.
struct VolumeRoutes: Sendable {
    private let ledger: Ledger
    private let desk: Desk

    init(ledger: Ledger) {
        self.ledger = ledger
        desk = Desk(VolumeChanges(folder: ledger.folder.root))
    }

    /// Lists and changes them on a thread of its own, for that blocks.
    private actor Desk {
        private let changes: VolumeChanges
        private let thread = DedicatedThread(name: "volumes")

        nonisolated var unownedExecutor: UnownedSerialExecutor {
            thread.asUnownedSerialExecutor()
        }

        init(_ changes: VolumeChanges) {
            self.changes = changes
        }

        func list() throws -> Answer { Answer(volumes: try changes.list()) }

        func change(_ change: Change) throws { try changes.change(change.action, change.path) }
    }

    var routes: [Route] {
        [
            Route(.get, "/v1/volumes", for: [.admin], list),
            Route(.post, "/v1/volumes", for: [.admin], change),
        ]
    }

    private struct Answer: Encodable, Sendable {
        let volumes: [VolumeChanges.Listed]
    }

    private struct Change: Decodable, Sendable {
        let path: String
        let action: VolumeChanges.Action
    }

    @Sendable private func list(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        try await answer()
    }

    /// What is changed is served at the next look at the file, which every recording takes.
    @Sendable private func change(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let body: Change = try await ledger.command(request, context).decoded()
        try await desk.change(body)
        ledger.logger.notice(
            "a volume of recordings was changed",
            metadata: ["action": "\(body.action.rawValue)", "path": "\(body.path)"]
        )
        return try await answer()
    }

    private func answer() async throws -> Response {
        try .json(await desk.list())
    }
}
