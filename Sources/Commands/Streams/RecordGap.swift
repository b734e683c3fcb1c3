// SPDX-License-Identifier: Apache-2.0
public import Events

/// There is time in the recording for which no video came.
public struct RecordGap: StreamCommand {
    public let stream: StreamID
    public let gap: StreamGapDetected

    public init(_ gap: StreamGapDetected, in stream: StreamID) {
        self.stream = stream
        self.gap = gap
    }

    /// Why the gap was not recorded.
    public enum Refusal: CommandRefusal {
        case unavailable(StreamUnavailable)
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .unavailable(let why): why.problem(of: "recording a gap")
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    public func decide(
        _ state: Stream,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        try InputFault.check(
            gap.toMilliseconds > gap.fromMilliseconds,
            "toMilliseconds",
            gap.toMilliseconds,
            allowed: "behind \(gap.fromMilliseconds)",
            else: Refusal.unacceptable
        )
        try InputFault.check(
            gap.cause,
            "cause",
            bytesMax: CommandLimits.wordBytesMax,
            else: Refusal.unacceptable
        )
        _ = try state.growing(else: Refusal.unavailable)
        return .record([.stream(stream, .gapDetected(gap))])
    }
}
