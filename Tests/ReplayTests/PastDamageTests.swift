// SPDX-License-Identifier: Apache-2.0
import EventsTesting
import Foundation
import Replay
import TestSupport
import Testing

@testable import Events

/// Who shows what a log holds goes on where it cannot be read, names what is missing, and does not end as if all were there.
@Suite(.tags(.promise5), .timeLimit(.minutes(10))) struct `Reading past damage` {
    /// A history with an incident of it whose entries begin before others and end behind them.
    private static func history() async throws -> (entries: [[UInt8]], incident: String) {
        let entries = try await AuditedLedger(events: 900).entries()
        let events = try entries.map { try EventDecoder().decode(Entry(parsing: $0)) }
        let incidents = events.map(\.envelope.subject).filter { $0.category == "incident" }
        return (entries, String(try #require(incidents.first).name))
    }

    private static func timeline(
        _ ledger: AuditedLedger,
        _ incident: String
    ) throws -> (code: Int32, timeline: CaseTimeline, errors: String) {
        let run = try AuditedLedger.run("timeline", incident, "--json", "--data", ledger.url.path)
        let timeline = try JSONDecoder().decode(CaseTimeline.self, from: Data(run.out))
        return (run.code, timeline, run.errors)
    }

    @Test(arguments: ["cut short", "of no kind", "elsewhere", "missing"])
    func `leaves out an entry`(that isDamaged: String) async throws {
        let (entries, incident) = try await Self.history()
        let whole = try Self.timeline(try ForgedLog().write(entries), incident)
        #expect(whole.code == 0, "\(whole.errors)")
        #expect(whole.timeline.isWhole)
        let place = try #require(whole.timeline.entries.dropFirst(2).first).position
        var numbered = zip(UInt64(0)..., entries).map { ($0, $1) }
        let entry = numbered[Int(place)].1
        let kind = try Entry(parsing: entry).envelope.kind
        switch isDamaged {
        case "cut short": numbered[Int(place)].1 = entry.dropLast(9)
        case "of no kind": numbered[Int(place)].1 = entry.replacing("\(kind)", with: "no.such/7")
        case "elsewhere":
            numbered[Int(place)].1 = entry.replacing(
                "\"position\":\"\(place)\"",
                with: "\"position\":\"\(place + 1)\""
            )
        default: numbered.remove(at: Int(place))
        }
        let ledger = try ForgedLog().write(numbered)
        let (code, timeline, errors) = try Self.timeline(ledger, incident)
        #expect(code == 1)
        #expect(
            timeline.leftOut?.map(\.first) == [place],
            "\(String(describing: timeline.leftOut))"
        )
        #expect(errors.contains("position \(place)") && errors.contains("daybook verify"))
        let others = whole.timeline.entries.filter { $0.position != place }
        #expect(timeline.entries == others)
        #expect(timeline.text().contains("left out  position \(place): "))
        let trends = try AuditedLedger.run("trends", "--data", ledger.url.path)
        #expect(trends.code == 1)
        #expect(trends.errors.contains("position \(place)"), "\(trends.errors)")
        #expect(String(decoding: trends.out, as: UTF8.self).contains("sessions"))
    }

    @Test func `counts the rest as if what cannot be read had not been there`() async throws {
        let (entries, _) = try await Self.history()
        var damaged = entries
        // The last one: what is known ends with the one before.
        damaged[899] = damaged[899].dropLast(9)
        let ledger = try ForgedLog().write(damaged)
        let trends = try await Trends(of: ledger.url)
        #expect(trends.leftOut.map(\.place) == ["position 899"])
        let shorter = try ForgedLog().write(Array(entries.dropLast(1)))
        let before = try await Trends(of: shorter.url)
        #expect(trends.rows == before.rows)
        #expect(before.leftOut.isEmpty)
    }

    @Test func `says of a log that was cut off that it ends before what was signed`() async throws {
        let (entries, incident) = try await Self.history()
        let whole = try ForgedLog().write(entries)
        let cut = try ForgedLog().write(Array(entries.prefix(800)))
        let note = cut.url.appending(path: "checkpoint")
        try FileManager.default.removeItem(at: note)
        try FileManager.default.copyItem(at: whole.url.appending(path: "checkpoint"), to: note)
        let (code, timeline, errors) = try Self.timeline(cut, incident)
        #expect(code == 1)
        #expect(errors.contains("positions 800..<900 are lost; run daybook verify"), "\(errors)")
        #expect(timeline.fault?.contains("the file checkpoint covers 900") == true)
        // What is looked for may be what is lost.
        let gone = try #require(
            entries.dropFirst(800).map { try Entry(parsing: $0).envelope.subject }
                .first { ["session", "incident", "round"].contains($0.category) }
        )
        let lost = try AuditedLedger.run("timeline", "\(gone.name)", "--data", cut.url.path)
        #expect(lost.code != 0)
        #expect(lost.errors.contains("are lost"), "\(lost.errors)")
        let trends = try AuditedLedger.run("trends", "--data", cut.url.path)
        #expect(trends.code == 1)
        #expect(trends.errors.contains("are lost"))
    }

    @Test func `says of a log that goes on behind its last commit what nobody vouches for`()
        async throws
    {
        let (entries, incident) = try await Self.history()
        let longer = try ForgedLog().write(entries, sealedAt: 899)
        let (code, timeline, errors) = try Self.timeline(longer, incident)
        #expect(code == 1)
        #expect(errors.contains("nobody vouches for positions 899..<900"), "\(errors)")
        #expect(timeline.fault?.contains("its last commit reached 899") == true)
    }

    /// Branch pages may name one leaf a million times: of what gives a row twice, nothing more is read.
    @Test func `does not follow pages of checkpoints that lead to themselves`() async throws {
        let (entries, _) = try await Self.history()
        let ledger = try ForgedLog().write(entries)
        let file = ledger.url.appending(path: "log/data.mdb")
        var pages = try ForgedPages(Data(contentsOf: file))
        let leaves = pages.repeatFirstLeaf(of: "checkpoints")
        try #require(leaves > 2)
        try pages.data.write(to: file)
        let store = try EntryStore.open(ledger.url)
        let fault = try #require(throws: EventLogError.self) { try store.checkpointNotes() }
        #expect("\(fault)".contains("its rows come twice"), "\(fault)")
        store.environment.close()
        let report = try await ledger.verify()
        #expect(report.verdict == .damage)
        #expect(report.findings.contains { $0.fact.contains("its rows come twice") })
    }
}

/// The pages of an LMDB file (0.9, 64 bits), to be changed by somebody who knows their layout.
private struct ForgedPages {
    private(set) var data: Data
    private static let pageBytes = 4_096

    init(_ data: Data) {
        self.data = data
    }

    /// Has every node of a table's root name the first leaf; tells how many there are.
    mutating func repeatFirstLeaf(of table: String) -> Int {
        // Of the two meta pages, the one of the newest commit; the main table's root stands there.
        let metas = [0, Self.pageBytes]
        let newest = metas.max {
            number(at: $0 + 144, UInt64.self) < number(at: $1 + 144, UInt64.self)
        }
        let main = Int(number(at: (newest ?? 0) + 128, UInt64.self)) * Self.pageBytes
        for node in nodes(main) {
            let keyBytes = Int(number(at: node + 6, UInt16.self))
            guard data[(node + 8)..<(node + 8 + keyBytes)].elementsEqual(table.utf8) else {
                continue
            }
            let root = Int(number(at: node + 8 + keyBytes + 40, UInt64.self)) * Self.pageBytes
            let children = nodes(root)
            let first = data[children[0]..<(children[0] + 6)]
            for child in children { data.replaceSubrange(child..<(child + 6), with: first) }
            return children.count
        }
        return 0
    }

    private func nodes(_ page: Int) -> [Int] {
        let count = (Int(number(at: page + 12, UInt16.self)) - 16) / 2
        return (0..<count).map { page + Int(number(at: page + 16 + 2 * $0, UInt16.self)) }
    }

    private func number<Number: FixedWidthInteger>(at place: Int, _ type: Number.Type) -> Number {
        data[place..<(place + MemoryLayout<Number>.size)].reversed()
            .reduce(0) { $0 << 8 | Number($1) }
    }
}
