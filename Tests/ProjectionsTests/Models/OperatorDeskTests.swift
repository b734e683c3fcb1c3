// SPDX-License-Identifier: Apache-2.0
import Events
import ProjectionsTesting
import Testing

@testable import Projections

@Suite struct `The operator desk` {
    private let ada = UserID(unchecked: "1")
    private let bob = UserID(unchecked: "2")

    private func desk(_ script: EventScript) async throws -> OperatorDesk {
        OperatorDesk(try await rows(of: OperatorDeskProjector(), script.events, keys: script.keys))
    }

    @Test func `shows a session with its countdown until something starts`() async throws {
        var script = EventScript()
        let opened = try script.openSession(channel: .video, by: .operator, limitSeconds: 120)
        let waiting = try #require(try await desk(script).session(opened.session))
        #expect(waiting.state == .waiting)
        #expect(waiting.expiresAt.map { $0 - waiting.createdAt } == .seconds(120))
        _ = try script.startStream(in: opened.session, opened.incident, opened.caller)
        let started = try #require(try await desk(script).session(opened.session))
        #expect(started.state == .open)
        #expect(started.liveStreams == 1)
    }

    @Test func `shows a session as open from its caller's first message on`() async throws {
        var script = EventScript()
        let opened = try script.openSession(channel: .video, by: .operator, limitSeconds: 120)
        _ = try script.say("hello?", in: opened.session, from: .operator, of: opened.caller)
        #expect(try await desk(script).session(opened.session)?.state == .waiting)
        _ = try script.say("I am here", in: opened.session, from: .caller, of: opened.caller)
        #expect(try await desk(script).session(opened.session)?.state == .open)
    }

    @Test func `shows the address of the incident that a session belongs to now`() async throws {
        var evening = try Evening()
        func shown() async throws -> [String?] {
            let desk = try await desk(evening.script)
            var addresses: [String?] = []
            for session in [evening.first.session, evening.second.session] {
                let address = try await desk.session(session)?.address
                addresses.append(try address?.opened(with: evening.script.keys).value)
            }
            return addresses
        }
        try evening.setAddress("2 Beta Road", of: evening.second.incident)
        #expect(try await shown() == ["94 Birmingham", "94 Birmingham"])
        try evening.setAddress("3 Gamma Square", of: evening.first.incident)
        #expect(try await shown() == ["3 Gamma Square", "3 Gamma Square"])
        try evening.unlinkSecond()
        #expect(try await shown() == ["3 Gamma Square", "2 Beta Road"])
    }

    @Test func `counts unread messages of each side until they are seen`() async throws {
        var script = EventScript()
        let opened = try script.openSession()
        _ = try script.say("one", in: opened.session, from: .caller, of: opened.caller)
        let two = try script.say("two", in: opened.session, from: .caller, of: opened.caller)
        _ = try script.show(in: opened.session, from: .operator, of: opened.caller)
        let before = try #require(try await desk(script).session(opened.session))
        #expect(before.unreadForOperator == 2)
        #expect(before.unreadForCaller == 1)
        try script.record(
            .chat(.messageSeen(ChatMessageSeen(upTo: two, by: .operator))),
            on: .session(opened.session)
        )
        let after = try #require(try await desk(script).session(opened.session))
        #expect(after.unreadForOperator == 0)
        #expect(after.unreadForCaller == 1)
    }

    @Test func `shows what a caller wrote first and last, from where, and what is live`()
        async throws
    {
        var script = EventScript()
        let opened = try script.openSession()
        let (session, caller) = (opened.session, opened.caller)
        let silent = try #require(try await desk(script).session(session))
        #expect(silent.firstWords == nil && silent.lastWords == nil)
        #expect(silent.place == nil && silent.liveStream == nil)

        _ = try script.say("Ambulance needed", in: session, from: .caller, of: caller)
        _ = try script.say("one is trapped", in: session, from: .caller, of: caller)
        _ = try script.say("Help is on its way.", in: session, from: .operator, of: caller)
        _ = try script.show(in: session, from: .caller, of: caller)
        for latitude in [51.5, 51.6565] {
            let fix = Fix(latitude: latitude, longitude: -0.39, accuracyMetres: 12)
            let reported = LocationReported(
                person: caller,
                fix: .open(fix, of: caller),
                method: "gps"
            )
            try script.record(.location(.reported(reported)), on: .session(session))
        }
        let lost = LocationUnavailable(reason: .timeout)
        try script.record(.location(.unavailable(lost)), on: .session(session))
        let stream = try script.startStream(in: session, opened.incident, caller)
        let row = try #require(try await desk(script).session(session))
        #expect(try row.firstWords?.opened(with: script.keys).value == "Ambulance needed")
        #expect(try row.lastWords?.opened(with: script.keys).value == "one is trapped")
        #expect(try row.place?.opened(with: script.keys).value?.latitude == 51.6565)
        #expect(row.liveStream == stream)

        try script.erase(caller)
        script.destroyKey(of: caller)
        let erased = try #require(try await desk(script).session(session))
        #expect(try erased.firstWords?.opened(with: script.keys).value == nil)
        #expect(try erased.place?.opened(with: script.keys).value == nil)
    }

    @Test func `lists a caller's contacts as far as their contents may be read`() async throws {
        var script = EventScript()
        let first = try script.openSession()
        let second = try script.openSession(caller: first.caller)
        _ = try script.openSession(phone: "+447712000000")
        var filter = OperatorDesk.Filter()
        filter.caller = first.caller
        func contacts(_ reader: UserID) async throws -> [SessionID] {
            let scope = Scope(organisation: .main, reader: .desk(reader))
            return try await desk(script).sessions(filter, in: scope).map(\.id)
        }
        #expect(try await contacts(bob) == [second.session, first.session])
        try script.claim(second.session, by: ada)
        #expect(try await contacts(ada) == [second.session, first.session])
        // That the caller is with a colleague now is as private as what is said there.
        #expect(try await contacts(bob) == [first.session])
    }

    @Test(arguments: [(wrote: false, left: 0), (true, 1)])
    func
        `a withdrawn wish to show video leaves the queue, and its session if nothing else is in it`(
            wrote: Bool,
            left: Int
        ) async throws
    {
        var script = EventScript()
        let (session, _, caller) = try script.openSession()
        let wished = SessionVideoWished(caller: caller, expiresAt: script.now + .seconds(120))
        try script.record(.session(.videoWished(wished)), on: .session(session))
        if wrote { _ = try script.say("smoke", in: session, from: .caller, of: caller) }
        let before = try await desk(script).pendingChats(in: .wholeLedger)
        #expect(before.map(\.wishesVideoUntil) == [wished.expiresAt])
        let withdrawn = SessionVideoWishWithdrawn(caller: caller)
        try script.record(.session(.videoWishWithdrawn(withdrawn)), on: .session(session))
        let after = try await desk(script).pendingChats(in: .wholeLedger)
        #expect(after.map(\.wishesVideoUntil) == Array(repeating: nil, count: left))
        #expect(try await desk(script).session(session)?.wishesVideoUntil == nil)
    }

    @Test func `lists pending chats, the oldest first, until they are claimed`() async throws {
        var script = EventScript()
        let first = try script.openSession()
        let second = try script.openSession(phone: "+447712000000")
        _ = try script.say("a", in: second.session, from: .caller, of: second.caller)
        _ = try script.say("b", in: first.session, from: .caller, of: first.caller)
        #expect(
            try await desk(script).pendingChats(in: .wholeLedger).map(\.id) == [
                second.session, first.session,
            ]
        )
        try script.claim(second.session, by: ada)
        #expect(try await desk(script).pendingChats(in: .wholeLedger).map(\.id) == [first.session])
        try script.record(
            .session(.released(SessionReleased(owner: ada, reason: .leftOpen))),
            on: .session(second.session)
        )
        #expect(
            try await desk(script).pendingChats(in: .wholeLedger).map(\.id) == [
                first.session, second.session,
            ]
        )
    }

    @Test(arguments: [SessionReleased.Reason.logout, .disconnect])
    func `lets a caller wait whose operator was signed out, from then on`(
        _ reason: SessionReleased.Reason
    ) async throws {
        var script = EventScript()
        let opened = try script.openSession()
        try script.claim(opened.session, by: ada)
        #expect(try await desk(script).pendingChats(in: .wholeLedger).isEmpty)
        let released = SessionReleased(owner: ada, reason: reason)
        try script.record(.session(.released(released)), on: .session(opened.session))
        let since = try #require(script.events.last?.envelope.time)
        // What is written later moves nobody to the end of those who wait.
        _ = try script.say("are you there?", in: opened.session, from: .caller, of: opened.caller)
        #expect(
            try await desk(script).pendingChats(in: .wholeLedger).map(\.pendingSince) == [since]
        )
    }

    @Test func `lets a caller wait who films while nobody has the session`() async throws {
        var script = EventScript()
        let left = try script.openSession()
        try script.claim(left.session, by: ada)
        try script.record(
            .session(.released(SessionReleased(owner: ada, reason: .leftOpen))),
            on: .session(left.session)
        )
        #expect(try await desk(script).pendingChats(in: .wholeLedger).isEmpty)
        _ = try script.startStream(in: left.session, left.incident, left.caller)
        #expect(try await desk(script).pendingChats(in: .wholeLedger).map(\.id) == [left.session])

        // One who films already when the operator leaves, too.
        let filming = try script.openSession(phone: "+447712000000")
        try script.claim(filming.session, by: ada)
        _ = try script.startStream(in: filming.session, filming.incident, filming.caller)
        #expect(try await desk(script).pendingChats(in: .wholeLedger).map(\.id) == [left.session])
        try script.record(
            .session(.released(SessionReleased(owner: ada, reason: .leftOpen))),
            on: .session(filming.session)
        )
        #expect(
            try await desk(script).pendingChats(in: .wholeLedger).map(\.id)
                == [left.session, filming.session]
        )
    }

    @Test func `knows who is signed in, and how many sessions they have`() async throws {
        var script = EventScript()
        let boss = UserID(unchecked: "9")
        _ = try script.createUser(ada, .operator)
        _ = try script.createUser(bob, .operator)
        _ = try script.createUser(boss, .supervisor)
        for user in [ada, boss] {
            try script.record(.user(.loggedIn(UserLoggedIn(method: .password))), on: .user(user))
        }
        let opened = try script.openSession()
        try script.claim(opened.session, by: ada)
        let present = try await desk(script).operators(in: .main, signedIn: true)
        #expect(present.map(\.id) == [ada, boss])
        #expect(present.map(\.openSessions) == [1, 0])
    }

    @Test func `shows how far a request has come`() async throws {
        var script = EventScript()
        let opened = try script.openSession()
        let request: RequestID = script.id()
        let asked = SessionRequestSent(request: request, ask: .startVideo, expiresAt: script.now)
        try script.record(.session(.requestSent(asked)), on: .session(opened.session))
        let sent = try #require(try await desk(script).request(request))
        #expect(sent.openedAt == nil && sent.answer == nil)
        let shown = SessionRequestOpened(request: request)
        try script.record(.session(.requestOpened(shown)), on: .session(opened.session))
        let time = try #require(script.events.last?.envelope.time)
        #expect(try await desk(script).request(request)?.openedAt == time)
        let stale = SessionRequestAnswered(request: request, answer: .stale)
        try script.record(.session(.requestAnswered(stale)), on: .session(opened.session))
        let over = try #require(try await desk(script).requests(of: opened.session).first)
        #expect(over.openedAt == time && over.answer == .stale)
    }

    @Test func `finds callers by the beginning of their number`() async throws {
        var script = EventScript()
        let first = try script.openSession(phone: "+447712345678")
        _ = try script.openSession(phone: "+447713000000")
        let desk = try await desk(script)
        #expect(
            try await desk.callers(phonePrefix: "+44 77 123 45", in: .main).map(\.person)
                == [first.caller]
        )
        #expect(try await desk.callers(phonePrefix: "+44771", in: .main).count == 2)
        #expect(try await desk.callers(phonePrefix: "+", in: .main).isEmpty)
        #expect(try await desk.callers(phonePrefix: "077", in: .main).isEmpty)
    }

    @Test func `shows what has ended to every operator, unless it is sealed`() async throws {
        var script = EventScript(seed: 5)
        let (owner, other) = (UserID(unchecked: "1"), UserID(unchecked: "2"))
        let opened = try script.openSession()
        try script.claim(opened.session, by: owner)
        func found(_ user: UserID) async throws -> Bool {
            let scope = Scope(organisation: .main, reader: .desk(user))
            return try await !desk(script).callers(phonePrefix: "+4", in: scope).isEmpty
        }
        #expect(try await found(owner))
        #expect(try await !found(other))
        let closed = SessionClosed(
            caller: opened.caller,
            by: .operator,
            owner: owner,
            disposition: "handled"
        )
        try script.record(.session(.closed(closed)), on: .session(opened.session))
        #expect(try await found(other))
        let boss = UserID(unchecked: "3")
        let sealed = SessionSealed(by: boss, reason: .open("a colleague", of: opened.caller))
        try script.record(.session(.sealed(sealed)), on: .session(opened.session))
        #expect(try await found(owner))
        #expect(try await !found(other))
        #expect(try await desk(script).session(opened.session)?.isSealed == true)
        let unsealed = SessionUnsealed(by: boss, reason: .open("training", of: opened.caller))
        try script.record(.session(.unsealed(unsealed)), on: .session(opened.session))
        #expect(try await found(other))
    }

    @Test func `finds a number by sessions that are the reader's to read, in that organisation`()
        async throws
    {
        let evening = try Evening()
        let desk = try await desk(evening.script)
        func found(_ reader: Scope.Reader, in organisation: OrganisationID = .main) async throws
            -> Set<PersonID>
        {
            let scope = Scope(organisation: organisation, reader: reader)
            return Set(try await desk.callers(phonePrefix: "+4", in: scope).map(\.person))
        }
        let all = try await found(.everything)
        #expect(all.contains(evening.first.caller))
        // Both sessions stand in one incident: each owner reads both.
        #expect(try await found(.desk(evening.operatorA)) == all)
        #expect(try await found(.desk(evening.operatorB)) == all)
        // It has ended: others look it up as well.
        #expect(try await found(.desk(UserID(unchecked: "333333333"))) == all)
        let own = Scope.Reader.caller(evening.first.caller, sessions: nil, past: .all)
        #expect(try await found(own) == [evening.first.caller])
        #expect(try await found(.nothing).isEmpty)
        let north = OrganisationID(unchecked: "north")
        #expect(try await found(.everything, in: north).isEmpty)
        #expect(
            try await desk.sessions(in: Scope(organisation: north, reader: .everything)).isEmpty
        )
        let named = Scope.Reader.caller(
            evening.first.caller,
            sessions: [evening.second.session],
            past: .all
        )
        #expect(try await found(named).isEmpty)
        // A phone that was registered afterwards sees what somebody agreed to.
        let began = try #require(UUIDv7("\(evening.first.session)")).milliseconds
        let session = evening.first.session
        for (past, sees) in [
            (Scope.Past.since(began, and: []), true), (.since(began + 1, and: []), false),
            (.since(began + 1, and: [session]), true),
        ] {
            let reader = Scope.Reader.caller(evening.first.caller, sessions: nil, past: past)
            let scope = Scope(organisation: .main, reader: reader)
            let listed = try await desk.sessions(in: scope).map(\.id)
            #expect(listed.contains(session) == sees)
        }
    }

    @Test func `answers by session and by incident, after a session moved`() async throws {
        let evening = try Evening()
        let desk = try await desk(evening.script)
        let both = try await desk.sessions(of: CaseReference(evening.first.incident))
        #expect(both.map(\.id) == [evening.first.session, evening.second.session])
        #expect(try await desk.sessions(of: CaseReference(evening.second.incident)).isEmpty)
        #expect(try await desk.sessions(of: CaseReference(evening.second.session)).count == 1)
    }

    @Test func `pages the list of sessions by position`() async throws {
        var script = EventScript()
        for _ in 0..<5 { _ = try script.openSession() }
        let desk = try await desk(script)
        var filter = OperatorDesk.Filter()
        filter.limit = 2
        var pages: [[DeskSession]] = []
        while let page = Optional(try await desk.sessions(filter, in: .main)), !page.isEmpty {
            pages.append(page)
            filter.before = page.last?.createdPosition
        }
        #expect(pages.map(\.count) == [2, 2, 1])
        #expect(Set(pages.joined().map(\.id)).count == 5)
    }
}

extension Scope {
    fileprivate static let main = Scope(organisation: .main, reader: .everything)
}
