// SPDX-License-Identifier: Apache-2.0
import Media
import MediaTesting
import Testing

@Suite struct `Reading WebM` {
    enum Shape: CaseIterable {
        case browser
        case ffmpeg

        func file(_ video: TestVideo) -> [UInt8] {
            switch self {
            case .browser: TestWebM.likeBrowser(video)
            case .ffmpeg: TestWebM.likeFFmpeg(video)
            }
        }
    }

    @Test(arguments: Shape.allCases, [1, 777, 65_536])
    func `gives the same frames however the bytes are cut`(shape: Shape, piece: Int) throws {
        let video = try Samples.short()
        let frames = try WebMParser.frames(in: TestWebM.pieces(shape.file(video), of: [piece]))
        #expect(frames.map(\.bytes) == video.frames.map(\.bytes))
        #expect(frames.map(\.isMarkedKey) == video.frames.map(\.isKey))
        #expect(frames.map(\.milliseconds) == video.frames.map(\.milliseconds))
    }

    @Test(arguments: Shape.allCases)
    func `goes on behind any frame from its position alone`(shape: Shape) throws {
        let file = shape.file(try Samples.tiny())
        let frames = try WebMParser.frames(in: [file])
        for (index, frame) in frames.enumerated() {
            var parser = WebMParser(at: frame.next)
            let rest = try parser.push(file.dropFirst(Int(frame.next.offset)))
            #expect(rest == Array(frames.dropFirst(index + 1)))
        }
    }

    @Test(arguments: Shape.allCases)
    func `takes what is whole of a file cut at any byte`(shape: Shape) throws {
        let file = shape.file(try Samples.tiny())
        let frames = try WebMParser.frames(in: [file])
        for length in file.indices {
            let part = try WebMParser.frames(in: [Array(file.prefix(length))])
            #expect(part == frames.filter { $0.next.offset <= length })
        }
    }

    @Test(arguments: Shape.allCases, 0..<20)
    func `refuses or reads damaged bytes, alike in one piece and in many`(
        shape: Shape,
        seed: UInt64
    ) throws {
        var random = Seeded(seed)
        var file = shape.file(try Samples.tiny())
        for _ in 0..<20 {
            let at = Int.random(in: file.indices, using: &random)
            let before = file[at]
            file[at] = UInt8.random(in: 0...255, using: &random)
            let whole = Result { () throws(WebMError) in try WebMParser.frames(in: [file]) }
            let pieces = TestWebM.pieces(file, of: [Int.random(in: 1...99, using: &random)])
            let cut = Result { () throws(WebMError) in try WebMParser.frames(in: pieces) }
            #expect(whole == cut, "seed \(seed), byte \(at)")
            if Bool.random(using: &random) { file[at] = before }
        }
    }

    @Test(arguments: 0..<200)
    func `refuses random bytes or waits for more`(seed: UInt64) {
        var random = Seeded(seed)
        let bytes = (0..<300).map { _ in UInt8.random(in: 0...255, using: &random) }
        let result = Result { () throws(WebMError) in try WebMParser.frames(in: [bytes]) }
        if case .success(let frames) = result { #expect(frames.isEmpty) }
    }

    @Test(arguments: ["browser-320x180", "browser-640x360", "ffmpeg-320x180"], [1, 777, 65_536])
    func `reads what a real browser and ffmpeg wrote`(name: String, piece: Int) throws {
        let file = try Samples.fixture(name + ".webm")
        let frames = try WebMParser.frames(in: TestWebM.pieces(file, of: [piece]))
        #expect(frames.count >= 499)
        for frame in frames {
            #expect(try FrameHeader(frame.bytes, codec: .vp9).isKey == frame.isMarkedKey)
        }
    }
}
