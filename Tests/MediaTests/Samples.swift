// SPDX-License-Identifier: Apache-2.0
import Foundation
import Media
import MediaTesting
import TestSupport

/// A folder that goes away with its last reference.
final class TemporaryFolder {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "media-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            print("left behind: \(path)")
        }
    }

    /// A new recording that began at the source document's minute.
    func recording(
        allowance: ChunkAllowance = ChunkAllowance()
    ) throws -> (writer: RecordingWriter, file: String) {
        let file = try RecordingName(start: Samples.start, owner: "123456789").claim(in: path)
        let opened = try RecordingWriter.open(
            path + "/" + file,
            seal: Samples.seal,
            start: Samples.start,
            allowance: allowance
        )
        return (opened.writer, file)
    }

    /// A recording of one part.
    func recording(of bytes: [UInt8]) throws -> RecordingWriter {
        let writer = try recording().writer
        _ = try writer.send(bytes, part: 1)
        return writer
    }
}

/// Encoded once and shared.
enum Samples {
    static let start = Date(timeIntervalSince1970: 1_429_621_860)
    static let seal = RecordingSeal(key: Array(repeating: 7, count: 32))
    private static let shortVideo = Result { try video(0..<60) }
    private static let tinyVideo = Result {
        try TestVideo(
            numbers: 0..<6,
            size: PictureSize(width: 120, height: 80),
            kilobitsPerSecond: 60,
            keyFrameEvery: 3
        )
    }

    private static let secondVideo = Result { try video(60..<100, tier: .medium) }

    /// The next 40 pictures, in 640x360.
    static func second() throws -> TestVideo { try secondVideo.get() }

    /// 60 pictures of 320x180, a key frame each 25.
    static func short() throws -> TestVideo { try shortVideo.get() }

    /// 6 pictures of 120x80, a key frame each 3: for tests of every byte.
    static func tiny() throws -> TestVideo { try tinyVideo.get() }

    /// A file of fixtures/media.
    static func fixture(_ name: String) throws -> [UInt8] {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return Array(try Data(contentsOf: root.appending(path: "fixtures/media/\(name)")))
    }

    /// The lengths in which the browser gave a fixture.
    static func pieces(of fixture: String) throws -> [Int] {
        struct Pieces: Decodable { let lengths: [Int] }
        let json = Data(try Self.fixture(fixture + ".pieces.json"))
        return try JSONDecoder().decode(Pieces.self, from: json).lengths
    }

    /// The tool beside the test's own binary.
    static func tool() throws -> String {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(fileURLWithPath: own).deletingLastPathComponent().appending(
            path: "daybook-media"
        ).path
    }

    /// Runs a program and gives what it printed on standard output and on standard error.
    static func run(_ program: String, _ arguments: String...) throws -> (
        out: String, errors: String
    ) {
        let ended = try FinishedProgram(blockingOn: "/usr/bin/env", [program] + arguments)
        return (String(decoding: ended.out, as: UTF8.self), ended.errors)
    }

    static func video(_ numbers: Range<Int>, tier: QualityTier = .low) throws -> TestVideo {
        try TestVideo(numbers: numbers, tier: tier)
    }
}

extension RecordingWriter {
    /// Begins a part, sends all of its bytes in pieces, one each so many seconds by the clock, and ends it.
    func send(
        _ bytes: [UInt8],
        part: UInt32,
        at milliseconds: Int64 = 0,
        pieces: [Int] = [8196, 1, 65_536],
        secondsApart: Int = 0
    ) throws -> [ArchivedChunk] {
        var offset = try begin(part: part, placement: .live(atMilliseconds: milliseconds))
        var chunks: [ArchivedChunk] = []
        var now = ContinuousClock.now
        for piece in TestWebM.pieces(Array(bytes.dropFirst(Int(offset))), of: pieces) {
            now += .seconds(secondsApart)
            chunks += try accept(piece, part: part, offset: offset, now: now).chunks
            offset += UInt64(piece.count)
        }
        return chunks + (try end(part: part).chunks)
    }
}

extension RecordingReader {
    /// The numbers on all pictures in the order of time; `nil` for one that cannot be read.
    func numbers() throws -> [Int?] {
        let frames = try index.byTime.flatMap { try self.frames(of: $0).map(\.bytes) }
        return try TestVideo.numbers(in: frames, codec: codec ?? .vp9)
    }
}

/// A small generator whose numbers follow from its seed.
struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension WebMParser {
    /// Parses pieces from the start.
    static func frames(in pieces: [[UInt8]]) throws(WebMError) -> [VideoFrame] {
        var parser = WebMParser()
        var frames: [VideoFrame] = []
        for piece in pieces { frames += try parser.push(piece) }
        return frames
    }
}
