// SPDX-License-Identifier: Apache-2.0
public import Events

/// The recording of a stopped stream got its duration and cues; its bytes are final.
public struct FinalizeStream: StreamCommand {
    public let stream: StreamID
    public let final: StreamFinalized

    public init(_ stream: StreamID, as final: StreamFinalized) {
        self.stream = stream
        self.final = final
    }

    /// Why it is not final.
    public enum Refusal: CommandRefusal {
        case unknown(StreamID)
        case notStopped(StreamID)
        case differs(StreamID)

        public var problem: Problem {
            switch self {
            case .unknown(let id): StreamUnavailable.unknown(id).problem(of: "finalizing")
            case .notStopped(let id):
                Problem(
                    .conflict,
                    "stream-not-stopped",
                    "finalizing refused: stream \(id) still runs; stop it first",
                    facts: ["stream": "\(id)"]
                )
            case .differs(let id):
                Problem(
                    .conflict,
                    "recording-differs",
                    "finalizing refused: the recording of stream \(id) is final with other bytes; "
                        + "verify the media folder",
                    facts: ["stream": "\(id)"]
                )
            }
        }
    }

    public func decide(
        _ state: Stream,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        guard state.start != nil else { throw .unknown(stream) }
        if let known = state.finalized {
            guard known == final else { throw .differs(stream) }
            return .already(())
        }
        guard state.isOver else { throw .notStopped(stream) }
        return .record([.stream(stream, .finalized(final))])
    }
}
