// SPDX-License-Identifier: Apache-2.0
import Events
import Synchronization

/// What went wrong with streams while nobody waited for an answer: what is news, and what is to be tried again.
final class StreamFaults: Sendable {
    private struct State {
        var faults: [StreamID: Fault] = [:]
        var owed: Set<StreamID> = []
        /// What no try mends: it is shown until the process ends.
        var kept: [StreamID: [Fault]] = [:]
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

    /// Keeps a fault that no try mends, and that somebody has to look at, in sight until the next start.
    func keep(_ fault: Fault, of stream: StreamID) {
        state.withLock { state in
            guard state.kept[stream]?.contains(fault) != true else { return }
            state.kept[stream, default: []].append(fault)
            state.bell?.yield()
        }
    }

    /// What no try mends; `nil` if there is nothing.
    var keptSummary: Fault? {
        let kept = state.withLock(\.kept).map { ("\($0)", $1) }.sorted { $0.0 < $1.0 }
        guard !kept.isEmpty else { return nil }
        let words = kept.prefix(3).map { "\($0): \($1.map(\.words).joined(separator: ", "))" }
        let more = kept.count > 3 ? " and \(kept.count - 3) more" : ""
        return Fault(
            code: kept.map { "\($0) \($1.map(\.code).joined(separator: " "))" }
                .joined(separator: "; "),
            words: words.joined(separator: "; ") + more
        )
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

    /// Rings at each new debt, and at each fault that is kept, for one listener.
    func rings() -> AsyncStream<Void> {
        let (stream, bell) = AsyncStream.makeStream(
            of: Void.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        state.withLock { $0.bell = bell }
        return stream
    }
}

/// Recordings that could not be brought to their end, or not without somebody who looks at them.
struct RecordingsUnfinished: FaultCoded, CustomStringConvertible {
    /// What is tried again; `nil` if nothing is.
    let left: Fault?
    /// What no try mends; `nil` if there is nothing.
    let kept: Fault?

    var description: String {
        let owed = left.map {
            "recordings could not be finished: \($0.words); it is tried again by itself, make room if that is missing"
        }
        let damaged = kept.map {
            "recordings are not as the archive left them: \($0.words); what is damaged is not finalised: restore it from a copy, and start the gateway again"
        }
        return [owed, damaged].compactMap { $0 }.joined(separator: "; ")
    }

    var faultCode: String { [left, kept].compactMap { $0?.code }.joined(separator: "; ") }
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
        let left = faults.owed.isEmpty ? nil : faults.summary
        let kept = faults.keptSummary
        guard left == nil, kept == nil else { throw RecordingsUnfinished(left: left, kept: kept) }
    }
}
