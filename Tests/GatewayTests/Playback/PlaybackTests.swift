// SPDX-License-Identifier: Apache-2.0
import Crypto
import Events
import Foundation
import HTTPTypes
import Hummingbird
import Media
import MediaTesting
import NIOCore
import Synchronization
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(10))) struct `Playing a stream back` {
    @Test func `gives the bytes that are logged while it grows, and 416 at the live edge`()
        async throws
    {
        let door = try await StreamDoor()
        let stream = try await door.stream()
        let media = "/v1/streams/\(stream)/media"
        let early = try await door.ask(.get, media, as: door.sam)
        #expect(early.status == 404)
        _ = try await door.upload(try Videos.parts()[0], part: 0, of: stream)
        let first = try await door.ask(.get, media, as: door.sam, [.range: "bytes=0-"])
        #expect(first.status == 206)
        #expect(first.headers[.contentRange] == "bytes 0-\(first.bytes.count - 1)/*")
        #expect(first.headers[.contentType] == "video/webm; codecs=\"vp9\"")
        #expect(try door.numbers(in: first.bytes) == Array(0..<50))
        let edge = ["bytes=\(first.bytes.count)-"]
        let nothing = try await door.ask(.get, media, as: door.sam, [.range: edge[0]])
        #expect(nothing.status == 416)
        #expect(nothing.headers[.contentRange] == "bytes */\(first.bytes.count)")
        _ = try await door.upload(try Videos.parts()[1], part: 1, of: stream)
        let more = try await door.ask(.get, media, as: door.sam, [.range: edge[0]])
        #expect(more.status == 206)
        #expect(try door.numbers(in: first.bytes + more.bytes) == Array(0..<100))
    }

    @Test func `gives a finished file with tag, ranges and cues`() async throws {
        let door = try await StreamDoor()
        let stream = try await door.finished()
        let media = "/v1/streams/\(stream)/media"
        let whole = try await door.ask(.get, media, as: door.sam)
        let tag = try #require(whole.headers[.eTag])
        let digest = Events.SHA256Digest(bytes: Array(SHA256.hash(data: whole.bytes)))
        #expect(tag == "\"\(digest)\"")
        #expect(try door.numbers(in: whole.bytes) == Array(0..<150))
        let same = try await door.ask(.get, media, as: door.sam, [.ifNoneMatch: tag])
        #expect(same.status == 304 && same.bytes.isEmpty)
        let tail = try await door.ask(.get, media, as: door.sam, [.range: "bytes=-1000"])
        #expect(tail.bytes == whole.bytes.suffix(1000))
        let size = whole.bytes.count
        #expect(tail.headers[.contentRange] == "bytes \(size - 1000)-\(size - 1)/\(size)")
        let other = try await door.ask(
            .get,
            media,
            as: door.sam,
            [.range: "bytes=5-9", .ifRange: "\"other\""]
        )
        #expect(other.status == 200 && other.bytes == whole.bytes)
    }

    @Test func `says what is wrong with its file before an answer begins`() async throws {
        let door = try await StreamDoor()
        let stream = try await door.finished()
        let (media, files) = ("/v1/streams/\(stream)/media", FileManager.default)
        let path = try door.scene.path(of: stream)
        try files.moveItem(atPath: path, toPath: path + ".aside")
        for (way, range) in [(media, ""), (media, "bytes=0-99"), (media + "?from=0&to=900", "")] {
            let headers: HTTPFields = range.isEmpty ? [:] : [.range: range]
            let answer = try await door.ask(.get, way, as: door.sam, headers)
            #expect(answer.status == 404)
            #expect(try answer.problem == "not-found")
        }
        try files.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(try await door.ask(.get, media, as: door.sam).status == 503)
        try files.removeItem(atPath: path)
        try files.copyItem(atPath: path + ".aside", toPath: path)
        #expect(truncate(path, 1_000) == 0)
        let short = try await door.ask(.get, media, as: door.sam)
        #expect(short.status == 503)
        #expect(try short.members["detail"]?.contains("ends at byte 1000") == true)
        try files.removeItem(atPath: path)
        try files.moveItem(atPath: path + ".aside", toPath: path)
        #expect(try await door.ask(.get, media, as: door.sam).status == 200)
    }

    @Test func `gives no byte of a chunk that is not what was archived, and says so`() async throws
    {
        let door = try await StreamDoor()
        let stream = try await door.finished()
        let media = "/v1/streams/\(stream)/media"
        let whole = try await door.ask(.get, media, as: door.sam).bytes
        let chunks = try door.scene.archive.index(of: stream).chunks.map(\.place)
        let changed = try #require(chunks.dropFirst(2).first)
        let path = try door.scene.path(of: stream)
        var file = Array(try Data(contentsOf: URL(filePath: path)))
        file[Int(changed.bytes.upperBound) - 7] ^= 1
        #expect(chmod(path, 0o600) == 0)
        try Data(file).write(to: URL(filePath: path))
        // What goes before it is told, and then the answer breaks off.
        let taken = CollectedBytes()
        let answer = try await door.response(.get, media, as: door.sam)
        await #expect(throws: RecordingFileFault.changed(changed.bytes)) {
            try await answer.body.write(taken)
        }
        #expect(taken.bytes == Array(whole.prefix(Int(changed.bytes.lowerBound))))
        let inside = "bytes=\(changed.bytes.lowerBound + 1)-\(changed.bytes.lowerBound + 2)"
        let span = "\(media)?from=\(changed.firstMilliseconds + 1)"
        for (way, range) in [(media, inside), (span, "bytes=0-")] {
            let refused = try await door.ask(.get, way, as: door.sam, [.range: range])
            #expect(refused.status == 503)
            #expect(try refused.problem == "recording-changed")
        }
        let before = "bytes=0-\(changed.bytes.lowerBound - 1)"
        let sound = try await door.ask(.get, media, as: door.sam, [.range: before])
        #expect(sound.bytes == taken.bytes)
    }

    @Test func `begins a span at the key frame before it`() async throws {
        let door = try await StreamDoor()
        let stream = try await door.finished()
        let index = try door.scene.archive.index(of: stream)
        let second = index.chunks[1].place
        let answer = try await door.ask(
            .get,
            "/v1/streams/\(stream)/media?from=\(second.firstMilliseconds + 300)&to=1999999",
            as: door.sam
        )
        #expect(answer.status == 200)
        let numbers = try door.numbers(in: answer.bytes)
        let first = try #require(numbers.first ?? nil)
        #expect(second.startsWithKeyFrame)
        #expect(numbers == Array(first..<150))
        #expect(first == 25)
    }

    @Test func `ends with the viewer's token, in the middle`() async throws {
        var limits = ArchiveLimits()
        limits.readBytes = 1_000
        let door = try await StreamDoor(limits: limits)
        let stream = try await door.finished()
        let accounts = door.test.accounts
        let principal = try await accounts.authenticate(door.sam)
        for path in ["/media", "/media?from=0"] {
            let token = try await accounts.issueToken(forUser: principal.userID ?? "")
            let id = try await accounts.authenticate(token.token).tokenID
            let answer = try await door.response(
                .get,
                "/v1/streams/\(stream)\(path)",
                as: token.token
            )
            let viewer = SlowViewer { try await accounts.revoke(tokenID: id) }
            await #expect(throws: AccountError.tokenRevoked) {
                try await answer.body.write(viewer)
            }
            #expect(viewer.pieces == 1)
        }
    }

    @Test func `lists chunks, gaps and spans`() async throws {
        let door = try await StreamDoor()
        let stream = try await door.finished()
        let answer = try await door.ask(.get, "/v1/streams/\(stream)/index", as: door.sam)
        let index = try JSONDecoder().decode(StreamIndexWire.self, from: Data(answer.bytes))
        let logged = try door.scene.chunks(of: stream)
        #expect(index.chunks.map(\.number) == logged.map(\.number))
        #expect(index.chunks.map(\.sha256) == logged.map(\.sha256.text))
        #expect(index.state == .finalized && index.next == nil)
        #expect(!index.timespans.isEmpty)
    }

    @Test func `records each viewer once, before the bytes leave, and turns others away`()
        async throws
    {
        let door = try await StreamDoor()
        let stream = try await door.finished()
        for _ in 0..<3 {
            _ = try await door.ask(.get, "/v1/streams/\(stream)/media", as: door.sam)
        }
        let viewed = try door.scene.events(of: stream).compactMap {
            if case .viewed(let event) = $0 { event.mode } else { nil }
        }
        // A minute may turn between two of the requests.
        #expect((1...2).contains(viewed.count) && Set(viewed) == [.recorded])
        let size = door.scene.log.size
        for path in ["", "/index", "/media", "/frame"] {
            let refused = try await door.ask(
                .get,
                "/v1/streams/\(stream)\(path)",
                as: door.john
            )
            #expect(refused.status == 403, "\(path)")
        }
        #expect(door.scene.log.size == size)
        let unknown = try await door.ask(
            .get,
            "/v1/streams/\(freshID() as StreamID)/media",
            as: door.sam
        )
        #expect(try unknown.problem == "stream-unknown")
    }
}

/// Takes one piece, behind which something happens, and then all others.
private final class SlowViewer: ResponseBodyWriter, Sendable {
    private let taken = Mutex(0)
    private let happening: @Sendable () async throws -> Void

    init(_ happening: @escaping @Sendable () async throws -> Void) { self.happening = happening }

    var pieces: Int { taken.withLock { $0 } }

    func write(_ buffer: ByteBuffer) async throws {
        let isFirst = taken.withLock { taken in
            taken += 1
            return taken == 1
        }
        if isFirst { try await happening() }
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

extension StreamDoor {
    /// A stream of three parts that was stopped and finalised.
    func finished() async throws -> StreamID {
        let stream = try await stream()
        for (part, bytes) in try Videos.parts().enumerated() {
            _ = try await upload(bytes, part: part, of: stream)
        }
        _ = try await ask(.post, "/v1/streams/\(stream)/stop", as: phone)
        try await scene.archive.recording(of: stream).finish()
        return stream
    }

    /// The numbers on the pictures of a file that came over HTTP.
    func numbers(in bytes: [UInt8]) throws -> [Int?] {
        var parser = WebMParser()
        let frames = try parser.push(bytes)
        return try TestVideo.numbers(in: frames.map(\.bytes))
    }
}
