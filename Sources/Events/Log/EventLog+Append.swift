// SPDX-License-Identifier: Apache-2.0
import Synchronization

extension EventLog {
    /// Appends events to one or several subjects, all or none, and returns once they are on disk.
    ///
    /// The same command id from the same actor gets the same receipt again, and nothing is appended. If the stamp says
    /// what was asked and the recorded command asked something else, it is refused with `idReused`, for ever.
    ///
    /// - Parameters:
    ///   - writes: The events of each subject; at least one event, each subject once.
    ///   - conditions: What must hold about subjects, written or not.
    ///   - command: Who asks, and under which id.
    /// - Returns: Where the events stand.
    /// - Throws: ``EventLogError``; unless it is `outcomeUnknown`, nothing was appended.
    @discardableResult
    public func append(
        _ writes: [SubjectWrite],
        when conditions: [Condition] = [],
        command: CommandStamp
    ) async throws(EventLogError) -> Receipt {
        try await append(prepare(writes, when: conditions, command: command))
    }

    /// Hands a prepared append to the writer and waits for its receipt; see ``append(_:when:command:)``.
    @discardableResult
    public func append(_ prepared: PreparedAppend) async throws(EventLogError) -> Receipt {
        // Unchecked, because one is made for each append: the writer answers all that it takes, and once.
        let answer: Result<Receipt, EventLogError> = await withUnsafeContinuation { continuation in
            if let refusal = enqueue(WaitingAppend(append: prepared, answer: continuation)) {
                continuation.resume(returning: .failure(refusal))
            }
        }
        return try answer.get()
    }

    /// Encodes and seals the events, on the caller's thread.
    ///
    /// - Throws: ``EventLogError/unacceptable(reason:)`` or `tooLarge`.
    public func prepare(
        _ writes: [SubjectWrite],
        when conditions: [Condition] = [],
        command: CommandStamp
    ) throws(EventLogError) -> PreparedAppend {
        let payloads = try writes.map { write throws(EventLogError) in
            try write.events.map { event throws(EventLogError) in try payload(of: event) }
        }
        let hash = hash(of: command, payloads.joined())
        var prepared: [PreparedAppend.Write] = []
        for (write, payloads) in zip(writes, payloads) {
            var heads: [EntryHead] = []
            for (event, data) in zip(write.events, payloads) {
                heads.append(
                    try EntryHead(event, data: data, stamp: command, commandHash: hash)
                )
            }
            prepared.append(PreparedAppend.Write(subject: write.subject, heads: heads))
        }
        let append = PreparedAppend(writes: prepared, conditions: conditions, stamp: command)
        try check(append)
        return append
    }

    private func payload(of event: Event) throws(EventLogError) -> [UInt8] {
        do {
            return try encoder.encode(event.fact, id: event.id)
        } catch {
            throw .unacceptable(reason: "\(event.fact.kind) cannot be written: \(error)")
        }
    }

    private func hash(
        of command: CommandStamp,
        _ payloads: some Sequence<[UInt8]>
    ) -> CommandHash? {
        guard let asked = command.asked, let hasher else { return nil }
        let persons = payloads.reduce(into: Set<PersonID>()) {
            $0.formUnion(sealedPersons(in: $1[...]))
        }
        return hasher.hash(asked, about: persons, configuration.keys)
    }

    private func check(_ append: PreparedAppend) throws(EventLogError) {
        guard append.count > 0 else { throw .unacceptable(reason: "it has no event") }
        guard append.count <= EventLimits.eventsPerAppendMax else {
            throw .unacceptable(
                reason:
                    "it has \(append.count) events, the limit is \(EventLimits.eventsPerAppendMax)"
            )
        }
        let subjects = append.writes.map(\.subject)
        guard subjects.count + append.conditions.count <= EventLimits.subjectsPerAppendMax else {
            throw .unacceptable(
                reason: "it names more than \(EventLimits.subjectsPerAppendMax) subjects"
            )
        }
        guard Set(subjects).count == subjects.count else {
            throw .unacceptable(reason: "it names a subject twice")
        }
        guard append.writes.allSatisfy({ !$0.heads.isEmpty }) else {
            throw .unacceptable(reason: "a subject has no event")
        }
        for write in append.writes {
            for head in write.heads { try checkNames(write.subject, head.kind) }
        }
    }

    /// Refuses names that would not fit, all three at their longest, into what is kept for the tail of an entry.
    private func checkNames(_ subject: Subject, _ kind: Kind) throws(EventLogError) {
        let names = subject.text.utf8.count + kind.text.utf8.count + origin.utf8.count
        let bytes = EntryTail.bytesMax(names: names)
        guard bytes <= EventLimits.tailBytesMax else {
            throw .unacceptable(
                reason:
                    "\(kind) on \(subject) may take \(bytes) bytes behind its data, the limit is \(EventLimits.tailBytesMax); use a shorter subject"
            )
        }
    }

    private func enqueue(_ waiting: WaitingAppend) -> EventLogError? {
        let (refusal, schedule) = state.withLock { state -> (EventLogError?, Bool) in
            if let refusal = state.refusal { return (refusal, false) }
            if state.writerStalled, let fault = state.indexFault {
                return (.full(detail: fault), false)
            }
            guard state.waiting.count < LogLimits.appendsWaitingMax else {
                return (.busy(waiting: state.waiting.count), false)
            }
            state.waiting.append(waiting)
            guard !state.writerScheduled, !state.writerStalled else { return (nil, false) }
            state.writerScheduled = true
            return (nil, true)
        }
        if schedule { scheduleWriter() }
        return refusal
    }

    /// Gives the writer a turn.
    func scheduleWriter() {
        guard let writer = parts.withLock({ $0 })?.writer else { return }
        // Awaited through the continuations of the appends that it takes; never cancelled. It keeps the log alive.
        Task { [self] in
            await writer.drain()
            _ = self
        }
    }
}
