// SPDX-License-Identifier: Apache-2.0
public import Events

/// The stream ends for good; its length is what was archived.
public struct StopStream: StreamCommand {
    public let stream: StreamID
    public let by: Party
    public let reason: String
    /// How long nothing must have arrived by then; `nil` for whoever ends it.
    public let silence: Duration?

    public init(_ stream: StreamID, by: Party, reason: String, after silence: Duration? = nil) {
        self.stream = stream
        self.by = by
        self.reason = reason
        self.silence = silence
    }

    /// Why it was not stopped.
    public enum Refusal: CommandRefusal {
        case unknown(StreamID)
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .unknown(let id): StreamUnavailable.unknown(id).problem(of: "stopping video")
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    public func decide(
        _ state: Stream,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        try InputFault.check(
            reason,
            "reason",
            bytesMax: CommandLimits.noteBytesMax,
            else: Refusal.unacceptable
        )
        guard state.start != nil else { throw .unknown(stream) }
        guard state.isSilent(for: silence, at: context.now),
            let stop = state.stop(by: by, reason: reason)
        else { return .already(()) }
        return .record([stop])
    }
}
