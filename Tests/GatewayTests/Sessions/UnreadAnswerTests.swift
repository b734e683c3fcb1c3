// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import HTTPTypes
import Hummingbird
import TestSupport
import Testing

@testable import Gateway

@Suite(.tags(.promise10), .timeLimit(.minutes(10))) struct `An answer that nobody reads` {
    @Test func `is come for page by page, and has everything in the end`() async throws {
        let adjust = { (configuration: inout GatewayConfiguration) in
            configuration.limits.transcriptPageMessages = 2
        }
        try await TestGateway.run(adjust: adjust) { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let (_, session) = try await gateway.openChat("+447712345678", codeBy: amina)
            _ = try await amina.post("/v1/sessions/\(session)/claim")
            let path = "/v1/sessions/\(session)/transcript"
            var sent: [String] = []
            for count in 0...5 {
                let position = try #require(gateway.ledger.log.size.checkedPrevious)
                let shown = try await amina.get(path, after: "\(position)").object
                let messages = try #require(shown["messages"] as? [[String: Any]])
                #expect(messages.compactMap { $0["text"] as? String } == sent)
                #expect(shown["session"] as? String == "\(session)")
                #expect((shown["rejected"] as? [Any])?.isEmpty == true)
                let text: [String: any Sendable] = ["text": "Word \(count)"]
                let said = try await amina.post("/v1/sessions/\(session)/messages", text)
                #expect(said.status == 201)
                sent.append("Word \(count)")
            }
        }
    }

    @Test func `is a picture in pieces, of which no more is in memory than allowed`() async throws {
        let adjust = { (configuration: inout GatewayConfiguration) in
            configuration.limits.picturePieceBytes = 100
            configuration.limits.pictureBytesOpened = 1
        }
        try await TestGateway.run(adjust: adjust) { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let (caller, session) = try await gateway.openChat("+447712345678", codeBy: amina)
            let bytes = try `Pictures in a chat`.fixture("street.png")
            let path = "/v1/sessions/\(session)/pictures"
            let sent = try await caller.upload(path, bytes, type: "image/png")
            let position = try sent.text("position")
            let shown = try await caller.get(
                "\(path)/\(try sent.text("message"))",
                after: position
            )
            #expect(shown.bytes == bytes)
        }
    }

    @Test func `is one of few that its reader may have`() async throws {
        let adjust = { (configuration: inout GatewayConfiguration) in
            configuration.limits.answersOfHolder = 2
        }
        try await TestGateway.run(adjust: adjust) { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let chief = try await gateway.user(.supervisor, login: "chief")
            let (_, session) = try await gateway.openChat("+447712345678", codeBy: amina)
            let path = "/v1/sessions/\(session)/transcript"
            var unread = [
                try await gateway.ask(path, amina.token), try await gateway.ask(path, amina.token),
            ]
            #expect(unread.allSatisfy { $0.status == .ok })
            #expect(try await amina.get(path).problem == "too-many-requests")
            #expect(try await chief.get(path).status == 200)
            unread.removeFirst()
            #expect(try await amina.get(path).status == 200)
            #expect(unread.count == 1)
        }
    }

    @Test func `is also a list, if it is large`() async throws {
        let adjust = { (configuration: inout GatewayConfiguration) in
            configuration.limits.answersOfHolder = 2
        }
        try await TestGateway.run(adjust: adjust) { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let chief = try await gateway.user(.supervisor, login: "chief")
            let (_, session) = try await gateway.openChat("+447712345678", codeBy: amina)
            _ = try await amina.post("/v1/sessions/\(session)/claim")
            var position = ""
            for _ in 0..<20 {
                let text: [String: any Sendable] = ["text": String(repeating: "x", count: 3_900)]
                let said = try await amina.post("/v1/sessions/\(session)/messages", text)
                position = try said.text("position")
            }
            let path = "/v1/incidents/\(session)/timeline"
            let whole = try await amina.get(path, after: position)
            #expect(whole.status == 200 && whole.bytes.count > GatewayLimits.smallAnswerBytes)
            var unread = [
                try await gateway.ask(path, amina.token), try await gateway.ask(path, amina.token),
            ]
            #expect(unread.allSatisfy { $0.status == .ok })
            #expect(try await amina.get(path).problem == "too-many-requests")
            #expect(try await amina.get("\(path)?limit=2").status == 200)
            #expect(try await chief.get(path).status == 200)
            unread.removeAll()
            #expect(try await amina.get(path).bytes == whole.bytes)
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A page of a list` {
    private struct Row: Encodable, Hashable {
        let number: UInt64
        var text: String = String(repeating: "x", count: 100_000)

        var position: LogPosition { LogPosition(number) }
        var bytes: Int { text.utf8.count }

        enum CodingKeys: CodingKey { case number, text }
    }

    private static func page(
        _ limit: Int,
        after start: LogPosition?
    ) async throws -> FullPage<Row> {
        try await FullPage(limit, after: start, at: \.position, weighing: \.bytes) {
            after,
            count in
            let first = after.map { $0.rawValue + 1 } ?? 0
            return (first..<min(50, first + UInt64(count))).map { Row(number: $0) }
        } admitting: {
            $0.number.isMultiple(of: 2)
        }
    }

    @Test func `ends when it has so many bytes, and goes on there`() async throws {
        var (found, start) = ([UInt64](), LogPosition?.none)
        var pages = 0
        repeat {
            let page = try await Self.page(40, after: start)
            #expect(page.rows.count <= 11)
            found += page.rows.map(\.number)
            (start, pages) = (page.next, pages + 1)
        } while start != nil
        #expect(found == (0..<50).filter { $0.isMultiple(of: 2) } && pages == 3)
    }

    @Test func `is shown up to so many bytes, whatever its rows were thought to have`() throws {
        let rows = (0..<30).map { Row(number: $0) }
        let page = FullPage(rows: rows, next: LogPosition(29))
        let answer = try Response.list(page, at: \.position) { $0 }
        #expect(answer.body.contentLength.map { $0 < GatewayLimits.pageBytes + 110_000 } == true)
        let all = try Response.list(
            FullPage(rows: Array(rows.prefix(2)), next: LogPosition(1)),
            at: \.position
        ) { ["number": $0.number] }
        let expected = #"{"items":[{"number":0},{"number":1}],"next":"1"}"#
        #expect(all.body.contentLength == expected.utf8.count)
    }
}

extension TestGateway {
    /// Asks and does not read the answer.
    fileprivate func ask(_ path: String, _ token: String) async throws -> Response {
        try await responder.respond(
            to: Request(
                head: HTTPRequest(
                    method: .get,
                    scheme: "http",
                    authority: "desk.example",
                    path: path,
                    headerFields: [.authorization: "Bearer \(token)"]
                ),
                body: RequestBody(buffer: ByteBuffer())
            ),
            context: GatewayContext(logger: ledger.logger, remoteAddress: "192.0.2.7")
        )
    }
}
