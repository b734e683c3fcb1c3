// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import HTTPTypes
import Hummingbird
import NIOCore

extension StreamRoutes {
    var ingest: [Route] {
        [
            Route(.post, "/v1/sessions/:id/streams", for: .callers.orGuest, create),
            Route(.post, "/v1/streams/:id/stop", for: Self.stoppers.orGuest, stop),
            Route(
                .put,
                "/v1/streams/:id/parts/:part",
                for: .callers.orGuest,
                isStreamed: true,
                upload
            ),
            .socket(
                "/v1/streams/:id/ingest",
                for: .callers.orGuest,
                limits: \.camera,
                accept: ticket
            ) { connection, ticket in
                try await IngestSession(
                    recording: ticket.recording,
                    archive: archive,
                    connection: connection,
                    stamp: { ticket.stamp },
                    sender: sender(ticket.principal, into: ticket.index),
                    refused: { error in
                        await recordRefusedMedia(
                            error,
                            of: ticket.principal,
                            from: ticket.recording.facts,
                            attempt: "stream.ingest"
                        )
                    }
                ).run()
            },
        ]
    }

    private static let stoppers: Askers = [
        .caller, .operator, .supervisor, .organisationAdmin, .admin,
    ]

    /// A sender who may send into a stream.
    private struct IngestTicket: Sendable {
        let recording: LiveRecording
        let index: StreamIndex
        let principal: Principal
        /// For the stop, which happens once.
        let stamp: CommandStamp
    }

    private func ticket(_ request: Request, _ context: GatewayContext) async throws -> IngestTicket
    {
        let principal = try context.signedIn()
        let index = try archive.index(of: try stream(context))
        try await requireSender(principal, of: index, attempt: "stream.ingest")
        guard index.stopped == nil else { throw ArchiveError.stopped(index.id) }
        return IngestTicket(
            recording: try archive.recording(of: index.id),
            index: index,
            principal: principal,
            stamp: stamp(principal, index)
        )
    }

    /// What creates a stream: the settings frame, and how the video will come.
    private struct NewStream: Decodable {
        let settings: SettingsWire
        let transport: StreamStarted.Transport?

        private enum CodingKeys: CodingKey { case transport }

        init(from decoder: any Decoder) throws {
            settings = try SettingsWire(from: decoder)
            transport = try decoder.container(keyedBy: CodingKeys.self)
                .decodeIfPresent(StreamStarted.Transport.self, forKey: .transport)
        }
    }

    /// Where to send a stream that was created.
    private struct CreatedStream: Encodable {
        let id: String
        let session: String
        let fileName: String
        let ingest: String
        let parts: String
    }

    @Sendable
    private func create(_ request: Request, _ context: GatewayContext) async throws -> Response {
        guard let session = context.parameters.get("id").flatMap({ SessionID($0) }) else {
            throw Problem(.notFound, detail: "a session's id is a UUID of version 7")
        }
        let command = try await command(request, context)
        guard let device = command.asker.deviceID.flatMap({ DeviceID($0) }) else {
            throw Problem(.forbidden, detail: "video is sent by a registered phone")
        }
        // Before the decision: whether somebody else's session is open, nobody is told by the way of being refused.
        try rights.check(command.asker.principal, session)
        let new: NewStream = try command.decoded()
        let started = try await archive.start(
            Archive.Opening(
                session: session,
                source: .device(device),
                settings: new.settings.settings,
                transport: new.transport ?? .webSocket,
                codec: new.settings.codec ?? .vp9
            ),
            by: stamp(command)
        )
        let created = CreatedStream(
            id: "\(started.stream)",
            session: "\(session)",
            fileName: String(started.file.split(separator: "/").last ?? ""),
            ingest: "/v1/streams/\(started.stream)/ingest",
            parts: "/v1/streams/\(started.stream)/parts"
        )
        return try answer(created, started.receipt, .created, request, context)
    }

    @Sendable
    private func upload(
        _ request: Request,
        _ context: GatewayContext
    ) async throws -> PartUpload.Answer {
        let principal = try context.signedIn()
        let index = try archive.index(of: try stream(context))
        try await requireSender(principal, of: index, attempt: "stream.upload")
        guard
            let part = context.parameters.get("part").flatMap({
                NumberText.whole($0, in: 0...UInt32.max)
            })
        else {
            throw Problem(.malformedRequest, detail: "a part is a number from 0 to 4294967295")
        }
        guard let offset = try request.number("offset", in: 0...ArchiveLimits.offsetMax) else {
            throw Problem(.malformedRequest, detail: "say ?offset=, the place of the first byte")
        }
        let recording = try archive.recording(of: index.id)
        do {
            let upload = PartUpload(
                recording: recording,
                part: part,
                offset: offset,
                sender: sender(principal, into: index),
                isLast: request.uri.queryParameters["end"] == "true"
            )
            return try await uploads.pass(of: principal.holder) {
                try await upload.take(request.body)
            }
        } catch {
            await recordRefusedMedia(
                error,
                of: principal,
                from: recording.facts,
                attempt: "stream.upload"
            )
            throw error
        }
    }

    private struct Stop: Decodable {
        var reason: String?
    }

    @Sendable
    private func stop(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let command = try await command(request, context)
        let index = try await stoppable(by: command.asker, request, context)
        let body: Stop = try command.decoded()
        let receipt = try await archive.stop(
            index.id,
            by: command.asker.deviceID == nil ? .operator : .caller,
            reason: body.reason ?? "stopped",
            stamp: stamp(command)
        )
        guard let wire = StreamWire(try archive.index(of: index.id)) else {
            throw ArchiveError.unknown(index.id)
        }
        return try answer(wire, receipt, .ok, request, context)
    }

    /// The stream in the path, for whoever may stop it: the desk, if it may read it, and who may send into it.
    private func stoppable(
        by asker: Asker,
        _ request: Request,
        _ context: GatewayContext
    ) async throws -> StreamIndex {
        guard asker.deviceID != nil else {
            var now = context
            now.principal = asker.principal
            let index = try readable(request, now)
            try asker.principal.require(.deskAndAbove)
            return index
        }
        let index = try archive.index(of: try stream(context))
        guard index.start != nil else { throw ArchiveError.unknown(index.id) }
        try await requireSender(asker.principal, of: index, attempt: "stream.stop")
        return index
    }

    private func command(
        _ request: Request,
        _ context: GatewayContext
    ) async throws -> CommandRequest {
        try await CommandRequest(
            request,
            context,
            confirming: rights.confirm,
            accounts: accounts
        )
    }

    private func answer(
        _ value: some Encodable,
        _ receipt: Receipt?,
        _ status: HTTPResponse.Status,
        _ request: Request,
        _ context: GatewayContext
    ) throws -> Response {
        var response = try context.responseEncoder.encode(value, from: request, context: context)
        response.status = status
        response.headers[.ledgerPosition] = receipt.map { "\($0.last)" }
        return response
    }
}

extension PartUpload.Answer: ResponseEncodable {}
extension StreamWire: ResponseEncodable {}
extension StreamIndexWire: ResponseEncodable {}
