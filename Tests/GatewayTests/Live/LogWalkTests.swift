// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Events
import Synchronization
import TestSupport
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(10))) struct `Walking the log` {
    @Test func `gives one holder one thread, and the next turn to another`() async throws {
        let walks = LogWalks()
        let order = Order()
        let isBlocked = DispatchSemaphore(value: 0)
        let begun = ClosedSignal()
        try await withThrowingTaskGroup { group in
            group.addTask {
                try await walks.page(for: "caller/1") {
                    begun.raise()
                    isBlocked.wait()
                }
            }
            await begun.wait()
            for _ in 0..<40 {
                group.addTask {
                    try await walks.page(for: "caller/1") { order.add("1") }
                }
            }
            try await eventually("forty pages wait") { walks.waiting == 40 }
            // The one holder's thread is taken, and nobody waits for it but that holder.
            try await walks.page(for: "caller/2") { order.add("2") }
            #expect(order.holders == ["2"])
            isBlocked.signal()
            try await group.waitForAll()
        }
        #expect(order.holders.count == 41 && walks.waiting == 0)
    }

    @Test func `lets others go on while all threads read`() async throws {
        let walks = LogWalks()
        let isBlocked = DispatchSemaphore(value: 0)
        let begun = (0..<GatewayLimits.logWalksAtOnce).map { _ in ClosedSignal() }
        try await withThrowingTaskGroup { group in
            for (number, signal) in begun.enumerated() {
                group.addTask {
                    try await walks.page(for: "caller/\(number)") {
                        signal.raise()
                        isBlocked.wait()
                    }
                }
            }
            for signal in begun { await signal.wait() }
            // Whatever runs where everybody runs.
            let others = await withTaskGroup { group in
                for number in 0..<100 { group.addTask { number } }
                return await group.reduce(0, +)
            }
            #expect(others == 4_950)
            for _ in begun { isBlocked.signal() }
            try await group.waitForAll()
        }
    }
}

/// Whose pages were read, in their order.
private final class Order: Sendable {
    private let names = Mutex<[String]>([])

    var holders: [String] { names.withLock { $0 } }

    func add(_ name: String) { names.withLock { $0.append(name) } }
}
