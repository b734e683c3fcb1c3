// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Projections
import TestSupport
import Testing

@testable import Gateway

@Suite(.tags(.promise10), .timeLimit(.minutes(10))) struct `What all share and one could hold` {
    @Test func `is the past: who asks for much waits for the own, and others are served`()
        async throws
    {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let ben = try await gateway.user(.operator, login: "ben")
            let (caller, session) = try await gateway.openChat("+447712345678", codeBy: amina)
            let said = try await caller.post("/v1/sessions/\(session)/messages", ["text": "help"])
            let path = "/v1/sessions/\(session)/transcript?asOf=\(try said.text("position"))"
            let past = gateway.ledger.readModels.past
            let gate = DispatchSemaphore(value: 0)
            let most = GatewayLimits.pastViewsOfHolder
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                for _ in 0..<most {
                    tasks.addTask { try await Self.hold(gateway, for: "user/\(ben.id)", gate) }
                }
                defer { for _ in 0..<most { gate.signal() } }
                // One thread is his, and the other is nobody's, whatever he asks.
                try await eventually("one view is made, the others wait") {
                    past.counts == (1, most - 1)
                }
                let refused = try await ben.get(path)
                #expect(refused.status == 429, "\(refused.body)")
                #expect(refused.headers[.retryAfter] != nil)
                #expect(try await amina.get(path).status == 200)
                #expect(past.counts == (1, most - 1))
            }
            #expect(past.counts == (0, 0))
            #expect(try await ben.get(path).status == 200)
        }
    }

    /// Keeps a thread of the past busy, or waits for one.
    private static func hold(
        _ gateway: TestGateway,
        for holder: String,
        _ gate: DispatchSemaphore
    ) async throws {
        let asOf = AsOf(EntrySource(gateway.ledger.log), keys: NoKeys()) { view, _ in
            try await gateway.ledger.readModels.past.tables(of: view, isFixed: false, for: holder) {
                gate.wait()
                throw CancellationError()
            }
        }
        await #expect(throws: CancellationError.self) {
            try await asOf.operatorDesk(of: [], at: .position(LogPosition(0)))
        }
    }

    @Test func `are uploads: of one sender some, and another's goes on`() async throws {
        var limits = ArchiveLimits()
        limits.partUploadsOfSender = 1
        let door = try await StreamDoor(limits: limits)
        let stream = try await door.stream()
        let video = try Videos.parts()[0]
        let (responder, logger) = (door.test.door.responder(), door.test.logger)
        let (phone, otherPhone) = (door.phone, door.otherPhone)
        @Sendable func put(_ part: Int, as token: String, _ body: RequestBody) async throws
            -> Response
        {
            try await responder.respond(
                to: Request(
                    head: HTTPRequest(
                        method: .put,
                        scheme: "http",
                        authority: "desk.example",
                        path: "/v1/streams/\(stream)/parts/\(part)?offset=0&end=true",
                        headerFields: [.authorization: "Bearer \(token)"]
                    ),
                    body: body
                ),
                context: GatewayContext(logger: logger)
            )
        }
        let whole = RequestBody(buffer: ByteBuffer(bytes: video))
        let body = RequestBody.pieces([Array(video.prefix(100)), Array(video.dropFirst(100))]) {
            let second = try await put(1, as: phone, whole)
            #expect(second.status == .tooManyRequests)
            #expect(second.headers[.retryAfter] != nil)
            // Another's are not counted with the caller's: refused for what it is.
            #expect(try await put(1, as: otherPhone, whole).status == .forbidden)
        }
        #expect(try await put(0, as: phone, body).status == .ok)
        #expect(try await put(1, as: phone, whole).status == .ok)
    }

    @Test func `are checkpoints for proofs, of which each is kept for good`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let readers = try await ["ben", "cleo", "dora", "emil", "finn"].asyncMap {
                try await gateway.user(.operator, login: $0)
            }
            let log = gateway.ledger.log
            func signed() throws -> UInt64 {
                try Checkpoint(text: SignedNote(try #require(log.checkpointNote)).text).size
            }
            /// A proof of what happened just now, which no checkpoint covers.
            func proof(for reader: TestGateway.Client, _ number: Int) async throws -> Int {
                let body = ["phone": "+4477123\(10_000 + number)"]
                let opened = try await amina.post("/v1/sessions", body)
                let close = try await amina.post("/v1/sessions/\(opened.text("session"))/close")
                let path = "/v1/events/\(try close.text("position"))/proof"
                return try await reader.get(path).status
            }
            try await log.makeCheckpoint()
            #expect(try await proof(for: readers[0], 0) == 200)
            let size = try signed()
            // The share of one is used up, and nothing is signed for asking again.
            #expect(try await proof(for: readers[0], 1) == 404)
            #expect(try signed() == size)
            for number in 1..<4 {
                #expect(try await proof(for: readers[number], number + 1) == 200)
            }
            // So is what all have together.
            #expect(try await proof(for: readers[4], 5) == 404)
        }
    }
}

extension [String] {
    fileprivate func asyncMap<Value>(
        _ body: (String) async throws -> Value
    ) async rethrows -> [Value] {
        var found: [Value] = []
        for one in self { found.append(try await body(one)) }
        return found
    }
}
