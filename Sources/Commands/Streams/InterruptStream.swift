// SPDX-License-Identifier: Apache-2.0
public import Events

/// Nothing arrives any more, or the connection broke; the stream may go on later.
public struct InterruptStream: StreamCommand {
    public let stream: StreamID
    public let reason: StreamInterrupted.Reason
    /// How long nothing must have arrived by then; `nil` for whoever saw the connection break.
    public let silence: Duration?

    public init(
        _ stream: StreamID,
        reason: StreamInterrupted.Reason,
        after silence: Duration? = nil
    ) {
        self.stream = stream
        self.reason = reason
        self.silence = silence
    }

    /// Why it was not interrupted.
    public enum Refusal: CommandRefusal {
        case unavailable(StreamUnavailable)

        public var problem: Problem {
            switch self {
            case .unavailable(let why): why.problem(of: "interrupting")
            }
        }
    }

    public func decide(
        _ state: Stream,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        _ = try state.running(else: Refusal.unavailable)
        guard state.phase == .live, state.isSilent(for: silence, at: context.now) else {
            return .already(())
        }
        let interrupted = StreamInterrupted(reason: reason)
        return .record([.stream(stream, .interrupted(interrupted))])
    }
}
