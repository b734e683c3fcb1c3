// SPDX-License-Identifier: Apache-2.0
import Events
import Media

/// What the decoder saw in some chunks, on its way to one `stream.chunks_inspected`.
struct Findings: Sendable {
    let firstChunk: Int
    private(set) var lastChunk: Int
    private(set) var outcome = StreamChunksInspected.Outcome.decoded
    /// The picture to keep: of the first chunk that gave one and was to.
    private(set) var thumbnail: [UInt8]?
    let since = ContinuousClock.now
    private var frames = 0
    private var undecodable = 0
    private var size: PictureSize?
    private var luma = 0.0
    private var lumaFrames = 0

    /// What one chunk came to.
    ///
    /// - Parameters:
    ///   - chunk: Its number.
    ///   - result: What the decoder saw.
    ///   - keepsPicture: Whether its picture is kept, if it gave one.
    init(chunk: Int, _ result: InspectionOutcome, keepsPicture: Bool) {
        firstChunk = chunk
        lastChunk = chunk
        add(result, keepsPicture)
    }

    /// How many chunks it covers.
    var count: Int { lastChunk - firstChunk + 1 }

    /// Takes the next chunk in, if both were decoded; a crash is told alone.
    ///
    /// - Returns: Whether it was taken.
    mutating func join(chunk: Int, _ result: InspectionOutcome, keepsPicture: Bool) -> Bool {
        guard outcome == .decoded, case .decoded = result, chunk == lastChunk + 1 else {
            return false
        }
        lastChunk = chunk
        add(result, keepsPicture)
        return true
    }

    private mutating func add(_ result: InspectionOutcome, _ keepsPicture: Bool) {
        switch result {
        case .decoded(let pictures):
            frames += pictures.frames
            undecodable += pictures.undecodable
            size = pictures.size ?? size
            if let mean = pictures.meanLuma {
                luma += mean * Double(pictures.frames)
                lumaFrames += pictures.frames
            }
            if keepsPicture { thumbnail = thumbnail ?? pictures.jpeg }
        case .notDecoded(.timedOut): outcome = .timedOut
        case .notDecoded: outcome = .crashed
        }
    }

    /// The event.
    func event(thumbnail digest: SHA256Digest?) -> StreamChunksInspected {
        StreamChunksInspected(
            firstChunk: firstChunk,
            lastChunk: lastChunk,
            outcome: outcome,
            frames: frames,
            undecodable: undecodable,
            width: size?.width ?? 0,
            height: size?.height ?? 0,
            meanLuma: lumaFrames > 0 ? (luma / Double(lumaFrames) * 100).rounded() / 100 : nil,
            thumbnail: digest
        )
    }
}
