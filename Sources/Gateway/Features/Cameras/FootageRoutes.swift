// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import HTTPTypes
import Hummingbird
import Media
import NIOCore
import Projections

/// The routes by which a camera is looked at, live and back.
struct FootageRoutes: Sendable {
    let ledger: Ledger
    let answers: FootageAnswers

    private var parts: CameraParts { answers.parts }

    var routes: [Route] {
        [
            Route(.get, "/v1/cameras/:id/footage", for: CameraSight.staff, list),
            Route(.get, "/v1/cameras/:id/footage/media", for: CameraSight.staff, media),
            Route(.get, "/v1/cameras/:id/still", for: CameraSight.staff, still),
            .socket(
                "/v1/cameras/:id/watch",
                for: CameraSight.staff,
                accept: watchTicket,
                handler: watch
            ),
        ]
    }

    private func camera(_ context: GatewayContext) async throws -> Camera {
        let id: CameraID = try context.id()
        return try await CameraSight(ledger).check(id, for: try context.signedIn())
    }

    private func right(_ reader: Principal, _ camera: CameraID) -> LiveRight {
        let sight = CameraSight(ledger)
        return LiveRight(ledger.liveReader(reader)) { _ = try await sight.check(camera, for: $0) }
    }

    // MARK: - What there is

    private struct FootageBody: Encodable {
        let startedAt: Timestamp
        let firstAt: Timestamp
        let lastAt: Timestamp
        let bytes: Int
        let missingMilliseconds: Int
        let isGrowing: Bool
    }

    private func list(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let camera = try await camera(context)
        try await ledger.awaitLevel(request, of: CameraService.name)
        let found = try await ledger.readModels.cameras.footage(
            of: camera.id,
            from: request.time("from"),
            until: request.time("to")
        )
        let now = FootageName(camera.id, at: ledger.now)
        let items = found.compactMap { footage in
            FootageName(footage.file).map { name in
                FootageBody(
                    startedAt: name.hour,
                    firstAt: footage.firstAt,
                    lastAt: footage.lastAt,
                    bytes: footage.bytes,
                    missingMilliseconds: footage.missingMilliseconds,
                    isGrowing: name == now
                )
            }
        }
        return try .json(PageBody(items: items))
    }

    // MARK: - Pictures

    private func media(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let camera = try await camera(context).id
        let stillMay = right(try context.signedIn(), camera).check
        return try await answers.film(request, of: camera, stillMay: stillMay)
    }

    private func still(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let camera = try await camera(context).id
        let at = try request.time("at") ?? ledger.now
        return .jpeg(try await answers.still(of: camera, at: at, for: context.signedIn().holder))
    }

    // MARK: - Watching

    private struct Ticket: Sendable {
        let camera: CameraID
        let reader: Principal
    }

    private func watchTicket(
        _ request: Request,
        _ context: GatewayContext
    ) async throws -> Ticket {
        Ticket(camera: try await camera(context).id, reader: try context.signedIn())
    }

    private func watch(_ connection: WebSocketConnection, _ ticket: Ticket) async throws {
        try await CameraView(
            camera: ticket.camera,
            connection: connection,
            right: right(ticket.reader, ticket.camera),
            changes: parts.signals.changes(of: ticket.camera),
            ledger: ledger
        ) { answers.reader($0) }.run()
    }
}

/// One live viewer of a camera: `WS /v1/cameras/{id}/watch`.
///
/// A JSON frame tells what the camera gives, and one each hour of footage, with a binary frame of what a player needs first; then
/// cluster after cluster as they are written.
private struct CameraView: Sendable {
    let camera: CameraID
    let connection: WebSocketConnection
    let right: LiveRight
    let changes: AsyncStream<Void>
    let ledger: Ledger
    let open: @Sendable (FootageName) -> FootageReader

    private struct StateFrame: Encodable {
        let type = "state"
        let standing: String
        let cause: CameraStandingChanged.Cause?
    }

    private struct HourFrame: Encodable {
        let type = "hour"
        let mime: String
        let startedAt: Timestamp
    }

    /// Sends until the connection or the right ends.
    func run() async throws {
        try await withThrowingTaskGroup { group in
            group.addTask {
                // What a viewer sends means nothing here, but pongs and the close come with it.
                for await _ in connection.messages {}
            }
            group.addTask { try await send() }
            group.addTask { try await right.untilSignedOut() }
            try await group.next()
            group.cancelAll()
        }
    }

    private func send() async throws {
        var file: FootageReader?
        var next = 0
        var told: CameraStandingChanged??
        for await _ in changes {
            try await right.check()
            let state = try await ledger.handler.settled(Camera.self, camera)
            if told != .some(state.standing) {
                told = .some(state.standing)
                try await connection.send(
                    json: StateFrame(
                        standing: state.standing?.standing.rawValue ?? "unknown",
                        cause: state.standing?.cause
                    )
                )
            }
            let hour = FootageName(camera, at: ledger.now)
            if let file, file.name != hour { try await sendNew(of: file, from: &next) }
            if file?.name != hour {
                let begun = try await begin(hour, isFirst: file == nil)
                guard let begun else { continue }
                (file, next) = begun
            }
            if let file { try await sendNew(of: file, from: &next) }
        }
    }

    /// Begins with a file of footage; `nil` while it has no cluster.
    private func begin(
        _ name: FootageName,
        isFirst: Bool
    ) async throws -> (FootageReader, Int)? {
        let file = open(name)
        let chunks: [ChunkPlace]
        do { chunks = try await file.chunks() } catch RecordingFileFault.missing { return nil }
        guard let last = chunks.last, let head = try await file.initialisation() else { return nil }
        try await connection.send(json: HourFrame(mime: FootageAnswers.mime, startedAt: name.hour))
        try await connection.send(binary: ByteBuffer(bytes: head))
        return (file, isFirst ? last.index : 0)
    }

    private func sendNew(of file: FootageReader, from next: inout Int) async throws {
        for chunk in try await file.chunks().dropFirst(next) {
            let cluster = try await file.cluster(chunk)
            try await right.check()
            try await connection.send(binary: ByteBuffer(bytes: cluster))
            next = chunk.index + 1
        }
    }
}
