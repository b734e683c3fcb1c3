// SPDX-License-Identifier: Apache-2.0
import Events
import TestSupport
import Testing

@testable import Commands

@Suite struct `Texting by telephone` {
    private let ledger = MemoryLedger()

    @Test func `opens a session with its words, its request and its place together`() throws {
        let fix = TakeTelephoneMessage.Content.Place.fix(.birmingham, method: "gps")
        let session = try ledger.run(ledger.text(from: ledger.person(), place: fix))
        #expect(
            ledger.events.map(\.envelope.kind) == [
                "session.created/1", "incident.opened/1", "incident.session_linked/1",
                "chat.message_sent/1", "sip.message_received/1", "location.reported/1",
            ]
        )
        let state = try ledger.state(Session.self, session)
        #expect(state.isTextOnly && state.callerHasWritten && state.locatedAt != nil)
    }

    @Test func `an unverified number is not the session's`() throws {
        let session = try ledger.run(ledger.text(from: ledger.person()))
        let state = try ledger.state(Session.self, session)
        #expect(state.contact?.hasNumber == false)
        #expect(state.telephone?.isVerified == false)
    }

    @Test func `the next text goes into the same session`() throws {
        let person = ledger.person()
        let first = try ledger.run(ledger.text(from: person))
        let second = try ledger.run(ledger.text("second floor", from: person, as: "a2"))
        #expect(first == second)
        #expect(try ledger.state(Session.self, first).chat.messages.count == 2)
    }

    @Test func `the same request is one message, whatever its command is called`() throws {
        let person = ledger.person()
        try ledger.run(ledger.text(from: person))
        let count = ledger.events.count
        try ledger.run(ledger.text(from: person))
        #expect(ledger.events.count == count)
    }

    @Test func `a text to a person who chats on the page joins that session`() throws {
        let scene = try ledger.chat()
        #expect(try ledger.run(ledger.text(from: scene.caller)) == scene.session)
    }

    @Test func `an answer goes the way of the caller's last message`() throws {
        let (scene, message) = try ledger.reply()
        #expect(try replies(scene)[message]?.state == .queued)
        try ledger.run(ledger.message("on the page now", in: scene))
        let onPage = try ledger.run(ledger.answer(in: scene, as: "o2"))
        #expect(try replies(scene)[onPage] == nil)
        let chosen = try ledger.run(ledger.answer(in: scene, as: "o3", by: .telephone))
        #expect(try replies(scene)[chosen]?.attempt == 1)
    }

    @Test func `an answer that the telephone takes is delivered`() throws {
        let (scene, message) = try ledger.reply()
        try send(message, in: scene, attempt: 1, end: .answered(status: 202))
        #expect(try replies(scene)[message]?.state == .delivered)
        let state = try ledger.state(Session.self, scene.session)
        #expect(state.chat[message]?.deliveredTo == [.caller])
    }

    @Test(arguments: [nil, 486, 0] as [Int?])
    func `an answer that fails is sent again when its operator asks`(status: Int?) throws {
        let (scene, message) = try ledger.reply()
        let end: RecordReply.Step =
            status.map { .answered(status: $0) } ?? .timedOut(milliseconds: 4000)
        try send(message, in: scene, attempt: 1, end: end)
        #expect(try replies(scene)[message]?.state == .failed(status: status))
        let again = SendReplyAgain(message, in: scene.session, by: .sam)
        #expect(try ledger.run(again) == 2)
        try send(message, in: scene, attempt: 2, end: .answered(status: 200))
        #expect(try replies(scene)[message]?.state == .delivered)
    }

    @Test func `a muted session goes on taking texts`() throws {
        let person = ledger.person()
        let session = try ledger.run(ledger.text(from: person))
        try ledger.run(ClaimSession(session, by: .sam))
        try ledger.run(MuteSession(session, by: Staff(.sam, as: .operator), isMuted: true))
        try ledger.run(ledger.text("again", from: person, as: "a2"))
        let state = try ledger.state(Session.self, session)
        #expect(state.isMuted && state.chat.messages.count == 2)
    }

    @Test func `a caller's quick response is recorded beside its words`() throws {
        let scene = try ledger.chat()
        let message = SendMessage(
            "Send the fire brigade",
            in: scene.session,
            from: .caller(scene.caller),
            temporaryID: "q1",
            clientTimestamp: "",
            channel: .webSocket,
            quickResponse: .fire
        )
        let id = try ledger.run(message)
        guard case .chat(.quickResponseChosen(let chosen))? = ledger.events.last?.fact else {
            Issue.record("the last event is no quick response")
            return
        }
        #expect(chosen == ChatQuickResponseChosen(message: id, service: .fire))
    }

    private func replies(_ scene: Scene) throws -> [MessageID: Telephone.Reply] {
        try ledger.state(Session.self, scene.session).telephone?.replies ?? [:]
    }

    private func send(
        _ message: MessageID,
        in scene: Scene,
        attempt: Int,
        end: RecordReply.Step
    ) throws {
        let raw = SHA256Digest(of: [UInt8]("raw".utf8))
        for step in [RecordReply.Step.sent(.udp, raw: raw, bytes: 90), end] {
            try ledger.run(RecordReply(message, in: scene.session, attempt: attempt, step))
        }
    }
}
