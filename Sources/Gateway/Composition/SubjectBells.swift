// SPDX-License-Identifier: Apache-2.0
import Events
import ServiceLifecycle
import Synchronization

/// Wakes those who follow one subject when something new stands on it.
///
/// A bell tells nothing but that; whoever hears it reads the log, so nothing is lost by missing a
/// ring, and a restart needs no memory. One follower serves all bells.
final class SubjectBells: Service {
    private struct State {
        var nextNumber = 0
        var bells: [Subject: [Int: AsyncStream<Void>.Continuation]] = [:]
    }

    private let log: EventLog
    private let start: LogPosition
    private let state = Mutex(State())

    init(log: EventLog) {
        self.log = log
        start = LogPosition(log.size)
    }

    /// Rings after each commit that touches the subject, from now on.
    ///
    /// Several commits before the next `await` ring once. Ends when its task is cancelled, or when
    /// the log closes.
    func listen(to subject: Subject) -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Void.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let number = state.withLock { state in
            state.nextNumber += 1
            state.bells[subject, default: [:]][state.nextNumber] = continuation
            return state.nextNumber
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { state in
                state.bells[subject]?[number] = nil
                if state.bells[subject]?.isEmpty == true { state.bells[subject] = nil }
            }
        }
        return stream
    }

    /// Follows the log and rings; returns when the log closes or the gateway stops.
    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown {
                for try await page in self.log.follow(from: self.start) {
                    self.ring(Set(page.map(\.envelope.subject)))
                }
            }
        } catch is CancellationError {
            // The gateway stops.
        }
        let waiting = state.withLock { state in
            defer { state.bells = [:] }
            return state.bells.values.flatMap(\.values)
        }
        for bell in waiting { bell.finish() }
    }

    private func ring(_ subjects: Set<Subject>) {
        let bells = state.withLock { state in
            subjects.flatMap { state.bells[$0].map { Array($0.values) } ?? [] }
        }
        for bell in bells { bell.yield() }
    }
}
