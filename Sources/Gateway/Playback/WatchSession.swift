// SPDX-License-Identifier: Apache-2.0
import Events
import Media
import NIOCore

/// One live viewer: `WS /v1/streams/{id}/watch`.
///
/// A JSON frame tells type and state; then binary frames: first what a player needs before any cluster, then
/// cluster after cluster as the log takes them, for a MediaSource in mode `segments`. Begins at the newest key
/// frame, or at the one before `from`. Pictures that were received late are not sent: they lie earlier in time,
/// and `media?from=&to=` has them.
struct WatchSession: Sendable {
    let archive: Archive
    let stream: StreamID
    let file: MediaFile
    /// Where to begin, in milliseconds; `nil` for the live edge.
    let from: Int64?
    let connection: WebSocketConnection
    /// Who watches, for as long as the session is theirs to see; being shown something is no activity.
    let right: LiveRight
    /// Records that the viewer still watches.
    let record: @Sendable (StreamIndex) async throws -> Void

    /// A JSON frame of the server.
    private struct StateFrame: Encodable {
        let type: String
        let mime: String
        let state: StreamIndex.State
        let startedAt: String?
    }

    /// Sends until the stream or the connection ends.
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
        var next: Int?
        var shown: Int64 = .min
        var told: StreamIndex.State?
        var confirmed: ContinuousClock.Instant?
        for await _ in archive.signals.changes(of: stream) {
            let index = try archive.index(of: stream)
            try await right.check()
            if confirmed.map({ .now - $0 > archive.limits.viewingNoted }) ?? true {
                try await record(index)
                confirmed = .now
            }
            if told != index.state {
                try await tell("state", index)
                told = index.state
            }
            if next == nil, let first = begin(in: index) {
                let head = try await file.initialisation(
                    first: index.chunks[0].place,
                    codec: index.videoCodec
                )
                try await connection.send(binary: ByteBuffer(bytes: head))
                next = first
            }
            while let number = next, number < index.chunks.count {
                let chunk = index.chunks[number]
                let place = chunk.place
                next = number + 1
                guard place.firstMilliseconds >= shown else { continue }
                let cluster = ByteBuffer(bytes: try await file.bytes(of: chunk))
                try await right.check()
                try await connection.send(binary: cluster)
                shown = place.lastMilliseconds
            }
            if index.finalized != nil { return try await tell("ended", index) }
        }
    }

    /// The chunk to begin with: one with a key frame.
    private func begin(in index: StreamIndex) -> Int? {
        guard let end = index.chunks.map(\.place.lastMilliseconds).max() else { return nil }
        return index.byTime.chunksToShow(atMilliseconds: from ?? end).first?.index
    }

    private func tell(_ type: String, _ index: StreamIndex) async throws {
        try await connection.send(
            json: StateFrame(
                type: type,
                mime: index.mime,
                state: index.state,
                startedAt: index.startedAt.map { "\($0)" }
            )
        )
    }
}
