// SPDX-License-Identifier: Apache-2.0
import Events
import ProjectionsTesting
import Testing

@testable import Projections

@Suite struct `The conversations` {
    private func conversations(_ script: EventScript) async throws -> Conversations {
        Conversations(try await rows(of: ConversationsProjector(), script.events))
    }

    @Test func `show each message queued, delivered and seen, with its text sealed`() async throws {
        var script = EventScript()
        let opened = try script.openSession()
        let message = try script.say("smoke", in: opened.session, from: .caller, of: opened.caller)
        let queued = try #require(try await conversations(script).message(message))
        #expect(queued.state == .queued)
        #expect(try queued.text?.opened(with: script.keys).value == "smoke")
        #expect(try queued.text?.opened(with: NoKeys()) == .erased)
        try script.record(
            .chat(.messageDelivered(ChatMessageDelivered(message: message, to: .operator))),
            on: .session(opened.session)
        )
        #expect(try await conversations(script).message(message)?.state == .delivered)
        try script.record(
            .chat(.messageSeen(ChatMessageSeen(upTo: message, by: .operator))),
            on: .session(opened.session)
        )
        #expect(try await conversations(script).message(message)?.state == .seen)
    }

    @Test func `show pictures among the messages, and how far they came`() async throws {
        var script = EventScript()
        let opened = try script.openSession()
        _ = try script.say("look", in: opened.session, from: .caller, of: opened.caller)
        let picture = try script.show(in: opened.session, from: .caller, of: opened.caller)
        try script.record(
            .chat(.messageSeen(ChatMessageSeen(upTo: picture, by: .operator))),
            on: .session(opened.session)
        )
        let conversations = try await conversations(script)
        let messages = try await conversations.messages(of: CaseReference(opened.session))
        #expect(messages.map { $0.picture == nil } == [true, false])
        #expect(messages.map(\.state) == [.seen, .seen])
        #expect(messages.last?.picture?.person == opened.caller)
        #expect(messages.last?.picture?.width == 4_032)
        let pictures = try await conversations.pictures(in: opened.session)
        #expect(pictures == [messages.last?.picture].compactMap(\.self))
    }

    @Test func `mark every earlier message of the other side as seen, and none of one's own`()
        async throws
    {
        var script = EventScript()
        let opened = try script.openSession()
        let one = try script.say("1", in: opened.session, from: .caller, of: opened.caller)
        let own = try script.say("2", in: opened.session, from: .operator, of: opened.caller)
        let three = try script.say("3", in: opened.session, from: .caller, of: opened.caller)
        let four = try script.say("4", in: opened.session, from: .caller, of: opened.caller)
        try script.record(
            .chat(.messageSeen(ChatMessageSeen(upTo: three, by: .operator))),
            on: .session(opened.session)
        )
        let messages = try await conversations(script).messages(of: CaseReference(opened.session))
        #expect(messages.map(\.id) == [one, own, three, four])
        #expect(messages.map(\.state) == [.seen, .queued, .seen, .queued])
    }

    @Test func `give an incident's messages of all its sessions in the order of the log`()
        async throws
    {
        let evening = try Evening()
        let conversations = try await conversations(evening.script)
        let all = try await conversations.messages(of: CaseReference(evening.first.incident))
        #expect(all.count == 2)
        let rest = try await conversations.messages(
            of: CaseReference(evening.first.incident),
            after: all[0].position
        )
        #expect(rest.map(\.id) == [all[1].id])
        #expect(
            try await conversations.conversations(of: CaseReference(evening.first.incident)).count
                == 2
        )
    }

    @Test func `give a caller the own history, newest first`() async throws {
        var script = EventScript()
        let first = try script.openSession()
        let second = try script.openSession(caller: first.caller)
        let history = try await conversations(script).history(of: first.caller)
        #expect(history.map(\.session) == [second.session, first.session])
    }

    @Test func `know what a side has not received yet`() async throws {
        var script = EventScript()
        let opened = try script.openSession()
        let one = try script.say("1", in: opened.session, from: .operator, of: opened.caller)
        let two = try script.say("2", in: opened.session, from: .operator, of: opened.caller)
        try script.record(
            .chat(.messageDelivered(ChatMessageDelivered(message: one, to: .caller))),
            on: .session(opened.session)
        )
        let messages = try await conversations(script)
            .messages(of: CaseReference(opened.session))
        #expect(messages.filter { $0.deliveredAt == nil }.map(\.id) == [two])
    }
}
