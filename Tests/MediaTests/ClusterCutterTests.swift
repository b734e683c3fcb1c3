// SPDX-License-Identifier: Apache-2.0
import Media
import MediaTesting
import Testing

@Suite struct `A live WebM cut at its clusters` {
    private static func video() throws -> TestVideo {
        try TestVideo(
            numbers: 0..<12,
            size: PictureSize(width: 64, height: 64),
            kilobitsPerSecond: 50,
            framesPerSecond: 4
        )
    }

    @Test(arguments: [[1], [7, 1000, 3], [1 << 20]])
    func `is head and clusters, each with its time, however its bytes come`(
        lengths: [Int]
    ) throws {
        let video = try Self.video()
        for file in [TestWebM.likeBrowser(video), TestWebM.likeFFmpeg(video)] {
            var cutter = ClusterCutter()
            var times: [Int64] = []
            var clusters: [[UInt8]] = []
            for bytes in TestWebM.pieces(file, of: lengths) {
                for piece in try cutter.push(bytes) {
                    switch piece {
                    case .cluster(let milliseconds):
                        times.append(milliseconds)
                        clusters.append([])
                    case .bytes(let bytes): clusters[clusters.count - 1] += bytes
                    }
                }
            }
            #expect(cutter.head + clusters.joined() == file)
            #expect(times == [0, 1000, 2000])
            for (number, cluster) in clusters.enumerated() {
                var parser = WebMParser()
                // The segment's size is that of the whole file: what follows a cluster is not there.
                let frames = try parser.push(cutter.head + cluster)
                #expect(
                    frames.map(\.milliseconds) == (0..<4).map { Int64(number * 1000 + $0 * 250) }
                )
            }
        }
    }

    @Test func `is refused where it is none`() throws {
        let noise: [[UInt8]] = [
            Array("not video at all".utf8), [0, 0, 0, 0, 0],
            // A cluster that does not begin with its time.
            TestWebM.head(docVersion: 4) + [0x1F, 0x43, 0xB6, 0x75, 0xFF, 0xA3, 0x81, 0],
        ]
        for bytes in noise {
            var cutter = ClusterCutter()
            #expect(throws: WebMError.self) { try cutter.push(bytes) }
        }
    }

    @Test func `holds no head without an end`() throws {
        var cutter = ClusterCutter()
        let void: [UInt8] = [0xEC, 0x40, 0xFF] + [UInt8](repeating: 0, count: 255)
        _ = try cutter.push(TestWebM.head(docVersion: 4))
        #expect(throws: WebMError.self) { for _ in 0..<1_000 { _ = try cutter.push(void) } }
    }
}
