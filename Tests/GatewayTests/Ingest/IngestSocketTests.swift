// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import Media
import TestSupport
import Testing

@testable import Gateway

@Suite(.tags(.promise9), .timeLimit(.minutes(10))) struct `Sending over a WebSocket` {
    @Test func `is told what is safe, dies in the middle, and goes on where the server says`()
        async throws
    {
        let door = try await StreamDoor()
        let stream = try await door.stream()
        let sender = door.sender(of: stream)
        let parts = try Videos.parts()
        let file = try sender.write(parts[0])
        try await withServer(door.test) { port, _ in
            let most = "\(parts[0].count * 2 / 3)"
            let first = try await sender.send(file, part: 0, to: port, ["resume", most, "5000"])
            #expect(first.answers.first?.type == "resume")
            #expect(first.through > 0)
            let rest = try await sender.send(file, part: 0, to: port)
            #expect(rest.through == UInt64(parts[0].count))
            // A reload begins another part.
            let next = try await sender.send(try sender.write(parts[1]), part: 1, to: port, ["0"])
            #expect(next.through == UInt64(parts[1].count))
        }
        #expect(try Videos.numbers(in: try door.scene.path(of: stream)) == Array(0..<100))
        let events = try door.scene.events(of: stream)
        #expect(events.contains { if case .interrupted = $0 { true } else { false } })
    }

    @Test func `is refused with the reason, and nothing but that is stored`() async throws {
        let door = try await StreamDoor()
        let stream = try await door.stream()
        let sender = door.sender(of: stream)
        let other = door.sender(of: stream, as: door.otherPhone)
        let file = try sender.write(Array("this is no video, whatever it says".utf8))
        try await withServer(door.test) { port, _ in
            let answer = try await sender.send(file, part: 0, to: port, ["0"])
            #expect(answer.closed == 1008)
            #expect(answer.answers.last?.problem == "urn:daybook:problem:media-refused")
            #expect(answer.answers.last?.part == 0)
            let turnedAway = try await other.send(file, part: 0, to: port, ["0"])
            #expect(turnedAway.status == 403)
            #expect(turnedAway.problem == "urn:daybook:problem:device-of-other-number")
        }
        #expect(try door.scene.chunks(of: stream).isEmpty)
        let refusals = try door.scene.refusals()
        #expect(refusals.map(\.reason) == [.media, .otherNumber])
        #expect(refusals.map(\.attempt) == ["stream.ingest", "stream.ingest"])
        #expect(refusals.allSatisfy { $0.resource == .stream(stream) })
    }

    @Test func `is refused and recorded for other bytes at a place that is archived`() async throws
    {
        let door = try await StreamDoor()
        let stream = try await door.stream()
        let sender = door.sender(of: stream)
        var bytes = try Videos.parts()[0]
        let half = "\(bytes.count / 2)"
        let sound = try sender.write(bytes)
        bytes[1000] ^= 1
        let other = try sender.write(bytes)
        try await withServer(door.test) { port, _ in
            let archived = try await sender.send(sound, part: 0, to: port, ["0", half])
            #expect(archived.through > 1000)
            let answer = try await sender.send(other, part: 0, to: port, ["0", half])
            #expect(answer.answers.last?.problem == "urn:daybook:problem:media-conflict")
            #expect(answer.answers.last?.part == 0)
        }
        #expect(try door.scene.refusals().map(\.reason) == [.media])
    }

    @Test func `is told that a part has ended of which nothing could be archived`() async throws {
        let door = try await StreamDoor()
        let stream = try await door.stream()
        let sender = door.sender(of: stream)
        // A head, and not one whole picture behind it.
        let torn = try sender.write(Array(try Videos.parts()[0].prefix(40)))
        try await withServer(door.test) { port, _ in
            let report = try await sender.send(torn, part: 3, to: port, ["0"])
            let told = try #require(report.answers.last)
            #expect(told.type == "archived" && told.part == 3)
            #expect(told.through == 0 && told.ended == true)
            let next = try await sender.send(
                try sender.write(try Videos.parts()[0]),
                part: 4,
                to: port,
                ["0"]
            )
            #expect(next.through > 0 && next.answers.last?.ended == true)
            // Who did not hear it is told on the next connection, before anything else.
            #expect(next.answers.first?.part == 3 && next.answers.first?.ended == true)
        }
    }

    @Test func `goes on over a second socket, which keeps to what came over the first`()
        async throws
    {
        let door = try await StreamDoor()
        let stream = try await door.stream()
        let (sender, phone) = (door.sender(of: stream), door.phone)
        let bytes = try Videos.parts()[0]
        let file = try sender.write(bytes)
        let script = URL(filePath: #filePath).deletingLastPathComponent().path
        try await withServer(door.test) { port, _ in
            let printed = try await run(
                "python3",
                [
                    "-c", Self.twoSockets, script, "\(port)", phone, "\(stream)", file,
                ]
            )
            let seen = try JSONDecoder().decode(TwoSockets.self, from: Data(printed.utf8))
            // The second is told where the first had come to, and its bytes count for both.
            #expect(seen.resumed == [0, bytes.count / 2])
            #expect(seen.conflict == "urn:daybook:problem:media-conflict")
            #expect(seen.through == bytes.count)
        }
        #expect(try Videos.numbers(in: try door.scene.path(of: stream)) == Array(0..<50))
        // Who leaves while another socket of the sender is open interrupts nothing; the last one does.
        let interruptions = try door.scene.events(of: stream).filter {
            if case .interrupted = $0 { true } else { false }
        }
        #expect(interruptions.count <= 1)
    }

    private struct TwoSockets: Decodable {
        let resumed: [Int]
        let conflict: String
        let through: Int
    }

    /// Sends half over one socket, other bytes at a known place over a second, and the rest over the first.
    private static let twoSockets = """
        import json, os, struct, sys
        folder, port, token, stream, file = sys.argv[1:]
        sys.path.insert(0, os.path.join(folder, "..", "WebSocket"))
        from peer import Peer
        settings = {"type": "settings", "width": 320, "height": 180, "framesPerSecond": 25, "kilobitsPerSecond": 750, "quality": "low", "camera": "rear", "codec": "vp9"}
        data, resumed = open(file, "rb").read(), []
        def texts(peer):
            while True:
                opcode, payload, _ = peer.receive()
                if opcode == 9: peer.send(10, payload)
                if opcode == 8: return
                if opcode == 1: yield json.loads(payload)
        def opened():
            peer = Peer(int(port))
            status, _, _ = peer.upgrade(f"/v1/streams/{stream}/ingest", [f"Authorization: Bearer {token}"])
            assert status == 101, status
            peer.send(1, json.dumps(settings).encode())
            answers = texts(peer)
            resumed.append(next(one for one in answers if one["type"] == "resume")["offset"])
            return peer, answers
        def piece(at, some): return struct.pack(">IQ", 0, at) + some
        half = len(data) // 2
        first, heard = opened()
        first.send(2, piece(0, data[:half]))
        while next(one for one in heard if one["type"] == "archived")["through"] <= 1000: pass
        second, told = opened()
        second.send(2, piece(500, bytes(100)))
        conflict = next(one for one in told if "problem" in one)["problem"]
        first.send(2, piece(half, data[half:]))
        first.send(1, json.dumps({"type": "end", "part": 0}).encode())
        through = 0
        while through < len(data): through = next(one for one in heard if one["type"] == "archived")["through"]
        print(json.dumps({"resumed": resumed, "conflict": conflict, "through": through}))
        """

    @Test func `is safe within a second when frames dribble in`() async throws {
        var limits = ArchiveLimits()
        limits.tick = .milliseconds(50)
        let door = try await StreamDoor(limits: limits)
        let stream = try await door.stream()
        let archive = door.scene.archive
        let recording = try archive.recording(of: stream)
        await recording.hold()
        let service = Task { try await archive.run() }
        let bytes = try Videos.parts()[0]
        // Less than the first cluster: only the clock can make it safe.
        let receipt = try await recording.accept(
            Array(bytes.prefix(bytes.count / 4)),
            part: 0,
            offset: 0
        )
        #expect(receipt.through == 0)
        for await _ in door.scene.archive.signals.changes(of: stream) {
            if try !door.scene.chunks(of: stream).isEmpty { break }
        }
        #expect(try #require(try await recording.receipts().first).through > 0)
        service.cancel()
        _ = await service.result
    }
}

/// What the sender in Python saw.
struct SenderReport: Decodable {
    struct Answer: Decodable {
        let type: String
        var part: UInt32?
        var through: UInt64?
        var ended: Bool?
        var offset: UInt64?
        var problem: String?
    }

    let answers: [Answer]
    let through: UInt64
    let sent: Int
    let closed: Int
    var status: Int?
    var problem: String?
}

/// The sender in Python, for a stream.
struct PythonSender: Sendable {
    let token: String
    let stream: StreamID
    let folder: URL

    func write(_ bytes: [UInt8]) throws -> String {
        let file = folder.appending(path: "\(UUID()).webm")
        try Data(bytes).write(to: file)
        return file.path
    }

    /// Sends a file, from the byte that the server names unless told otherwise.
    func send(
        _ file: String,
        part: Int,
        to port: Int,
        _ more: [String] = []
    ) async throws -> SenderReport {
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "sender.py")
        let printed = try await run(
            "python3",
            [script.path, "\(port)", token, "\(stream)", file, "\(part)"] + more
        )
        return try JSONDecoder().decode(SenderReport.self, from: Data(printed.utf8))
    }
}

extension StreamDoor {
    func sender(of stream: StreamID, as token: String? = nil) -> PythonSender {
        PythonSender(token: token ?? phone, stream: stream, folder: scene.folder.url)
    }
}
