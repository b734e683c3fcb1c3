// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Projections

/// A live stream from which nothing arrives is interrupted after 5 s, and stopped for good after
/// ten minutes, unless set otherwise.
struct StreamSilencePolicy: TimedPolicy {
    let ledger: Ledger

    var name: String { "stream-silence" }
    var settings: [String: Int] {
        [
            "interruptSeconds": Int(numbers.streamSilence / .seconds(1)),
            "stopSeconds": Int(numbers.streamEnd / .seconds(1)),
        ]
    }
    private var numbers: PolicyNumbers { ledger.configuration.policies }

    func act(at now: Timestamp, behind start: LogPosition) async throws {
        let deadlines = ledger.readModels.deadlines
        let silent = now - numbers.streamSilence
        for stream in try await deadlines.streams(.live, silentSince: silent)
        where stream.position > start {
            try await ledger.handle(
                InterruptStream(stream.stream, reason: .silence),
                of: name,
                because: stream.event,
                step: "interrupt",
                in: stream.organisation
            )
        }
        let over = now - numbers.streamEnd
        for stream in try await deadlines.streams(.interrupted, silentSince: over)
        where stream.position > start {
            try await ledger.handle(
                StopStream(stream.stream, by: .system, reason: "nothing arrived any more"),
                of: name,
                because: stream.event,
                step: "stop",
                in: stream.organisation
            )
        }
    }
}

extension Timestamp {
    /// The moment a duration earlier, to the microsecond.
    static func - (moment: Timestamp, duration: Duration) -> Timestamp {
        moment + (.zero - duration)
    }
}
