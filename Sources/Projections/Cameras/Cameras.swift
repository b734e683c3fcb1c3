// SPDX-License-Identifier: Apache-2.0
public import Events

/// Which cameras there are, and which hours of their footage.
///
/// A camera's own state is read from the log; the rows say which ones to look at.
public struct Cameras: Sendable {
    /// The rows.
    public let database: ReadDatabase

    public init(_ database: ReadDatabase) {
        self.database = database
    }

    /// The cameras of the scope's organisation, by site, floor and number.
    ///
    /// - Parameters:
    ///   - site: Of this site alone; `nil` for all.
    ///   - scope: Whose.
    /// - Returns: Their ids.
    /// - Throws: ``ReadModelError`` when the read model cannot be read now.
    public func cameras(of site: String? = nil, in scope: Scope) async throws -> [CameraID] {
        try await database.read { view in
            var query = Query("SELECT id FROM camera")
            query.filter(leading: "site = ?", site)
            query.filter(scope)
            query.order(by: "site, floor, number", limit: ProjectionLimits.listRowsMax)
            return try view.all(query) { try $0.value() }
        }
    }

    /// Hours of a camera's footage that are kept, in the order of time.
    ///
    /// - Parameters:
    ///   - camera: Which one.
    ///   - from: Only those with pictures at or behind this time.
    ///   - until: Only those with pictures before this time.
    ///   - limit: At most ``ProjectionLimits/listRowsMax``.
    /// - Returns: One for each file.
    /// - Throws: ``ReadModelError`` when the read model cannot be read now.
    public func footage(
        of camera: CameraID,
        from: Timestamp? = nil,
        until: Timestamp? = nil,
        limit: Int = ProjectionLimits.listRowsMax
    ) async throws -> [Footage] {
        try await database.read { view in
            var query = Query(Footage.selection)
            query.filter(leading: "camera = ?", camera)
            query.filter("expired = 0")
            query.filter("last_at >= ?", from)
            query.filter("first_at < ?", until)
            query.order(by: "first_at", limit: bounded(limit))
            return try view.all(query, read: Footage.init)
        }
    }

    /// The file that has a camera's pictures of a time, or of the next time behind it.
    public func footage(of camera: CameraID, at time: Timestamp) async throws -> Footage? {
        try await footage(of: camera, from: time, limit: 1).first
    }

    /// The newest files of a camera that the log says were removed.
    public func expired(of camera: CameraID) async throws -> [Footage] {
        try await database.read { view in
            var query = Query(Footage.selection)
            query.filter(leading: "camera = ?", camera)
            query.filter("expired = 1")
            query.order(by: "first_at DESC", limit: ProjectionLimits.listRowsMax)
            return try view.all(query, read: Footage.init)
        }
    }

    /// The spans of a camera's footage that incidents keep.
    public func kept(of camera: CameraID) async throws -> [KeptFootage] {
        try await kept("camera = ?", camera)
    }

    /// The spans of footage that an incident keeps, in the order in which they were recorded.
    public func kept(for incident: IncidentID) async throws -> [KeptFootage] {
        try await kept("incident = ?", incident)
    }

    private func kept(
        _ condition: String,
        _ id: Identifier<some SendableMetatype>
    ) async throws -> [KeptFootage] {
        try await database.read { view in
            var query = Query(KeptFootage.selection)
            query.filter(leading: condition, id)
            query.order(by: "position", limit: ProjectionLimits.listRowsMax)
            return try view.all(query, read: KeptFootage.init)
        }
    }

    /// How many bytes a camera's footage takes.
    public func bytes(of camera: CameraID) async throws -> Int {
        try await database.read { view in
            try view.first(
                "SELECT sum(bytes) FROM footage WHERE camera = ?1 AND expired = 0",
                camera
            ) {
                try $0.optionalInteger() ?? 0
            } ?? 0
        }
    }
}

/// One file of a camera's footage: what the log has of an hour.
public struct Footage: Hashable, Sendable {
    public let camera: CameraID
    /// Path below the media folder.
    public let file: String
    public let firstAt: Timestamp
    public let lastAt: Timestamp
    /// Bytes of the file that the log has.
    public let bytes: Int
    /// Milliseconds without a picture, in holes of two seconds and more.
    public let missingMilliseconds: Int

    static let selection =
        "SELECT camera, file, first_at, last_at, bytes, missing FROM footage"

    init(_ row: inout RowReader) throws {
        camera = try row.value()
        file = try row.text()
        firstAt = try row.time()
        lastAt = try row.time()
        bytes = try row.integer()
        missingMilliseconds = try row.integer()
    }
}

/// A span of a camera's footage that an incident keeps.
public struct KeptFootage: Hashable, Sendable {
    public let position: LogPosition
    public let incident: IncidentID
    public let camera: CameraID
    /// What the camera was called then.
    public let name: String
    public let firstAt: Timestamp
    public let lastAt: Timestamp
    public let by: Actor
    public let at: Timestamp

    static let selection =
        "SELECT position, incident, camera, name, first_at, last_at, actor, at FROM kept"

    init(_ row: inout RowReader) throws {
        position = try row.position()
        incident = try row.value()
        camera = try row.value()
        name = try row.text()
        firstAt = try row.time()
        lastAt = try row.time()
        by = Actor(unchecked: try row.text())
        at = try row.time()
    }
}

/// Builds ``Cameras``.
public struct CamerasProjector: Projector {
    public init() {}

    public let identity = ProjectorIdentity("cameras", version: 1)
    public var tables: [Table] { [Self.camera, Self.footage, Self.kept] }
    public var handlers: Handlers { Self.handlers }

    private static let camera = Table(
        "camera",
        key: ["id"],
        columns: [
            "id TEXT NOT NULL", "org TEXT NOT NULL", "site TEXT NOT NULL",
            "floor INTEGER NOT NULL", "number INTEGER NOT NULL",
        ],
        indexes: [["site", "floor", "number"]]
    )

    private static let footage = Table(
        "footage",
        key: ["file"],
        columns: [
            "file TEXT NOT NULL", "camera TEXT NOT NULL", "first_at INTEGER NOT NULL",
            "last_at INTEGER NOT NULL", "bytes INTEGER NOT NULL", "missing INTEGER NOT NULL",
            "expired INTEGER NOT NULL",
        ],
        indexes: [["camera", "first_at"]]
    )

    private static let kept = Table(
        "kept",
        key: ["position"],
        columns: [
            "position INTEGER NOT NULL", "incident TEXT NOT NULL", "camera TEXT NOT NULL",
            "name TEXT NOT NULL", "first_at INTEGER NOT NULL", "last_at INTEGER NOT NULL",
            "actor TEXT NOT NULL", "at INTEGER NOT NULL",
        ],
        indexes: [["camera", "position"], ["incident", "position"]]
    )

    private static let handlers = Handlers {
        On(CameraSet.self) { set, event, rows in
            rows.run(
                "INSERT OR REPLACE INTO camera VALUES (?1, ?2, ?3, ?4, ?5)",
                event.subjectName,
                event.envelope.organisation,
                set.settings.site,
                set.settings.floor,
                set.settings.number
            )
        }
        On(CameraMinuteArchived.self) { minute, event, rows in
            rows.run(
                """
                INSERT INTO footage VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0)
                ON CONFLICT (file) DO UPDATE SET last_at = max(last_at, excluded.last_at),
                bytes = excluded.bytes, missing = missing + excluded.missing
                + CASE WHEN excluded.first_at - last_at >= ?7 THEN (excluded.first_at - last_at) / 1000 ELSE 0 END
                """,
                minute.file,
                event.subjectName,
                minute.firstAt,
                minute.lastAt,
                minute.offset + minute.length,
                minute.missingMilliseconds,
                CameraMinuteArchived.holeMicrosecondsMin
            )
        }
        On(IncidentFootageKept.self) { kept, event, rows in
            rows.run(
                "INSERT OR REPLACE INTO kept VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                event.position,
                event.subjectName,
                kept.camera,
                kept.name,
                kept.firstAt,
                kept.lastAt,
                event.envelope.actor,
                event.envelope.time
            )
        }
        On(CameraFootageExpired.self) { expired, _, rows in
            rows.run("UPDATE footage SET expired = 1 WHERE file = ?1", expired.file)
        }
    }
}
