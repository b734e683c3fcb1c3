// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation

extension Archive {
    /// What a sender asks for.
    struct Opening: Sendable {
        let session: SessionID
        let source: StartStream.Source
        let settings: StreamSettings
        let transport: StreamStarted.Transport
        let codec: StreamStarted.Codec
    }

    /// Starts a stream: creates its file, then records it.
    ///
    /// The same command id again names the same stream. A refusal leaves no file behind.
    ///
    /// - Parameters:
    ///   - opening: What is asked.
    ///   - stamp: Who asks.
    /// - Returns: The stream, and the place of its event.
    /// - Throws: `StartStream.Refusal`; ``ArchiveError/noRoom(free:floor:)``; `RecordingError` when the file cannot be made; what the ledger throws.
    func start(_ opening: Opening, by stamp: CommandStamp) async throws -> StartedStream {
        try room.check()
        let now = ledger.now()
        let owner = try ledger.handler.current(Commands.Session.self, opening.session).owner
        let file = try await folder.claim(
            start: Date(timeIntervalSince1970: Double(now.microseconds) / 1_000_000),
            timeZone: timeZone,
            owner: owner?.text ?? "0",
            except: try namesTaken(at: now)
        )
        do {
            let started = try await record(opening, file: file, by: stamp, at: now)
            if started.file != file { try await folder.discard(file) }
            return started
        } catch {
            try await folder.discard(file)
            throw error
        }
    }

    /// The names of recordings that began lately.
    ///
    /// An erasure frees a file's name, and the log goes on to call the erased person's recording by it: given to another,
    /// that one would be deleted in its place. Names have minutes of the site's zone, so only those of a day can come again.
    private func namesTaken(at now: Timestamp) throws -> Set<String> {
        var names: Set<String> = []
        var next = try ledger.log.position(at: now + (.zero - limits.namesKept))
        while true {
            let page = try ledger.log.entriesPastDamage(of: StreamStarted.kind, from: next)
            guard let behind = page.next else { return names }
            for event in page.events(of: ledger.log) {
                guard case .stream(.started(let stream)) = event.fact else { continue }
                names.insert(stream.file)
            }
            next = behind
        }
    }

    private func record(
        _ opening: Opening,
        file: String,
        by stamp: CommandStamp,
        at now: Timestamp
    ) async throws -> StartedStream {
        var chance = SystemRandomNumberGenerator()
        let stream = StreamID(at: now, using: &chance)
        let command = StartStream(
            stream,
            in: opening.session,
            from: opening.source,
            settings: opening.settings,
            transport: opening.transport,
            codec: opening.codec,
            file: file,
            timeZone: timeZone.identifier
        )
        let answer = try await ledger.handler.handle(
            command,
            CommandContext(stamp, now: now, using: &chance)
        )
        // A repeated command gets the receipt of the first one, which names the stream that it began.
        let begun = answer.receipt?.revisions.keys.first { $0.category == "stream" }
        let id = begun.flatMap { StreamID(String($0.name)) } ?? stream
        let index = try index(of: id)
        return StartedStream(
            stream: id,
            file: index.start?.file ?? file,
            receipt: answer.receipt
        )
    }

    /// Ends a stream for good: what waits is logged, then the stop; its file is finalised behind that.
    ///
    /// - Parameters:
    ///   - stream: Which one.
    ///   - party: Which side ends it.
    ///   - reason: In words.
    ///   - stamp: Who asks.
    /// - Returns: The receipt; `nil` if it had stopped before.
    /// - Throws: The refusal, what kept the stop out of the log, and ``RecordingError`` for what waited.
    func stop(
        _ stream: StreamID,
        by party: Party,
        reason: String,
        stamp: CommandStamp
    ) async throws -> Receipt? {
        try await ledger.settle(stream)
        if try !ledger.standing(of: stream).isOver {
            try await recording(of: stream).flush()
        }
        var chance = SystemRandomNumberGenerator()
        let answer = try await ledger.handler.handle(
            StopStream(stream, by: party, reason: reason),
            CommandContext(stamp, now: ledger.now(), using: &chance)
        )
        return answer.receipt
    }
}

/// A stream that has begun.
struct StartedStream: Sendable {
    let stream: StreamID
    /// Path below the media folder.
    let file: String
    let receipt: Receipt?
}
