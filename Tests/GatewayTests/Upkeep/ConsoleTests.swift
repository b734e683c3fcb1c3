// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Gateway

@Suite struct `The console` {
    @Test func `makes users and tokens of a ledger that nobody serves`() async throws {
        let folder = try await TestGateway.run { $0.folder }
        let upkeep = Upkeep(folder: folder.url.appending(path: "ledger"))
        let user = try await upkeep.addUser("omar", role: .service, name: "Omar", organisation: nil)
        let token = try await upkeep.addToken(of: "omar", password: nil, life: .seconds(3600))
        #expect(try await upkeep.users().map(\.login).contains("omar"))
        try await TestGateway.run(in: folder) { gateway in
            let principal = try await gateway.ledger.accounts.authenticate(token.token)
            #expect(principal.userID == user.id)
            let made = try gateway.events(UserCreated.kind).last
            #expect(made?.envelope.actor.text.hasPrefix("console/") == true)
        }
        try await upkeep.revokeToken(token.id, of: "omar")
        #expect(try await upkeep.tokens(of: "omar").first?.revoked != nil)
    }

    @Test func `leaves a ledger alone that a gateway serves, and one that is not there`()
        async throws
    {
        try await TestGateway.run { gateway in
            let upkeep = Upkeep(folder: gateway.ledger.folder.root)
            await #expect(throws: UpkeepError.self) { try await upkeep.users() }
            let nothing = Upkeep(folder: gateway.folder.url.appending(path: "nothing"))
            await #expect(throws: UpkeepError.self) { try await nothing.users() }
            let missing = gateway.folder.url.appending(path: "nothing").path
            #expect(!FileManager.default.fileExists(atPath: missing))
        }
    }

    /// What the doctor finds in a process of its own, as it must beside whoever has the log open.
    private static func findingsBeside(
        _ ledger: URL,
        config: URL? = nil
    ) async throws -> [Doctor.Finding] {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let program = URL(filePath: own).deletingLastPathComponent().appending(path: "daybook")
        let settings = config.map { ["--config", $0.path] } ?? []
        // 1 says that something is wrong, and what.
        let printed = try await run(
            "sh",
            ["-c", "\"$0\" \"$@\" || [ $? = 1 ]", program.path, "doctor", "--data", ledger.path]
                + ["--json"] + settings
        )
        return try JSONDecoder().decode([Doctor.Finding].self, from: Data(printed.utf8))
    }

    /// What somebody does to a ledger's folder.
    enum Harm: String, CaseIterable {
        case noLog, headlessLog, emptyCheckpoint, noAccounts, damagedAccounts, noKeys, emptyPushKey
        case lockFolder, mediaFile

        /// The line that tells of it.
        var line: String {
            switch self {
            case .noLog, .headlessLog, .emptyCheckpoint: "log"
            case .noAccounts, .damagedAccounts: "accounts"
            case .noKeys: "keys"
            case .emptyPushKey: "push key"
            case .lockFolder, .mediaFile: "folders"
            }
        }

        func apply(to ledger: URL) throws {
            let files = FileManager.default
            func place(_ name: String) -> URL { ledger.appending(path: name) }
            switch self {
            case .noLog: try files.removeItem(at: place("log/data.mdb"))
            case .headlessLog: try overwrite(place("log/data.mdb"), bytes: 8_192)
            case .emptyCheckpoint: try Data().write(to: place("checkpoint"))
            case .noAccounts: try files.removeItem(at: place("accounts.db"))
            case .damagedAccounts: try overwrite(place("accounts.db"), bytes: 512)
            case .noKeys: try files.removeItem(at: place("keys"))
            case .emptyPushKey: try Data().write(to: place("push.key"))
            case .lockFolder, .mediaFile:
                let other = place(self == .lockFolder ? "lock" : "media")
                try files.removeItem(at: other)
                if self == .mediaFile { return try Data().write(to: other) }
                try files.createDirectory(at: other, withIntermediateDirectories: false)
            }
        }

        private func overwrite(_ file: URL, bytes: Int) throws {
            let handle = try FileHandle(forUpdating: file)
            try handle.write(contentsOf: Data(repeating: 0, count: bytes))
            try handle.close()
        }
    }

    @Test(arguments: Harm.allCases)
    func `finds what a start would refuse, or serve for readers alone`(harm: Harm) async throws {
        let folder = try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            _ = try await gateway.caller("+441632960001", codeBy: amina)
            return gateway.folder
        }
        let path = folder.url.appending(path: "ledger")
        var configuration = GatewayConfiguration(folder: path)
        configuration.pages = TestGateway.page
        let doctor = Doctor(configuration)
        #expect(doctor.findings().filter { !$0.isWell } == [])
        try harm.apply(to: path)
        #expect(doctor.findings().filter { !$0.isWell }.map(\.what).contains(harm.line))
    }

    @Test(arguments: [
        "log-level = loud", "log-format = xml", "start-limit = 0", "listen = x", "read-wait = 61",
    ])
    func `says of settings that a start refuses them, however they are wrong`(
        line: String
    ) async throws {
        let folder = try TemporaryFolder()
        let config = folder.url.appending(path: "daybook.conf")
        try Data("\(line)\n".utf8).write(to: config)
        let findings = try await Self.findingsBeside(folder.url, config: config)
        #expect(findings.map(\.what) == ["settings"])
        #expect(findings.map(\.level) == [.fail])
        let name = String(line.prefix { $0 != " " })
        #expect(findings.first?.detail.contains("--\(name)") == true)
    }

    @Test func `finds nothing wrong with a ledger, and says what is`() async throws {
        let folder = try await TestGateway.run { gateway in
            let served = try await Self.findingsBeside(gateway.ledger.folder.root)
            #expect(served.filter { !$0.isWell } == [])
            #expect(served.contains { $0.detail == "a gateway serves it" })
            return gateway.folder
        }
        let path = folder.url.appending(path: "ledger")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o644],
            ofItemAtPath: path.appending(path: "accounts.db").path
        )
        let findings = Doctor(GatewayConfiguration(folder: path)).findings()
        #expect(findings.filter { !$0.isWell }.map(\.what) == ["permissions"])
        let nowhere = Doctor(
            GatewayConfiguration(folder: folder.url.appending(path: "nothing"))
        ).findings()
        #expect(nowhere.map(\.isWell) == [false])
    }
}
