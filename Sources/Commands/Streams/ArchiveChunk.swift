// SPDX-License-Identifier: Apache-2.0
public import Events

/// A chunk of video is on disk and synced; its digest goes into the log.
///
/// Numbers are gapless from 0, and chunks do not overlap in the file. The same chunk again is no error.
public struct ArchiveChunk: StreamCommand {
    public let stream: StreamID
    public let chunk: StreamChunkArchived
    public let arrival: Arrival

    public init(_ chunk: StreamChunkArchived, of stream: StreamID, arrival: Arrival = .live) {
        self.stream = stream
        self.chunk = chunk
        self.arrival = arrival
    }

    /// How the chunk came to be archived.
    public enum Arrival: Hashable, Sendable {
        /// It just came from the sender; a stopped stream takes no more.
        case live
        /// It was synced before the stream stopped or the process died, but not yet logged.
        case recovered
    }

    /// Why the chunk is not taken.
    public enum Refusal: CommandRefusal {
        case unavailable(StreamUnavailable)
        case notNext(StreamID, number: Int, expected: Int)
        case overlaps(StreamID, offset: Int, expected: Int)
        /// Other bytes under a number that is known.
        case differs(StreamID, number: Int)
        case unacceptable(InputFault)

        public var problem: Problem { problemOfArchiving }
    }

    public func decide(
        _ state: Stream,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        try checkInput()
        if let last = state.lastChunk, last.number == chunk.number {
            guard last == chunk else { throw .differs(stream, number: chunk.number) }
            return .already(())
        }
        switch arrival {
        case .live: _ = try state.running(else: Refusal.unavailable)
        case .recovered: _ = try state.growing(else: Refusal.unavailable)
        }
        guard chunk.number == state.chunks else {
            throw .notNext(stream, number: chunk.number, expected: state.chunks)
        }
        let end = state.lastChunk.map { $0.offset + $0.length } ?? 0
        guard chunk.offset >= end else {
            throw .overlaps(stream, offset: chunk.offset, expected: end)
        }
        return .record([.stream(stream, .chunkArchived(chunk))])
    }

    private func checkInput() throws(Refusal) {
        let numbers = [
            ("offset", chunk.offset, 0), ("length", chunk.length, 1), ("part", chunk.part, 0),
            ("through", chunk.through, 0), ("firstMilliseconds", chunk.firstMilliseconds, 0),
            ("lastMilliseconds", chunk.lastMilliseconds, chunk.firstMilliseconds),
        ]
        for (field, value, min) in numbers {
            try InputFault.check(
                value >= min,
                field,
                value,
                allowed: "\(min) or more",
                else: Refusal.unacceptable
            )
        }
    }
}

extension ArchiveChunk.Refusal {
    private var problemOfArchiving: Problem {
        switch self {
        case .unavailable(let why): why.problem(of: "archiving")
        case .unacceptable(let fault): fault.problem
        case .notNext(let stream, let number, let expected):
            Problem(
                .conflict,
                "chunk-not-next",
                "archiving chunk \(number) of stream \(stream) refused: chunk \(expected) is next; "
                    + "send from there",
                facts: ["stream": "\(stream)", "expected": String(expected)]
            )
        case .overlaps(let stream, let offset, let expected):
            Problem(
                .conflict,
                "chunk-overlaps",
                "archiving a chunk of stream \(stream) at byte \(offset) refused: the last one ends "
                    + "at byte \(expected); append behind it",
                facts: ["stream": "\(stream)", "expected": String(expected)]
            )
        case .differs(let stream, let number):
            Problem(
                .conflict,
                "chunk-differs",
                "archiving chunk \(number) of stream \(stream) refused: other bytes are archived "
                    + "under that number; nothing archived changes",
                facts: ["stream": "\(stream)", "number": String(number)]
            )
        }
    }
}
