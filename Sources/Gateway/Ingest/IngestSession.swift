// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import Logging
import Media
import Synchronization

/// One connection of a sender: `WS /v1/streams/{id}/ingest`.
///
/// Two tasks: one takes the sender's frames, one after the other, and so slows the sender to what the archive
/// can keep; the other tells what the clock made safe meanwhile.
struct IngestSession: Sendable {
    let recording: LiveRecording
    let archive: Archive
    let connection: WebSocketConnection
    /// Who sends, for the stop.
    let stamp: @Sendable () -> CommandStamp
    /// Who sends; nothing is taken once that one is signed out, or may not send any more.
    let sender: LiveRight
    /// Notes why what the sender sent was not taken, before the sender is told.
    let refused: @Sendable (any Error) async -> Void
    /// What this connection has been told, so that nothing is told twice.
    private let told = Told()

    init(
        recording: LiveRecording,
        archive: Archive,
        connection: WebSocketConnection,
        stamp: @escaping @Sendable () -> CommandStamp,
        sender: LiveRight,
        refused: @escaping @Sendable (any Error) async -> Void
    ) {
        self.recording = recording
        self.archive = archive
        self.connection = connection
        self.stamp = stamp
        self.sender = sender
        self.refused = refused
    }

    /// Serves the connection until it ends.
    ///
    /// - Throws: The problem for which it closes.
    func run() async throws {
        await recording.connected()
        do {
            try await serve()
        } catch {
            try await recording.disconnected()
            try await refuse(error)
        }
        try await recording.disconnected()
    }

    private func serve() async throws {
        var messages = connection.messages.makeAsyncIterator()
        guard let first = await messages.next() else { return }
        guard case .text(let text) = first, case .settings(let wire) = try request(text) else {
            throw Problem(.malformedRequest, detail: "the first frame is the settings, as JSON")
        }
        try await change(to: wire)
        try await sayWhereToGoOn()
        try await withThrowingTaskGroup { group in
            group.addTask { try await take() }
            group.addTask { try await announce() }
            group.addTask { try await sender.untilSignedOut() }
            try await group.next()
            group.cancelAll()
        }
    }

    private func change(to settings: SettingsWire) async throws {
        try await recording.change(
            to: settings.settings,
            cause: settings.cause ?? .user,
            by: stamp().actor
        )
    }

    /// The newest part and its next byte; for a fresh stream byte 0 of part 0.
    private func sayWhereToGoOn() async throws {
        let receipts = try await recording.receipts()
        for receipt in receipts where receipt.through > 0 || receipt.hasEnded {
            try await tell(receipt, again: receipt.hasEnded)
        }
        let last = receipts.last
        try await connection.send(
            json: IngestAnswer.resume(part: last?.part ?? 0, offset: last?.received ?? 0)
        )
    }

    // MARK: - Taking

    private func take() async throws {
        for await message in connection.messages {
            try await sender.check()
            switch message {
            case .binary(let frame):
                guard let piece = IngestPiece(frame) else {
                    throw Problem(
                        .malformedRequest,
                        detail: "a binary frame is u32 part, u64 offset, bytes, big endian"
                    )
                }
                try await take(piece)
            case .text(let text):
                guard try await obey(request(text)) else { return }
            }
        }
    }

    private func take(_ piece: IngestPiece) async throws {
        do {
            let receipt = try await recording.accept(
                piece.bytes,
                part: piece.part,
                offset: piece.offset,
                by: sender.principal.ledgerActor
            )
            let wasKnown = piece.offset + UInt64(piece.bytes.count) <= receipt.through
            try await tell(receipt, again: wasKnown)
        } catch RecordingError.gap(let part, let expected, _) {
            // Nothing is wrong with the sender's bytes but their order: it goes on where we say.
            try await connection.send(json: IngestAnswer.resume(part: part, offset: expected))
        }
    }

    /// - Returns: Whether the stream goes on.
    private func obey(_ request: IngestRequest) async throws -> Bool {
        switch request {
        case .settings(let wire):
            try await change(to: wire)
        case .late(let part, let ago, let next):
            let receipt = try await recording.placeLate(
                part: part,
                millisecondsAgo: ago,
                before: next
            )
            try await connection.send(
                json: IngestAnswer.resume(part: part, offset: receipt.received)
            )
        case .end(let part):
            try await tell(try await recording.end(part: part), again: true)
        case .stop(let reason):
            _ = try await archive.stop(
                recording.facts.stream,
                by: .caller,
                reason: reason,
                stamp: stamp()
            )
            for receipt in try await recording.receipts() { try await tell(receipt) }
            return try await !tellIfOver()
        }
        return true
    }

    private func request(_ text: String) throws -> IngestRequest {
        // A camera's messages may be long; those in words never are.
        let limit = WebSocketLimits().messageBytes
        guard text.utf8.count <= limit else { throw Problem.bodyTooLarge(limit: limit) }
        return try JSONBody.value(IngestRequest.self, in: Data(text.utf8))
    }

    // MARK: - Telling

    /// Tells what became safe by the clock, and the end of the stream.
    private func announce() async throws {
        for await _ in archive.signals.changes(of: recording.facts.stream) {
            if try await tellIfOver() { return }
            for receipt in try await recording.receipts() { try await tell(receipt) }
        }
    }

    /// Tells that the stream is over, if it is: who ended it, which may be somebody who was faster, and why.
    ///
    /// - Returns: Whether it is.
    private func tellIfOver() async throws -> Bool {
        guard let stop = try archive.index(of: recording.facts.stream).stopped else { return false }
        try await connection.send(json: IngestAnswer.stopped(by: stop.by, reason: stop.reason))
        return true
    }

    /// Tells of a part that is archived, if that is news, or answers a question.
    private func tell(_ receipt: PartReceipt, again: Bool = false) async throws {
        let isNews = receipt.position != nil && told.isNews(receipt)
        guard isNews || again else { return }
        try await connection.send(json: IngestAnswer.archived(receipt))
    }

    /// Says why, and which part is not taken, then lets the connection close with the code of the problem.
    private func refuse(_ error: any Error) async throws {
        if error is WebSocketClosed || error is CancellationError { throw error }
        await refused(error)
        let problem = ProblemTable.problem(for: error)
        connection.logger.info("ingest refused", metadata: ["problem": "\(problem.type.slug)"])
        try await connection.send(
            json: IngestAnswer.refused(
                slug: problem.type.slug,
                detail: problem.detail ?? problem.type.title,
                part: (error as? RecordingError)?.refusedPart
            )
        )
        throw error
    }
}

/// How far each part was told to be safe.
private final class Told: Sendable {
    private let through = Mutex<[UInt32: UInt64]>([:])

    /// Notes a receipt; says whether it tells more than the last one of its part.
    func isNews(_ receipt: PartReceipt) -> Bool {
        through.withLock { through in
            guard receipt.through > through[receipt.part, default: 0] else { return false }
            through[receipt.part] = receipt.through
            return true
        }
    }
}
