// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import HTTPTypes
import Hummingbird
import Media
import NIOCore

/// Answers with pictures of footage: a film, or a still.
///
/// Who may have them is for the routes to ask.
struct FootageAnswers: Sendable {
    let parts: CameraParts
    /// Decodes stills; `nil` where no program for it is set up.
    let stills: StillDesk?

    static let mime = "video/webm; codecs=\"vp9\""

    /// The longest span of one answer, in milliseconds.
    private static let spanMax: Int64 = 120_000

    /// Reads a file of footage.
    func reader(_ name: FootageName) -> FootageReader {
        FootageReader(name, in: parts.folder, thread: parts.readers.take())
    }

    /// The film of a part of an hour, as `hour`, `from` and `to` of the query name it.
    ///
    /// - Parameters:
    ///   - request: The query; `from` and `to` are milliseconds of the hour.
    ///   - camera: Which one.
    ///   - span: Nothing before or after it is shown; `nil` where all may be.
    ///   - stillMay: Throws once the reader may have no more; asked before each cluster.
    /// - Returns: What a player needs first, and the clusters.
    /// - Throws: 400 for another query; 404 where there is no footage; what reading the file throws.
    func film(
        _ request: Request,
        of camera: CameraID,
        within span: ClosedRange<Timestamp>? = nil,
        stillMay: @escaping @Sendable () async throws -> Void
    ) async throws -> Response {
        guard let hour = try request.time("hour") else {
            throw Problem(.malformedRequest, detail: "hour is the startedAt of a file of footage")
        }
        let milliseconds: ClosedRange<Int64> = 0...7_200_000
        let from = try request.number("from", in: milliseconds) ?? 0
        let to = min(
            try request.number("to", in: milliseconds) ?? .max,
            from + Self.spanMax
        )
        guard from <= to else {
            throw Problem(.malformedRequest, detail: "from lies behind to; both are milliseconds")
        }
        let file = reader(FootageName(camera, at: hour))
        let bounds = span.map { file.name.milliseconds(in: $0) }
        let shown = RecordingIndex(try await file.chunks()).chunks(inMilliseconds: from...to)
            .filter { chunk in bounds.map { chunk.overlaps($0) } ?? true }
        guard !shown.isEmpty, let head = try await file.initialisation() else {
            throw Problem(.notFound, detail: "there is no footage in that span")
        }
        let first = try await file.cluster(shown[0])
        return Response(
            status: .ok,
            headers: [.contentType: Self.mime, .cacheControl: "no-store"],
            body: ResponseBody { writer in
                try await writer.write(ByteBuffer(bytes: head + first))
                for chunk in shown.dropFirst() {
                    try await stillMay()
                    try await writer.write(ByteBuffer(bytes: try await file.cluster(chunk)))
                }
                try await writer.finish(nil)
            }
        )
    }

    /// The picture of a moment, as JPEG.
    ///
    /// - Parameters:
    ///   - camera: Which one.
    ///   - at: When; in a hole the picture before it is shown.
    ///   - span: As for ``film(_:of:within:stillMay:)``.
    ///   - holder: Who asks, for the fair turns of the decoder.
    /// - Returns: The JPEG's bytes.
    /// - Throws: 404 where there is no footage of it; 503 where it cannot be decoded now.
    func still(
        of camera: CameraID,
        at: Timestamp,
        within span: ClosedRange<Timestamp>? = nil,
        for holder: String
    ) async throws -> [UInt8] {
        let file = reader(FootageName(camera, at: at))
        let index = RecordingIndex(try await file.chunks())
        let milliseconds = file.name.milliseconds(at: at)
        let shown = index.chunksToShow(atMilliseconds: milliseconds)
        let isShown = span.map { span in
            span.contains(at) && shown.allSatisfy { $0.overlaps(file.name.milliseconds(in: span)) }
        }
        guard !shown.isEmpty, isShown ?? true else {
            throw Problem(.notFound, detail: "there is no footage of that moment")
        }
        guard let stills else {
            throw Problem(.unavailable, detail: "this gateway runs without an inspection process")
        }
        for chunk in shown { _ = try await file.cluster(chunk) }
        let outcome = try await stills.still(
            atMilliseconds: milliseconds,
            in: index,
            of: parts.folder.fullPath(of: file.name),
            for: holder
        )
        guard let jpeg = outcome.pictures?.jpeg else {
            throw Problem(.unavailable, detail: "the picture could not be decoded now; try again")
        }
        return jpeg
    }
}

extension FootageName {
    /// A span on the file's timeline, which may begin before it and end after it.
    fileprivate func milliseconds(in span: ClosedRange<Timestamp>) -> ClosedRange<Int64> {
        milliseconds(at: span.lowerBound)...milliseconds(at: span.upperBound)
    }
}

extension ChunkPlace {
    /// Whether it has a picture of a span.
    fileprivate func overlaps(_ span: ClosedRange<Int64>) -> Bool {
        firstMilliseconds <= span.upperBound && lastMilliseconds >= span.lowerBound
    }
}
