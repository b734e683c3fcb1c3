// SPDX-License-Identifier: Apache-2.0
import Events
import Media
import Synchronization

/// The decoding children that are kept between turns: one for each stream, so that no stranger's bytes meet
/// another's pictures.
///
/// When more streams arrive than children may be kept, the one that has rested longest is ended; its stream
/// begins the next turn with a fresh one, at a key frame.
final class DecoderShelf: Sendable {
    private struct Kept {
        let process: InspectionProcess
        var isInUse: Bool
        var since: ContinuousClock.Instant
    }

    private let worker: InspectionService.Worker
    private let most: Int
    private let kept = Mutex<[StreamID: Kept]>([:])

    /// - Parameters:
    ///   - worker: The program that decodes.
    ///   - most: Children kept at once.
    init(worker: InspectionService.Worker, most: Int) {
        self.worker = worker
        self.most = max(1, most)
    }

    /// How many children are kept.
    var count: Int { kept.withLock(\.count) }

    /// The stream's child, for a turn.
    ///
    /// - Returns: It, and whether it is a fresh one, which knows no picture.
    func take(_ stream: StreamID) -> (process: InspectionProcess, isNew: Bool) {
        kept.withLock { kept in
            if var own = kept[stream] {
                own.isInUse = true
                kept[stream] = own
                return (own.process, false)
            }
            if kept.count >= most { Self.endLongestAtRest(&kept) }
            let process = InspectionProcess(
                executable: worker.executable,
                arguments: worker.arguments
            )
            kept[stream] = Kept(process: process, isInUse: true, since: .now)
            return (process, true)
        }
    }

    /// Puts the stream's child back after its turn.
    func rest(_ stream: StreamID) {
        kept.withLock { kept in
            kept[stream]?.isInUse = false
            kept[stream]?.since = .now
        }
    }

    /// Ends the stream's child: nothing more comes.
    func end(_ stream: StreamID) {
        kept.withLock { _ = $0.removeValue(forKey: stream) }
    }

    private static func endLongestAtRest(_ kept: inout [StreamID: Kept]) {
        let resting = kept.filter { !$0.value.isInUse }
        guard let oldest = resting.min(by: { $0.value.since < $1.value.since }) else { return }
        kept[oldest.key] = nil
    }
}
