// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Gateway

/// A whole gateway: Sam's session with a caller's phone, and a stream from it.
struct VideoCall: Sendable {
    let gateway: TestGateway
    let sam: TestGateway.Client
    let caller: TestGateway.Client
    let session: String
    let stream: String

    init(_ gateway: TestGateway) async throws {
        self.gateway = gateway
        sam = try await gateway.user(.operator, login: "sam")
        caller = try await gateway.caller("+447712345678", codeBy: sam)
        let opened = try await sam.post("/v1/sessions", ["phone": "+447712345678"])
        session = try opened.text("session")
        let created = try await caller.post("/v1/sessions/\(session)/streams", Self.settings)
        guard created.status == 201 else { throw UnexpectedAnswer(answer: created) }
        stream = try created.text("id")
    }

    static let settings: [String: any Sendable] = [
        "width": 320, "height": 180, "framesPerSecond": 25, "kilobitsPerSecond": 750,
        "quality": "low", "camera": "rear", "codec": "vp9",
    ]

    var sender: PythonSender {
        get throws {
            PythonSender(
                token: caller.token,
                stream: try #require(StreamID(stream)),
                folder: gateway.folder.url
            )
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct `Video in a session` {
    @Test func `of another organisation's session is as of none`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let nora = try await gateway.user(.operator, login: "nora", org: "north")
            let (_, session) = try await gateway.openChat("+447712345678", codeBy: amina)
            let stranger = try await gateway.caller("+447712345678", codeBy: nora)
            let nothing = "0199e0c0-0000-7000-8000-000000000000"
            for id in ["\(session)", nothing] {
                let refused = try await gateway.send(
                    .post,
                    "/v1/sessions/\(id)/streams",
                    headers: [.authorization: "Bearer \(stranger.token)"],
                    body: StreamDoor.settings
                )
                #expect(refused.status == 404)
                #expect(try refused.text("detail") == "there is no session/\(id); check the id")
            }
            #expect(try gateway.events(AccessRefused.kind).isEmpty)
        }
    }

    @Test func `is found by date, operator and file name, and private to its operator`()
        async throws
    {
        try await TestGateway.run { gateway in
            let call = try await VideoCall(gateway)
            let file = try call.sender.write(try Videos.parts()[0])
            let report = try await call.sender.send(file, part: 0, to: gateway.port)
            #expect(report.through == UInt64(try Videos.parts()[0].count))
            let stopped = try await call.caller.post("/v1/streams/\(call.stream)/stop")
            #expect(stopped.status == 200)
            let position = "\(gateway.ledger.log.size - 1)"
            let name = try stopped.text("fileName")
            let queries = [
                "fileName=\(name)", "operator=\(call.sam.id)", "text=\(name.prefix(10))",
                "phone=%2B447712", "phone=0044%20(0)7712",
            ]
            for query in queries {
                let found = try await call.sam.get("/v1/streams?\(query)", after: position)
                #expect(try found.items.map { $0["id"] as? String } == [call.stream], "\(query)")
            }
            let none = try await call.sam.get("/v1/streams?toDate=1999-12-31", after: position)
            for count in [1, 16] {
                let many = String(repeating: "a+", count: count) + "a"
                let long = String(repeating: "a", count: 32 * count + 1)
                for query in [many, long] {
                    let answer = try await call.sam.get("/v1/streams?text=\(query)")
                    #expect(answer.status == (count == 1 ? 200 : 400), "\(query)")
                }
            }
            #expect(try none.items.isEmpty)
            let john = try await gateway.user(.operator, login: "john")
            #expect(try await john.get("/v1/streams", after: position).items.isEmpty)
            for path in ["", "/index", "/media", "/frame"] {
                let refused = try await john.get("/v1/streams/\(call.stream)\(path)")
                #expect(refused.status == 403)
                #expect(try refused.problem == "session-private")
            }
            let refusals = try gateway.events(AccessRefused.kind)
            #expect(refusals.count == 4)
            let boss = try await gateway.user(.supervisor, login: "boss")
            #expect(try await boss.get("/v1/streams/\(call.stream)/index").status == 200)
        }
    }

    @Test func `refuses another number's phone once and by its reason`() async throws {
        try await TestGateway.run { gateway in
            let call = try await VideoCall(gateway)
            let other = try await gateway.caller("+447712345679", codeBy: call.sam)
            let refused = try await other.post(
                "/v1/sessions/\(call.session)/streams",
                VideoCall.settings
            )
            #expect(refused.status == 403)
            #expect(try refused.problem == "session-of-other-caller")
            let stop = try await other.post("/v1/streams/\(call.stream)/stop")
            #expect(stop.status == 403)
            let refusals = try gateway.events(AccessRefused.kind).compactMap {
                $0.fact.payload as? AccessRefused
            }
            #expect(refusals.map(\.reason) == [.otherNumber, .otherNumber])
            #expect(refusals.map(\.attempt) == ["POST /v1/sessions/{id}/streams", "stream.stop"])
        }
    }

    @Test func `is stopped by the operator, and its sender is told by whom and why`()
        async throws
    {
        try await TestGateway.run { gateway in
            let call = try await VideoCall(gateway)
            let script = """
                import sys
                sys.path.insert(0, sys.argv[1])
                from daybook import Client
                tokens = sys.argv[2:]
                caller, operator = (Client("127.0.0.1", \(gateway.port), one) for one in tokens)
                socket = caller.socket("/v1/streams/\(call.stream)/ingest")
                socket.send_json(\(try TestGateway.json(Self.ingestSettings)))
                socket.wait_for(lambda frame: frame["type"] == "resume")
                reason = {"reason": "a child is in it"}
                stop = operator.post("/v1/streams/\(call.stream)/stop", reason)
                assert stop.ok, stop
                told = socket.wait_for(lambda frame: frame["type"] == "stopped")
                print(told["by"], told["reason"], sep=",")
                """
            let tools = URL(filePath: tool("daybook.py")).deletingLastPathComponent().path
            let told = try await run(
                "python3",
                ["-c", script, tools, call.caller.token, call.sam.token]
            )
            #expect(told == "operator,a child is in it\n")
            let stopped = try #require(try gateway.events(StreamStopped.kind).first)
            #expect(stopped.envelope.actor.text == "operator/\(call.sam.id)")
        }
    }

    private static let ingestSettings = VideoCall.settings.merging(["type": "settings"]) { $1 }

    @Test func `reaches the feed while it arrives for 20 seconds, chunk by chunk and in order`()
        async throws
    {
        try await TestGateway.run { gateway in
            let call = try await VideoCall(gateway)
            let boss = try await gateway.user(.supervisor, login: "boss")
            let parts = try Videos.parts()
            let file = try call.sender.write(parts[0])
            async let seen = feed(of: gateway, as: boss)
            let report = try await call.sender.send(
                file,
                part: 0,
                to: gateway.port,
                ["resume", "-1", "2048", "20"]
            )
            #expect(report.through == UInt64(parts[0].count))
            _ = try await call.caller.post("/v1/streams/\(call.stream)/stop")
            let numbers = try await seen
            let logged = try gateway.events(StreamChunkArchived.kind)
            #expect(numbers == Array(0..<logged.count))
            let told = report.answers.compactMap(\.through)
            #expect(told == told.sorted() && told.last == report.through)
        }
    }

    /// The numbers of the chunks that a supervisor's feed shows, until the stream stops.
    private func feed(of gateway: TestGateway, as reader: TestGateway.Client) async throws -> [Int]
    {
        let script = """
            import json, urllib.request
            request = urllib.request.Request("http://127.0.0.1:\(gateway.port)/v1/events",
                                             headers={"Authorization": "Bearer \(reader.token)"})
            with urllib.request.urlopen(request, timeout=\(Duration.testDeadline.components.seconds)) as feed:
                for line in feed:
                    entry = json.loads(line) if line.strip() else {"type": ""}
                    if entry["type"] == "stream.chunk_archived/1":
                        print(entry["data"]["number"])
                    if entry["type"] == "stream.stopped/1":
                        break
            """
        return try await run("python3", ["-c", script]).split(separator: "\n").compactMap {
            Int($0)
        }
    }
}
