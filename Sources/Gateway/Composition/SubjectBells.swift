// SPDX-License-Identifier: Apache-2.0
import Events
import Synchronization

/// Wakes those who follow a subject, a category of subjects, a kind, or a person, when something new is there.
///
/// A bell tells nothing but that; whoever hears it reads the log, so nothing is lost by missing a
/// ring, and a restart needs no memory. One follower serves all bells.
final class SubjectBells: Sendable {
    private struct State {
        var nextNumber = 0
        var bells: [LiveSource: [Int: AsyncStream<Void>.Continuation]] = [:]
        /// The first entry that nobody was woken for.
        var next: LogPosition
    }

    private let log: EventLog
    private let state: Mutex<State>

    init(log: EventLog) {
        self.log = log
        state = Mutex(State(next: LogPosition(log.size)))
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
        let ticket = ring(continuation, at: [.subject(subject)])
        continuation.onTermination = { [weak self] _ in self?.leave(ticket) }
        return stream
    }

    /// Rings a bell of one's own at each commit that touches a source, until ``leave(_:)``.
    func ring(_ bell: AsyncStream<Void>.Continuation, at sources: Set<LiveSource>) -> BellTicket {
        state.withLock { state in
            state.nextNumber += 1
            for source in sources { state.bells[source, default: [:]][state.nextNumber] = bell }
            return BellTicket(number: state.nextNumber, sources: sources)
        }
    }

    /// Ends a ringing; repeating it does nothing.
    func leave(_ ticket: BellTicket) {
        state.withLock { state in
            for source in ticket.sources {
                state.bells[source]?[ticket.number] = nil
                if state.bells[source]?.isEmpty == true { state.bells[source] = nil }
            }
        }
    }

    /// Follows the log and rings until the log closes or it is cancelled; called again, it goes on where it stopped.
    ///
    /// - Throws: What keeps it from reading the log. Everybody is woken then: whoever hears it reads for himself.
    func run() async throws {
        do {
            for try await page in log.follow(from: state.withLock { $0.next }) {
                ring(try Self.sources(of: page))
                if let last = page.last {
                    state.withLock { $0.next = last.envelope.position.next }
                }
            }
        } catch let error where !(error is CancellationError) && !log.isClosed {
            for bell in state.withLock({ $0.bells.values.flatMap(\.values) }) { bell.yield() }
            throw error
        }
        let waiting = state.withLock { state in
            defer { state.bells = [:] }
            return state.bells.values.flatMap(\.values)
        }
        for bell in waiting { bell.finish() }
    }

    /// Where the entries of a page stand; of those that link to people, only a session's beginning.
    private static func sources(of page: [Entry]) throws -> Set<LiveSource> {
        var sources: Set<LiveSource> = []
        for entry in page {
            let envelope = entry.envelope
            sources.insert(.subject(envelope.subject))
            sources.insert(.category(String(envelope.subject.category)))
            sources.insert(.kind(envelope.kind))
            guard envelope.kind == SessionCreated.kind,
                case .session(.created(let created)) = try EventDecoder().decode(entry).fact
            else { continue }
            sources.insert(.person(created.caller))
        }
        return sources
    }

    private func ring(_ sources: Set<LiveSource>) {
        let bells = state.withLock { state in
            sources.flatMap { state.bells[$0].map { Array($0.values) } ?? [] }
        }
        for bell in bells { bell.yield() }
    }
}

/// Whom a bell wakes, and for what; given back to end it.
struct BellTicket: Sendable {
    fileprivate let number: Int
    fileprivate let sources: Set<LiveSource>
}
