// SPDX-License-Identifier: Apache-2.0
import Events
import ProjectionsTesting
import Testing

@testable import Projections

@Suite struct `A search of the desk` {
    private let amina = UserID(unchecked: "111111111")
    private let ben = UserID(unchecked: "222222222")

    private func desk(_ script: EventScript) async throws -> OperatorDesk {
        OperatorDesk(
            try await rows(of: OperatorDeskProjector(), script.events, keys: script.keys)
        )
    }

    private func scope(_ user: UserID, of organisation: OrganisationID = .main) -> Scope {
        Scope(organisation: organisation, reader: .desk(user))
    }

    private func found(
        _ text: String,
        in desk: OperatorDesk,
        for scope: Scope = .wholeLedger,
        _ fill: (inout OperatorDesk.Search) -> Void = { _ in }
    ) async throws -> [DeskFinding] {
        var search = OperatorDesk.Search()
        search.text = text
        fill(&search)
        return try await desk.search(search, in: scope)
    }

    @Test func `finds messages by whole words, the beginning of the last, and without diacritics`()
        async throws
    {
        var script = EventScript()
        let opened = try script.openSession()
        let text = "Smoke in the Café Müller, third floor"
        _ = try script.say(text, in: opened.session, from: .caller, of: opened.caller)
        let desk = try await desk(script)
        for words in [
            "smoke", "SMOKE caf", "cafe", "Café", "mull", "floor third smoke", "café müller",
        ] {
            let findings = try await found(words, in: desk)
            #expect(findings.map(\.session) == [opened.session], "\(words)")
            #expect(findings.map(\.kind) == [.message])
        }
        for words in ["smo third", "smoke fire", "f", "moke", "\" OR NEAR( *", "!", ""] {
            #expect(try await found(words, in: desk).isEmpty, "\(words)")
        }
        let finding = try #require(try await found("smoke fl", in: desk).first)
        #expect(finding.text == text)
        #expect(finding.matches == [0..<5, 32..<37])
        #expect(finding.sender == .caller)
        #expect(finding.incident == opened.incident)
        #expect(finding.caller == opened.caller)
        #expect(finding.phone == "+447712345678")
    }

    @Test func `finds a session by the number that it was opened for`() async throws {
        var script = EventScript()
        let opened = try script.openSession(phone: "+447712345678")
        _ = try script.openSession(phone: "+447799999999")
        let desk = try await desk(script)
        for (text, prefix) in [
            ("07712 345", "+447712345"), ("+44 7712", "+447712"), ("447712345678", "+447712345678"),
        ] {
            let findings = try await found(text, in: desk) { $0.phonePrefix = prefix }
            #expect(findings.map(\.session) == [opened.session], "\(text)")
            #expect(findings.map(\.kind) == [.session])
        }
        #expect(try await found("+447712345678", in: desk).map(\.session) == [opened.session])
        #expect(
            try await found("07712", in: desk) {
                $0.phonePrefix = "+447712"
                $0.kind = .message
            }.isEmpty
        )
    }

    @Test func `finds a telephone's name once, however often it texts`() async throws {
        var script = EventScript()
        let opened = try script.openSession(channel: .telephone)
        for name in ["Zoë O’Neill", "Zoë O’Neill", "Zoë Brown"] {
            let sender = SIPSender(
                uri: "sip:+447712345678@192.0.2.7",
                number: "+447712345678",
                name: name,
                host: "192.0.2.7",
                port: 5_060,
                answersTo: "sip:+447712345678@192.0.2.7"
            )
            let received = SIPMessageReceived(
                person: opened.caller,
                sender: .open(sender, of: opened.caller),
                isVerified: false,
                trunk: nil,
                transport: .udp,
                method: .message,
                sequence: 1,
                message: nil,
                raw: SHA256Digest(bytes: Array(repeating: 7, count: 32)),
                rawBytes: 9
            )
            try script.record(.sip(.messageReceived(received)), on: .session(opened.session))
        }
        let desk = try await desk(script)
        let findings = try await found("zoe", in: desk)
        #expect(
            findings.map(\.text) == ["Zoë Brown +447712345678", "Zoë O’Neill +447712345678"]
        )
        #expect(try await found("o’nei 4477", in: desk).isEmpty)
        #expect(try await found("o’neill 4477", in: desk).count == 1)
    }

    @Test func `finds places by their Plus Code, one for each square, and by address`() async throws
    {
        var script = EventScript()
        let opened = try script.openSession()
        let fixes = [(47.36559, 8.524997), (47.36559, 8.524998), (47.0000625, 8.0000625)]
        for (latitude, longitude) in fixes + [fixes[0]] {
            let fix = Fix(latitude: latitude, longitude: longitude)
            let reported = LocationReported(
                person: opened.caller,
                fix: .open(fix, of: opened.caller),
                method: "gps"
            )
            try script.record(.location(.reported(reported)), on: .session(opened.session))
        }
        let set = IncidentAddressSet(
            address: .open("94 Birmingham Road", of: opened.caller),
            plusCode: .open("9C4WFQJ6+8V", of: opened.caller),
            source: .operator
        )
        try script.record(.incident(.addressSet(set)), on: .incident(opened.incident))
        let desk = try await desk(script)
        for code in ["8FVC9G8F+6X", "8fvc9g8f+6x", "8FVC9G"] {
            let findings = try await found(code, in: desk)
            #expect(findings.map(\.text) == ["8FVC9G8F+6X", "8FVC9G8F+6X"], "\(code)")
            #expect(findings.map(\.kind) == [.place, .place])
        }
        #expect(try await found("9G8F+6X", in: desk).isEmpty)
        for words in ["birm", "94 birmingham", "9C4WFQJ6+8V"] {
            let findings = try await found(words, in: desk) { $0.kind = .place }
            #expect(findings.map(\.session) == [opened.session], "\(words)")
        }
        #expect(try await found("birm", in: desk) { $0.kind = .message }.isEmpty)
    }

    @Test func `leaves out what is private to others, and before the limit`() async throws {
        var script = EventScript()
        let open = [try script.openSession(), try script.openSession()]
        let mine = try script.openSession()
        try script.claim(mine.session, by: amina)
        for one in open + [mine] {
            _ = try script.say("fire here", in: one.session, from: .caller, of: one.caller)
        }
        for _ in 0..<3 {
            let theirs = try script.openSession()
            try script.claim(theirs.session, by: ben)
            _ = try script.say("fire there", in: theirs.session, from: .caller, of: theirs.caller)
        }
        let desk = try await desk(script)
        let two = try await found("fire", in: desk, for: scope(amina)) { $0.limit = 2 }
        #expect(two.map(\.session) == [mine.session, open[1].session])
        let rest = try await found("fire", in: desk, for: scope(amina)) {
            $0.limit = 2
            $0.before = two.last?.position
        }
        #expect(rest.map(\.session) == [open[0].session])
        let all = Scope(organisation: .main, reader: .everything)
        #expect(try await found("fire", in: desk, for: all).count == 6)
        #expect(try await found("fire", in: desk, for: scope(ben)).count == 5)
        let other = OrganisationID(unchecked: "other")
        #expect(try await found("fire", in: desk, for: scope(amina, of: other)).isEmpty)
        let caller = Scope.Reader.caller(mine.caller, sessions: nil, past: .all)
        for reader in [.nothing, caller] {
            let scope = Scope(organisation: .main, reader: reader)
            #expect(try await found("fire", in: desk, for: scope).isEmpty)
        }
    }

    @Test func `shows what has ended, unless it is sealed, and what a link may have opened`()
        async throws
    {
        var script = EventScript()
        let (mine, theirs) = (try script.openSession(), try script.openSession())
        try script.claim(mine.session, by: amina)
        try script.claim(theirs.session, by: ben)
        _ = try script.say("fire", in: theirs.session, from: .caller, of: theirs.caller)
        #expect(try await found("fire", in: desk(script), for: scope(amina)).isEmpty)
        let linked = IncidentSessionLinked(
            session: theirs.session,
            from: theirs.incident,
            reason: "same fire"
        )
        try script.record(.incident(.sessionLinked(linked)), on: .incident(mine.incident))
        let joined = try await found("fire", in: desk(script), for: scope(amina))
        #expect(joined.map(\.incident) == [mine.incident])
        for one in [mine, theirs] {
            let closed = SessionClosed(
                caller: one.caller,
                by: .operator,
                owner: ben,
                disposition: "handled"
            )
            try script.record(.session(.closed(closed)), on: .session(one.session))
        }
        #expect(try await found("fire", in: desk(script), for: scope(amina)).count == 1)
        let sealed = SessionSealed(by: UserID(unchecked: "333333333"), reason: nil)
        try script.record(.session(.sealed(sealed)), on: .session(theirs.session))
        #expect(try await found("fire", in: desk(script), for: scope(amina)).isEmpty)
        #expect(try await found("fire", in: desk(script), for: scope(ben)).count == 1)
    }

    @Test func `keeps to a period`() async throws {
        var script = EventScript()
        let opened = try script.openSession()
        var times: [Timestamp] = []
        for text in ["fire one", "fire two", "fire three"] {
            _ = try script.say(text, in: opened.session, from: .caller, of: opened.caller)
            times.append(try #require(script.events.last).envelope.time)
        }
        let desk = try await desk(script)
        let late = try await found("fire", in: desk) { $0.from = times[1] }
        #expect(late.map(\.text) == ["fire three", "fire two"])
        let early = try await found("fire", in: desk) { $0.until = times[1] }
        #expect(early.map(\.text) == ["fire one"])
        let one = try await found("fire", in: desk) { ($0.from, $0.until) = (times[1], times[2]) }
        #expect(one.map(\.at) == [times[1]])
        let end = times[2] + .seconds(1)
        #expect(try await found("fire", in: desk) { $0.from = end }.isEmpty)
        #expect(try await found("fire", in: desk) { $0.until = end }.count == 3)
    }

    @Test func `finds nothing of somebody who was erased, nor does a rebuild`() async throws {
        var script = EventScript()
        let (gone, stays) = (
            try script.openSession(phone: "+447711111111"), try script.openSession()
        )
        for one in [gone, stays] {
            _ = try script.say("fire", in: one.session, from: .caller, of: one.caller)
            let fix = Fix(latitude: 47.36559, longitude: 8.524997)
            let reported = LocationReported(
                person: one.caller,
                fix: .open(fix, of: one.caller),
                method: "gps"
            )
            try script.record(.location(.reported(reported)), on: .session(one.session))
            let set = IncidentAddressSet(
                address: .open("Lane 7", of: one.caller),
                source: .operator
            )
            try script.record(.incident(.addressSet(set)), on: .incident(one.incident))
        }
        let keys = script.keys
        try script.erase(gone.caller)
        _ = try script.say("fire again", in: gone.session, from: .operator, of: stays.caller)
        let projector = OperatorDeskProjector()
        let live = OperatorDesk(try await rows(of: projector, script.events, keys: keys))
        let rebuilt = try await desk(script)
        for words in ["fire", "8FVC9G8F+6X", "lane"] {
            let findings = try await found(words, in: live)
            #expect(findings.contains { $0.session == stays.session })
            #expect(findings.allSatisfy { $0.session == stays.session || $0.text == "fire again" })
            #expect(try await found(words, in: rebuilt) == findings)
        }
        for desk in [live, rebuilt] {
            #expect(
                try await found("0771111", in: desk) { $0.phonePrefix = "+44771111" }.isEmpty
            )
        }
    }
}

@Suite struct `A marked text` {
    private func marked(_ text: String) -> MarkedText {
        MarkedText(
            text.replacing("[", with: String(MarkedText.opening))
                .replacing("]", with: String(MarkedText.closing))
        )
    }

    @Test func `counts as JavaScript does`() {
        let one = marked("🔥 [fire] [ü]")
        #expect(one.text == "🔥 fire ü")
        #expect(one.matches == [3..<7, 8..<9])
    }

    @Test(arguments: ["]a", "a[", "[]", "[[a", "]]["])
    func `has only whole marks`(text: String) {
        let one = marked(text)
        #expect(one.matches.isEmpty)
        #expect(one.text == text.filter { $0 == "a" })
    }
}
