// SPDX-License-Identifier: Apache-2.0
import Events
import Testing

@testable import Commands

@Suite struct `Chat` {
    @Test func `takes the same temporary id of the same sender as one message`() throws {
        let ledger = MemoryLedger()
        let scene = try ledger.chat()
        let first = try ledger.run(ledger.message(in: scene, as: "temp1"))
        let place = try ledger.state(Session.self, scene.session).chat[first]?.place
        try ledger.run(ledger.message("man having heart attack", in: scene, as: "temp2"))
        guard
            case .already(let again, let where_) = try ledger.decide(
                ledger.message(in: scene, as: "temp1")
            )
        else {
            Issue.record("the message was sent twice")
            return
        }
        #expect(again == first && where_ == place && place != nil)
        #expect(try ledger.state(Session.self, scene.session).chat.messages.count == 2)
    }

    /// U+200B and its like, marks of direction, blanks that have a glyph of nothing, and blanks alone.
    @Test(arguments: [
        "", " ", "\n\t", "\u{A0}", "\u{3000}", "\u{200B}", "\u{FEFF}", "\u{2060}\u{2060}",
        "\u{202E}\u{202C}", "\u{2800}", "\u{3164}", "\u{AD}", "\u{115F}\u{1160}", "\u{1B}",
        "\u{E0067}",
    ])
    func `takes no message of which nothing can be seen`(text: String) throws {
        let ledger = MemoryLedger()
        let scene = try ledger.chat()
        #expect(throws: SendRefusal.unacceptable(.empty(field: "text"))) {
            try ledger.run(ledger.message(text, in: scene))
        }
    }

    @Test(arguments: ["?", "\u{301}", "👨‍👩‍👧", "\u{200F}שלום", " a "])
    func `takes what somebody sees`(text: String) throws {
        let ledger = MemoryLedger()
        let scene = try ledger.chat()
        try ledger.run(ledger.message(text, in: scene))
    }

    @Test func `tells senders with the same temporary id apart`() throws {
        let ledger = MemoryLedger()
        let scene = try ledger.claimedChat()
        let caller = Actor(unchecked: "device/1")
        let first = try ledger.run(ledger.message(in: scene), as: caller)
        let second = try ledger.run(
            ledger.message("on the way", in: scene, from: .operator(.sam)),
            as: .user(.sam, as: .operator)
        )
        #expect(first != second)
    }

    @Test func `answers a resend after the end with the message, and rejects a new one once`()
        throws
    {
        let ledger = MemoryLedger()
        let scene = try ledger.claimedChat()
        let message = try ledger.run(ledger.message(in: scene, as: "temp1"))
        try ledger.run(CloseSession(scene.session, by: .staff(.sam), disposition: "handled"))
        #expect(try ledger.run(ledger.message(in: scene, as: "temp1")) == message)
        for expected in [1, 0, 0] {
            let before = ledger.events.count
            #expect(throws: SendMessage.Refusal.ended(scene.session)) {
                try ledger.run(ledger.message(in: scene, as: "temp2"))
            }
            #expect(ledger.events.count - before == expected)
        }
        guard case .chat(.messageRejected(let rejected)) = ledger.events.last?.fact else {
            Issue.record("the rejection was not recorded")
            return
        }
        #expect(rejected.temporaryID == "temp2" && rejected.from == .caller)
    }

    @Test func `is delivered once and seen only forwards`() throws {
        let ledger = MemoryLedger()
        let scene = try ledger.claimedChat()
        let messages = try (1...3).map {
            try ledger.run(ledger.message("\($0)", in: scene, as: "t\($0)"))
        }
        let delivery = MarkDelivered(messages[0], in: scene.session, to: .operator(.sam))
        #expect(try ledger.count(delivery) == 1)
        try ledger.run(delivery)
        #expect(try ledger.count(delivery) == 0)
        let seen = { MarkSeen(upTo: messages[$0], in: scene.session, by: .operator(.sam)) }
        try ledger.run(seen(1))
        #expect(try [0, 1, 2].map { try ledger.count(seen($0)) } == [0, 0, 1])
        try ledger.run(seen(2))
        #expect(try ledger.state(Session.self, scene.session).chat.seen == [.operator: 3])
    }

    @Test func `is delivered and seen with others in one append`() throws {
        let ledger = MemoryLedger()
        let scene = try ledger.claimedChat()
        let messages = try (1...3).map {
            try ledger.run(ledger.message("\($0)", in: scene, as: "t\($0)"))
        }
        let some = { (numbers: [Int]) in
            MarkDelivered(
                numbers.map { messages[$0] },
                in: scene.session,
                to: .operator(.sam),
                areSeen: true
            )
        }
        #expect(try ledger.count(some([0, 0, 1])) == 3)
        try ledger.run(some([0, 1]))
        #expect(try ledger.count(some([1, 0])) == 0)
        #expect(try ledger.count(some([0, 1, 2])) == 2)
        try ledger.run(some([2]))
        let chat = try ledger.state(Session.self, scene.session).chat
        #expect(chat.seen == [.operator: 3])
        #expect(chat.messages.allSatisfy { $0.deliveredTo == [.operator] })
    }
}
