// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import ProjectionsTesting
import TestSupport
import Testing

@testable import Projections

/// A build whose transaction is open when nobody needs it any more, as at the end of a gateway that was just started.
@Suite(.timeLimit(.minutes(10))) struct `A build that is given up` {
    @Test func `ends with its connection, and goes on from what it committed`() async throws {
        let folder = try TemporaryFolder()
        var script = EventScript()
        for number in 0..<6 { _ = try script.openSession(phone: "+44771000000\(3 + number)") }
        let (page, keys) = (try #require(onePage(script.events)), script.keys)
        func open() throws -> ProjectionFile {
            try ProjectionFile(
                OperatorDeskProjector(),
                at: folder.url.appending(path: "desk.sqlite"),
                mode: .building,
                origin: EventScript.origin,
                keys: keys
            )
        }
        // Often, since what reads freed memory does not fail each time.
        for _ in 0..<50 {
            let build = try open()
            #expect(build.progress().next == LogPosition(0))
            try await build.applyInBulk(page)
            #expect(build.tables.entriesUncommitted == page.count)
        }
        let whole = try open()
        try await whole.applyInBulk(page)
        try await whole.finishBuilding()
        try whole.close()
        #expect(try open().progress().next == page.next)
    }
}
