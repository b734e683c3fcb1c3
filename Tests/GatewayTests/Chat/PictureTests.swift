// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import HTTPTypes
import TestSupport
import Testing
import Threads

@testable import Gateway

/// Promises 1, 7 and 10 for pictures in a chat.
@Suite(.tags(.promise7, .promise10), .timeLimit(.minutes(10))) struct `Pictures in a chat` {
    /// A caller and an operator in a chat.
    private struct Scene {
        let gateway: TestGateway
        let amina: TestGateway.Client
        let caller: TestGateway.Client
        let session: SessionID
        var path: String { "/v1/sessions/\(session)/pictures" }

        init(_ gateway: TestGateway) async throws {
            self.gateway = gateway
            amina = try await gateway.user(.operator, login: "amina")
            (caller, session) = try await gateway.openChat("+447712345678", codeBy: amina)
            _ = try await amina.post("/v1/sessions/\(session)/claim")
        }

        /// The files under `blobs`, without folders.
        func files() throws -> [String] {
            try Self.files(in: gateway.folder)
        }

        static func files(in folder: TemporaryFolder) throws -> [String] {
            let blobs = folder.url.appending(path: "ledger/blobs")
            guard FileManager.default.fileExists(atPath: blobs.path) else { return [] }
            return try FileManager.default.subpathsOfDirectory(atPath: blobs.path)
                .filter { $0.contains("/") }.sorted()
        }
    }

    static func fixture(_ name: String) throws -> [UInt8] {
        let file = URL(filePath: tool("")).deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "fixtures/pictures/\(name)")
        return Array(try Data(contentsOf: file))
    }

    @Test func `come back byte for byte, with the type that their bytes say`() async throws {
        try await TestGateway.run { gateway in
            let scene = try await Scene(gateway)
            for (name, type) in [
                ("street.jpg", "image/jpeg"), ("street.png", "image/png"),
                ("street.webp", "image/webp"),
            ] {
                let bytes = try Self.fixture(name)
                let sent = try await scene.caller.upload(scene.path, bytes, type: "text/html")
                #expect(sent.status == 201)
                #expect(try sent.text("mediaType") == type)
                for reader in [scene.amina, scene.caller] {
                    let shown = try await reader.get(
                        "\(scene.path)/\(try sent.text("message"))",
                        after: try sent.text("position")
                    )
                    #expect(shown.status == 200)
                    #expect(shown.bytes == bytes)
                    #expect(shown.headers[.contentType] == type)
                    #expect(shown.headers[.xContentTypeOptions] == "nosniff")
                    #expect(
                        shown.headers[.contentSecurityPolicy] == "default-src 'none'; sandbox"
                    )
                    let disposition = try #require(shown.headers[.contentDisposition])
                    #expect(disposition.hasPrefix("inline; filename=\""))
                }
            }
            #expect(
                try gateway.events("access.read/1").contains {
                    ($0.fact.payload as? AccessRead)?.purpose == "picture"
                }
            )
        }
    }

    @Test func `lie sealed under the digest that the event names, where nothing else is left`()
        async throws
    {
        try await TestGateway.run { gateway in
            let scene = try await Scene(gateway)
            let bytes = try Self.fixture("street.jpg")
            _ = try await scene.caller.upload(scene.path, bytes)
            let event = try #require(try gateway.events("chat.attachment_added/1").first)
            let added = try #require(event.fact.payload as? ChatAttachmentAdded)
            #expect(added.width == 96 && added.height == 64 && added.from == .caller)
            let digits = added.blob.text
            #expect(try scene.files() == ["\(digits.prefix(2))/\(digits)"])
            let file = gateway.ledger.folder.blobs.appending(path: "\(digits.prefix(2))/\(digits)")
            let stored = Array(try Data(contentsOf: file))
            #expect(stored.count == added.bytes)
            #expect(!stored.contains(Array("Exif".utf8)))
        }
    }

    @Test func `are messages: in the transcript, delivered and seen, and once for one key`()
        async throws
    {
        try await TestGateway.run { gateway in
            let scene = try await Scene(gateway)
            let bytes = try Self.fixture("street.png")
            let first = try await scene.caller.upload(scene.path, bytes, key: "p-1")
            let again = try await scene.caller.upload(scene.path, bytes, key: "p-1")
            #expect(again.status == 200)
            #expect(try again.text("message") == first.text("message"))
            #expect(try scene.files().count == 1)
            let other = try await scene.caller.upload(
                scene.path,
                try Self.fixture("street.jpg"),
                key: "p-1"
            )
            #expect(other.status == 422)
            let answer = try await scene.amina.upload(scene.path, bytes)
            #expect(answer.status == 201)
            let transcript = try await scene.amina.get(
                "/v1/sessions/\(scene.session)/transcript",
                after: try answer.text("position")
            ).object
            let messages = try #require(transcript["messages"] as? [[String: Any]])
            #expect(messages.map { $0["kind"] as? String } == ["picture", "picture"])
            #expect(messages.map { $0["from"] as? String } == ["caller", "operator"])
            let picture = try #require(messages.first?["picture"] as? [String: Any])
            #expect(picture["width"] as? Int == 96)
            #expect(picture["bytes"] as? Int == bytes.count)
            #expect(picture["isErased"] as? Bool == false)
            #expect(messages.first?["temporaryID"] as? String == "p-1")
        }
    }

    @Test func `are refused in words, and leave neither event nor file`() async throws {
        func adjust(_ configuration: inout GatewayConfiguration) {
            configuration.limits.pictureBytes = 4_000
        }
        try await TestGateway.run(adjust: adjust) { gateway in
            let scene = try await Scene(gateway)
            let bytes = try Self.fixture("street.jpg")
            let ben = try await gateway.user(.operator, login: "ben")
            let stranger = try await gateway.caller("+447712345754", codeBy: ben)
            let size = gateway.ledger.log.size
            for (body, problem, status) in [
                (Array("<html><script>alert(1)</script>".utf8), "unsupported-media-type", 415),
                ([], "unsupported-media-type", 415),
                (Array(bytes.prefix(200)), "picture-unacceptable", 422),
                (bytes + [UInt8](repeating: 0, count: 4_000), "body-too-large", 413),
            ] {
                let refused = try await scene.caller.upload(scene.path, body, type: "image/jpeg")
                #expect(refused.status == status)
                #expect(try refused.problem == problem)
            }
            #expect(gateway.ledger.log.size == size)
            #expect(try await ben.upload(scene.path, bytes).status == 403)
            #expect(try await stranger.upload(scene.path, bytes).status == 403)
            let nothing = "/v1/sessions/0199e0c0-0000-7000-8000-000000000000/pictures"
            #expect(try await scene.caller.upload(nothing, bytes).status == 404)
            let stale = try await scene.caller.upload(scene.path, bytes, ifMatch: "\"0\"")
            #expect(stale.status == 412, "refused by the revision, not by the decision")
            _ = try await scene.amina.post("/v1/sessions/\(scene.session)/close")
            let late = try await scene.caller.upload(scene.path, bytes)
            #expect(try late.problem == "chat-ended")
            #expect(try gateway.events("chat.attachment_added/1").isEmpty)
            #expect(try scene.files().isEmpty)
        }
    }

    @Test func `come a few at a time from one sender`() async throws {
        let rate = Rate(burst: 2, perSecond: 0.001)
        func adjust(_ configuration: inout GatewayConfiguration) {
            configuration.limits.picturesOfPrincipal = rate
        }
        try await TestGateway.run(adjust: adjust) { gateway in
            let scene = try await Scene(gateway)
            let bytes = try Self.fixture("street.jpg")
            for _ in 0..<2 {
                #expect(try await scene.caller.upload(scene.path, bytes).status == 201)
            }
            let refused = try await scene.caller.upload(scene.path, bytes)
            #expect(refused.status == 429)
            #expect(refused.headers[.retryAfter] != nil)
            #expect(try await scene.amina.upload(scene.path, bytes).status == 201, "of another")
        }
    }

    @Test func `of another operator's session are refused, and that is recorded`() async throws {
        try await TestGateway.run { gateway in
            let scene = try await Scene(gateway)
            let sent = try await scene.caller.upload(scene.path, try Self.fixture("street.png"))
            let picture = "\(scene.path)/\(try sent.text("message"))"
            let position = try sent.text("position")
            let ben = try await gateway.user(.operator, login: "ben")
            let sue = try await gateway.user(.supervisor, login: "sue")
            let refused = try await ben.get(picture, after: position)
            #expect(try refused.problem == "session-private")
            #expect(try await sue.get(picture, after: position).status == 200)
            let events = try gateway.events(AccessRefused.kind)
                .filter { $0.envelope.actor.text == "operator/\(ben.id)" }
                .compactMap { $0.fact.payload as? AccessRefused }
            #expect(events.map(\.resource) == [.session(scene.session)])
            // By the number of another session nobody gets it either.
            let (other, session) = try await gateway.openChat("+447712345754", codeBy: ben)
            let message = try sent.text("message")
            let elsewhere = "/v1/sessions/\(session)/pictures/\(message)"
            #expect(try await other.get(elsewhere, after: position).status == 404)
        }
    }

    @Test func `are gone with the person that they belong to`() async throws {
        try await TestGateway.run { gateway in
            let scene = try await Scene(gateway)
            let sent = try await scene.caller.upload(scene.path, try Self.fixture("street.jpg"))
            let event = try #require(try gateway.events("chat.attachment_added/1").first)
            let added = try #require(event.fact.payload as? ChatAttachmentAdded)
            _ = try await scene.amina.post("/v1/sessions/\(scene.session)/close")
            let admin = try await gateway.user(.admin, login: "ada")
            let erased = try await admin.post(
                "/v1/persons/\(added.person)/erase",
                ["reason": "asked"]
            )
            #expect(erased.status == 200)
            #expect(try scene.files().isEmpty)
            let shown = try await admin.get("\(scene.path)/\(try sent.text("message"))")
            #expect(shown.status == 410)
            #expect(try shown.problem == "picture-erased")
            let transcript = try await admin.get("/v1/sessions/\(scene.session)/transcript").object
            let messages = try #require(transcript["messages"] as? [[String: Any]])
            let picture = try #require(messages.first?["picture"] as? [String: Any])
            #expect(picture["isErased"] as? Bool == true)
        }
    }

    @Test func `that a crash left without an event are swept, the others find their place`()
        async throws
    {
        let folder = try await TestGateway.run { gateway in
            let scene = try await Scene(gateway)
            _ = try await scene.caller.upload(scene.path, try Self.fixture("street.png"))
            return gateway.folder
        }
        // As after a crash: the file of the event did not move yet, another never got its event.
        let blobs = folder.url.appending(path: "ledger/blobs")
        let settled = try #require(try Scene.files(in: folder).first)
        let digest = try #require(settled.split(separator: "/").last)
        try FileManager.default.moveItem(
            at: blobs.appending(path: settled),
            to: blobs.appending(path: "new/\(digest)")
        )
        let orphan = String(repeating: "ab", count: 32)
        for name in [orphan, "\(orphan).new"] {
            try Data([1]).write(to: blobs.appending(path: "new/\(name)"))
        }
        try await TestGateway.run(in: folder) { gateway in
            try await gateway.ledger.sweepBlobs()
            #expect(try Scene.files(in: folder) == [settled])
        }
    }
}
