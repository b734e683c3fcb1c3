// SPDX-License-Identifier: Apache-2.0
import Foundation
import Media
import MediaTesting

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
    func recording() throws -> (writer: RecordingWriter, file: String) {
        let start = Date(timeIntervalSince1970: 1_429_621_860)
        let file = try RecordingName(start: start, owner: "123456789").claim(in: path)
        return (try RecordingWriter.open(path + "/" + file, start: start).writer, file)
    }
}

/// Encoded once and shared.
enum Samples {
    static let start = Date(timeIntervalSince1970: 1_429_621_860)
    private static let shortVideo = Result { try video(0..<60) }

    static func short() throws -> TestVideo { try shortVideo.get() }

    static func video(_ numbers: Range<Int>, tier: QualityTier = .low) throws -> TestVideo {
        try TestVideo(numbers: numbers, tier: tier)
    }
}

extension RecordingWriter {
    /// Begins a part, sends all of its bytes in pieces, and ends it.
    func send(
        _ bytes: [UInt8],
        part: UInt32,
        at milliseconds: Int64 = 0,
        pieces: [Int] = [8196, 1, 65_536]
    ) throws -> [ArchivedChunk] {
        var offset = try begin(part: part, placement: .live(atMilliseconds: milliseconds))
        var chunks: [ArchivedChunk] = []
        for piece in TestWebM.pieces(Array(bytes.dropFirst(Int(offset))), of: pieces) {
            chunks += try accept(piece, part: part, offset: offset).chunks
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
