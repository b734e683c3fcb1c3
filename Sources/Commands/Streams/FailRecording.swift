// SPDX-License-Identifier: Apache-2.0
public import Events

/// The archive could not keep what arrived.
public struct FailRecording: StreamCommand {
    public let stream: StreamID
    public let reasonCode: String
    public let text: String

    public init(_ stream: StreamID, reasonCode: String, text: String) {
        self.stream = stream
        self.reasonCode = reasonCode
        self.text = text
    }

    /// Why the failure was not recorded.
    public enum Refusal: CommandRefusal {
        case unavailable(StreamUnavailable)
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .unavailable(let why): why.problem(of: "recording a failure")
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    public func decide(
        _ state: Stream,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        try InputFault.check(
            reasonCode,
            "reasonCode",
            bytesMax: CommandLimits.wordBytesMax,
            else: Refusal.unacceptable
        )
        try InputFault.check(
            text,
            "text",
            bytesMax: CommandLimits.noteBytesMax,
            else: Refusal.unacceptable
        )
        _ = try state.growing(else: Refusal.unavailable)
        let failed = StreamRecordingFailed(reasonCode: reasonCode, text: text)
        return .record([.stream(stream, .recordingFailed(failed))])
    }
}
