// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import Media
import NIOCore
import Projections

/// Pictures in the chat of a session: sent by either side, read by whoever may read the transcript.
struct PictureRoutes: Sendable {
    let ledger: Ledger
    private let gate: PictureGate

    init(ledger: Ledger) {
        self.ledger = ledger
        gate = PictureGate(ledger.configuration.limits)
    }

    var routes: [Route] {
        [
            Route(.post, "/v1/sessions/:id/pictures", for: .parties.orGuest, send),
            Route(
                .get,
                "/v1/sessions/:id/pictures/:message",
                for: .readers.orGuest,
                reads: "picture",
                show
            ),
        ]
    }

    private struct SentBody: Encodable {
        let message: MessageID
        let temporaryID: String
        let mediaType: ChatAttachmentAdded.MediaType
        let width: Int
        let height: Int
    }

    /// The sender's own id for the message is the command's: `Idempotency-Key`.
    @Sendable private func send(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let principal = try context.signedIn()
        let id: SessionID = try context.id()
        // Who may not send now, sends nothing for nothing; what counts is asked when the picture is here.
        try ledger.rights.requireThere(.session(id), for: principal)
        try ledger.rights.requireSeen(id, by: principal)
        return try await gate.pass(of: principal.holder) {
            try await take(request, context, for: id)
        }
    }

    private func take(
        _ request: Request,
        _ context: GatewayContext,
        for id: SessionID
    ) async throws -> Response {
        let command = try await ledger.command(
            request,
            context,
            about: .session(id),
            content: .bytes(
                max: context.limits.pictureBytes,
                within: context.limits.pictureArrival
            )
        )
        let right: Right = { try $0.requireInReach(.session(id), of: $1) }
        try right(ledger.rights, command.asker)
        let sender = try command.asker.requireSender()
        let file = try PictureFile(command.bytes)
        let message: MessageID = ledger.newID()
        let (picture, blob) = try await hold(file, command.bytes, in: id, by: sender)
        let sending = SendPicture(
            picture,
            as: message,
            in: id,
            from: sender,
            temporaryID: command.command.text
        )
        let response: Response
        var taken: MessageID?
        do {
            response = try await ledger.answer(sending, command, if: right, status: .created) {
                taken = $0
                return SentBody(
                    message: $0,
                    temporaryID: sending.temporaryID,
                    mediaType: picture.mediaType,
                    width: picture.width,
                    height: picture.height
                )
            }
        } catch {
            if Self.isCertainlyUnwritten(error) { try await ledger.blobs.drop(blob) }
            throw error
        }
        // Another answer than this message's: it was sent before, and this file is named by nothing.
        if try ledger.handler.current(Session.self, id).chat[message] == nil {
            try await ledger.blobs.drop(blob)
        } else {
            try await ledger.blobs.settle(blob)
            if let contact = try ledger.handler.current(Session.self, id).contact {
                ledger.oweIfErased(contact.caller)
            }
        }
        if let taken, taken != message {
            try await SentBefore(taken, in: id, as: sending.temporaryID, ledger)
                .check(shows: command.bytes)
        }
        return response
    }

    /// Whether no event can name the file; where that is not known, the next start finds out.
    static func isCertainlyUnwritten(_ error: any Error) -> Bool {
        switch error {
        case EventLogError.outcomeUnknown, EventLogError.poisoned: false
        default:
            error is any CommandRefusal || error is ReadingRights.Refusal || error is CommandFault
                || error is EventLogError
        }
    }

    /// Puts the sealed bytes on disk for the caller of the session, unless the sender has no part in it.
    private func hold(
        _ file: PictureFile,
        _ bytes: [UInt8],
        in id: SessionID,
        by sender: Sender
    ) async throws -> (picture: SendPicture.Picture, blob: SHA256Digest) {
        let session = try ledger.handler.current(Session.self, id)
        guard let contact = session.contact else { throw SendRefusal.unknown(id) }
        // The decision says it again; here it keeps strangers from writing files.
        try sender.requirePart(in: session)
        let blob = try await ledger.holdPicture(bytes, for: contact.caller)
        let picture = SendPicture.Picture(
            blob: blob.digest,
            bytes: blob.bytes,
            mediaType: ChatAttachmentAdded.MediaType(file.format),
            width: file.width,
            height: file.height
        )
        return (picture, blob.digest)
    }

    /// The bytes as they were sent; only what the picture's own bytes say is told of their type.
    @Sendable private func show(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let reader = try context.signedIn()
        let id: SessionID = try context.id()
        let message: MessageID = try context.id("message")
        try ledger.rights.check(id, for: reader)
        try await ledger.awaitLevel(request, of: "conversations")
        guard let found = try await ledger.readModels.conversations.message(message),
            found.session == id, let picture = found.picture
        else { throw Problem(.notFound, detail: "session \(id) has no picture \(message)") }
        _ = try await ledger.keys(toRead: .session(id), context, fields: ["picture"])
        let seat = try context.answerSeat()
        guard let length = try await ledger.blobs.length(picture.blob, of: picture.person) else {
            throw Problem.pictureErased
        }
        let pieces = PictureAnswer(
            blobs: ledger.blobs,
            blob: picture.blob,
            person: picture.person,
            length: length,
            pieceBytes: context.limits.picturePieceBytes,
            stillMay: ledger.stillMay(read: id, reader)
        )
        var headers: HTTPFields = [
            .contentType: picture.mediaType.rawValue,
            .cacheControl: "private, no-store",
            .contentSecurityPolicy: "default-src 'none'; sandbox",
        ]
        headers[.contentDisposition] =
            "inline; filename=\"\(message).\(picture.mediaType.fileExtension)\""
        return Response(status: .ok, headers: headers, body: pieces.body(holding: seat))
    }
}

extension Problem {
    /// The person's key is gone, and the picture with it.
    static let pictureErased = Problem(
        ProblemType("picture-erased", .gone, "Erased"),
        detail: "the picture was erased with the person that it belonged to"
    )
}

extension Ledger {
    /// Encrypts a picture for a person and puts it on disk, before an event names it.
    ///
    /// - Throws: ``Problem/pictureErased``; 507 where the disk does not take it.
    func holdPicture(_ bytes: [UInt8], for person: PersonID) async throws -> BlobFolder.Blob {
        do {
            guard let blob = try await blobs.hold(bytes, for: person) else {
                throw Problem.pictureErased
            }
            return blob
        } catch let error as StartError {
            logger.error("a picture was not stored", metadata: ["error": "\(error)"])
            throw Problem(.storageFull, detail: "the picture was not stored; send it again later")
        }
    }
}

extension PictureFault: ProblemRepresentable {
    var problem: Problem {
        switch self {
        case .otherFormat: Problem(.unsupportedMediaType, detail: "the body is refused: \(self)")
        case .unreadable, .tooLarge:
            Problem(
                ProblemType("picture-unacceptable", .unprocessableContent, "Picture refused"),
                detail: "the body is refused: \(self)"
            )
        }
    }
}

extension ChatAttachmentAdded.MediaType {
    init(_ format: PictureFile.Format) {
        switch format {
        case .jpeg: self = .jpeg
        case .png: self = .png
        case .webP: self = .webP
        }
    }

    var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .png: "png"
        case .webP: "webp"
        }
    }
}
