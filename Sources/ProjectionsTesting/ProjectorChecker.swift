// SPDX-License-Identifier: Apache-2.0
public import Events
import EventsTesting
import Foundation
public import Projections

/// Tries every promise of a projector and of the writer of its file on a stream of events.
///
/// It checks that each event counts exactly once and in order: whatever the size of pages, after a restart before
/// every event, after a crash during every event, when pages come again, and when all is built a second time; and that
/// no statement that these events lead to reads a whole table, neither while it serves nor in a bulk build nor as of a point.
/// A projector that reads the clock is found only if the clock moves between two passes in the unit that it reads.
public struct ProjectorChecker<Writer: PageWriter> {
    let projector: any Projector
    let keys: any PersonKeys

    /// - Parameters:
    ///   - projector: What is tried.
    ///   - keys: Open personal fields for searched columns.
    ///   - writer: What takes pages into the file.
    public init(
        _ projector: any Projector,
        keys: any PersonKeys = NoKeys(),
        writer: Writer.Type
    ) {
        self.projector = projector
        self.keys = keys
    }

    /// Tries everything.
    ///
    /// - Parameter events: In log order, from position 0; some 50 are tried in seconds, as each has its own restart.
    /// - Throws: ``ProjectorFault`` with a shortest stream, or what SQLite throws.
    public func check(_ events: [RecordedEvent]) throws {
        guard let promise = try brokenPromise(by: events) else { return }
        let short = try StreamShrinker { try brokenPromise(by: $0) != nil }.shrink(events)
        throw ProjectorFault(
            projector: projector.identity,
            broken: try brokenPromise(by: short) ?? promise,
            events: short
        )
    }

    private func brokenPromise(by events: [RecordedEvent]) throws -> ProjectorFault.Promise? {
        guard !events.isEmpty else { return nil }
        let expected = try plainDigest(events)
        let whole = [events.count]
        guard try digest(events, sizes: whole) == digest(events, sizes: whole) else {
            return .repeatable
        }
        guard try digest(events, sizes: whole) == expected else { return .everyEvent }
        for size in [1, 2, 7] where size < events.count {
            guard try digest(events, sizes: [size]) == expected else { return .anyPageSize(size) }
        }
        for number in events.indices.dropFirst() {
            let sizes = [number, events.count - number]
            guard try digest(events, sizes: sizes, reopening: true) == expected else {
                return .anyRestart(before: number)
            }
        }
        guard try digest(events, sizes: whole, again: true) == expected else { return .once }
        if let scan = try brokenLookup(events) { return scan }
        return try brokenCrash(events, expected)
    }

    /// What a plain pass gives: every event applied once, in order, in one transaction, by the writer that is known to
    /// be right.
    private func plainDigest(_ events: [RecordedEvent]) throws -> SHA256Digest {
        try inFolder { folder in
            let writer = try ProjectionWriter(
                projector,
                at: folder.appending(path: "plain.sqlite"),
                keys: keys
            )
            for page in pages(events, sizes: [events.count]) { try writer.apply(page) }
            defer { _ = try? writer.close() }
            return try writer.digest()
        }
    }

    private func digest(
        _ events: [RecordedEvent],
        sizes: [Int],
        reopening: Bool = false,
        again: Bool = false
    ) throws -> SHA256Digest {
        try inFolder { folder in
            let file = folder.appending(path: "rows.sqlite")
            var writer = try Writer(projector, at: file, keys: keys)
            for page in pages(events, sizes: sizes) {
                try writer.apply(page)
                if again { try writer.apply(page) }
                guard reopening else { continue }
                try writer.close()
                writer = try Writer(projector, at: file, keys: keys)
            }
            let digest = try writer.digest()
            try writer.close()
            return digest
        }
    }

    func inFolder<Value>(_ body: (URL) throws -> Value) throws -> Value {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "projector-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { _ = try? FileManager.default.removeItem(at: folder) }
        return try body(folder)
    }
}

extension ProjectorChecker where Writer == ProjectionWriter {
    /// Tries a projector with the writer that runners use.
    public init(_ projector: any Projector, keys: any PersonKeys = NoKeys()) {
        self.init(projector, keys: keys, writer: ProjectionWriter.self)
    }
}

extension ProjectorChecker {
    /// Takes an image of the file while each event is being applied, as a crash would leave it, and goes on from it.
    private func brokenCrash(
        _ events: [RecordedEvent],
        _ expected: SHA256Digest
    ) throws -> ProjectorFault.Promise? {
        try inFolder { folder in
            let camera = CrashCamera(projector, folder: folder)
            let writer = try Writer(camera, at: camera.file, keys: keys)
            for page in pages(events, sizes: [3]) { try writer.apply(page) }
            try writer.close()
            for (number, image) in camera.images.enumerated() {
                let revived = try Writer(projector, at: image, keys: keys)
                let next = try revived.next()
                let rest = events.filter { $0.envelope.position >= next }
                for page in pages(rest, sizes: [3], from: next) { try revived.apply(page) }
                let digest = try revived.digest()
                try revived.close()
                guard digest == expected else { return .anyCrash(during: number) }
            }
            return nil
        }
    }

    /// Splits a stream into pages without gaps; the last size goes on to the end.
    func pages(
        _ events: [RecordedEvent],
        sizes: [Int],
        from start: LogPosition = LogPosition(0)
    ) -> [EventPage] {
        var pages: [EventPage] = []
        var rest = events[...]
        var first = start
        while let size = pages.count < sizes.count ? sizes[pages.count] : sizes.last,
            let last = rest.prefix(max(1, size)).last
        {
            let part = rest.prefix(max(1, size))
            let next = last.envelope.position.next
            pages.append(
                EventPage(
                    first: first,
                    count: Int(next.rawValue - first.rawValue),
                    events: Array(part),
                    leaf: leaf(of: last)
                )
            )
            first = next
            rest = rest.dropFirst(part.count)
        }
        return pages
    }

    /// Some 32 bytes that belong to the event; there is no tree here.
    private func leaf(of event: RecordedEvent) -> SHA256Digest {
        SHA256Digest(bytes: event.envelope.id.uuid.bytes + event.envelope.id.uuid.bytes)
    }
}
