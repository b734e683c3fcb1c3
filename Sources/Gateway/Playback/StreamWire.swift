// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import Media

/// One stream, as the API tells of it.
struct StreamWire: Codable, Hashable, Sendable {
    let id: String
    let session: String
    let incident: String
    let state: StreamIndex.State
    /// Name of the file, as the source document has it.
    let fileName: String
    /// Path below the media folder.
    let file: String
    let mime: String
    let codec: StreamStarted.Codec
    let width: Int
    let height: Int
    let framesPerSecond: Int
    let kilobitsPerSecond: Int
    let quality: Quality
    let camera: String?
    let startedAt: String
    let chunks: Int
    /// What may be read of the file now.
    let bytes: UInt64
    let durationMilliseconds: Int?
    let inspectedChunks: Int
    let sha256: String?
    let stopReason: String?

    init?(_ index: StreamIndex) {
        guard let start = index.start, let startedAt = index.startedAt else { return nil }
        let settings = index.settings
        id = "\(index.id)"
        session = "\(start.session)"
        incident = "\(start.incident)"
        state = index.state
        file = start.file
        fileName = String(start.file.split(separator: "/").last ?? "")
        mime = index.mime
        codec = start.codec
        width = settings?.width ?? start.width
        height = settings?.height ?? start.height
        framesPerSecond = settings?.framesPerSecond ?? start.framesPerSecond
        kilobitsPerSecond = settings?.kilobitsPerSecond ?? start.kilobitsPerSecond
        quality = settings?.quality ?? start.quality
        camera = settings?.camera
        self.startedAt = "\(startedAt)"
        chunks = index.chunks.count
        bytes = index.bytesServed
        durationMilliseconds =
            index.finalized?.durationMilliseconds
            ?? index.chunks.map(\.place.lastMilliseconds).max().map(Int.init)
        inspectedChunks = index.inspected
        sha256 = index.finalized?.sha256.text
        stopReason = index.stopped?.reason
    }
}

/// Where the pictures of a stream lie: a page of chunks, and what is missing.
struct StreamIndexWire: Codable, Hashable, Sendable {
    let stream: String
    let state: StreamIndex.State
    let mime: String
    let durationMilliseconds: Int64
    let chunks: [Chunk]
    /// The number of the last chunk of this page, when there are more.
    let next: Int?
    let gaps: [StreamGapDetected]
    let timespans: [Span]

    struct Span: Codable, Hashable, Sendable {
        let fromMilliseconds: Int64
        let toMilliseconds: Int64
    }

    struct Chunk: Codable, Hashable, Sendable {
        let number: Int
        let offset: UInt64
        let length: Int
        let sha256: String
        let firstMilliseconds: Int64
        let lastMilliseconds: Int64
        let keyFrame: Bool
        let part: UInt32
        let position: String
        let archivedAt: String

        init(_ chunk: IndexedChunk) {
            number = chunk.place.index
            offset = chunk.place.offset
            length = chunk.place.length
            sha256 = chunk.sha256.text
            firstMilliseconds = chunk.place.firstMilliseconds
            lastMilliseconds = chunk.place.lastMilliseconds
            keyFrame = chunk.place.startsWithKeyFrame
            part = chunk.place.part
            position = "\(chunk.position)"
            archivedAt = "\(chunk.archivedAt)"
        }
    }

    /// - Parameters:
    ///   - index: The stream.
    ///   - after: The last chunk of the page before.
    ///   - limits: How long a page is, and which holes count.
    init(_ index: StreamIndex, after: Int?, limits: ArchiveLimits) {
        let known = min(index.chunks.count, max(-1, after ?? -1) &+ 1)
        let page = index.chunks.dropFirst(max(0, known)).prefix(limits.indexPage)
        stream = "\(index.id)"
        state = index.state
        mime = index.mime
        durationMilliseconds = index.chunks.map(\.place.lastMilliseconds).max() ?? 0
        chunks = page.map(Chunk.init)
        let last = page.last?.place.index
        next = last.flatMap { $0 + 1 < index.chunks.count ? $0 : nil }
        gaps = index.gaps
        timespans = index.timespans(joiningMilliseconds: limits.gapMillisecondsMin).map {
            Span(fromMilliseconds: $0.lowerBound, toMilliseconds: $0.upperBound)
        }
    }
}

extension StreamIndex {
    /// The type that MediaSource wants to hear.
    var mime: String { "video/webm; codecs=\"\((start?.codec ?? .vp9).rawValue)\"" }

    /// The codec in the words of the media library.
    var videoCodec: VideoCodec {
        switch start?.codec {
        case .vp8: .vp8
        case .vp9, nil: .vp9
        }
    }
}
