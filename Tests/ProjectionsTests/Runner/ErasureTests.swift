// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import GRDB
import ProjectionsTesting
import TestSupport
import Testing

@testable import Projections

@Suite(.tags(.promise7)) struct `Erasing a person` {
    /// Many sessions of many people with recordings and addresses, so that rows moved between pages.
    private func crowd() throws -> (EventScript, [PersonID]) {
        var script = EventScript()
        var people: [PersonID] = []
        for number in 0..<120 {
            let opened = try script.openSession(phone: "+4477\(10_000_000 + number)")
            people.append(opened.caller)
            _ = try script.startStream(in: opened.session, opened.incident, opened.caller)
            let address = IncidentAddressSet(
                address: .open("Lane Zq\(10_000 + number)x", of: opened.caller),
                source: .operator
            )
            try script.record(.incident(.addressSet(address)), on: .incident(opened.incident))
        }
        return (script, people)
    }

    @Test(arguments: allProjectors.indices)
    func `leaves the rows that a rebuild with the remaining keys gives`(_ number: Int) throws {
        var (script, people) = try crowd()
        let all = script.keys
        try script.erase(people[3])
        let live = try ProjectionFile(
            inMemory: allProjectors[number],
            origin: EventScript.origin,
            keys: all
        )
        let rebuilt = try ProjectionFile(
            inMemory: allProjectors[number],
            origin: EventScript.origin,
            keys: script.keys
        )
        let page = try #require(onePage(script.events))
        _ = try live.apply(page)
        _ = try rebuilt.apply(page)
        #expect(try live.digest().digest == rebuilt.digest().digest)
    }

    @Test func `makes only those files owe something that hold plain text`() throws {
        let owing = allProjectors.filter(\.holdsOpened).map(\.identity.name)
        #expect(owing == ["operator-desk", "recordings", "alert-queue", "telephony"])
        let (script, _) = try crowd()
        for projector in allProjectors {
            let file = try ProjectionFile(
                inMemory: projector,
                origin: EventScript.origin,
                keys: script.keys
            )
            _ = try file.apply(try #require(onePage(script.events)))
            // A column that holds an opened number would hold its first digits.
            let plain = try file.connections.read { database in
                try projector.tables.flatMap { table in
                    try table.columnNames.filter { !table.opened.contains($0) }.filter { name in
                        let sql =
                            "SELECT EXISTS (SELECT 1 FROM \(table.name) WHERE \(name) LIKE '+447710%')"
                        return try Bool.fetchOne(database, sql: sql) ?? false
                    }
                }
            }
            #expect(plain.isEmpty, "\(projector.identity)")
        }
    }

    @Test(arguments: [0, 1, 2], allProjectors.indices)
    func `keeps sealed what arrives before the key is destroyed`(split: Int, number: Int) throws {
        var (script, people) = try crowd()
        let person = people[3]
        let begin = script.events.count
        try script.record(
            .person(.erased(PersonErased(person: person, reason: "asked for"))),
            on: .person(person)
        )
        let opened = try script.openSession(phone: "+447719999999", caller: person)
        _ = try script.startStream(in: opened.session, opened.incident, person)
        let address = IncidentAddressSet(address: .open("Lane Late", of: person), source: .operator)
        try script.record(.incident(.addressSet(address)), on: .incident(opened.incident))
        let all = script.keys
        script.destroyKey(of: person)
        let live = try ProjectionFile(
            inMemory: allProjectors[number],
            origin: EventScript.origin,
            keys: all
        )
        let rebuilt = try ProjectionFile(
            inMemory: allProjectors[number],
            origin: EventScript.origin,
            keys: script.keys
        )
        // In one page, with the erasure at the end of the first, and at the beginning of the second.
        if split > 0 {
            _ = try live.apply(
                try #require(onePage(Array(script.events.prefix(begin + 2 - split))))
            )
        }
        _ = try live.apply(try #require(onePage(script.events)))
        _ = try rebuilt.apply(try #require(onePage(script.events)))
        #expect(try live.digest().digest == rebuilt.digest().digest)
    }

    @Test func `leaves no trace in the files of tables and full text`() async throws {
        let folder = try TemporaryFolder()
        var (script, people) = try crowd()
        let all = script.keys
        let projectors: [any Projector] = [RecordingsProjector(), OperatorDeskProjector()]
        let before = script.events
        try script.erase(people[57])
        for projector in projectors {
            let url = folder.url.appending(path: "\(projector.identity.name).sqlite")
            let file = try ProjectionFile(
                projector,
                at: url,
                mode: .serving,
                origin: EventScript.origin,
                keys: all
            )
            _ = try file.apply(try #require(onePage(before)))
            #expect(try traces(of: "+447710000057", in: folder.url) > 0)
            _ = try file.apply(try #require(onePage(script.events)))
            try await file.eraseOwed()
            #expect(try traces(of: "+447710000057", in: folder.url) == 0)
            #expect(try traces(of: "+447710000056", in: folder.url) > 0)
            #expect(try traces(of: "zq10057x", in: folder.url) == 0)
            #expect(try traces(of: "Zq10057x", in: folder.url) == 0)
            try file.close()
            try FileManager.default.removeItem(at: url)
        }
    }
}
