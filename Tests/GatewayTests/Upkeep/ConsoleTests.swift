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

    @Test func `finds nothing wrong with a ledger, and says what is`() async throws {
        let folder = try await TestGateway.run { gateway in
            let served = Doctor(folder: gateway.ledger.folder.root).findings()
            #expect(served.filter { !$0.isWell } == [])
            #expect(served.contains { $0.detail == "a gateway serves it" })
            return gateway.folder
        }
        let path = folder.url.appending(path: "ledger")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o644],
            ofItemAtPath: path.appending(path: "accounts.db").path
        )
        let findings = Doctor(folder: path).findings()
        #expect(findings.filter { !$0.isWell }.map(\.what) == ["permissions"])
        let nowhere = Doctor(folder: folder.url.appending(path: "nothing")).findings()
        #expect(nowhere.map(\.isWell) == [false])
    }
}
