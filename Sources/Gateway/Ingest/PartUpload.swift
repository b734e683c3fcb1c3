// SPDX-License-Identifier: Apache-2.0
import Events
import Hummingbird
import Media

/// `PUT /v1/streams/{id}/parts/{n}?offset=`: bytes of a part over HTTP, by the rules of the socket.
///
/// The body is taken piece by piece as it comes, from whoever is signed in when the piece is here. At its end what waits is written, so the answer covers all
/// that can stand in a cluster. `end=true` says that no more bytes of the part will come.
struct PartUpload: Sendable {
    let recording: LiveRecording
    let part: UInt32
    let offset: UInt64
    /// Who sends; nothing is taken once that one is signed out, or may not send any more.
    let sender: LiveRight
    let isLast: Bool

    /// How far the part has come; the answer to every upload.
    struct Answer: Codable, Hashable, Sendable {
        let part: UInt32
        /// Where the sender goes on.
        let received: UInt64
        /// The bytes below this are synced and logged.
        let through: UInt64
        let hasEnded: Bool
        /// The event that says so.
        let position: String?

        init(_ receipt: PartReceipt) {
            part = receipt.part
            received = receipt.received
            through = receipt.through
            hasEnded = receipt.hasEnded
            position = receipt.position.map { "\($0)" }
        }
    }

    /// Takes a body to its end.
    ///
    /// - Throws: As ``LiveRecording/accept(_:part:offset:by:)``, and why the sender may send no more; what was taken before stays
    ///   taken.
    func take(_ body: RequestBody) async throws -> Answer {
        await recording.hold()
        do {
            let answer = try await takeAll(body)
            await recording.letGo()
            return answer
        } catch {
            await recording.letGo()
            throw error
        }
    }

    private func takeAll(_ body: RequestBody) async throws -> Answer {
        var at = offset
        var pieces = body.makeAsyncIterator()
        while let piece = try await pieces.next() {
            try await sender.check()
            _ = try await recording.accept(
                Array(piece.readableBytesView),
                part: part,
                offset: at,
                by: sender.principal.ledgerActor
            )
            at += UInt64(piece.readableBytes)
        }
        try await sender.check()
        if isLast { return Answer(try await recording.end(part: part)) }
        try await recording.flush()
        // Asking with no bytes tells how far the part has come, and refuses an offset beyond it.
        return Answer(try await recording.accept([], part: part, offset: at))
    }
}
