// SPDX-License-Identifier: Apache-2.0
import Events
import Media
import Synchronization
import Threads

/// What senders of video may take of this machine: memory for pictures that are not whole, bytes by their bit rate, and
/// chunks by the clock.
///
/// Who sends faster than they said is slowed down, not refused. Memory is refused beyond its limit, and to one caller
/// beyond its share; a little of it is everybody's own, so that nobody's unfinished pictures keep another's stream out.
final class IngestBudget: Sendable {
    private struct State {
        /// Bytes that wait beyond what is everybody's own, by stream and by caller.
        var waiting: [StreamID: Int] = [:]
        var waitingOfCaller: [PersonID: Int] = [:]
        var waitingOfAll = 0
        var streams: [StreamID: RateLimiter<ContinuousClock.Instant>] = [:]
        var sessions: [SessionID: RateLimiter<ContinuousClock.Instant>] = [:]
        var chunks: [PersonID: ChunkAllowance] = [:]

        /// One that a recording still has stays, so that the caller's next one shares it.
        mutating func forgetFullChunks(at now: ContinuousClock.Instant) {
            for caller in Array(chunks.keys) {
                guard var allowance = chunks.removeValue(forKey: caller) else { continue }
                let isUsed = !isKnownUniquelyReferenced(&allowance)
                if isUsed || !allowance.isFull(at: now) { chunks[caller] = allowance }
            }
        }
    }

    private let limits: ArchiveLimits
    private let state = Mutex(State())

    init(_ limits: ArchiveLimits) {
        self.limits = limits
    }

    /// Bytes of unfinished pictures of all streams, beyond what is everybody's own.
    var waitingBytes: Int { state.withLock(\.waitingOfAll) }

    /// Refuses when a stream may not let so many bytes wait, with what it has.
    ///
    /// - Throws: ``ArchiveError/tooMuchUnfinished(max:)``, with the limit that is reached.
    func checkWaiting(_ bytes: Int, of facts: RecordingFacts) throws(ArchiveError) {
        let beyond = bytes - limits.waitingBytesOfOwn
        guard beyond > 0 else { return }
        let (ofCaller, ofAll) = state.withLock { state in
            let more = beyond - (state.waiting[facts.stream] ?? 0)
            return (
                (state.waitingOfCaller[facts.caller] ?? 0) + more, state.waitingOfAll + more
            )
        }
        guard ofCaller <= limits.waitingBytesOfCaller else {
            throw .tooMuchUnfinished(max: limits.waitingBytesOfCaller)
        }
        guard ofAll <= limits.waitingBytesOfAll else {
            throw .tooMuchUnfinished(max: limits.waitingBytesOfAll)
        }
    }

    /// Notes how many bytes of a stream wait; 0 when its file is closed.
    func note(_ bytes: Int, of facts: RecordingFacts) {
        let beyond = max(0, bytes - limits.waitingBytesOfOwn)
        state.withLock { state in
            let more = beyond - (state.waiting[facts.stream] ?? 0)
            state.waiting[facts.stream] = beyond > 0 ? beyond : nil
            state.waitingOfAll += more
            let ofCaller = (state.waitingOfCaller[facts.caller] ?? 0) + more
            state.waitingOfCaller[facts.caller] = ofCaller > 0 ? ofCaller : nil
        }
    }

    /// Counts bytes that a sender sent.
    ///
    /// - Parameters:
    ///   - bytes: How many.
    ///   - facts: Of which stream.
    ///   - kilobitsPerSecond: What the sender said that it sends.
    ///   - now: When.
    /// - Returns: How long the sender is to wait before these are taken; zero for whoever keeps to the rate.
    func pace(
        _ bytes: Int,
        of facts: RecordingFacts,
        kilobitsPerSecond: Int,
        at now: ContinuousClock.Instant = .now
    ) -> Duration {
        let rate = Double(kilobitsPerSecond) * 125 * limits.bitRateFactor
        let ofStream = Rate(burst: Double(limits.streamBytesAtOnce), perSecond: rate)
        return state.withLock { state in
            var own = state.streams[facts.stream] ?? RateLimiter(ofStream, at: now)
            own.rate = ofStream
            let wait = own.take(Double(bytes), at: now)
            state.streams[facts.stream] = own
            let session = RateLimiter(limits.bytesOfSession, at: now)
            let shared = state.sessions[facts.session, default: session]
                .take(Double(bytes), at: now)
            return max(wait, shared)
        }
    }

    /// How many chunks a caller may make, of all their streams together.
    func chunks(of caller: PersonID) -> ChunkAllowance {
        state.withLock { state in
            let known = state.chunks[caller] ?? ChunkAllowance()
            state.chunks[caller] = known
            return known
        }
    }

    /// Forgets a stream, and its session's and its caller's allowances once those are full again.
    func forget(_ facts: RecordingFacts, at now: ContinuousClock.Instant = .now) {
        note(0, of: facts)
        state.withLock { state in
            state.streams[facts.stream] = nil
            let full = state.sessions.filter {
                $0.value.amount(at: now) >= limits.bytesOfSession.burst
            }
            for session in full.keys { state.sessions[session] = nil }
            state.forgetFullChunks(at: now)
        }
    }
}
