// SPDX-License-Identifier: Apache-2.0
import Events
import TestSupport
import Testing

@testable import Commands

@Suite struct `A channel` {
    private let ledger = MemoryLedger()

    @Test func `counts its messages, and an author has read the own ones`() throws {
        let channel = try ledger.channel()
        let (guardian, desk) = (ledger.member(.guard), ledger.member(.operator))
        #expect(try ledger.write("who is there?", to: channel, by: desk).number == 1)
        #expect(try ledger.write("a fox", to: channel, by: guardian).number == 2)
        let state = try ledger.state(TeamChannel.self, channel)
        #expect(state.count == 2 && state.newestAt == ledger.now)
        #expect(state.read == [desk.user: 1, guardian.user: 2])
    }

    @Test func `is read forwards, the same again is nothing`() throws {
        let channel = try ledger.channel()
        let (guardian, desk) = (ledger.member(.guard), ledger.member(.operator))
        for _ in 0..<3 { try ledger.write("hello", to: channel, by: desk) }
        try ledger.run(ReadChannel(channel, through: 2, by: guardian))
        for through in [0, 1, 2] {
            let again = ReadChannel(channel, through: through, by: guardian)
            #expect(try ledger.count(again) == 0)
        }
        #expect(try ledger.state(TeamChannel.self, channel).read[guardian.user] == 2)
    }

    @Test(arguments: [-1, 2]) func `is read up to messages that there are`(through: Int) throws {
        let channel = try ledger.channel()
        let desk = ledger.member(.operator)
        try ledger.write("hello", to: channel, by: desk)
        let refusal = #expect(throws: ChannelRefusal.self) {
            try ledger.run(ReadChannel(channel, through: through, by: desk))
        }
        #expect(refusal?.problem.facts["field"] == "through")
    }

    @Test(arguments: [Role.supervisor, .caller, .reporter])
    func `takes nothing from a role that it does not name, and is told as if it were not there`(
        role: Role
    ) throws {
        let channel = try ledger.channel()
        let other = ledger.member(role)
        #expect(throws: ChannelRefusal.notMember(channel)) {
            try ledger.write("hello", to: channel, by: other)
        }
        #expect(throws: ChannelRefusal.notMember(channel)) {
            try ledger.run(ReadChannel(channel, through: 0, by: other))
        }
    }

    @Test func `that is closed, or leaves a role out, takes nothing from then on`() throws {
        let channel = try ledger.channel()
        let desk = ledger.member(.operator)
        try ledger.write("hello", to: channel, by: desk)
        for settings in [ChannelSet.sample(members: [.guard]), .sample(isOpen: false)] {
            try ledger.run(SetChannel(channel, to: settings))
            #expect(throws: ChannelRefusal.notMember(channel)) {
                try ledger.write("hello", to: channel, by: desk)
            }
        }
        try ledger.run(SetChannel(channel, to: .sample()))
        #expect(try ledger.write("again", to: channel, by: desk).number == 2)
    }

    @Test func `shows a moment with words or without, but takes no message of neither`() throws {
        let channel = try ledger.channel()
        let desk = ledger.member(.operator)
        let moment = ChannelMessageSent.Moment(
            camera: ledger.id(),
            name: "Gate",
            at: ledger.now,
            still: .sample(),
            stillBytes: 900
        )
        #expect(try ledger.write(nil, moment, to: channel, by: desk).moment == moment)
        #expect(try ledger.write("him", moment, to: channel, by: desk).number == 2)
        for text in [nil, " "] {
            #expect(throws: ChannelRefusal.unacceptable(.empty(field: "text"))) {
                try ledger.write(text, to: channel, by: desk)
            }
        }
    }

    @Test(
        arguments: [
            ("name", .sample(name: " ")), ("name", .sample(name: "a\u{202E}b")),
            ("site", .sample(site: String(repeating: "a", count: 129))),
            ("members", .sample(members: [.guard, .guard])),
            ("members", .sample(members: [.caller])),
            ("members", .sample(members: [.rescuer])),
        ] as [(String, ChannelSet)]
    )
    func `is opened only with a name, and for staff`(field: String, settings: ChannelSet) {
        let refusal = #expect(throws: SetChannel.Refusal.self) {
            try ledger.channel(settings)
        }
        #expect(refusal?.problem.facts["field"] == field)
    }
}

@Suite struct `A hold on a camera` {
    private let ledger = MemoryLedger()

    @Test func `keeps its footage until it is lifted, and no other camera's`() throws {
        let (held, other) = (try ledger.camera(), try ledger.camera(.sample(number: 4)))
        for camera in [held, other] {
            for file in ["a.webm", "b.webm"] {
                try ledger.run(ArchiveMinute(camera, .sample(in: file)))
            }
        }
        let hold = try ledger.run(
            PlaceHold(on: .camera(held), reason: "a theft", authority: "police")
        )
        #expect(throws: CameraRefusal.held(held)) {
            try ledger.run(ExpireFootage(held, .sample("a.webm")))
        }
        try ledger.run(ExpireFootage(other, .sample("a.webm")))
        let (first, second) = (ledger.member(.supervisor).user, ledger.member(.admin).user)
        try ledger.run(LiftHold(hold, reason: "closed", approvedBy: [first, second]))
        try ledger.run(ExpireFootage(held, .sample("a.webm")))
        #expect(ledger.events.last?.envelope.kind == CameraFootageExpired.kind)
    }

    @Test func `of another organisation is refused`() throws {
        let camera = try ledger.camera()
        let hold = PlaceHold(on: .camera(camera), reason: "a theft", authority: "police")
        #expect(throws: PlaceHold.Refusal.scopeUnknown(.camera(camera))) {
            try ledger.run(hold, in: .north)
        }
    }
}
