// SPDX-License-Identifier: Apache-2.0
import Crypto
import Events
import Foundation
import Media
import TestSupport
import Testing

@testable import Gateway

@Suite(.tags(.promise9), .timeLimit(.minutes(10)))
struct `A gateway that is killed while video arrives` {
    @Test func `has kept all that it told, and the sender goes on where it says`() async throws {
        let folder = try TemporaryFolder()
        // The ledger is made in this process, and then left to the program.
        let sender = try await TestGateway.run(in: folder) { try await VideoCall($0).sender }
        let parts = try Videos.parts()
        let files = try parts.map(sender.write)
        let first = try await ServedLedger(folder.url.appending(path: "ledger"))
        let most = "\(parts[0].count * 3 / 4)"
        let pid = "\(first.processIdentifier)"
        let told = try await sender.send(
            files[0],
            part: 0,
            to: first.port,
            ["resume", most, "4096", "1", pid]
        )
        await first.waitForEnd()
        #expect(told.through > 0 && told.closed == 1006)
        let second = try await ServedLedger(folder.url.appending(path: "ledger"))
        let rest = try await sender.send(files[0], part: 0, to: second.port)
        let resumed = try #require(rest.answers.first { $0.type == "resume" })
        #expect(try #require(resumed.offset) >= told.through)
        #expect(rest.through == UInt64(parts[0].count))
        for part in 1...2 {
            let sent = try await sender.send(files[part], part: part, to: second.port, ["0"])
            #expect(sent.through == UInt64(parts[part].count))
        }
        await second.stop()
        try await TestGateway.run(in: folder) { gateway in
            try check(gateway, sender.stream)
        }
    }

    /// Every chunk of the log is in the file as it says, and every picture is there once.
    private func check(_ gateway: TestGateway, _ stream: StreamID) throws {
        let index = try gateway.gateway.video.archive.index(of: stream)
        let path = gateway.gateway.video.archive.path(of: index)
        #expect(try Videos.numbers(in: path) == Array(0..<150))
        let file = try Data(contentsOf: URL(filePath: path))
        #expect(index.chunks.map(\.place.index) == Array(0..<index.chunks.count))
        for chunk in index.chunks {
            let bytes = file[Int(chunk.place.offset)..<Int(chunk.place.bytes.upperBound)]
            let digest = Events.SHA256Digest(bytes: Array(SHA256.hash(data: bytes)))
            #expect(digest == chunk.sha256)
        }
        #expect(index.bytesLogged == UInt64(file.count))
    }
}
