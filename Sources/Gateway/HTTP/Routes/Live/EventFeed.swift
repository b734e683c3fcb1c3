// SPDX-License-Identifier: Apache-2.0
import Events
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import Threads

/// Writes the log to one reader until the reader leaves or is signed out, the gateway stops, or, if
/// it is not live, the live end is reached.
struct EventFeed: Sendable {
    let ledger: Ledger
    let rights: FeedRights
    let form: Form
    /// The first position to show.
    let start: LogPosition
    let isLive: Bool
    let subject: Subject?
    let kind: Kind?
    let live: LiveReader
    /// Raised when the client has left; `nil` where nobody watches.
    let departure: Latch?
    /// How long nothing may come before the position is told.
    let positionInterval: Duration

    /// How entries stand in the body.
    enum Form: Sendable {
        /// NDJSON: an entry, a line feed; an empty line while nothing comes.
        case lines
        /// `text/event-stream`: `id` is the position; a comment and an `id` while nothing comes.
        case serverSentEvents

        var contentType: String {
            switch self {
            case .lines: "application/x-ndjson"
            case .serverSentEvents: "text/event-stream"
            }
        }
    }

    /// Writes until the end; a reader who left is an end like any other.
    @concurrent
    func write(to writer: inout any ResponseBodyWriter) async {
        let stopping = Latch()
        // Cancelled and awaited when this function returns.
        async let _: Void = Self.raise(stopping)
        async let _: Void = live.watch()
        do {
            try await follow(&writer, until: stopping)
        } catch {
            ledger.logger.debug("feed ended", metadata: ["reason": "\(error)"])
        }
    }

    private static func raise(_ stopping: Latch) async {
        do {
            try await gracefulShutdown()
            stopping.raise()
        } catch {
            // The feed has ended by itself.
        }
    }

    @concurrent
    private func follow(
        _ writer: inout any ResponseBodyWriter,
        until stopping: Latch
    ) async throws {
        var pages = FeedPages(
            ledger.log,
            from: start,
            subject: subject,
            kind: kind,
            ownSubjects: rights.ownSubjects
        )
        var toldAt = ContinuousClock.now
        if form == .serverSentEvents { try await writer.write(keepAlive(before: pages.next)) }
        while !stopping.isRaised, departure?.isRaised != true {
            let (read, bytes, isEnd) = try await page(of: pages)
            // After the page was read: what was recorded since the right ended is not shown.
            try await live.check()
            pages = read
            if !isEnd {
                if bytes.readableBytes > 0 {
                    try await writer.write(bytes)
                    toldAt = .now
                }
            } else if !isLive {
                return
            } else {
                try await wait(for: pages.next, until: toldAt + positionInterval, or: stopping)
            }
            try await live.check()
            if ContinuousClock.now - toldAt >= positionInterval {
                try await writer.write(keepAlive(before: pages.next))
                toldAt = .now
            }
        }
    }

    /// Reads on and asks the rights of each entry, where that keeps nobody waiting.
    private func page(
        of pages: FeedPages
    ) async throws -> (pages: FeedPages, bytes: ByteBuffer, isEnd: Bool) {
        try await ledger.walks.run(for: rights.reader.holder) {
            var pages = pages
            let (entries, isEnd) = try pages.page()
            return (pages, try body(of: entries), isEnd)
        }
    }

    private func body(of page: [Entry]) throws -> ByteBuffer {
        var bytes = ByteBuffer()
        for entry in page where try rights.admits(entry) {
            switch form {
            case .lines:
                bytes.writeBytes(entry.bytes)
                bytes.writeString("\n")
            case .serverSentEvents:
                bytes.writeString("id: \(entry.envelope.position)\ndata: ")
                bytes.writeBytes(entry.bytes)
                bytes.writeString("\n\n")
            }
        }
        return bytes
    }

    private func keepAlive(before next: LogPosition) -> ByteBuffer {
        switch form {
        case .lines: return ByteBuffer(string: "\n")
        case .serverSentEvents:
            guard let last = next.rawValue.checkedPrevious else {
                return ByteBuffer(string: ":\n\n")
            }
            return ByteBuffer(string: ": position \(last)\nid: \(last)\n\n")
        }
    }

    /// Waits for an entry, a time or the end of the gateway, whichever comes first.
    private func wait(
        for position: LogPosition,
        until deadline: ContinuousClock.Instant,
        or stopping: Latch
    ) async throws {
        let log = ledger.log
        try await withThrowingTaskGroup { group in
            group.addTask { _ = try await log.waitForSize(position.next.rawValue) }
            group.addTask { try await Task.sleep(until: deadline, clock: .continuous) }
            group.addTask { await stopping.wait() }
            group.addTask { await live.ended.wait() }
            if let departure { group.addTask { await departure.wait() } }
            try await group.next()
            group.cancelAll()
        }
        if log.isClosed { stopping.raise() }
        try Task.checkCancellation()
    }
}
