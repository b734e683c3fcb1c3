// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation

/// Checks entries by themselves: envelope, canonical form, payload, sealed fields; and hashes them.
///
/// Each checking thread has its own, because it remembers the kinds that it met.
struct EntryChecker {
    /// What is looked at.
    struct Scope: Sendable {
        /// Whether payloads are decoded; without it only their canonical form is checked.
        var decodes: Bool
        /// Opens sealed fields, if there are keys.
        var keys: (any PersonKeys)?
        /// The ledger's name, which every entry states.
        var origin: [UInt8]
        /// Sizes of the log at which the root is wanted, ascending.
        var sizes: [UInt64] = []
        /// How many entries the index has, if it is compared.
        var indexSize: UInt64 = 0
        /// Makes fingerprints that nobody can prepare for.
        var seed: UInt64 = .random(in: .min ... .max)
    }

    private static let clockStepped = [UInt8](ClockStepped.kind.text.utf8)

    private let scope: Scope
    private let decoder = EventDecoder()
    private var kinds: [UInt64: Kind] = [:]

    init(_ scope: Scope) {
        self.scope = scope
    }

    mutating func check(_ batch: EntryBatch) -> BatchResult {
        var result = BatchResult(number: batch.number, first: batch.first, count: batch.count)
        result.byteCount = batch.bytes.count
        result.facts.reserveCapacity(batch.count)
        batch.bytes.withUnsafeBufferPointer { bytes in
            var leaves: [MerkleHash] = []
            leaves.reserveCapacity(256)
            for index in 0..<batch.count {
                let entry = UnsafeBufferPointer(rebasing: bytes[batch.range(index)])
                leaves.append(.leaf(UnsafeRawBufferPointer(entry)))
                if leaves.count == 256 { close(&leaves, in: &result) }
                check(entry, at: batch.first + UInt64(index), &result)
            }
            if !leaves.isEmpty { close(&leaves, in: &result) }
        }
        return result
    }

    // MARK: Hashes

    private func close(_ leaves: inout [MerkleHash], in result: inout BatchResult) {
        let first = result.first + UInt64(256 * result.blocks.count)
        let last = first + UInt64(leaves.count)
        var block = BlockResult()
        for size in sizes(after: first, through: last) {
            block.partial.append((size, root(of: leaves.prefix(Int(size - first)))))
        }
        if first < scope.indexSize {
            // A damaged index may say any size.
            let width = min(leaves.count, Int(clamping: scope.indexSize - first))
            block.tile = leaves.withUnsafeBytes {
                fingerprint(UnsafeRawBufferPointer(rebasing: $0[..<(32 * width)]))
            }
            for leaf in leaves.prefix(width) {
                result.leafMarks.append(leaf.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) })
            }
        }
        if leaves.count == 256 {
            block.root = perfectRoot(&leaves)
        } else {
            block.tail = root(of: leaves[...])
        }
        leaves.removeAll(keepingCapacity: true)
        result.blocks.append(block)
    }

    /// The wanted sizes above one and up to another, found by halving: there may be as many as blocks.
    private func sizes(after first: UInt64, through last: UInt64) -> ArraySlice<UInt64> {
        scope.sizes[scope.sizes.count(through: first)..<scope.sizes.count(through: last)]
    }

    private func root(of leaves: ArraySlice<MerkleHash>) -> MerkleHash {
        var tree = MerkleFrontier()
        for leaf in leaves { tree.append(leaf) }
        return tree.root
    }

    // MARK: Entries

    private mutating func check(
        _ entry: UnsafeBufferPointer<UInt8>,
        at position: UInt64,
        _ result: inout BatchResult
    ) {
        var facts = EntryFacts()
        do {
            let layout = try EntryLayout(entry)
            let data = UnsafeBufferPointer(rebasing: entry[layout.data])
            try CanonicalJSON.check(data)
            let id = try read(layout, of: entry, at: position, &facts)
            if scope.decodes {
                try decode(data, layout, of: entry, id, &facts, at: position, &result)
            }
        } catch {
            result.problems.append(EntryProblem(position: position, fact: "\(error)"))
            result.unreadCount += 1
        }
        result.facts.append(facts)
    }

    private func read(
        _ layout: EntryLayout,
        of entry: UnsafeBufferPointer<UInt8>,
        at position: UInt64,
        _ facts: inout EntryFacts
    ) throws -> EventID {
        guard layout.position == position else { throw PositionFault(stated: layout.position) }
        guard let id = UUIDv7(utf8: part(entry, layout.id)), layout.id.count == 36 else {
            throw EntryFault("id", "is no UUIDv7")
        }
        let source = part(entry, layout.source)
        guard source.count == scope.origin.count, source.elementsEqual(scope.origin) else {
            throw EntryFault("source", "is not the origin of this ledger")
        }
        facts.subject = fingerprint(raw(entry, layout.subject), seed: scope.seed)
        facts.revision = layout.revision
        facts.time = layout.timeOrder
        facts.isClockStep = part(entry, layout.kind).elementsEqual(Self.clockStepped)
        facts.id = fingerprint(raw(entry, layout.id), seed: scope.seed)
        command(entry, layout, &facts, isIndexed: position < scope.indexSize)
        facts.isRead = true
        return EventID(id)
    }

    /// Fingerprints of actor, zero byte and command id: the text under which the index keeps a command.
    ///
    /// The one that finds repetitions is seeded, so that nobody can send two commands that look like one.
    private func command(
        _ entry: UnsafeBufferPointer<UInt8>,
        _ layout: EntryLayout,
        _ facts: inout EntryFacts,
        isIndexed: Bool
    ) {
        let actor = layout.actor.count
        withUnsafeTemporaryAllocation(byteCount: 320, alignment: 8) { text in
            text.copyMemory(from: raw(entry, layout.actor))
            text[actor] = 0
            UnsafeMutableRawBufferPointer(rebasing: text[(actor + 1)...])
                .copyMemory(from: raw(entry, layout.command))
            let whole = UnsafeRawBufferPointer(
                rebasing: text[..<(actor + 1 + layout.command.count)]
            )
            facts.command = fingerprint(whole, seed: scope.seed)
            if isIndexed { facts.indexCommand = fingerprint(whole) }
        }
    }

    private mutating func decode(
        _ data: UnsafeBufferPointer<UInt8>,
        _ layout: EntryLayout,
        of entry: UnsafeBufferPointer<UInt8>,
        _ id: EventID,
        _ facts: inout EntryFacts,
        at position: UInt64,
        _ result: inout BatchResult
    ) throws {
        let kindMark = fingerprint(raw(entry, layout.kind))
        let kind = kind(kindMark, part(entry, layout.kind))
        let fact = try decoder.decode(data, of: kind, id: id, at: LogPosition(position))
        if result.sealed.count(data, at: position) > 0 {
            if let keys = scope.keys {
                result.problems += result.sealed.open(data, of: id, at: position, with: keys)
            }
        }
        if position < scope.indexSize {
            addIndexRows(fact, layout, entry, kindMark, at: position, &result)
            facts.indexSubject = fingerprint(raw(entry, layout.subject))
        }
        if KnownAccounts.concerns(fact) {
            let envelope = try Entry(parsing: [UInt8](entry)).envelope
            result.accounts.append(RecordedEvent(envelope: envelope, fact: fact))
        }
        switch fact {
        case .stream, .camera:
            let subject = String(decoding: part(entry, layout.subject), as: UTF8.self)
            if let media = try MediaFact(fact, at: position, subject: subject) {
                result.media.append(media)
            }
            result.blobs += BlobFact.all(fact, at: position, subject: subject)
        case .chat, .report, .sip, .channel:
            result.blobs += BlobFact.all(fact, at: position, subject: "")
        case .person(.erased(let erased)): result.erasures.append((erased.person, position))
        default: break
        }
    }

    private func addIndexRows(
        _ fact: Fact,
        _ layout: EntryLayout,
        _ entry: UnsafeBufferPointer<UInt8>,
        _ kind: UInt64,
        at position: UInt64,
        _ result: inout BatchResult
    ) {
        let subject = raw(entry, layout.subject)
        let slash = subject.firstIndex(of: UInt8(ascii: "/")) ?? subject.endIndex
        let category = fingerprint(UnsafeRawBufferPointer(rebasing: subject[..<slash]))
        result.indexSums.add(.revisions, fingerprint(subject), layout.revision, position)
        result.indexSums.add(.kinds, kind, position)
        result.indexSums.add(.categories, category, position)
        for link in Set(fact.links) {
            var text = link.subject.text
            let mark = text.withUTF8 { fingerprint(UnsafeRawBufferPointer($0)) }
            result.indexSums.add(.links, mark, position, UInt64(link.role.rawValue))
        }
    }

    private mutating func kind(_ mark: UInt64, _ text: UnsafeBufferPointer<UInt8>) -> Kind {
        if let known = kinds[mark], known.text.utf8.elementsEqual(text) { return known }
        let kind = Kind(unchecked: String(decoding: text, as: UTF8.self))
        kinds[mark] = kind
        return kind
    }
}

/// The entry says that it stands elsewhere.
private struct PositionFault: Error, CustomStringConvertible {
    let stated: UInt64
    var description: String { "it says that its position is \(stated)" }
}

private func part(
    _ entry: UnsafeBufferPointer<UInt8>,
    _ range: Range<Int>
) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: entry[range])
}

private func raw(
    _ entry: UnsafeBufferPointer<UInt8>,
    _ range: Range<Int>
) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(entry)[range])
}
