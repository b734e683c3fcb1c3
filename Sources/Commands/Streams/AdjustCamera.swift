// SPDX-License-Identifier: Apache-2.0
public import Events

/// The sender turns to another camera, or switches its light.
public struct AdjustCamera: StreamCommand {
    public let stream: StreamID
    /// The camera that films now; `nil` where it is the same.
    public let camera: String?
    /// What became of the light; `nil` where it is as it was.
    public let light: Light?

    /// What the light beside a camera does.
    public enum Light: Hashable, Sendable {
        case on
        case off
    }

    public init(of stream: StreamID, to camera: String? = nil, light: Light? = nil) {
        self.stream = stream
        self.camera = camera
        self.light = light
    }

    /// What is other about camera and light in what a sender says now; what it does not say is as it was.
    public init(of stream: StreamID, from known: StreamSettings, to new: StreamSettings) {
        let isLit = new.isLit == known.isLit ?? false ? nil : new.isLit
        self.init(
            of: stream,
            to: new.camera == known.camera ? nil : new.camera,
            light: isLit.map { $0 ? .on : .off }
        )
    }

    /// Why it was not recorded.
    public enum Refusal: CommandRefusal {
        case unavailable(StreamUnavailable)
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .unavailable(let why): why.problem(of: "adjusting the camera")
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    public func decide(
        _ state: Stream,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        try InputFault.check(
            optional: camera,
            "camera",
            bytesMax: CommandLimits.wordBytesMax,
            else: Refusal.unacceptable
        )
        _ = try state.running(else: Refusal.unavailable)
        let facts: [StreamEvent?] = [
            camera.map { .cameraSwitched(StreamCameraSwitched(camera: $0)) },
            light.map { .torchToggled(StreamTorchToggled(isOn: $0 == .on)) },
        ]
        let writes = facts.compactMap { $0.map { Write.stream(stream, $0) } }
        return writes.isEmpty ? .already(()) : .record(writes)
    }
}
