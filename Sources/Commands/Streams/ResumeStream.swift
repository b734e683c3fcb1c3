// SPDX-License-Identifier: Apache-2.0
public import Events

/// Video arrives again after an interruption, or a new part of it begins.
public struct ResumeStream: StreamCommand {
    public let stream: StreamID
    public let gapMilliseconds: Int
    /// The part that continues or begins.
    public let part: Int

    public init(_ stream: StreamID, gapMilliseconds: Int, part: Int) {
        self.stream = stream
        self.gapMilliseconds = gapMilliseconds
        self.part = part
    }

    /// Where the sender goes on.
    public struct Outcome: Hashable, Sendable {
        public let part: Int
    }

    /// Why it does not go on.
    public enum Refusal: CommandRefusal {
        case unavailable(StreamUnavailable)
        case partGone(StreamID, part: Int, current: Int)
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .unavailable(let why): why.problem(of: "resuming video")
            case .partGone(let stream, let part, let current):
                Problem(
                    .conflict,
                    "part-gone",
                    "resuming video refused: part \(part) of stream \(stream) is behind "
                        + "part \(current); go on in that one or begin a new one",
                    facts: ["stream": "\(stream)", "part": String(current)]
                )
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    public func decide(
        _ state: Stream,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Outcome> {
        try InputFault.check(
            gapMilliseconds >= 0,
            "gapMilliseconds",
            gapMilliseconds,
            allowed: "0 or more",
            else: Refusal.unacceptable
        )
        _ = try state.running(else: Refusal.unavailable)
        guard part >= state.part else {
            throw .partGone(stream, part: part, current: state.part)
        }
        guard state.phase != .live || part > state.part else {
            return .already(Outcome(part: state.part))
        }
        let resumed = StreamResumed(gapMilliseconds: gapMilliseconds, part: part)
        return .record([.stream(stream, .resumed(resumed))])
    }

    public func outcome(of recorded: [Write]) -> Outcome? {
        recorded.first(StreamResumed.self).map { Outcome(part: $0.payload.part) }
    }
}
