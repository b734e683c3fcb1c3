// SPDX-License-Identifier: Apache-2.0
public import Events

/// A decoder looked at some chunks, in order and once.
public struct RecordInspection: StreamCommand {
    public let stream: StreamID
    public let findings: StreamChunksInspected

    public init(_ findings: StreamChunksInspected, of stream: StreamID) {
        self.stream = stream
        self.findings = findings
    }

    /// Why the findings were not recorded.
    public enum Refusal: CommandRefusal {
        case unknown(StreamID)
        case notArchived(StreamID, last: Int, chunks: Int)
        case notNext(StreamID, first: Int, expected: Int)
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .unknown(let id): StreamUnavailable.unknown(id).problem(of: "inspecting")
            case .notArchived(let stream, let last, let chunks):
                Problem(
                    .conflict,
                    "chunk-not-archived",
                    "inspecting refused: chunk \(last) of stream \(stream) is not archived, "
                        + "\(chunks) are; inspect what the log holds",
                    facts: ["stream": "\(stream)", "chunks": String(chunks)]
                )
            case .notNext(let stream, let first, let expected):
                Problem(
                    .conflict,
                    "inspection-not-next",
                    "inspecting refused: the findings begin at chunk \(first) of stream \(stream), "
                        + "chunk \(expected) is next; begin there",
                    facts: ["stream": "\(stream)", "expected": String(expected)]
                )
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    public func decide(
        _ state: Stream,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        try InputFault.check(
            findings.lastChunk >= findings.firstChunk,
            "lastChunk",
            findings.lastChunk,
            allowed: "\(findings.firstChunk) or more",
            else: Refusal.unacceptable
        )
        guard state.start != nil else { throw .unknown(stream) }
        guard findings.firstChunk == state.inspected else {
            throw .notNext(stream, first: findings.firstChunk, expected: state.inspected)
        }
        guard findings.lastChunk < state.chunks else {
            throw .notArchived(stream, last: findings.lastChunk, chunks: state.chunks)
        }
        return .record([.stream(stream, .chunksInspected(findings))])
    }
}
