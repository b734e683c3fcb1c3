// SPDX-License-Identifier: Apache-2.0
public import Events

/// Somebody watches; recorded once a minute for each viewer and mode.
public struct RecordViewing: StreamCommand {
    public let stream: StreamID
    public let viewer: Actor
    public let mode: StreamViewed.Mode
    public let fromMilliseconds: Int?
    public let toMilliseconds: Int?

    public init(
        of stream: StreamID,
        by viewer: Actor,
        mode: StreamViewed.Mode,
        fromMilliseconds: Int? = nil,
        toMilliseconds: Int? = nil
    ) {
        self.stream = stream
        self.viewer = viewer
        self.mode = mode
        self.fromMilliseconds = fromMilliseconds
        self.toMilliseconds = toMilliseconds
    }

    /// Why it was not recorded.
    public enum Refusal: CommandRefusal {
        case unknown(StreamID)

        public var problem: Problem {
            switch self {
            case .unknown(let id): StreamUnavailable.unknown(id).problem(of: "watching")
            }
        }
    }

    public func decide(
        _ state: Stream,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        guard state.start != nil else { throw .unknown(stream) }
        let viewing = Stream.Viewing(viewer: viewer, mode: mode)
        if let last = state.viewings[viewing],
            context.now.isLess(than: CommandLimits.viewingInterval, after: last)
        {
            return .already(())
        }
        let viewed = StreamViewed(
            viewer: viewer,
            mode: mode,
            fromMilliseconds: fromMilliseconds,
            toMilliseconds: toMilliseconds
        )
        return .record([.stream(stream, .viewed(viewed))])
    }
}
