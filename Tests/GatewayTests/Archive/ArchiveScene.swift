// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import Logging
import Media
import MediaTesting
import TestSupport

@testable import Gateway

/// A ledger with an archive in a folder of its own: a caller with a registered phone, in a session of Sam's.
final class ArchiveScene: Sendable {
    let folder: TemporaryFolder
    let log: EventLog
    let handler: CommandHandler
    let archive: Archive
    let caller: PersonID
    let device: DeviceID
    let session: SessionID
    let incident: IncidentID
    let keys: KeyStore
    let recordingKeys: RecordingKeys

    static let sam = UserID(unchecked: "123456789")

    /// Opens a ledger with one session, and its archive.
    ///
    /// - Parameters:
    ///   - limits: Those of the archive.
    ///   - room: Whether the disk takes more video.
    ///   - budgets: What each actor may write; `nil` for no bound.
    ///   - clock: What the archive's decisions go by.
    /// - Throws: What keeps a part from opening.
    init(
        limits: ArchiveLimits = ArchiveLimits(),
        room: ArchiveRoom = .enough,
        budgets: ActorBudgets? = nil,
        clock: @escaping @Sendable () -> Timestamp = LedgerClock.system.now
    ) async throws {
        folder = try TemporaryFolder()
        let masterKey = MasterKey.random()
        keys = try KeyStore.open(at: folder.url.appending(path: "keys"), masterKey: masterKey)
        recordingKeys = RecordingKeys(of: masterKey)
        log = try EventLog.open(
            folder.url,
            configuration: LogConfiguration(
                origin: "daybook.example.org/test",
                keys: keys,
                freeBytesMin: 1
            )
        )
        handler = CommandHandler(log: log, budgets: budgets)
        (caller, device) = (freshID(), freshID())
        try keys.create(caller)
        try await handler.run(
            RegisterDevice(
                device,
                of: caller,
                phone: .first,
                verification: .operatorCode,
                codeGivenBy: Self.sam
            )
        )
        let opened = try await handler.run(
            CreateSession(by: Self.sam, caller: caller, phone: .first, device: device)
        )
        (session, incident) = (opened.session, opened.incident)
        archive = Self.archive(of: folder, log, handler, recordingKeys, limits, room, clock)
    }

    /// Another archive over the same ledger, as after a crash: it knows what log and files say, and nothing else.
    func archiveAnew(
        limits: ArchiveLimits = ArchiveLimits(),
        clock: @escaping @Sendable () -> Timestamp = LedgerClock.system.now
    ) -> Archive {
        Self.archive(
            of: folder,
            log,
            CommandHandler(log: log),
            recordingKeys,
            limits,
            .enough,
            clock
        )
    }

    private static func archive(
        of folder: TemporaryFolder,
        _ log: EventLog,
        _ handler: CommandHandler,
        _ keys: RecordingKeys,
        _ limits: ArchiveLimits,
        _ room: ArchiveRoom = .enough,
        _ clock: @escaping @Sendable () -> Timestamp = LedgerClock.system.now
    ) -> Archive {
        let media = folder.url.appending(path: "media")
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return Archive(
            volumes: Volumes { [Volume(folder: media, room: room)] },
            ledger: ArchiveLedger(log: log, handler: handler, now: clock),
            keys: keys,
            limits: limits,
            room: room,
            logger: logger
        )
    }

    /// Starts a stream from the caller's phone.
    func stream(
        _ archive: Archive? = nil,
        key: String? = nil,
        device other: DeviceID? = nil,
        codec: StreamStarted.Codec = .vp9
    ) async throws -> StartedStream {
        let opening = Archive.Opening(
            session: session,
            source: .device(other ?? device),
            settings: .low,
            transport: .webSocket,
            codec: codec
        )
        let command = CommandID(unchecked: key ?? "\(freshID() as RequestID)")
        return try await (archive ?? self.archive).start(
            opening,
            by: CommandStamp(actor: .device(other ?? device), command: command)
        )
    }

    /// Everything that was recorded of a stream.
    func events(of stream: StreamID) throws -> [StreamEvent] {
        let decoder = EventDecoder()
        return try log.entries(of: .stream(stream)).compactMap { entry in
            guard case .stream(let fact) = try decoder.decode(entry).fact else { return nil }
            return fact
        }
    }

    /// The chunks that the log has of a stream.
    func chunks(of stream: StreamID) throws -> [StreamChunkArchived] {
        try events(of: stream).compactMap {
            if case .chunkArchived(let chunk) = $0 { chunk } else { nil }
        }
    }

    /// The refusals that the log has.
    func refusals() throws -> [AccessRefused] {
        let decoder = EventDecoder()
        return try log.entries(of: AccessRefused.kind).compactMap {
            try decoder.decode($0).fact.payload as? AccessRefused
        }
    }

    func path(of stream: StreamID) throws -> String {
        archive.path(of: try archive.index(of: stream))
    }

    /// The files of the archive.
    func files() throws -> [String] {
        let media = folder.url.appending(path: "media").path
        guard FileManager.default.fileExists(atPath: media) else { return [] }
        return try FileManager.default.subpathsOfDirectory(atPath: media)
            .filter { $0.hasSuffix(".webm") }
    }
}

/// A fresh identifier.
func freshID<Named>() -> Identifier<Named> {
    var chance = SystemRandomNumberGenerator()
    return Identifier(at: LedgerClock.system.now(), using: &chance)
}

extension CommandHandler {
    /// Records a command of the centre.
    @discardableResult
    func run<C: Command>(
        _ command: C,
        by actor: Actor = Actor(unchecked: "operator/123456789")
    ) async throws -> C.Outcome {
        var chance = SystemRandomNumberGenerator()
        let id: RequestID = freshID()
        let stamp = CommandStamp(actor: actor, command: CommandID(unchecked: "\(id)"))
        let context = CommandContext(stamp, now: LedgerClock.system.now(), using: &chance)
        return try await handle(command, context).outcome
    }
}

private typealias RequestID = Events.RequestID

extension PhoneNumber {
    static let first = known("+447712345678")
    static let second = known("+447712345679")

    private static func known(_ text: String) -> PhoneNumber {
        guard let number = PhoneNumber(text) else { preconditionFailure("\(text) is no number") }
        return number
    }
}

extension ArchiveRoom {
    /// A disk with room, whatever this machine's is like.
    static let enough = ArchiveRoom(floor: 0) { .max }
}

extension StreamSettings {
    static let low = StreamSettings(
        quality: .low,
        width: 320,
        height: 180,
        framesPerSecond: 25,
        kilobitsPerSecond: 750,
        camera: "rear"
    )
}

extension LiveRecording {
    /// Sends bytes of a part in pieces, as the socket would.
    @discardableResult
    func send(
        _ bytes: [UInt8],
        part: UInt32,
        from start: UInt64 = 0,
        pieces: [Int] = [8196, 1, 65_536]
    ) async throws -> PartReceipt? {
        var receipt: PartReceipt?
        var offset = start
        for piece in TestWebM.pieces(Array(bytes.dropFirst(Int(start))), of: pieces) {
            receipt = try await accept(piece, part: part, offset: offset)
            offset += UInt64(piece.count)
        }
        return receipt
    }
}

/// Videos that are encoded once and shared.
enum Videos {
    private static let whole = Result {
        try (0..<3).map { part in
            try TestVideo(
                numbers: part * 50..<(part + 1) * 50,
                tier: part == 1 ? .medium : .low
            )
        }
    }

    /// Three parts of two sizes, whose pictures are numbered from 0 to 149.
    static func parts() throws -> [[UInt8]] { try whole.get().map(TestWebM.likeBrowser) }

    /// The numbers on the pictures of a file, in the order of time.
    static func numbers(in path: String) throws -> [Int?] {
        let reader = try RecordingReader(path: path)
        let frames = try reader.index.byTime.flatMap { try reader.frames(of: $0).map(\.bytes) }
        return try TestVideo.numbers(in: frames)
    }
}
