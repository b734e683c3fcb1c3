// SPDX-License-Identifier: Apache-2.0
import EventsTesting
import Foundation
import TestSupport
import Testing

@testable import Events

/// Moving a folder away does by its name what an unmount does.
@Suite(.tags(.promise1)) struct `A log whose folder lost its name` {
    private let folder: TemporaryFolder
    private let configuration: LogConfiguration
    private var place: URL { folder.url.appending(path: "ledger") }
    private var away: URL { folder.url.appending(path: "away") }

    init() throws {
        folder = try TemporaryFolder()
        configuration = LogConfiguration(
            origin: "daybook.example.org/test",
            keys: NoKeys(),
            signer: try NoteSigner(
                name: "daybook.example.org/test",
                seed: Array(repeating: 7, count: 32)
            ),
            freeBytesMin: 0
        )
    }

    private func contents() throws -> [String: Data] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: place.path)
        return names.reduce(into: [:]) { found, name in
            let file = place.appending(path: name)
            found[name] = FileManager.default.contents(atPath: file.path) ?? Data()
        }
    }

    private func append(_ samples: inout SampleEvents, to log: EventLog) async throws {
        try await log.append(
            [SubjectWrite(samples.subject(), [samples.signal()])],
            command: samples.stamp()
        )
    }

    @Test(arguments: [true, false])
    func `takes nothing, signs nothing, and leaves what has its name alone`(
        isCopy: Bool
    ) async throws {
        var samples = SampleEvents()
        let log = try EventLog.open(place, configuration: configuration)
        for _ in 0..<20 { try await append(&samples, to: log) }
        try FileManager.default.moveItem(at: place, to: away)
        if isCopy {
            try FileManager.default.copyItem(at: away, to: place)
        } else {
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
        }
        let before = try contents()
        let refused = await #expect(throws: EventLogError.self) {
            try await append(&samples, to: log)
        }
        #expect(refused == .elsewhere(path: place.path))
        await #expect(throws: EventLogError.self) { try await log.makeCheckpoint() }
        #expect(log.size == 20 && log.readOnlyReason == nil)
        await log.close()
        #expect(try contents() == before)
    }

    @Test func `goes on when it has its name again`() async throws {
        var samples = SampleEvents()
        let log = try EventLog.open(place, configuration: configuration)
        try FileManager.default.moveItem(at: place, to: away)
        await #expect(throws: EventLogError.elsewhere(path: place.path)) {
            try await append(&samples, to: log)
        }
        try FileManager.default.moveItem(at: away, to: place)
        try await append(&samples, to: log)
        await log.close()
        let again = try EventLog.open(place, configuration: configuration)
        #expect(again.size == 1 && again.readOnlyReason == nil)
        await again.close()
    }
}
