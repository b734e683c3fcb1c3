// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import TestSupport
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(10))) struct `A ledger whose keys are lost` {
    /// A ledger with two callers, and its keys as they were before the second came.
    private static func ledger() async throws -> (TemporaryFolder, before: Data) {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            _ = try await gateway.caller("+441632960001", codeBy: amina)
            let before = try Data(contentsOf: gateway.ledger.folder.personKeys)
            _ = try await gateway.caller("+441632960002", codeBy: amina)
            return (gateway.folder, before)
        }
    }

    @Test(arguments: ["gone", "empty", "of an earlier day", "new"])
    func `is not served, and is as it was when they are put back`(what: String) async throws {
        let (folder, before) = try await Self.ledger()
        let file = folder.url.appending(path: "ledger/keys")
        let kept = try Data(contentsOf: file)
        switch what {
        case "gone": try FileManager.default.removeItem(at: file)
        case "empty": try Data().write(to: file)
        case "of an earlier day": try before.write(to: file)
        default: try kept.prefix(KeySlotBytes.header).write(to: file)
        }
        let refusal = await #expect(throws: StartError.self) {
            try await TestGateway.run(in: folder) { _ in }
        }
        guard case .keysLost(let path, _) = refusal else {
            Issue.record("refused for another reason: \(String(describing: refusal))")
            return
        }
        #expect(path == file.path)
        #expect(FileManager.default.fileExists(atPath: file.path) == (what != "gone"))
        try kept.write(to: file)
        try await TestGateway.run(in: folder) { gateway in
            #expect(gateway.ledger.log.readOnlyReason == nil)
        }
    }
}

/// The first slot of a file of keys, which says under which master key it is.
private enum KeySlotBytes {
    static let header = 128
}
