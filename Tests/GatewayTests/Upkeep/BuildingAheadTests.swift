// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import Projections
import TestSupport
import Testing

/// Promise 6, beside a gateway in a process of its own.
@Suite(.tags(.promise6), .timeLimit(.minutes(10))) struct `Building read models ahead` {
    /// The reports of the next version of Daybook.
    private struct NextReports: Projector {
        private let before = ReportsProjector()
        var identity: ProjectorIdentity {
            ProjectorIdentity(before.identity.name, version: before.identity.version + 1)
        }
        var tables: [Table] { before.tables }
        var handlers: Handlers { before.handlers }
    }

    @Test func `leaves a gateway that serves undisturbed, and stays for the next one`() async throws
    {
        let folder = try await TestGateway.run { $0.folder }
        let ledger = folder.url.appending(path: "ledger")
        let gateway = try await ServedLedger(ledger)
        let read = ledger.appending(path: "read")
        let serving = try StoredReadModel.read(ReportsProjector(), in: read)
        await #expect(throws: ProgramFailed.self) { try await Self.rebuild(ledger) }
        #expect(try await Self.rebuild(ledger, "--ahead", "--json").contains("[\n\n]"))

        let log = try LedgerReader.open(ledger, usingIndex: false)
        let built = try await StoredReadModel.buildAhead(
            NextReports(),
            in: read,
            from: Self.entries(of: log),
            keys: NoKeys()
        )
        #expect(built == (try log.size()))
        log.close()
        #expect(try StoredReadModel.read(ReportsProjector(), in: read)?.file == serving?.file)
        await gateway.stop()

        // An older version leaves it alone, also when it begins again.
        let again = try await ServedLedger(ledger)
        await again.stop()
        let next = try #require(try StoredReadModel.read(NextReports(), in: read))
        #expect(next.progress.next.rawValue == built)
        let version = ReportsProjector().identity.version
        #expect(try await Self.rebuild(ledger, "reports").contains("reports/\(version)"))
    }

    private static func entries(of log: LedgerReader) -> EntrySource {
        EntrySource(
            origin: log.origin ?? "",
            size: { try log.size() },
            page: { try log.entries(from: $0, limit: $1) },
            ofSubject: { subject, _ in try log.entries(of: subject) },
            linkedTo: { subject, _ in try log.entries(linkedTo: subject) }
        )
    }

    private static func rebuild(_ ledger: URL, _ arguments: String...) async throws -> String {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let program = URL(filePath: own).deletingLastPathComponent().appending(path: "daybook")
        let key = ["--master-key", ledger.path + ".master-key"]
        return try await run(program.path, ["rebuild", "--data", ledger.path] + key + arguments)
    }
}
