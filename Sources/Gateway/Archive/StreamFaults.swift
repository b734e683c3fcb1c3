// SPDX-License-Identifier: Apache-2.0
import Events
import Synchronization

/// What went wrong with streams while nobody waited for an answer: what is news, and what is to be tried again.
final class StreamFaults: Sendable {
    private struct State {
        var faults: [StreamID: Fault] = [:]
        var owed: Set<StreamID> = []
        var bell: AsyncStream<Void>.Continuation?
    }

    private let state = Mutex(State())

    /// The recordings that are to be tried again.
    var owed: Set<StreamID> { state.withLock { $0.owed } }

    /// Notes a fault.
    ///
    /// - Parameters:
    ///   - fault: What it is.
    ///   - stream: Whose.
    ///   - isOwed: Whether somebody has to try again.
    /// - Returns: Whether it is news, by its code.
    func note(_ fault: Fault, of stream: StreamID, isOwed: Bool) -> Bool {
        state.withLock { state in
            if isOwed {
                state.owed.insert(stream)
                state.bell?.yield()
            }
            return state.faults.updateValue(fault, forKey: stream)?.code != fault.code
        }
    }

    /// It went well.
    ///
    /// - Parameters:
    ///   - stream: Whose.
    ///   - isPaid: Whether it was what had to be tried again.
    func clear(_ stream: StreamID, isPaid: Bool) {
        state.withLock { state in
            if isPaid { state.owed.remove(stream) }
            guard !state.owed.contains(stream) else { return }
            state.faults[stream] = nil
        }
    }

    /// What stands against those that are owed.
    var summary: Fault {
        let owed = state.withLock { state in
            state.owed.map { ("\($0)", state.faults[$0]) }
        }.sorted { $0.0 < $1.0 }
        let words = owed.prefix(3).map { "\($0): \($1?.words ?? "not tried yet")" }
        let more = owed.count > 3 ? " and \(owed.count - 3) more" : ""
        return Fault(
            code: owed.map { "\($0) \($1?.code ?? "")" }.joined(separator: "; "),
            words: words.joined(separator: "; ") + more
        )
    }

    /// Rings at each new debt, for one listener.
    func rings() -> AsyncStream<Void> {
        let (stream, bell) = AsyncStream.makeStream(
            of: Void.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        state.withLock { $0.bell = bell }
        return stream
    }
}

/// Recordings that could not be brought to their end.
struct RecordingsUnfinished: FaultCoded, CustomStringConvertible {
    let left: Fault

    var description: String {
        "recordings could not be finished: \(left.words); it is tried again by itself, make room if that is missing"
    }

    var faultCode: String { left.code }
}

extension Archive {
    /// Brings recordings to their end that failed before, and waits for more.
    ///
    /// - Throws: ``RecordingsUnfinished`` when some failed again.
    func tryAgain() async throws {
        let rings = faults.rings()
        try await tryOwed()
        for await _ in rings { try await tryOwed() }
    }

    private func tryOwed() async throws {
        for stream in faults.owed.sorted(by: { "\($0)" < "\($1)" }) {
            await recover(stream)
            try Task.checkCancellation()
        }
        guard faults.owed.isEmpty else { throw RecordingsUnfinished(left: faults.summary) }
    }
}
