// SPDX-License-Identifier: Apache-2.0
import Events
import GRDB
import ProjectionsTesting
import TestSupport
import Testing

@testable import Projections

@Suite(.tags(.promise6)) struct `Every projector that comes with Daybook` {
    @Test(arguments: allProjectors.indices)
    func `ends in the same rows after any restart, any crash and with any page size`(
        _ number: Int
    ) throws {
        let evening = try Evening()
        try ProjectorChecker(allProjectors[number], keys: evening.script.keys)
            .check(evening.script.events)
    }

    @Test(arguments: allProjectors.indices)
    func `covers its tables with a digest that sees every changed value`(_ number: Int) throws {
        var evening = try Evening()
        let trunk = SIPTrunkSet(name: "North", host: "192.0.2.7", isOn: true)
        try evening.script.record(.sip(.trunkSet(trunk)), on: .trunk("north"))
        let camera: CameraID = evening.script.id()
        let minute = CameraMinuteArchived(
            file: "cameras/\(camera)/2026-11-28/12.webm",
            offset: 65_536,
            length: 4_000,
            clusters: 60,
            frames: 600,
            digest: SHA256Digest(of: [1]),
            firstAt: evening.script.now,
            lastAt: evening.script.now + .seconds(60),
            missingMilliseconds: 0
        )
        try evening.script.record(.camera(.minuteArchived(minute)), on: .camera(camera))
        let channel = ChannelSet(name: "Night shift", members: [.guard], isOpen: true)
        try evening.script.record(.channel(.set(channel)), on: .channel(evening.script.id()))
        let projector = allProjectors[number]
        let file = try ProjectionFile(
            inMemory: projector,
            origin: EventScript.origin,
            keys: evening.script.keys
        )
        _ = try file.apply(try #require(onePage(evening.script.events)))
        let before = try file.digest()
        #expect(before.rows > 0)
        for table in projector.tables {
            let count = try file.connections.write { database in
                try database.execute(sql: "SAVEPOINT try")
                try database.execute(sql: "DELETE FROM \(table.name)")
                let digest = try ReadTransaction(database).digest(of: projector)
                try database.execute(sql: "ROLLBACK TO try")
                try database.execute(sql: "RELEASE try")
                return (digest.rows, digest.digest)
            }
            #expect(count.0 == before.rows || count.1 != before.digest)
        }
        #expect(try file.digest().digest == before.digest)
    }

    @Test func `has a name of its own and handles only kinds of the vocabulary`() {
        #expect(Set(allProjectors.map(\.identity)).count == allProjectors.count)
        for projector in allProjectors {
            #expect(projector.kinds.allSatisfy { EventCatalog.current[$0] != nil })
        }
    }
}
