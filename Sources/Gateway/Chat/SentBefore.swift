// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import HTTPTypes

/// What was sent before by the same temporary id: only the same content is the same message.
///
/// A client that counts anew after a reload says something else by an old id. Told that it arrived, it would never say it
/// again, and nobody would ever read it.
struct SentBefore {
    private let ledger: Ledger
    private let temporaryID: String
    /// What stands there; `nil` where it cannot be read any more.
    private let event: ChatEvent?

    /// - Parameters:
    ///   - message: What a sender's temporary id became: of what was sent now, or of what was sent before.
    ///   - session: Its session.
    ///   - temporaryID: The sender's id for it.
    ///   - ledger: Where it stands.
    /// - Throws: When the log cannot be read.
    init(
        _ message: MessageID,
        in session: SessionID,
        as temporaryID: String,
        _ ledger: Ledger
    ) throws {
        self.ledger = ledger
        self.temporaryID = temporaryID
        event = try Self.event(of: message, in: session, ledger)
    }

    /// Refuses a text that is not the one that stands there; of an erased one nobody knows, and it counts as the same.
    func check(says text: String) throws {
        switch event {
        case .messageSent(let sent)?:
            guard
                case .value(let known) = try sent.text.opened(
                    with: ledger.keys.unrecorded(.compared)
                )
            else { return }
            guard known == text else { throw other }
        case nil: return
        case .attachmentAdded?, .messageRejected?, .messageDelivered?, .messageSeen?,
            .quickResponseChosen?:
            throw other
        }
    }

    /// Refuses a picture that is not the one that stands there; of one that is erased or lost nobody knows, either.
    func check(shows picture: [UInt8]) async throws {
        switch event {
        case .attachmentAdded(let added)?:
            guard let known = try await bytes(of: added) else { return }
            guard known == picture else { throw other }
        case nil: return
        case .messageSent?, .messageRejected?, .messageDelivered?, .messageSeen?,
            .quickResponseChosen?:
            throw other
        }
    }

    private func bytes(of added: ChatAttachmentAdded) async throws -> [UInt8]? {
        do {
            return try await ledger.blobs.open(added.blob, of: added.person)
        } catch is BlobFault {
            return nil
        }
    }

    private static func event(
        of message: MessageID,
        in session: SessionID,
        _ ledger: Ledger
    ) throws -> ChatEvent? {
        guard let known = try ledger.handler.current(Session.self, session).chat[message] else {
            return nil
        }
        do {
            guard let entry = try ledger.log.entry(at: known.place.position),
                case .chat(let event) = try EventDecoder().decode(entry).fact
            else { return nil }
            return event
        } catch EventLogError.damaged {
            // Whoever repeats what did arrive is not kept waiting by what was damaged later.
            return nil
        }
    }

    private var other: Problem {
        Problem(
            ProblemType("temporary-id-reused", .unprocessableContent, "Another message"),
            detail:
                "not sent: this temporary id is that of another message of yours; send it again with a new one",
            facts: ["temporaryID": .string(temporaryID)]
        )
    }
}
