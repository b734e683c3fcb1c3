// SPDX-License-Identifier: Apache-2.0
import ServiceLifecycle

/// A service that is told to end and, when it has not after a while, is cancelled: a peer that hangs on keeps nobody from ending.
struct EndsInTime: Service {
    let service: any Service
    let time: Duration
    /// Called when it is told to end.
    let ending: @Sendable () -> Void

    init(
        _ service: any Service,
        within time: Duration,
        ending: @escaping @Sendable () -> Void
    ) {
        self.service = service
        self.time = time
        self.ending = ending
    }

    func run() async throws {
        let (time, ending) = (time, ending)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            group.addTask {
                do {
                    try await gracefulShutdown()
                    ending()
                    try await Task.sleep(for: time)
                } catch is CancellationError {
                    // The service ended in time, or everything is cancelled.
                }
            }
            try await group.next()
            group.cancelAll()
            do {
                try await group.waitForAll()
            } catch is CancellationError {
                // Ended by us.
            }
        }
    }
}
