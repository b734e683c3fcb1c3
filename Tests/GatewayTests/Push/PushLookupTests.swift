// SPDX-License-Identifier: Apache-2.0
import Dispatch
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(10))) struct `Looking up a push service` {
    @Test func `has a time, and what is slow keeps neither other pushes nor other work waiting`()
        async throws
    {
        let hold = DispatchSemaphore(value: 0)
        let slow = System.coreCount + 2
        defer { for _ in 0..<slow { hold.signal() } }
        for _ in 0..<slow {
            await #expect(throws: PushFault.unreachable("no address in time")) {
                _ = try await PushAddress.all(of: "slow.example", within: .milliseconds(1)) { _ in
                    hold.wait()
                    return []
                }
            }
        }
        let found = try await PushAddress.all(of: "localhost", within: .testDeadline)
        #expect(!found.isEmpty && found.allSatisfy { $0.distance == .machine })
        #expect(try await NIOThreadPool.singleton.runIfActive { true })
    }
}
