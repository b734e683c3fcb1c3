// SPDX-License-Identifier: Apache-2.0
import Events
import ServiceLifecycle

/// How a policy that reaches the outside goes on: it looks for what is due, and lets each errand run by itself.
///
/// It looks at each event of its subjects, and at least twice a second, for time passes without events, too.
enum LookLoop {
    /// The shortest time between two looks, however much happens.
    static let lookPause = Duration.milliseconds(20)
    /// The longest time between two looks.
    static let lookInterval = Duration.milliseconds(500)

    /// Looks and runs errands until the gateway stops; what is on its way then is waited for.
    ///
    /// - Parameters:
    ///   - ledger: Whose events are a reason to look.
    ///   - sources: Which of them.
    ///   - look: Finds what begins now.
    ///   - run: Ends when the errand is over.
    static func run<Errand: Sendable>(
        _ ledger: Ledger,
        at sources: Set<LiveSource>,
        look: @Sendable () async -> [Errand],
        run: @escaping @Sendable (Errand) async -> Void
    ) async {
        let (looks, bell) = AsyncStream.makeStream(
            of: Void.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let ticket = ledger.bells.ring(bell, at: sources)
        defer { ledger.bells.leave(ticket) }
        await withGracefulShutdownHandler {
            await withDiscardingTaskGroup { tasks in
                tasks.addTask { await Self.tick(bell) }
                for await _ in looks {
                    for errand in await look() {
                        tasks.addTask { await run(errand) }
                    }
                    do { try await Task.sleep(for: lookPause) } catch { break }
                }
            }
        } onGracefulShutdown: {
            bell.finish()
        }
    }

    private static func tick(_ bell: AsyncStream<Void>.Continuation) async {
        while true {
            if case .terminated = bell.yield(()) { return }
            do {
                // A gateway that stops does not wait for the next look.
                try await cancelWhenGracefulShutdown { try await Task.sleep(for: lookInterval) }
            } catch {
                return bell.finish()
            }
        }
    }
}
