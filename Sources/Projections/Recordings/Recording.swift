// SPDX-License-Identifier: Apache-2.0
public import Events

/// How far a recording has come.
public enum RecordingState: String, Codable, Hashable, Sendable, CaseIterable {
    case live
    case interrupted
    case stopped
    case finalized
}

/// One stream and its recording.
public struct Recording: Hashable, Sendable {
    public let stream: StreamID
    public let startedPosition: LogPosition
    public let session: SessionID
    public let incident: IncidentID
    public let caller: PersonID
    public let organisation: OrganisationID
    public let state: RecordingState
    public let transport: StreamStarted.Transport
    public let codec: StreamStarted.Codec
    public let width: Int
    public let height: Int
    public let framesPerSecond: Int
    public let kilobitsPerSecond: Int
    public let quality: Quality
    public let camera: String?
    /// Path below the media folder.
    public let file: String
    public let timeZone: String
    public let startedAt: Timestamp
    /// `2015-04-21`, in the site's zone.
    public let localDate: String
    /// `13:11:05`, in the site's zone.
    public let localTime: String
    public let stoppedAt: Timestamp?
    public let stopReason: String?
    public let stoppedBy: Party?
    public let chunks: Int
    /// Bytes of all chunks.
    public let bytes: Int
    public let firstMilliseconds: Int?
    public let lastMilliseconds: Int?
    public let lastChunkAt: Timestamp?
    /// The sender's part that arrives now.
    public let part: Int?
    /// Bytes of that part which are archived.
    public let through: Int?
    public let durationMilliseconds: Int?
    /// Digest of the finished file.
    public let sha256: SHA256Digest?
    /// Length of the finished file.
    public let finalBytes: Int?
    /// Why the archive could not keep what arrived, if so.
    public let failure: String?
    /// Whose session it was first; `nil` before the claim.
    public let operatorID: UserID?
    public let operatorName: String?
    public let address: String?
    public let phone: String?

    static let columns = """
        stream.id, stream.number, session, incident, caller, org, state, transport, codec, width,
        height, fps, kbps, quality, camera, stream.file, time_zone, started_at, local_date,
        local_time, stopped_at, stop_reason, stopped_by, chunks, bytes, first_ms, last_ms,
        last_chunk_at, part, through, duration_ms, sha256, final_bytes, failure, stream.operator,
        operator_name, (SELECT address FROM incident WHERE incident.id = stream.incident), phone
        """
    static let selection = "SELECT \(columns) FROM stream"

    init(_ row: inout RowReader) throws {
        stream = try row.value()
        startedPosition = try row.position()
        session = try row.value()
        incident = try row.value()
        caller = try row.value()
        organisation = try row.value()
        state = try row.word()
        transport = try row.word()
        codec = try row.word()
        width = try row.integer()
        height = try row.integer()
        framesPerSecond = try row.integer()
        kilobitsPerSecond = try row.integer()
        quality = try row.word()
        camera = try row.optionalText()
        file = try row.text()
        timeZone = try row.text()
        startedAt = try row.time()
        localDate = try row.text()
        localTime = try row.text()
        stoppedAt = try row.optionalTime()
        stopReason = try row.optionalText()
        stoppedBy = try row.optionalWord()
        chunks = try row.integer()
        bytes = try row.integer()
        firstMilliseconds = try row.optionalInteger()
        lastMilliseconds = try row.optionalInteger()
        lastChunkAt = try row.optionalTime()
        part = try row.optionalInteger()
        through = try row.optionalInteger()
        durationMilliseconds = try row.optionalInteger()
        sha256 = try row.optional()
        finalBytes = try row.optionalInteger()
        failure = try row.optionalText()
        operatorID = try row.optional()
        operatorName = try row.optionalText()
        address = try row.optionalText()
        phone = try row.optionalText()
    }
}
