// SPDX-License-Identifier: Apache-2.0
import EventsTesting
import TestSupport
import Testing

@testable import Events

@Suite(.tags(.promise2)) struct `What waits for the index` {
    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `is found as in an array, in parts of whole appends`(seed: UInt64) {
        var made = TailMaker(seed: seed)
        var tail = UnindexedTail(itemsPerPartMax: 16)
        var waiting: [UnindexedTail.Item] = []
        for _ in 0..<200 {
            switch made.number(below: 8) {
            case 0:
                let taken = tail.take() ?? []
                #expect(taken.map(\.position) == waiting.prefix(taken.count).map(\.position))
                #expect(taken.count <= 16)
                #expect(taken.count == waiting.count || waiting[taken.count].command != nil)
            case 1 where tail.isBeingIndexed:
                waiting.removeFirst(tail.dropIndexed().items.count)
            default:
                let items = made.append()
                tail.append(items)
                waiting += items
            }
            check(tail, against: waiting, &made)
        }
    }

    /// Asks everything that can be asked, about one subject and one page.
    private func check(
        _ tail: UnindexedTail,
        against waiting: [UnindexedTail.Item],
        _ made: inout TailMaker
    ) {
        let subject = made.subjects[made.number(below: made.subjects.count)]
        let of = waiting.filter { $0.subject == subject }
        let role = LinkRole.allCases[made.number(below: 4)]
        let links = waiting.filter { $0.links.contains { $0.subject == subject } }
        let linked = waiting.filter { $0.links.contains(SubjectLink(subject, as: role)) }
        let limit = made.number(below: 8)
        let from = LogPosition(UInt64(made.number(below: Int(made.size) + 2)))
        let revision = Revision((of.last?.revision.rawValue ?? 0) / 2)
        let page = { (items: [UnindexedTail.Item]) in
            Array(items.filter { $0.position >= from }.map(\.position).prefix(limit))
        }
        let seed = Comment("seed \(made.seed)")
        #expect(tail.count == waiting.count, seed)
        #expect(tail.head(of: subject)?.revision == of.last?.revision, seed)
        #expect(tail.head(of: subject)?.position == of.last?.position, seed)
        #expect(tail.last(SubjectLink(subject, as: role)) == linked.last?.position, seed)
        #expect(
            tail.positions(of: subject, from: revision, limit: limit)
                == Array(of.filter { $0.revision >= revision }.map(\.position).prefix(limit)),
            seed
        )
        let found = { (roles: [LinkRole]) in
            tail.positions(linkedTo: subject, as: roles, from: from, limit: limit)
        }
        #expect(found([role]) == page(linked), seed)
        #expect(found(LinkRole.allCases) == page(links), seed)
        #expect(tail.positions(of: made.kind, from: from, limit: limit) == page(waiting), seed)
        #expect(
            tail.positions(category: "session", from: from, limit: limit) == page(waiting),
            seed
        )
        #expect(tail.positions(category: "user", from: from, limit: limit) == [], seed)
    }
}

/// Makes committed events as the writer would.
private struct TailMaker {
    let seed: UInt64
    let kind = SessionActivitySignalled.kind
    let subjects = (0..<5).map { Subject(unchecked: "session/\($0)") }
    private var chance: SeededGenerator
    private var revisions: [Subject: UInt64] = [:]
    private(set) var size: UInt64 = 0

    init(seed: UInt64) {
        self.seed = seed
        chance = SeededGenerator(seed: seed)
    }

    mutating func number(below end: Int) -> Int { Int.random(in: 0..<end, using: &chance) }

    /// One append of one to five events.
    mutating func append() -> [UnindexedTail.Item] {
        let count = number(below: 5) + 1
        return (0..<count).map { offset in
            let links = (0..<number(below: 3)).map { _ in
                SubjectLink(subjects[number(below: 5)], as: LinkRole.allCases[number(below: 4)])
            }
            return item(subjects[number(below: 5)], links, offset, of: count)
        }
    }

    mutating func item(
        _ subject: Subject,
        _ links: [SubjectLink],
        _ offset: Int = 0,
        of count: Int = 1
    ) -> UnindexedTail.Item {
        defer {
            size += 1
            revisions[subject, default: 0] += 1
        }
        let stamp = CommandStamp(
            actor: Actor(unchecked: "operator/1"),
            command: CommandID(unchecked: "c-\(size)")
        )
        return UnindexedTail.Item(
            id: EventID(at: Timestamp(microseconds: Int64(size)), using: &chance),
            position: LogPosition(size),
            revision: Revision(revisions[subject, default: 0]),
            subject: subject,
            kind: kind,
            links: links,
            leafHash: MerkleHash.leaf([]),
            command: offset == 0 ? CommandKey(stamp) : nil,
            count: count
        )
    }
}
