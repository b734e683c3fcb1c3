// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import HTTPTypes
import Hummingbird
import Logging
import Media
import NIOCore

extension StreamRoutes {
    var playback: [Route] {
        [
            Route(.get, "/v1/streams/:id", for: .readers.orGuest) { request, context in
                let index = try readable(request, context, orSender: true)
                guard let wire = StreamWire(index) else { throw ArchiveError.unknown(index.id) }
                return wire
            },
            Route(.get, "/v1/streams/:id/index", for: .readers) { request, context in
                let index = try readable(request, context)
                return StreamIndexWire(
                    index,
                    after: try request.number("after", in: -1...ArchiveLimits.chunkNumberMax),
                    limits: archive.limits
                )
            },
            Route(.get, "/v1/streams/:id/media", for: .readers, media),
            Route(.get, "/v1/streams/:id/frame", for: .readers, frame),
            .socket("/v1/streams/:id/watch", for: .readers, accept: watchTicket, handler: watch),
        ]
    }

    /// The stream of a request, for a reader who may see its session.
    func readable(
        _ request: Request,
        _ context: GatewayContext,
        orSender: Bool = false
    ) throws -> StreamIndex {
        let principal = try context.signedIn()
        let index = try archive.index(of: try stream(context))
        guard let start = index.start else { throw ArchiveError.unknown(index.id) }
        if try orSender && maySend(principal, into: index) { return index }
        do {
            try rights.check(principal, start.session)
        } catch ReadingRights.Refusal.unknown {
            // Whose it is, nobody is told to whom it is not there.
            throw ArchiveError.unknown(index.id)
        } catch let refusal as ReadingRights.Refusal {
            throw refusal.about(.stream(index.id))
        }
        return index
    }

    /// What ends an answer that takes its time: the viewer's token, or the right to the session.
    private func stillMay(
        _ viewer: Principal,
        see index: StreamIndex
    ) throws -> @Sendable () async throws -> Void {
        guard let session = index.start?.session else { throw ArchiveError.unknown(index.id) }
        let rights = rights
        return LiveRight(reader(viewer)) { try rights.check($0, session) }.check
    }

    /// Who sends into a stream, for as long as the token is good and the stream theirs to send into.
    func sender(_ principal: Principal, into index: StreamIndex) -> LiveRight {
        LiveRight(reader(principal)) { sender in
            guard try !maySend(sender, into: index) else { return }
            throw Problem.deviceOfOtherNumber(index.id)
        }
    }

    /// Whoever reads for as long as the token is good.
    func reader(_ principal: Principal) -> LiveReader {
        LiveReader(principal, in: accounts)
    }

    // MARK: - Bytes

    @Sendable
    private func media(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let index = try readable(request, context)
        let viewer = try context.signedIn()
        let file = try await file(of: index)
        if let span = try span(request) { return try await spanAnswer(index, span, file, viewer) }
        return try await rangeAnswer(index, request, file, viewer)
    }

    /// The file of a stream, opened: what is wrong with it is told before an answer begins.
    private func file(of index: StreamIndex) async throws -> MediaFile {
        let file = MediaFile(
            path: archive.path(of: index),
            check: { [volumes = archive.folder.volumes] in
                try volumes.check(index.start?.file ?? "")
            },
            thread: readers.take()
        )
        try await file.open(reaching: index.bytesServed)
        return file
    }

    private func rangeAnswer(
        _ index: StreamIndex,
        _ request: Request,
        _ file: MediaFile,
        _ viewer: Principal
    ) async throws -> Response {
        let length = index.bytesServed
        let tag = index.finalized.map { "\"\($0.sha256)\"" }
        var headers = headers(of: index)
        if let tag { headers[.eTag] = tag }
        if let tag, request.headers[.ifNoneMatch] == tag {
            return Response(status: .notModified, headers: headers)
        }
        // A range of another version of the file would not fit: If-Range asks for the whole then.
        let isSame = request.headers[.ifRange].map { $0 == tag } ?? true
        switch ByteRange(isSame ? request.headers[.range] : nil, length: length) {
        case .whole:
            guard length > 0 else { throw ArchiveError.empty(index.id) }
            return try await bytes(0..<length, of: index, file, viewer, headers, .ok)
        case .part(let range):
            let total = tag == nil ? "*" : "\(length)"
            headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(total)"
            return try await bytes(range, of: index, file, viewer, headers, .partialContent)
        case .unsatisfiable:
            headers[.contentRange] = "bytes */\(length)"
            throw Problem(
                .rangeNotSatisfiable,
                detail: "\(length) bytes can be read now; on a live stream ask again soon",
                facts: ["length": .integer(Int(length))],
                headers: headers
            )
        }
    }

    private func bytes(
        _ range: Range<UInt64>,
        of index: StreamIndex,
        _ file: MediaFile,
        _ viewer: Principal,
        _ headers: HTTPFields,
        _ status: HTTPResponse.Status
    ) async throws -> Response {
        let shown = index.chunks.lazy.map(\.place).filter { $0.bytes.overlaps(range) }
        let span = shown.map(\.firstMilliseconds).min().flatMap { first in
            shown.map(\.lastMilliseconds).max().map { first...max(first, $0) }
        }
        let mode = mode(of: index, showing: span)
        let body = MediaBody(
            file: file,
            ranges: [range],
            chunks: index.chunks,
            readBytes: archive.limits.readBytes,
            stillMay: try stillMay(viewer, see: index)
        )
        try await body.check()
        try await viewings.record(index, by: viewer.ledgerActor, mode: mode, span: span)
        return Response(status: status, headers: headers, body: body.body)
    }

    /// Live is what shows the newest ten seconds of a growing recording.
    private func mode(
        of index: StreamIndex,
        showing span: ClosedRange<Int64>?
    ) -> StreamViewed.Mode {
        guard index.stopped == nil else { return .recorded }
        let end = index.chunks.last?.place.lastMilliseconds ?? 0
        return (span?.upperBound ?? end) + 10_000 >= end ? .live : .seekBack
    }

    private func headers(of index: StreamIndex) -> HTTPFields {
        [
            .contentType: index.mime, .acceptRanges: "bytes",
            .cacheControl: index.finalized == nil ? "no-store" : "private, no-cache",
        ]
    }

    // MARK: - Spans

    /// `from` and `to` of a request, in milliseconds of the recording.
    private func span(_ request: Request) throws -> ClosedRange<Int64>? {
        let from = try request.number("from", in: ArchiveLimits.milliseconds)
        let to = try request.number("to", in: ArchiveLimits.milliseconds)
        guard from != nil || to != nil else { return nil }
        let first = max(0, from ?? 0)
        let last = min(to ?? .max, first.addingReportingOverflow(longest).partialValue)
        guard first <= last else {
            throw Problem(.malformedRequest, detail: "from lies behind to; both are milliseconds")
        }
        return first...last
    }

    private var longest: Int64 { archive.limits.spanMillisecondsMax }

    private func spanAnswer(
        _ index: StreamIndex,
        _ span: ClosedRange<Int64>,
        _ file: MediaFile,
        _ viewer: Principal
    ) async throws -> Response {
        let shown = index.byTime.chunks(inMilliseconds: span)
        guard let first = index.chunks.first?.place, !shown.isEmpty else {
            throw ArchiveError.empty(index.id)
        }
        let mode: StreamViewed.Mode = index.stopped == nil ? .seekBack : .recorded
        let body = MediaBody(
            file: file,
            head: try await file.initialisation(first: first, codec: index.videoCodec),
            ranges: shown.map(\.bytes),
            chunks: index.chunks,
            readBytes: archive.limits.readBytes,
            stillMay: try stillMay(viewer, see: index)
        )
        try await body.check()
        try await viewings.record(index, by: viewer.ledgerActor, mode: mode, span: span)
        var headers = headers(of: index)
        headers[.acceptRanges] = "none"
        return Response(status: .ok, headers: headers, body: body.body)
    }

    // MARK: - Stills

    @Sendable
    private func frame(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let index = try readable(request, context)
        let reader = try context.signedIn()
        let end = index.chunks.map(\.place.lastMilliseconds).max()
        guard let end else { throw ArchiveError.empty(index.id) }
        let at = min(max(0, try request.number("at", in: ArchiveLimits.milliseconds) ?? end), end)
        guard let stills else {
            throw Problem(.unavailable, detail: "this gateway runs without an inspection process")
        }
        let file = try await file(of: index)
        for place in index.byTime.chunksToShow(atMilliseconds: at) {
            _ = try await file.bytes(of: index.chunks[place.index])
        }
        try await viewings.record(index, by: reader.ledgerActor, mode: .still, span: at...at)
        let path = archive.path(of: index)
        let outcome = try await stills.still(
            atMilliseconds: at,
            in: index.byTime,
            of: path,
            for: reader.holder
        )
        switch outcome {
        case .decoded(let pictures):
            guard let jpeg = pictures.jpeg else {
                throw Problem(.notFound, detail: "there is no picture at \(at) ms that decodes")
            }
            return Response(
                status: .ok,
                headers: [.contentType: "image/jpeg", .cacheControl: "private, no-cache"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: jpeg))
            )
        case .notDecoded(let reason):
            context.logger.warning("no still", metadata: ["reason": "\(reason)"])
            throw Problem(.unavailable, detail: "the picture could not be decoded now; try again")
        }
    }

    // MARK: - Watching

    private struct WatchTicket: Sendable {
        let stream: StreamID
        let principal: Principal
        let from: Int64?
        let facts: RecordingFacts
        let file: MediaFile
    }

    private func watchTicket(
        _ request: Request,
        _ context: GatewayContext
    ) async throws -> WatchTicket {
        let index = try readable(request, context)
        guard let facts = RecordingFacts(index) else { throw ArchiveError.unknown(index.id) }
        return WatchTicket(
            stream: index.id,
            principal: try context.signedIn(),
            from: try request.number("from", in: ArchiveLimits.milliseconds),
            facts: facts,
            file: try await file(of: index)
        )
    }

    private func watch(_ connection: WebSocketConnection, _ ticket: WatchTicket) async throws {
        let viewer = ticket.principal.ledgerActor
        let mode: StreamViewed.Mode = ticket.from == nil ? .live : .seekBack
        try await viewings.recordAccess(ticket.facts, by: viewer, purpose: "watch.opened")
        let session = WatchSession(
            archive: archive,
            stream: ticket.stream,
            file: ticket.file,
            from: ticket.from,
            connection: connection,
            right: LiveRight(reader(ticket.principal)) {
                try await rights.admit($0, ticket.facts.session, "stream.watch")
            },
            record: { try await viewings.record($0, by: viewer, mode: mode) }
        )
        do {
            try await session.run()
        } catch {
            try await viewings.recordAccess(ticket.facts, by: viewer, purpose: "watch.closed")
            throw error
        }
        try await viewings.recordAccess(ticket.facts, by: viewer, purpose: "watch.closed")
    }
}

extension ProblemType {
    static let rangeNotSatisfiable = Self(
        "range-not-satisfiable",
        .rangeNotSatisfiable,
        "Nothing in that range"
    )
}
