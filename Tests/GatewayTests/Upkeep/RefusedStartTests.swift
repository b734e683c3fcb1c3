// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import Logging
import TestSupport
import Testing

@testable import Gateway

/// What is refused leaves the folder byte for byte as it was: whoever looks for a way out loses nothing by trying.
@Suite(.tags(.promise5), .timeLimit(.minutes(10))) struct `A start that is refused` {
    enum Reason: CaseIterable {
        case otherName, otherMasterKey, keysGone, accountsDamaged, certificateGone
    }

    private let folder: TemporaryFolder

    init() async throws {
        folder = try await TestGateway.run { gateway in
            _ = try await gateway.user(.operator, login: "amina")
            return gateway.folder
        }
    }

    private var configuration: GatewayConfiguration {
        var configuration = GatewayConfiguration(folder: folder.url.appending(path: "ledger"))
        configuration.origin = "test.example/main"
        configuration.port = 0
        configuration.pages = TestGateway.page
        return configuration
    }

    @Test(arguments: Reason.allCases)
    func `changes nothing`(reason: Reason) throws {
        var configuration = configuration
        switch reason {
        case .otherName: configuration.origin = "other.example/main"
        case .otherMasterKey:
            let other = folder.url.appending(path: "other-key")
            try Data("\(String(repeating: "ab", count: 32))\n".utf8).write(to: other)
            configuration.masterKey = .file(other)
        case .keysGone:
            try FileManager.default.removeItem(at: configuration.folder.appending(path: "keys"))
        case .accountsDamaged:
            let accounts = configuration.folder.appending(path: "accounts.db")
            try Data(repeating: 7, count: 50_000).write(to: accounts)
        case .certificateGone:
            configuration.tls = .init(certificateChain: "/nowhere.pem", privateKey: "/nowhere.key")
        }
        let before = try FolderDigest(of: configuration.folder)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        #expect(throws: (any Error).self) { try Gateway(configuration, logger: logger) }
        #expect(try FolderDigest(of: configuration.folder).changes(since: before) == [])
    }

    @Test func `like an import into a ledger that has entries changes nothing`() throws {
        let before = try FolderDigest(of: configuration.folder)
        #expect(throws: EventLogError.self) {
            try EventLog.restore(into: configuration.folder) { nil }
        }
        #expect(try FolderDigest(of: configuration.folder).changes(since: before) == [])
    }
}
