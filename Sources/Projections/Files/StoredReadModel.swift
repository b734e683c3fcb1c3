// SPDX-License-Identifier: Apache-2.0
public import Events
public import Foundation
import GRDB

/// A read model as it lies on disk, for whoever checks it without serving it.
public struct StoredReadModel: Sendable {
    /// What each table holds.
    public struct TableDigest: Hashable, Sendable {
        public let table: String
        public let digest: Events.SHA256Digest
        public let rows: Int
    }

    /// The file that serves.
    public let file: URL
    /// For which events the rows stand.
    public let progress: ProjectionProgress
    /// Every declared table, in the projector's order, then full texts and the schema.
    public let tables: [TableDigest]

    /// Reads a projector's read model in one read transaction, without leaving anything in its folder.
    ///
    /// - Parameters:
    ///   - projector: Whose read model.
    ///   - folder: Where the files lie (`DIR/read`).
    ///   - withOpened: Whether columns count that only keys fill.
    /// - Returns: `nil` if there is none.
    /// - Throws: ``ReadModelError``, or what SQLite says about a file that it cannot read.
    public static func read(
        _ projector: any Projector,
        in folder: URL,
        withOpened: Bool = true
    ) throws -> StoredReadModel? {
        guard let file = ProjectionFolder(folder, projector.identity).current() else { return nil }
        let copy = try DatabaseCopy(file)
        var configuration = Configuration()
        configuration.readonly = copy.isInPlace
        let queue = try DatabaseQueue(path: copy.path, configuration: configuration)
        defer { _ = try? queue.close() }
        if !copy.isInPlace { try check(queue, of: projector) }
        return try queue.read { database in
            let view = ReadTransaction(database)
            return StoredReadModel(
                file: file,
                progress: try view.progress(),
                tables: try view.tableDigests(of: projector, withOpened: withOpened)
            )
        }
    }

    /// Builds read models from the log in a folder that is thrown away afterwards, and digests them.
    ///
    /// - Parameters:
    ///   - projectors: Which.
    ///   - source: The log.
    ///   - end: How many events the rows are to stand for.
    ///   - keys: The person keys that exist now.
    ///   - withOpened: Whether columns count that only keys fill.
    ///   - progress: Hears how many events are in.
    /// - Returns: The tables of each, in the order asked for.
    /// - Throws: What reading the log, projecting or writing a file throws.
    @concurrent
    public static func rebuilt(
        _ projectors: [any Projector],
        from source: EntrySource,
        through end: LogPosition,
        keys: any PersonKeys,
        withOpened: Bool = true,
        progress: @Sendable (UInt64) -> Void = { _ in }
    ) async throws -> [[TableDigest]] {
        try await scratch(projectors, from: source, through: end, keys: keys, progress: progress) {
            databases in
            try zip(projectors, databases).map { projector, database in
                try database.readBlocking {
                    try $0.tableDigests(of: projector, withOpened: withOpened)
                }
            }
        }
    }

    /// Builds read models from the log in a folder that is thrown away, for the time of some queries.
    ///
    /// - Parameters:
    ///   - projectors: Which.
    ///   - source: The log.
    ///   - end: How many events the rows are to stand for.
    ///   - keys: The person keys that exist now.
    ///   - pages: Reads the log in the source's place, for whoever goes on where the log cannot be read; its leaves count for
    ///     nothing.
    ///   - progress: Hears how many events are in.
    ///   - query: Reads them, in the order asked for.
    /// - Returns: What `query` says.
    /// - Throws: What reading the log, projecting, writing a file or `query` throws.
    @concurrent
    public static func scratch<Answer: Sendable>(
        _ projectors: [any Projector],
        from source: EntrySource,
        through end: LogPosition,
        keys: any PersonKeys,
        pages: (@Sendable (LogPosition) async throws -> EventPage?)? = nil,
        progress: @Sendable (UInt64) -> Void = { _ in },
        query: @Sendable ([ReadDatabase]) async throws -> Answer
    ) async throws -> Answer {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "daybook-check-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        // A scratch folder that stays behind is the system's to clean up.
        defer { _ = try? FileManager.default.removeItem(at: folder) }
        let files = try projectors.map { projector in
            try ProjectionFile(
                projector,
                at: folder.appending(path: "\(projector.identity.fileStem).sqlite"),
                mode: .building,
                origin: source.origin,
                keys: keys
            )
        }
        if let pages {
            try await fill(files, progress, pages)
        } else {
            try await fill(files, from: source, through: end, progress)
        }
        let databases = zip(projectors, files).map {
            ReadDatabase($0.identity, serving: $1.connections)
        }
        let answer = try await query(databases)
        for file in files { try file.close() }
        return answer
    }

    /// Builds read models anew beside those on disk, in one pass over the log, and lets them take over; nobody may be serving
    /// the folder.
    ///
    /// - Returns: How many events they stand for.
    @concurrent
    public static func rebuild(
        _ projectors: [any Projector],
        in folder: URL,
        from source: EntrySource,
        keys: any PersonKeys,
        progress: @Sendable (UInt64) -> Void = { _ in }
    ) async throws -> UInt64 {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let places = projectors.map { ProjectionFolder(folder, $0.identity) }
        let files = try zip(projectors, places).map { projector, place in
            try place.discard(place.building)
            return try ProjectionFile(
                projector,
                at: place.building,
                mode: .building,
                origin: source.origin,
                keys: keys
            )
        }
        let size = try source.size()
        try await fill(files, from: source, through: LogPosition(size), progress)
        for (file, place) in zip(files, places) {
            try file.close()
            _ = try place.adopt(place.building)
            try place.removeStale()
        }
        return size
    }

    /// Takes files that stand for the same events on to others.
    static func fill(
        _ files: [ProjectionFile],
        from source: EntrySource,
        through end: LogPosition,
        _ progress: @Sendable (UInt64) -> Void
    ) async throws {
        let decoder = PageDecoder(files.map(\.projector))
        try await fill(files, progress) { position in
            try await page(from: position, through: end, of: source, decoder)
        }
    }

    /// Takes files that stand for the same events on, page by page.
    private static func fill(
        _ files: [ProjectionFile],
        _ progress: @Sendable (UInt64) -> Void,
        _ read: @escaping @Sendable (LogPosition) async throws -> EventPage?
    ) async throws {
        guard let start = files.first?.progress().next else { return }
        var page = try await read(start)
        while let current = page {
            async let following = read(current.next)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for file in files { group.addTask { try await file.applyInBulk(current) } }
                try await group.waitForAll()
            }
            progress(current.next.rawValue)
            page = try await following
        }
        for file in files { try await file.finishBuilding() }
    }

    /// The next page, decoded; `nil` at the end.
    private static func page(
        from position: LogPosition,
        through end: LogPosition,
        of source: EntrySource,
        _ decoder: PageDecoder
    ) async throws -> EventPage? {
        guard position < end else { return nil }
        let limit = min(
            UInt64(ProjectionLimits.bulkPageEntries),
            end.rawValue - position.rawValue
        )
        let page = try await source.decodedPage(
            from: position,
            limit: Int(limit),
            decoding: decoder
        )
        guard let page else {
            throw ProjectionError.logTooShort(asked: end, size: position.rawValue)
        }
        return page
    }
}
