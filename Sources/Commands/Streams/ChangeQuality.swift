// SPDX-License-Identifier: Apache-2.0
public import Events

/// The sender changes tier, size or bit rate, inside the tier's range.
public struct ChangeQuality: StreamCommand {
    public let stream: StreamID
    public let settings: StreamSettings
    public let cause: StreamQualityChanged.Cause

    public init(
        of stream: StreamID,
        to settings: StreamSettings,
        cause: StreamQualityChanged.Cause
    ) {
        self.stream = stream
        self.settings = settings
        self.cause = cause
    }

    /// Why the change was not recorded.
    public enum Refusal: CommandRefusal {
        case unavailable(StreamUnavailable)
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .unavailable(let why): why.problem(of: "changing quality")
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    public func decide(
        _ state: Stream,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        try settings.check(else: Refusal.unacceptable)
        _ = try state.running(else: Refusal.unavailable)
        let changed = StreamQualityChanged(
            quality: settings.quality,
            width: settings.width,
            height: settings.height,
            framesPerSecond: settings.framesPerSecond,
            kilobitsPerSecond: settings.kilobitsPerSecond,
            camera: settings.camera,
            cause: cause
        )
        return .record([.stream(stream, .qualityChanged(changed))])
    }
}
