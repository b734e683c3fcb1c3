// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import HTTPTypes
import Hummingbird
import Logging
import Media

/// The routes of live video: starting, sending, stopping, finding and watching it.
struct StreamRoutes: Sendable {
    let archive: Archive
    let viewings: Viewings
    /// Decodes stills in a child process; `nil` where no program for it is set up.
    let stills: StillDesk?
    let accounts: AccountStore
    let rights: StreamRights
    let readers: ArchiveThreads
    /// Before the bodies of parts.
    let uploads: UploadGate

    init(
        archive: Archive,
        stills: StillDesk?,
        accounts: AccountStore,
        rights: StreamRights
    ) {
        self.archive = archive
        self.stills = stills
        self.accounts = accounts
        self.rights = rights
        viewings = Viewings(ledger: archive.ledger)
        uploads = UploadGate(
            most: archive.limits.partUploads,
            ofSender: archive.limits.partUploadsOfSender
        )
        readers = ArchiveThreads(count: archive.limits.readingThreads, name: "playback")
    }

    /// Every route of streams but the search.
    var routes: [Route] { ingest + playback }

    // MARK: - Parameters

    func stream(_ context: GatewayContext) throws -> StreamID {
        guard let id = context.parameters.get("id").flatMap({ StreamID($0) }) else {
            throw Problem(.streamUnknown, detail: "a stream's id is a UUID of version 7")
        }
        return id
    }

    // MARK: - Who

    /// Who acts, and what makes a repetition of the request the same command.
    func stamp(_ command: CommandRequest) -> CommandStamp {
        CommandStamp(
            actor: command.asker.ledgerActor,
            command: command.command,
            organisation: command.asker.organisation,
            asked: command.asked
        )
    }

    /// The same for a socket, whose stop happens once for each stream and actor.
    func stamp(_ principal: Principal, _ index: StreamIndex) -> CommandStamp {
        CommandStamp(
            actor: principal.ledgerActor,
            command: CommandID(unchecked: "stop~\(index.id)"),
            organisation: principal.organisation,
            correlation: index.start.map { Subject.incident($0.incident).text },
            asked: .saidByID
        )
    }

    /// Whether a phone may send into a stream: one of the caller's that goes on in the session, and beside it the one that
    /// films, which was perhaps shut out of what is said since (decision 0052).
    func maySend(_ principal: Principal, into index: StreamIndex) throws -> Bool {
        guard let start = index.start, let device = principal.deviceID,
            principal.personID == "\(start.caller)", principal.sees(start.session)
        else { return false }
        if index.startedBy.map({ "\($0)" }) == device { return true }
        return try ReadingRights.holds { try rights.check(principal, start.session) }
    }

    /// Turns a sender away whose phone is another than the session's, and records it (ruling 20).
    func requireSender(
        _ principal: Principal,
        of index: StreamIndex,
        attempt: String
    ) async throws {
        guard let facts = RecordingFacts(index) else {
            throw ArchiveError.unknown(index.id)
        }
        // Of another organisation: as if it were not there, and nothing is written into that one's history.
        guard facts.organisation == principal.organisation else {
            throw ArchiveError.unknown(index.id)
        }
        guard try !maySend(principal, into: index) else { return }
        await recordRefusal(
            of: principal,
            from: facts,
            attempt: attempt,
            reason: principal.personID == nil ? .role : .otherNumber
        )
        throw Problem.deviceOfOtherNumber(index.id)
    }

    /// Records that what somebody sent was not taken, if that is why sending ended.
    func recordRefusedMedia(
        _ error: any Error,
        of principal: Principal,
        from facts: RecordingFacts,
        attempt: String
    ) async {
        guard let error = error as? RecordingError, error.isOfMedia else { return }
        await recordRefusal(of: principal, from: facts, attempt: attempt, reason: .media)
    }

    /// Records that a sender was turned away, once a minute.
    ///
    /// What cannot be recorded is logged: a refusal must not turn into another answer.
    private func recordRefusal(
        of principal: Principal,
        from facts: RecordingFacts,
        attempt: String,
        reason: AccessRefused.Reason
    ) async {
        let actor = principal.ledgerActor
        let refusal = RecordAccess(
            refusedTo: actor,
            resource: .stream(facts.stream),
            attempt: attempt,
            reason: reason
        )
        do {
            try await archive.ledger.record(
                refusal,
                id: refusal.commandID(at: archive.ledger.now()).text,
                of: facts,
                by: actor
            )
        } catch {
            archive.logger.error("a refusal was not recorded", metadata: ["error": "\(error)"])
        }
    }
}

extension RecordingError {
    /// Whether it refuses what the bytes are, rather than their order or their number.
    fileprivate var isOfMedia: Bool {
        switch self {
        case .gap, .pieceTooLarge: false
        default: isRefusal
        }
    }
}

/// The gateway's one check of who may see a session (ruling 18), as streams need it.
struct StreamRights: Sendable {
    /// Who somebody is now: see ``CommandRequest``.
    let confirm: Confirming
    /// Throws when the reader may not see the session; what a route throws is recorded behind it.
    let check: @Sendable (Principal, SessionID) throws -> Void
    /// The same for a socket that is open: records the refusal itself.
    let admit: @Sendable (Principal, SessionID, _ attempt: String) async throws -> Void
}

extension Problem {
    /// Sending was refused for the phone.
    static func deviceOfOtherNumber(_ stream: StreamID) -> Problem {
        Problem(
            .deviceOfOtherNumber,
            detail:
                "this stream is another number's, or another phone's that goes on in the session; "
                + "use the phone with which it began",
            facts: ["stream": .string("\(stream)")]
        )
    }
}

extension ProblemType {
    static let deviceOfOtherNumber = Self(
        "device-of-other-number",
        .forbidden,
        "Another number's token"
    )
}
