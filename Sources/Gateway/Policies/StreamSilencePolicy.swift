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
        for row in try await deadlines.streams(.live, silentSince: silent) {
            let interrupt = InterruptStream(
                row.stream,
                reason: .silence,
                after: numbers.streamSilence
            )
            try await handle(interrupt, behind: start, step: "interrupt")
        }
        let over = now - numbers.streamEnd
        for row in try await deadlines.streams(.interrupted, silentSince: over) {
            let stop = StopStream(
                row.stream,
                by: .system,
                reason: "nothing arrived any more",
                after: numbers.streamEnd
            )
            try await handle(stop, behind: start, step: "stop")
        }
    }

    private func handle(
        _ command: some StreamCommand,
        behind start: LogPosition,
        step: String
    ) async throws {
        try await ledger.unlessDamaged {
            let stream = try await ledger.handler.settled(Commands.Stream.self, command.stream)
            guard let cause = stream.lastArrival, cause.position > start else { return }
            try await ledger.handle(command, of: name, because: cause, step: step)
        }
    }
}

extension Timestamp {
    /// The moment a duration earlier, to the microsecond.
    static func - (moment: Timestamp, duration: Duration) -> Timestamp {
        moment + (.zero - duration)
    }
}
