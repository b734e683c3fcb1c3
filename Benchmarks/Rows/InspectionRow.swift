// SPDX-License-Identifier: Apache-2.0
import Baselines
import Foundation
import Media
import MediaTesting

/// What the inspection child does with each chunk, beside libvpx in C with the same sum over the luma.
struct InspectionRow {
    let frames: Int

    func run() throws -> Row {
        let video = try TestVideo(numbers: 0..<frames, tier: .medium)
        let coded = video.frames.map(\.bytes)
        let mine = try ContinuousClock().measure { try inspect(coded) }
        let baseline = decode(coded)
        let rate = Double(frames) / (mine / .seconds(1))
        return Row(
            name: "frames decoded by inspection, 640x360",
            value: rate,
            unit: "frames/s",
            baseline: Double(frames) / baseline,
            ratio: rate * baseline / Double(frames),
            target: 0.8,
            higherIsBetter: true
        )
    }

    private func inspect(_ coded: [[UInt8]]) throws {
        let inspector = FrameInspector()
        for start in stride(from: 0, to: coded.count, by: 25) {
            let chunk = Array(coded[start..<min(start + 25, coded.count)])
            let pictures = try inspector.inspect(
                chunk,
                part: 0,
                codec: .vp9,
                startsAnew: start == 0
            )
            precondition(pictures.undecodable == 0, "the test video is decodable")
        }
    }

    private func decode(_ coded: [[UInt8]]) -> Double {
        let buffers = coded.map { bytes in
            let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
            _ = buffer.initialize(from: bytes)
            return buffer
        }
        defer { for buffer in buffers { buffer.deallocate() } }
        let pointers: [UnsafePointer<UInt8>?] = buffers.map {
            $0.baseAddress.map { UnsafePointer($0) }
        }
        var luma: UInt64 = 0
        return baseline_vp9_decode(pointers, buffers.map(\.count), coded.count, &luma)
    }
}
