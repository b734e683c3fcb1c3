// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Gateway

@Suite struct `An upload gate` {
    @Test func `lets a few in at once, refuses one more, and lets the next in when one is out`()
        async throws
    {
        let gate = UploadGate(most: 2)
        let answer = try await gate.pass {
            try await gate.pass {
                await #expect(throws: Problem.self) { try await gate.pass {} }
                return 1
            } + gate.pass { 2 }
        }
        #expect(answer == 3)
    }

    @Test func `counts work that failed as over`() async throws {
        struct Broken: Error {}
        let gate = UploadGate(most: 1)
        await #expect(throws: Broken.self) { try await gate.pass { throw Broken() } }
        #expect(try await gate.pass { true })
    }
}
