// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import HTTPTypes
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(10))) struct `An event appended through the interface` {
    @Test func `is served byte for byte and proved under the signed checkpoint`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let opened = try await amina.post("/v1/sessions", ["phone": "+447712345678"])
            let position = try opened.text("position")
            let entry = try await amina.get("/v1/events/\(position)")
            let leaf = try Entry(parsing: Array(entry.body.utf8)).leafHash
            let proof = try await amina.get("/v1/events/\(position)/proof")
            #expect(try proof.text("leafHash") == leaf.base64)
            let identity = try await gateway.send(.get, "/v1/ledger")
            let checkpoint = try Checkpoint(
                verifying: SignedNote(proof.text("checkpoint")),
                with: [NoteVerifier(vkey: identity.text("vkey"))],
                origin: "test.example/main"
            )
            let hashes = try #require(try proof.object["hashes"] as? [String])
            let inclusion = InclusionProof(
                index: try #require(UInt64(position)),
                size: checkpoint.size,
                hashes: try hashes.map { try #require(MerkleHash(base64: $0)) }
            )
            try inclusion.verify(leaf: leaf, root: checkpoint.root)
        }
    }

    @Test func `stands in tiles that an outside reader checks`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            for number in 0..<60 {
                let body = ["phone": "+4477123\(10_000 + number)"]
                let opened = try await amina.post("/v1/sessions", body)
                _ = try await amina.post("/v1/sessions/\(opened.text("session"))/close")
            }
            try await gateway.ledger.log.makeCheckpoint()
            let auditor = try await gateway.user(.auditor, login: "otto")
            let vkey = gateway.ledger.identity.vkey
            let printed = try await run(
                "python3",
                [
                    tool("tlog_read.py"), "--vkey", vkey, "--token", auditor.token,
                    "http://127.0.0.1:\(gateway.port)",
                ]
            )
            #expect(printed.contains("ok"))
        }
    }

    @Test func `is not there for who may not have it, whatever it tells of`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let guardian = try await gateway.user(.guard, login: "gita")
            let readers = [
                try await gateway.user(.operator, login: "nora", org: "north"),
                try await gateway.user(.operator, login: "ben"),
            ]
            let opened = try await amina.post("/v1/sessions", ["phone": "+447712345678"])
            let last = try #require(UInt64(try opened.text("position")))
            let nothing = try await readers[0].get("/v1/events/999999999")
            for reader in readers {
                // Whose role reads no entries is told the same of every place.
                #expect(try await guardian.get("/v1/events/\(last)").status == 403)
                #expect(try await guardian.get("/v1/events/999999999").status == 403)
                for position in [last, last - 1] {
                    for path in ["", "/proof"] {
                        let refused = try await reader.get("/v1/events/\(position)\(path)")
                        #expect(refused.status == 404)
                        #expect(try refused.members["detail"] == nothing.members["detail"])
                        #expect(try refused.members["subject"] == nil)
                        #expect(try refused.members["owner"] == nil)
                    }
                }
            }
            let recorded = try gateway.events(AccessRefused.kind).filter {
                ($0.fact.payload as? AccessRefused)?.resource != nil
            }
            // Into the history of those whose it is, and of none else.
            let actors = Set(recorded.map(\.envelope.actor.text))
            #expect(actors == ["operator/\(readers[1].id)"])
        }
    }

    @Test func `is shown in bundles to auditors only, in tiles to everybody`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            try await gateway.ledger.log.makeCheckpoint()
            let note = try #require(gateway.ledger.log.checkpointNote)
            let size = try Checkpoint(text: SignedNote(note).text).size
            let tile = try await gateway.send(.get, "/tile/0/000.p/\(size)")
            #expect(tile.status == 200)
            #expect(tile.headers[.cacheControl]?.contains("immutable") == true)
            let checkpoint = try await gateway.send(.get, "/checkpoint")
            #expect(checkpoint.body.hasPrefix("test.example/main\n"))
            #expect(try await amina.get("/tile/entries/000.p/\(size)").status == 403)
            #expect(try await gateway.send(.get, "/tile/entries/000.p/\(size)").status == 401)
            #expect(try await gateway.send(.get, "/tile/0/001").status == 404)
            #expect(try await gateway.send(.get, "/tile/0/0").status == 404)
        }
    }
}

/// A script of Tests/Tools.
func tool(_ name: String) -> String {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Tools/\(name)").path
}
