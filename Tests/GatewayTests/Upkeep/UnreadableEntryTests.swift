// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import HTTPTypes
import Projections
import TestSupport
import Testing

@testable import Gateway

/// One entry that a disk or somebody changed, so that its bytes are none: what a start makes of it (decision 0070).
@Suite(.tags(.promise10), .timeLimit(.minutes(20))) struct `An entry that cannot be read` {
    /// A ledger that nobody serves.
    private struct Made: Sendable {
        let folder: TemporaryFolder
        /// The kinds of its entries; the last of them are about ben alone.
        let kinds: [Kind]
        /// How many are not about ben.
        let others: Int
        /// Ben's.
        let token: String

        var ledger: URL { folder.url.appending(path: "ledger") }
        var last: LogPosition { LogPosition(UInt64(kinds.count - 1)) }

        func place(of kind: Kind) throws -> LogPosition {
            LogPosition(UInt64(try #require(kinds.firstIndex(of: kind))))
        }
    }

    private static func made(
        _ more: @Sendable (TestGateway) async throws -> Void = { _ in }
    ) async throws -> Made {
        let folder = try TemporaryFolder()
        let (others, token) = try await TestGateway.run(in: folder) { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            _ = try await gateway.caller("+447700900001", codeBy: amina)
            let opened = try await amina.post("/v1/sessions", ["phone": "+447700900001"])
            let session = try opened.text("session")
            for text in ["help is coming", "stay where you are"] {
                let sent = try await amina.post("/v1/sessions/\(session)/messages", ["text": text])
                #expect(sent.status < 300, "\(sent.body)")
            }
            try await more(gateway)
            let others = gateway.ledger.log.size
            return (others, try await gateway.user(.operator, login: "ben").token)
        }
        let reader = try LedgerReader.open(folder.url.appending(path: "ledger"))
        defer { reader.close() }
        return Made(
            folder: folder,
            kinds: try reader.entries(from: LogPosition(0)).map(\.envelope.kind),
            others: Int(others),
            token: token
        )
    }

    private static func configuration(_ made: Made) -> GatewayConfiguration {
        var configuration = GatewayConfiguration(folder: made.ledger)
        configuration.origin = "test.example/main"
        return configuration
    }

    /// What `/readyz` says of the log's entries, as a warning.
    private static func warning(of gateway: TestGateway) async throws -> String {
        let part = Groundwork.Part.entries
        #expect(part.need == .toKeepHouse)
        gateway.ledger.standings.begin(part.rawValue, part.need)
        Groundwork(ledger: gateway.ledger, video: gateway.gateway.video).look()
        let told = try await gateway.services().first { $0["name"] as? String == part.rawValue }
        return told?["fault"] as? String ?? ""
    }

    private static func me(_ made: Made, _ gateway: TestGateway) async throws -> Int {
        let headers: HTTPFields = [.authorization: "Bearer \(made.token)"]
        return try await gateway.send(.get, "/v1/me", headers: headers).status
    }

    private static func doctor(_ made: Made, _ what: String) -> Doctor.Finding? {
        Doctor(configuration(made)).findings().first { $0.what == what }
    }

    @Test func `keeps no gateway from serving, whatever it says, and is a warning`() async throws {
        let made = try await Self.made()
        for place in 0..<made.others {
            let entry = try DamagedEntry(breaking: LogPosition(UInt64(place)), in: made.folder)
            let found = Self.doctor(made, "entries")
            #expect(found?.level == .warn && found?.detail.contains("position \(place)") == true)
            try await TestGateway.run(in: made.folder) { gateway in
                #expect(!gateway.ledger.log.isDoubted, "\(place) \(made.kinds[place])")
                let warning = try await Self.warning(of: gateway)
                #expect(warning.contains("position \(place)"), "\(warning)")
                #expect(try await Self.me(made, gateway) == 200)
                let isReady = try await gateway.readiness()["ready"] as? Bool
                #expect(isReady == true || made.kinds[place] == PolicyEnabled.kind)
            }
            try entry.restore()
        }
        #expect(Self.doctor(made, "entries") == nil)
    }

    @Test func `is passed by read models that are built anew, and by an index`() async throws {
        let made = try await Self.made()
        let place = try made.place(of: ChatMessageSent.kind)
        _ = try DamagedEntry(breaking: place, in: made.folder)
        try FileManager.default.removeItem(at: made.ledger.appending(path: "read"))
        try await TestGateway.run(in: made.folder) { gateway in
            let models = gateway.ledger.readModels.runner.states
            #expect(models.allSatisfy { $0.isWell && $0.reached >= UInt64(made.kinds.count) })
            let warning = try await Self.warning(of: gateway)
            #expect(warning.contains("position \(place)"))
        }
        try FileManager.default.removeItem(at: made.ledger.appending(path: "index"))
        try await TestGateway.run(in: made.folder) { gateway in
            #expect(gateway.ledger.log.isDoubted, "the tree is not the one that was signed")
            let warning = try await Self.warning(of: gateway)
            #expect(warning.contains("position \(place)"))
            #expect(try await Self.me(made, gateway) == 200)
        }
    }

    @Test func `at the end lets the log be read, and a new origin begin with it`() async throws {
        let made = try await Self.made()
        _ = try DamagedEntry(breaking: made.last, in: made.folder)
        #expect(Self.doctor(made, "log")?.level == .fail)
        let key = try Data(contentsOf: made.ledger.appending(path: "origin.key"))
        try await TestGateway.run(in: made.folder) { gateway in
            #expect(gateway.ledger.log.isDoubted)
            #expect(gateway.ledger.log.size == UInt64(made.kinds.count))
        }
        #expect(try NewOrigin.begin(Self.configuration(made)) == UInt64(made.kinds.count))
        let former = made.ledger.appending(path: "origin.key.former-\(made.kinds.count)")
        #expect(try Data(contentsOf: former) == key)
        for login in ["cara", "dora"] {
            try await TestGateway.run(in: made.folder) { gateway in
                #expect(!gateway.ledger.log.isDoubted)
                _ = try await gateway.user(.operator, login: login)
            }
        }
        try Self.expectRefused(made, .originWhole(made.ledger.path))
    }

    @Test(arguments: [ChatMessageSent.kind, UserCreated.kind])
    func `speaks against the ledger, so that a new origin may begin`(kind: Kind) async throws {
        let made = try await Self.made()
        _ = try DamagedEntry(breaking: made.place(of: kind), in: made.folder)
        try NewOrigin.begin(Self.configuration(made))
        try await TestGateway.run(in: made.folder) { gateway in
            #expect(!gateway.ledger.log.isDoubted)
            let isReady = try await gateway.readiness()["ready"] as? Bool
            #expect(isReady == true)
            #expect(try await Self.me(made, gateway) == 200)
        }
        try Self.expectRefused(made, .originWhole(made.ledger.path))
    }

    /// Nobody is erased by half of what the log says, and the way out is a person's decision.
    @Test func `of an erasure refuses the start, until a new origin begins with it`() async throws {
        let made = try await Self.made { gateway in
            try await gateway.ledger.log.append(
                [Self.erasure(gateway.ledger.newID(), gateway.ledger.newID())],
                command: CommandStamp(actor: .ledger, command: CommandID(unchecked: "erasing"))
            )
        }
        _ = try DamagedEntry(breaking: made.place(of: PersonErased.kind), in: made.folder)
        let before = try FolderDigest(of: made.ledger)
        await #expect(throws: EventLogError.self) {
            try await TestGateway.run(in: made.folder) { _ in }
        }
        #expect(try FolderDigest(of: made.ledger).changes(since: before) == [])
        try NewOrigin.begin(Self.configuration(made))
        try await TestGateway.run(in: made.folder) { gateway in
            #expect(!gateway.ledger.log.isDoubted)
            let erased = try gateway.ledger.log.erasedPersons()
            #expect(erased.isEmpty)
        }
    }

    private static func erasure(_ person: PersonID, _ id: EventID) -> SubjectWrite {
        let erased = PersonErased(person: person, by: nil, reason: "asked")
        return SubjectWrite(.person(person), [Event(id: id, fact: .person(.erased(erased)))])
    }

    @Test func `that is missing refuses a new origin, and nothing is changed`() async throws {
        let made = try await Self.made()
        try DamagedEntry.leaveGap(in: made.folder)
        try Self.expectRefused(made, nil)
        try FileManager.default.removeItem(at: made.ledger.appending(path: "index"))
        try Self.expectRefused(made, nil)
        try FileManager.default.removeItem(at: made.ledger.appending(path: "daybook.json"))
        try FileManager.default.removeItem(at: made.ledger.appending(path: "origin.key"))
        try Self.expectRefused(made, nil)
    }

    @Test func `is not needed for a refusal to change nothing`() async throws {
        let made = try await Self.made()
        try Self.expectRefused(made, .originWhole(made.ledger.path))
        var configuration = Self.configuration(made)
        let other = made.folder.url.appending(path: "other-key")
        try Data("\(String(repeating: "ab", count: 32))\n".utf8).write(to: other)
        configuration.masterKey = .file(other)
        try Self.expectRefused(made, nil, configuration)
    }

    /// A refused new origin leaves the folder byte for byte as it was.
    private static func expectRefused(
        _ made: Made,
        _ refusal: StartError?,
        _ other: GatewayConfiguration? = nil
    ) throws {
        let before = try FolderDigest(of: made.ledger)
        let error = #expect(throws: (any Error).self) {
            try NewOrigin.begin(other ?? configuration(made))
        }
        if let refusal { #expect(error as? StartError == refusal) }
        #expect(try FolderDigest(of: made.ledger).changes(since: before) == [])
    }
}
