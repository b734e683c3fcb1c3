// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// One transaction in the making: decides each append against the log and the appends before it in the batch.
struct LogBatch {
    private let log: EventLog
    /// When these events are recorded.
    let time: Timestamp
    private let shortage: FreeSpace.Shortage?
    /// What the transaction adds.
    private(set) var items: [UnindexedTail.Item] = []
    /// How many events the log will hold.
    private(set) var size: UInt64
    /// Whether somebody confirmed the clock in it.
    private(set) var confirmsClock = false
    private var heads: [Subject: UnindexedTail.Head] = [:]
    private var links: [SubjectLink: LogPosition] = [:]
    private var commands: [CommandKey: (receipt: Receipt, asked: SHA256Digest?)] = [:]
    private var ids: Set<EventID> = []

    /// Begins a batch at the live end.
    ///
    /// - Parameters:
    ///   - log: The log, whose live end it is.
    ///   - time: What its entries say.
    ///   - shortage: That there is too little room, if it is so.
    init(log: EventLog, time: Timestamp, shortage: FreeSpace.Shortage?) {
        self.log = log
        self.time = time
        self.shortage = shortage
        size = log.size
    }

    /// Decides an append and, if it is taken, writes its entries.
    ///
    /// - Returns: Its receipt or its refusal, which leaves the transaction as it was.
    /// - Throws: ``LMDBError`` when the transaction as a whole must be given up.
    mutating func add(
        _ append: PreparedAppend,
        to transaction: borrowing LMDBTransaction
    ) throws(LMDBError) -> Result<Receipt, EventLogError> {
        do {
            guard time.hasText else {
                throw EventLogError.unacceptable(
                    reason: "the clock shows a moment that no entry can say; put it right"
                )
            }
            let key = append.key
            if let receipt = try receipt(of: key, append.stamp) { return .success(receipt) }
            try checkSpace(append)
            for condition in append.conditions { try check(condition) }
            try checkIDs(append)
            let places = try append.writes.map { write throws(EventLogError) in
                try head(of: write.subject)?.revision.next ?? Revision(0)
            }
            return .success(try write(append, places, key, transaction))
        } catch let error as EventLogError {
            return .failure(error)
        } catch let error as LMDBError {
            throw error
        } catch {
            return .failure(.unreadable(detail: "\(error)"))
        }
    }

    /// Records that the clock moved by itself.
    mutating func add(
        _ step: ClockWatch.Step,
        to transaction: borrowing LMDBTransaction
    ) throws(LMDBError) {
        guard time.hasText else { return }
        var chance = SystemRandomNumberGenerator()
        let event = Event(
            id: EventID(at: time, using: &chance),
            fact: .clock(
                .stepped(
                    ClockStepped(
                        stepMicroseconds: step.microseconds,
                        followed: step.followed
                    )
                )
            )
        )
        let stamp = CommandStamp(actor: .ledger, command: CommandID(unchecked: "\(event.id)"))
        guard
            let append = try? log.prepare(
                [SubjectWrite(.clock, [event])],
                when: [],
                command: stamp
            )
        else { return assertionFailure("a clock event has neither personal fields nor much text") }
        _ = try add(append, to: transaction)
    }

    // MARK: Deciding

    private func checkSpace(_ append: PreparedAppend) throws(EventLogError) {
        guard let shortage else { return }
        // Where nobody can say how much there is, it may be the last.
        let last = log.configuration.freeBytesMin / LogLimits.lastShare
        let isLast = shortage.bytes.map { $0 < last } ?? true
        for head in append.writes.flatMap(\.heads) {
            switch EventCatalog.current[head.kind]?.traits.lowDisk ?? .refuse {
            case .takeToTheLast: continue
            case .take where !isLast: continue
            case .take, .refuse: throw .reserved(kind: head.kind, freeBytes: shortage.bytes)
            }
        }
    }

    /// Refuses an id that an event has: here, in the batch, or among those that wait for the index.
    ///
    /// Of older ones whoever made the id vouches (see ``Event/id``).
    private func checkIDs(_ append: PreparedAppend) throws(EventLogError) {
        let new = append.writes.flatMap { $0.heads.map(\.id) }
        let twice = Set(new).count == new.count ? nil : new.first
        let used =
            twice ?? new.first(where: ids.contains)
            ?? log.state.withLock { $0.unindexed.first(of: new) }
        if let used { throw .unacceptable(reason: "the event id \(used) was used before") }
    }

    private func check(_ condition: Condition) throws(EventLogError) {
        let subject = condition.subject
        switch condition.expectation {
        case .revision(let expected):
            let actual = try head(of: subject)?.revision
            guard actual == expected else {
                throw .stale(subject, expected: expected, actual: actual)
            }
        case .absent:
            let actual = try head(of: subject)?.revision
            guard actual == nil else { throw .stale(subject, expected: nil, actual: actual) }
        case .notLinked(let role, let since):
            guard let last = try last(SubjectLink(subject, as: role)) else { return }
            if let since, last <= since { return }
            throw .linked(subject, at: last)
        }
    }

    private func head(of subject: Subject) throws(EventLogError) -> UnindexedTail.Head? {
        if let head = heads[subject] { return head }
        return try log.head(of: subject)
    }

    private func last(_ link: SubjectLink) throws(EventLogError) -> LogPosition? {
        if let position = links[link] { return position }
        return try log.last(link)
    }

    private func receipt(
        of key: CommandKey,
        _ stamp: CommandStamp
    ) throws(EventLogError) -> Receipt? {
        if let (receipt, asked) = commands[key] {
            if log.hasher != nil, let asked, let now = stamp.asked, asked != now {
                throw .idReused(stamp.command)
            }
            return Receipt(
                first: receipt.first,
                count: receipt.count,
                revisions: receipt.revisions,
                time: receipt.time,
                repeated: true
            )
        }
        return try log.receipt(of: key, stamp)
    }

    // MARK: Writing

    private mutating func write(
        _ append: PreparedAppend,
        _ revisions: [Revision],
        _ key: CommandKey,
        _ transaction: borrowing LMDBTransaction
    ) throws(LMDBError) -> Receipt {
        let first = LogPosition(size)
        var lastRevisions: [Subject: Revision] = [:]
        for (write, start) in zip(append.writes, revisions) {
            var revision = start
            for head in write.heads {
                let isFirst = size == first.rawValue
                let item = try put(
                    head,
                    write.subject,
                    revision,
                    command: isFirst ? key : nil,
                    count: append.count,
                    transaction
                )
                items.append(item)
                ids.insert(head.id)
                for link in head.links { links[link] = item.position }
                heads[write.subject] = .init(revision: revision, position: item.position)
                lastRevisions[write.subject] = revision
                revision = revision.next
                size += 1
            }
        }
        confirmsClock = confirmsClock || append.confirmsClock
        let receipt = Receipt(
            first: first,
            count: append.count,
            revisions: lastRevisions,
            time: time,
            repeated: false
        )
        commands[key] = (receipt, append.stamp.asked)
        return receipt
    }

    private func put(
        _ head: EntryHead,
        _ subject: Subject,
        _ revision: Revision,
        command: CommandKey?,
        count: Int,
        _ transaction: borrowing LMDBTransaction
    ) throws(LMDBError) -> UnindexedTail.Item {
        let position = LogPosition(size)
        let tail = EntryTail(
            position: position,
            revision: revision,
            source: log.origin,
            subject: subject,
            time: time,
            kind: head.kind
        )
        let leafHash = try withUnsafeTemporaryAllocation(
            of: UInt8.self,
            capacity: EventLimits.tailBytesMax
        ) { buffer throws(LMDBError) in
            let tailBytes = UnsafeRawBufferPointer(
                rebasing: UnsafeRawBufferPointer(buffer)[..<tail.write(into: buffer)]
            )
            let entry = try log.store.reserve(
                position,
                byteCount: head.bytes.count + tailBytes.count,
                in: transaction
            )
            head.bytes.withUnsafeBytes { entry.copyMemory(from: $0) }
            UnsafeMutableRawBufferPointer(rebasing: entry[head.bytes.count...]).copyMemory(
                from: tailBytes
            )
            return MerkleHash.leaf(UnsafeRawBufferPointer(entry))
        }
        return UnindexedTail.Item(
            id: head.id,
            position: position,
            revision: revision,
            subject: subject,
            kind: head.kind,
            links: head.links,
            leafHash: leafHash,
            command: command,
            count: count
        )
    }
}
