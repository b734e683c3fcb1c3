// SPDX-License-Identifier: Apache-2.0
public import Events

/// The way of every command into the log: load → fold → decide → append.
///
/// Commands of one subject run one after another, in the order of their arrival. Everything that a
/// decision read is a condition of its append; if it changed meanwhile, the command is decided
/// again from the start. What was answered stands on disk.
public final class CommandHandler: CurrentStates {
    private let log: EventLog
    private let decoder: EventDecoder
    let folds: FoldStore
    private let lanes = Lanes()
    private let budgets: ActorBudgets?
    private let owners: Owners
    private let welcome: (@Sendable ([PersonID], [Write]) throws -> Void)?

    /// Handles commands for a log; several handlers of one log are correct, one is faster.
    ///
    /// - Parameters:
    ///   - log: Where events go.
    ///   - foldsMax: Folded states kept in memory.
    ///   - budgets: What each actor may write; `nil` for no bound.
    ///   - welcome: Makes the keys of newcomers, or throws where what is to be recorded would not be taken; `nil` where whoever
    ///     asks has made them.
    public init(
        log: EventLog,
        foldsMax: Int = CommandLimits.foldsMax,
        budgets: ActorBudgets? = nil,
        welcome: (@Sendable ([PersonID], [Write]) throws -> Void)? = nil
    ) {
        let decoder = EventDecoder()
        self.log = log
        self.decoder = decoder
        self.budgets = budgets
        owners = Owners(log)
        self.welcome = welcome
        folds = FoldStore(capacity: foldsMax) { source, place in
            try log.page(of: source, behind: place).map { try decoder.decode($0) }
        }
    }

    /// Decides a command and records what it comes to; returns once that is on disk.
    ///
    /// A command id that was used before by the same actor gets the first answer again, derived
    /// from the events of its receipt, also after a restart; if it asks something else, it is refused for ever
    /// (in a log that signs). What it asks is its members, unless its stamp says. What the caller had seen is the
    /// caller's: when the subject stands elsewhere, the command is not decided anew for it.
    ///
    /// What it reads and nobody has read lately is read on a thread of its own; a task that is cancelled meanwhile ends there,
    /// with nothing decided.
    ///
    /// Its events are of the organisation that has the thing, whoever asks (``Command/owned``); nothing is written on what
    /// another one has.
    ///
    /// - Returns: What the caller is told, and the receipt of its events, if there are any.
    /// - Throws: The command's `Refusal`; ``CommandFault``; `EventLogError`; `CancellationError`.
    public func handle<C: Command>(
        _ command: C,
        _ context: CommandContext
    ) async throws -> Answer<C.Outcome> {
        let context = try owned(command, asking(command, context))
        if let lane = command.lane { try await lanes.enter(lane) }
        defer { if let lane = command.lane { lanes.leave(lane) } }
        if let receipt = try receipt(of: context.stamp) {
            return try repeated(command, receipt, context)
        }
        try await checkBudget(context)
        do {
            for _ in 0..<CommandLimits.attemptsMax {
                if let answer = try await attempt(command, context) { return answer }
            }
        } catch  where Self.mayBeItsOwnDoing(error) {
            guard let receipt = try receipt(of: context.stamp) else { throw error }
            return try repeated(command, receipt, context)
        }
        throw CommandFault.contended(command.subject, attempts: CommandLimits.attemptsMax)
    }

    /// Whether a no may come of the same command, which was under way twice and was recorded since it was looked for.
    private static func mayBeItsOwnDoing(_ error: any Error) -> Bool {
        if case CommandFault.stale = error { return true }
        return error is any CommandRefusal
    }

    /// The context with what is asked: what the stamp says, otherwise the command's members.
    private func asking(_ command: some Command, _ context: CommandContext) -> CommandContext {
        guard context.stamp.asked == nil, log.remembersWhatWasAsked else { return context }
        var context = context
        context.stamp = context.stamp.asking(CommandContent.digest(of: command))
        return context
    }

    /// The context in the organisation whose the events are.
    private func owned(
        _ command: some Command,
        _ context: CommandContext
    ) throws -> CommandContext {
        guard let subject = command.owned, let owner = try owners.organisation(of: subject) else {
            return context
        }
        var context = context
        context.stamp = context.stamp.owned(by: owner)
        return context
    }

    private func receipt(of stamp: CommandStamp) throws -> Receipt? {
        do {
            return try log.receipt(of: stamp)
        } catch .idReused(let id) {
            throw CommandFault.idReused(id)
        }
    }

    /// The state of a thing as it is committed now: for queries that must not lag behind the log.
    ///
    /// Blocks the thread while it reads what it has not read yet: for what is warm, or short.
    public func current<State: Fold>(_ type: State.Type, _ id: State.ID) throws -> State {
        try folds.current(type, id).state
    }

    /// The same for what may be long and cold: reads it on a thread of its own.
    ///
    /// - Throws: `CancellationError` between two pages; what the log throws.
    public func settled<State: Fold>(_ type: State.Type, _ id: State.ID) async throws -> State {
        try await warming { try folds.current(type, id, $0).state }
    }

    /// Does something with states that may be cold, again from the start whenever one of them had to be read.
    private func warming<Value>(
        _ body: (FoldStore.Patience) throws -> Value
    ) async throws -> Value {
        for _ in 0..<CommandLimits.coldFoldsMax {
            do { return try body(.page) } catch let cold as ColdFold { try await folds.warm(cold) }
        }
        // So many are used at once that those which were read are dropped before they are used.
        return try body(.all)
    }

    /// Decides once; `nil` if something that the decision read changed before the append.
    private func attempt<C: Command>(
        _ command: C,
        _ context: CommandContext
    ) async throws -> Answer<C.Outcome>? {
        let decided = try await warming { try decide(command, context, $0) }
        let ledger = decided.ledger
        var context = decided.context
        switch decided.decision {
        case .already(let outcome, let place):
            try check(context.seen)
            return Answer(outcome: outcome, receipt: place.map { Receipt(repeating: $0) })
        case .record(let writes):
            // What is refused and recorded is so whatever its caller had seen.
            let isRefusal = command.isRefusal(writes)
            let seen = isRefusal ? nil : context.seen
            try check(seen)
            try owners.check(writes, context.organisation)
            if !isRefusal, !context.newcomers.isEmpty { try welcome?(context.newcomers, writes) }
            let prepared = try log.prepare(
                writes.bySubject(&context),
                when: ledger.conditions.adding(seen?.condition),
                command: context.stamp
            )
            guard let receipt = try await append(prepared, context) else { return nil }
            if receipt.repeated { return try repeated(command, receipt, context) }
            fold(prepared, receipt, into: ledger.reads)
            return try answer(command, writes, receipt, context)
        }
    }

    /// What a decision came to, what it read, and the context with the chance that it used.
    private struct Decided<Outcome: Sendable> {
        let decision: Decision<Outcome>
        let ledger: LedgerView
        let context: CommandContext
    }

    /// Reads and decides; what was read ends with it, so that folding on finds the state unshared.
    private func decide<C: Command>(
        _ command: C,
        _ context: CommandContext,
        _ patience: FoldStore.Patience
    ) throws -> Decided<C.Outcome> {
        var ledger = LedgerView(folds, organisation: context.organisation, patience)
        var context = context
        if let right = context.right {
            let states = DecidedStates(ledger)
            try right(states)
            ledger = states.view
        }
        let state = try command.read(&ledger)
        let decision = try command.decide(state, &context)
        return Decided(decision: decision, ledger: ledger, context: context)
    }

    /// Takes in what was recorded, from the bytes that were prepared.
    private func fold(_ prepared: PreparedAppend, _ receipt: Receipt, into reads: [FoldRead]) {
        guard !reads.isEmpty else { return }
        do {
            let entries = try log.entries(of: prepared, taken: receipt)
            folds.takeIn(try entries.map { try decoder.decode($0) }, into: reads)
        } catch {
            // The command is done, whatever its folds do: whoever reads the entries next hears what is wrong with them.
        }
    }

    /// Refuses what was decided at another revision than the last one.
    ///
    /// A revision that moves between here and the append is found by the writer, and here the next time.
    private func check(_ seen: SeenRevision?) throws {
        guard let seen else { return }
        let actual = try log.revision(of: seen.subject)
        guard actual == seen.revision else { throw CommandFault.stale(seen, actual: actual) }
    }

    /// Appends what was decided; `nil` if a condition no longer holds.
    private func append(
        _ prepared: PreparedAppend,
        _ context: CommandContext
    ) async throws -> Receipt? {
        do {
            let receipt = try await log.append(prepared)
            if !receipt.repeated { charge(prepared, context) }
            return receipt
        } catch .stale, .linked {
            return nil
        } catch .idReused(let id) {
            throw CommandFault.idReused(id)
        }
    }

    private func charge(_ prepared: PreparedAppend, _ context: CommandContext) {
        budgets?.charge(
            context.payer ?? context.stamp.actor,
            events: prepared.count,
            bytes: prepared.byteCount,
            at: context.now
        )
    }

    /// Refuses whoever has written too much, and records that once: before something is taken in of which events are made
    /// that cannot be refused.
    ///
    /// - Throws: ``CommandFault/overBudget(_:wait:)``; `EventLogError`.
    public func checkBudget(_ context: CommandContext) async throws {
        let actor = context.stamp.actor
        guard let excess = budgets?.excess(of: actor, at: context.now) else { return }
        if excess.isNews {
            var context = context
            let refused = AccessRefused(attempt: "writing", reason: .rate)
            let stamp = CommandStamp(
                actor: actor,
                command: CommandID(unchecked: "over-budget~\(context.now.microseconds)"),
                organisation: context.organisation
            )
            let writes = [Write.access(actor, .refused(refused))].bySubject(&context)
            try await log.append(writes, command: stamp)
        }
        throw CommandFault.overBudget(actor, wait: excess.wait)
    }

    private func repeated<C: Command>(
        _ command: C,
        _ receipt: Receipt,
        _ context: CommandContext
    ) throws -> Answer<C.Outcome> {
        var recorded: [Write] = []
        while recorded.count < receipt.count {
            let next = LogPosition(receipt.first.rawValue + UInt64(recorded.count))
            guard let entry = try log.entry(at: next) else {
                throw CommandFault.idReused(context.stamp.command)
            }
            recorded.append(Write(entry.envelope.subject, try decoder.decode(entry).fact))
        }
        return try answer(command, recorded, receipt, context)
    }

    private func answer<C: Command>(
        _ command: C,
        _ recorded: [Write],
        _ receipt: Receipt,
        _ context: CommandContext
    ) throws -> Answer<C.Outcome> {
        guard let outcome = try command.outcome(of: recorded) else {
            throw CommandFault.idReused(context.stamp.command)
        }
        return Answer(outcome: outcome, receipt: receipt)
    }
}

extension Command {
    /// Whether what is to be recorded is the record of a refusal.
    fileprivate func isRefusal(_ writes: [Write]) -> Bool {
        do {
            _ = try outcome(of: writes)
            return false
        } catch {
            return true
        }
    }
}

extension [Condition] {
    /// Most often the decision read the subject itself, and the condition is there already.
    fileprivate func adding(_ condition: Condition?) -> [Condition] {
        guard let condition, !contains(condition) else { return self }
        return self + [condition]
    }
}

extension EventLog {
    /// The next events of a source; nothing is read when nothing is new, which is the usual case.
    fileprivate func page(
        of source: FoldSource,
        behind place: Place?
    ) throws(EventLogError) -> [Entry] {
        switch source {
        case .subject(let subject):
            guard try revision(of: subject) != place?.revision else { return [] }
            return try entries(
                of: subject,
                from: place?.revision.next ?? Revision(0),
                limit: CommandLimits.pageEvents
            )
        case .links(let link):
            guard try last(link) != place?.position else { return [] }
            return try entries(
                linkedTo: link.subject,
                as: link.role,
                from: place?.position.next ?? LogPosition(0),
                limit: CommandLimits.pageEvents
            )
        case .category(let category):
            return try entries(
                category: category,
                from: place?.position.next ?? LogPosition(0),
                limit: CommandLimits.pageEvents
            )
        }
    }
}

extension [Write] {
    /// The writes as the log takes them: each subject once, in the order of first mention.
    fileprivate func bySubject(_ context: inout CommandContext) -> [SubjectWrite] {
        var order: [Subject] = []
        var events: [Subject: [Event]] = [:]
        for write in self {
            if events[write.subject] == nil { order.append(write.subject) }
            let event = Event(
                id: context.newID(),
                fact: write.fact,
                occurredAt: context.occurredAt,
                causation: context.causation
            )
            events[write.subject, default: []].append(event)
        }
        return order.map { SubjectWrite($0, events[$0, default: []]) }
    }
}

extension Receipt {
    /// The receipt of one event that was recorded before.
    fileprivate init(repeating place: Place) {
        self.init(
            first: place.position,
            count: 1,
            revisions: [place.subject: place.revision],
            time: place.time,
            repeated: true
        )
    }
}
