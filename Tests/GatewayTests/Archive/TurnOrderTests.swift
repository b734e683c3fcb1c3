// SPDX-License-Identifier: Apache-2.0
import Events
import TestSupport
import Testing

@testable import Gateway

@Suite(.tags(.promise9)) struct `The order of turns at the decoder` {
    private let many: SessionID = freshID()
    private let other: SessionID = freshID()

    /// Begins every turn that is free.
    private func begin(_ order: inout TurnOrder) -> [Int] {
        var begun: [Int] = []
        while let name = order.next() { begun.append(name) }
        return begun
    }

    /// Begins and ends one turn after the other until nobody waits.
    private func all(_ order: inout TurnOrder, of session: (Int) -> SessionID) -> [Int] {
        var turns: [Int] = []
        while let turn = order.next() {
            turns.append(turn)
            order.end(of: session(turn))
        }
        return turns
    }

    @Test func `lets a second session in after one turn, however many streams the first has`() {
        var order = TurnOrder(count: 4, perSession: 2)
        for stream in 0..<24 { order.wait(stream, of: many, isFresh: true) }
        #expect(begin(&order) == [0, 1])
        order.wait(100, of: other, isFresh: true)
        #expect(begin(&order) == [100])
        order.end(of: many)
        #expect(begin(&order) == [2])
        #expect(order.waiting == 21)
    }

    @Test func `takes sessions in a circle`() {
        var order = TurnOrder(count: 1, perSession: 1)
        let sessions: [SessionID] = [many, other, freshID()]
        for stream in 0..<9 { order.wait(stream, of: sessions[stream / 3], isFresh: true) }
        #expect(all(&order) { sessions[$0 / 3] } == [0, 3, 6, 1, 4, 7, 2, 5, 8])
    }

    @Test func `gives those who catch up one turn in four, and all that nobody else wants`() {
        var order = TurnOrder(count: 1, perSession: 1)
        for stream in 0..<6 { order.wait(stream, of: many, isFresh: true) }
        for stream in 10..<14 { order.wait(stream, of: other, isFresh: false) }
        let turns = all(&order) { $0 < 10 ? many : other }
        #expect(turns == [0, 1, 2, 10, 3, 4, 5, 11, 12, 13])
    }

    @Test func `forgets who no longer waits`() {
        var order = TurnOrder(count: 1, perSession: 1)
        order.wait(1, of: many, isFresh: true)
        order.wait(2, of: many, isFresh: true)
        #expect(begin(&order) == [1])
        let wasWaiting = [1, 2].map { order.withdraw($0, of: many) }
        #expect(wasWaiting == [false, true])
        order.end(of: many)
        #expect(begin(&order) == [] && order.waiting == 0)
    }
}
