// SPDX-License-Identifier: Apache-2.0
import Events
import Testing

@testable import Commands

@Suite struct `A session` {
    @Test func `opened by an operator begins with its incident and its owner`() throws {
        let ledger = MemoryLedger()
        let caller = ledger.person()
        let opened = try ledger.run(CreateSession(by: .sam, caller: caller, phone: .first))
        let session = try ledger.state(Session.self, opened.session)
        #expect(session.owner == .sam)
        #expect(session.contact?.expiresAt == ledger.now + .seconds(120))
        #expect(opened.expiresAt == session.contact?.expiresAt)
        #expect(try ledger.state(Incident.self, opened.incident).sessions == [opened.session])
        #expect(try ledger.state(Membership.self, opened.session).incident == opened.incident)
    }

    @Test func `opened by a caller has no limit and is the caller's until closed`() throws {
        let ledger = MemoryLedger()
        let scene = try ledger.chat()
        ledger.wait(.seconds(86_400))
        let again = try ledger.run(StartChat(caller: scene.caller))
        #expect(again == StartChat.Outcome(session: scene.session, isReused: true))
        try ledger.run(ClaimSession(scene.session, by: .sam))
        try ledger.run(CloseSession(scene.session, by: .staff(.sam), disposition: "handled"))
        let new = try ledger.run(StartChat(caller: scene.caller))
        #expect(new.session != scene.session && !new.isReused)
    }

    @Test func `that closes stops its live streams and no other`() throws {
        let ledger = MemoryLedger()
        let scene = try ledger.video()
        let (first, second) = (try ledger.stream(in: scene), try ledger.stream(in: scene))
        try ledger.run(StopStream(first, by: .caller, reason: "done"))
        try ledger.run(ArchiveChunk(.sample(0), of: second))
        try ledger.run(ArchiveChunk(.sample(1), of: second))
        #expect(try ledger.count(closing(scene)) == 2)
        try ledger.run(closing(scene))
        #expect(try ledger.state(Stream.self, second).isOver)
        guard case .stream(.stopped(let stopped)) = ledger.events.last?.fact else {
            Issue.record("the stream was not stopped")
            return
        }
        #expect(stopped.chunks == 2 && stopped.bytes == 2_000)
        #expect(stopped.durationMilliseconds == 1_966 && stopped.by == .operator)
    }

    @Test func `can be closed by a supervisor, and by the centre itself`() throws {
        let ledger = MemoryLedger()
        let (first, second) = (try ledger.claimedChat(), try ledger.chat())
        try ledger.run(CloseSession(first.session, by: .staff(.boss), disposition: "handled"))
        try ledger.run(CloseSession(second.session, by: .system, disposition: "abandoned"))
        #expect(try !ledger.state(Session.self, second.session).isOpen(at: ledger.now))
    }

    @Test func `signals an activity once in five seconds`() throws {
        let ledger = MemoryLedger()
        let scene = try ledger.chat()
        let typing = SignalActivity(
            scene.session,
            by: .caller(scene.caller),
            activity: .typing
        )
        let counts = try [0, 4_999, 1, 4_999, 1].map { milliseconds in
            ledger.wait(.milliseconds(milliseconds))
            let count = try ledger.count(typing)
            try ledger.run(typing)
            return count
        }
        #expect(counts == [1, 0, 1, 0, 1])
    }

    @Test func `takes an answer that comes too late as stale`() throws {
        let ledger = MemoryLedger()
        let scene = try ledger.video()
        let request = try ledger.request(.startVideo, in: scene)
        ledger.wait(.seconds(120))
        let counted = try ledger.run(
            AnswerRequest(
                request,
                in: scene.session,
                by: .caller(scene.caller),
                answer: .accepted
            )
        )
        #expect(counted == .stale)
    }

    @Test func `tells whoever answers after a request became stale how that counts`() throws {
        let ledger = MemoryLedger()
        let scene = try ledger.video()
        let request = try ledger.request(.startVideo, in: scene)
        ledger.wait(.seconds(120))
        try ledger.run(AnswerRequest(request, in: scene.session, by: .system, answer: .stale))
        for answer in [SessionRequestAnswered.Answer.accepted, .declined] {
            let late = AnswerRequest(
                request,
                in: scene.session,
                by: .caller(scene.caller),
                answer: answer
            )
            #expect(try ledger.run(late) == .stale)
            #expect(try ledger.count(late) == 0)
        }
    }

    @Test func `records once that a request is shown, and while it waits`() throws {
        let ledger = MemoryLedger()
        let scene = try ledger.video()
        let request = try ledger.request(.startVideo, in: scene)
        let opened = ledger.opened(request, in: scene)
        #expect(try ledger.count(opened) == 1)
        try ledger.run(opened)
        #expect(try ledger.count(opened) == 0)
        ledger.wait(.seconds(120))
        #expect(try ledger.count(opened) == 0)
    }

    @Test func `takes the same answer twice`() throws {
        let ledger = MemoryLedger()
        let scene = try ledger.video()
        let request = try ledger.request(.startVideo, in: scene)
        let answer = AnswerRequest(
            request,
            in: scene.session,
            by: .caller(scene.caller),
            answer: .declined
        )
        #expect(try ledger.run(answer) == .declined)
        #expect(try ledger.count(answer) == 0)
        #expect(try ledger.request(.startVideo, in: scene) != request)
    }

    @Test func `moves to another incident and names the one it left`() throws {
        let ledger = MemoryLedger()
        let (first, second) = (try ledger.chat(), try ledger.chat())
        let from = try ledger.state(Membership.self, first.session).incident
        let to = try #require(try ledger.state(Membership.self, second.session).incident)
        let link = LinkSession(first.session, to: to, reason: "same fire")
        try ledger.run(link)
        guard case .incident(.sessionLinked(let linked)) = ledger.events.last?.fact else {
            Issue.record("the session was not linked")
            return
        }
        #expect(linked.from == from)
        #expect(try ledger.state(Incident.self, to).sessions == [second.session, first.session])
        #expect(try ledger.count(link) == 0)
    }

    @Test func `is given up by an operator who leaves, not by a closed tab`() throws {
        let ledger = MemoryLedger()
        try ledger.user(.sam)
        let scene = try ledger.claimedChat(by: .sam)
        try ledger.run(LogOut(.sam, reason: .tabClosed))
        #expect(try ledger.state(Session.self, scene.session).owner == .sam)
        try ledger.run(LogIn(.sam, method: .token))
        try ledger.run(LogOut(.sam, reason: .idle))
        let kept = try ledger.state(Session.self, scene.session)
        #expect(kept.owner == .sam)
        #expect(kept.absence?.since == ledger.now)
        #expect(try ledger.count(LogOut(.sam, reason: .idle)) == 0)
        try ledger.run(LogOut(.sam, reason: .revoked))
        #expect(try ledger.state(Session.self, scene.session).owner == nil)
    }

    @Test func `is given up also by who had signed out before, and kept by who is elsewhere`()
        throws
    {
        let ledger = MemoryLedger()
        try ledger.user(.sam)
        for _ in 0..<2 { try ledger.run(LogIn(.sam, method: .password)) }
        try ledger.run(LogOut(.sam, reason: .user))
        let scene = try ledger.claimedChat(by: .sam)
        #expect(try ledger.count(LogOut(.sam, reason: .user, isElsewhere: true)) == 0)
        #expect(try ledger.state(Session.self, scene.session).owner == .sam)
        #expect(try ledger.count(LogOut(.sam, reason: .user)) == 2)
        try ledger.run(LogOut(.sam, reason: .user))
        #expect(try ledger.state(Session.self, scene.session).owner == nil)
        #expect(try ledger.count(LogOut(.sam, reason: .user)) == 0)
    }

    private func closing(_ scene: Scene) -> CloseSession {
        CloseSession(scene.session, by: .staff(.sam), disposition: "handled", note: "fire is out")
    }
}
