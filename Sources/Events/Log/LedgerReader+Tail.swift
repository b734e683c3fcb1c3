// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// What a reader found out by itself about the entries that the index does not have.
struct ScannedTail: Sendable {
    /// The first position that is not scanned yet.
    fileprivate(set) var next: UInt64
    private var subjects: [Subject: [LogPosition]] = [:]
    private var links: [Subject: [LogPosition]] = [:]
    private var kinds: [Kind: [LogPosition]] = [:]
    /// What was left out, in order.
    fileprivate(set) var unreadable: [UnreadableEntries] = []

    init(next: UInt64) {
        self.next = next
    }

    func positions(of subject: Subject) -> [LogPosition] { subjects[subject] ?? [] }
    func positions(linkedTo subject: Subject) -> [LogPosition] { links[subject] ?? [] }
    func positions(of kind: Kind) -> [LogPosition] { kinds[kind] ?? [] }

    fileprivate mutating func add(_ envelope: Envelope, links linked: [SubjectLink]) {
        subjects[envelope.subject, default: []].append(envelope.position)
        kinds[envelope.kind, default: []].append(envelope.position)
        for link in Set(linked.map(\.subject)) {
            links[link, default: []].append(envelope.position)
        }
        next = envelope.position.rawValue + 1
    }
}

extension LedgerReader {
    /// The tail up to what is committed now.
    func scannedTail() throws(EventLogError) -> ScannedTail {
        var scanned = tail.withLock { $0 }
        let size = try size()
        guard scanned.next < size else { return scanned }
        while scanned.next < size {
            if goesPastDamage {
                takeReadable(below: size, into: &scanned)
            } else {
                try takeAll(into: &scanned)
            }
        }
        tail.withLock { known in
            // Another thread may have come further meanwhile.
            if known.next < scanned.next { known = scanned }
        }
        return scanned
    }

    private func takeAll(into scanned: inout ScannedTail) throws(EventLogError) {
        let page = try entries(from: LogPosition(scanned.next))
        guard let first = page.first, first.envelope.position.rawValue == scanned.next else {
            throw .damaged(position: LogPosition(scanned.next), detail: "the entry is missing")
        }
        for entry in page {
            do {
                scanned.add(entry.envelope, links: try EventDecoder().decode(entry).fact.links)
            } catch {
                throw .damaged(position: entry.envelope.position, detail: "\(error)")
            }
        }
    }

    private func takeReadable(below size: UInt64, into scanned: inout ScannedTail) {
        let run = readableRun(from: scanned.next, below: size)
        var unreadable = run.unreadable
        for entry in run.entries {
            do {
                scanned.add(entry.envelope, links: try EventDecoder().decode(entry).fact.links)
            } catch {
                unreadable.append(UnreadableEntries(entry.envelope.position.rawValue, "\(error)"))
            }
        }
        for one in unreadable.sorted(by: { $0.first < $1.first }) { scanned.unreadable.note(one) }
        scanned.next = run.next
    }

    /// What was left out of everything that is committed now; nothing for a reader that does not go past damage.
    public func unreadableEntries() throws(EventLogError) -> [UnreadableEntries] {
        try scannedTail().unreadable
    }
}
