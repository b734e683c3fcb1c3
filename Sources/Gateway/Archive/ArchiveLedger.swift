// SPDX-License-Identifier: Apache-2.0
import Commands
import Events

/// The archive's way into the ledger: its commands, under ids that make a repetition the same command.
struct ArchiveLedger: Sendable {
    let log: EventLog
    let handler: CommandHandler
    /// The clock of decisions.
    let now: @Sendable () -> Timestamp
    /// Told whose picture an event names; they may have been erased meanwhile.
    let named: @Sendable (PersonID) -> Void

    init(
        log: EventLog,
        handler: CommandHandler,
        now: @escaping @Sendable () -> Timestamp = LedgerClock.system.now,
        named: @escaping @Sendable (PersonID) -> Void = { _ in }
    ) {
        self.log = log
        self.handler = handler
        self.now = now
        self.named = named
    }

    /// Records a command; returns once it is on disk.
    ///
    /// - Parameters:
    ///   - command: What to record.
    ///   - id: The same for the same fact, also after a crash.
    ///   - facts: The stream whose organisation and incident the events belong to.
    ///   - actor: Who records it.
    ///   - payer: Whose video it is, and in whose budget it counts.
    /// - Returns: The outcome, and the receipt if anything had to be recorded.
    /// - Throws: The command's refusal; `CommandFault`; `EventLogError`.
    @discardableResult
    func record<C: Command>(
        _ command: C,
        id: String,
        of facts: RecordingFacts,
        by actor: Actor = .archive,
        for payer: Actor? = nil
    ) async throws -> Answer<C.Outcome> {
        try await handler.handle(command, context(id, of: facts, by: actor, for: payer))
    }

    /// Refuses a sender who has let so much be recorded that no more video of theirs is taken now.
    ///
    /// - Throws: `CommandFault.overBudget`; `EventLogError`.
    func checkBudget(of sender: Actor, _ facts: RecordingFacts) async throws {
        try await handler.checkBudget(context("", of: facts, by: sender))
    }

    private func context(
        _ id: String,
        of facts: RecordingFacts,
        by actor: Actor,
        for payer: Actor? = nil
    ) -> CommandContext {
        var chance = SystemRandomNumberGenerator()
        let stamp = CommandStamp(
            actor: actor,
            command: CommandID(unchecked: id),
            organisation: facts.organisation,
            correlation: Subject.incident(facts.incident).text,
            asked: .saidByID
        )
        var context = CommandContext(stamp, now: now(), using: &chance)
        context.payer = payer
        return context
    }

    /// Reads what the log has of a stream, however long it is, on a thread of its own; what is asked afterwards answers at once.
    func settle(_ stream: StreamID) async throws {
        _ = try await handler.settled(StreamIndex.self, stream)
        _ = try await handler.settled(Commands.Stream.self, stream)
    }

    /// What the log says of a stream's chunks.
    func index(of stream: StreamID) throws -> StreamIndex {
        try handler.current(StreamIndex.self, stream)
    }

    /// How a stream stands.
    func standing(of stream: StreamID) throws -> Commands.Stream {
        try handler.current(Commands.Stream.self, stream)
    }
}

/// What never changes about a recording.
struct RecordingFacts: Hashable, Sendable {
    let stream: StreamID
    let session: SessionID
    let incident: IncidentID
    let caller: PersonID
    let organisation: OrganisationID
    /// Path below the media folder.
    let file: String
    /// When the stream started: 0 on the recording's timeline.
    let start: Timestamp

    /// The facts of a stream that the log knows; `nil` for one that never started.
    init?(_ index: StreamIndex) {
        guard let started = index.start, let time = index.startedAt else { return nil }
        stream = index.id
        session = started.session
        incident = started.incident
        caller = started.caller
        organisation = index.organisation
        file = started.file
        start = time
    }
}
