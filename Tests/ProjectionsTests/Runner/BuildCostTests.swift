// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Foundation
import Projections
import ProjectionsTesting
import TestSupport
import Testing

/// Promise 6 is worth nothing if a build never ends: four times the events cost about four times the work.
@Suite(.tags(.promise6)) struct `The work of a build` {
    private static let keys = SeededKeys()
    /// A centre's hours, of every kind of event.
    private static let history = Array(
        RecordedHistory(
            PlausibleHistory(seed: SeededGenerator.environmentSeed, events: 12_000),
            keys: keys
        )
        .prefix(12_000)
    )

    @Test(arguments: allProjectors.indices)
    func `grows with the events of a centre and not with their square`(_ number: Int) throws {
        try expectLinear(allProjectors[number], Self.history, keys: Self.keys)
    }

    @Test(arguments: allProjectors.indices)
    func `grows with the messages of one session and not with their square`(_ number: Int) throws {
        let talk = try LongTalk(rounds: 300)
        try expectLinear(allProjectors[number], talk.script.events, keys: talk.script.keys)
    }

    @Test func `is found out when a projector names no lookup`() throws {
        let talk = try LongTalk(rounds: 8)
        let fault = #expect(throws: ProjectorFault.self) {
            try ProjectorChecker(LookingProjector(), keys: talk.script.keys)
                .check(talk.script.events)
        }
        guard case .everyLookup(let statement, let plan) = fault?.broken else {
            Issue.record("\(String(describing: fault?.broken))")
            return
        }
        #expect(statement.contains("WHERE message"))
        #expect(plan.contains("SCAN"))
    }

    private func expectLinear(
        _ projector: any Projector,
        _ events: [RecordedEvent],
        keys: any PersonKeys
    ) throws {
        let checker = ProjectorChecker(projector, keys: keys)
        let quarter = Array(events.prefix(events.count / 4))
        let few = Double(try checker.steps(for: quarter))
        let many = Double(try checker.steps(for: events))
        let handled = { (events: [RecordedEvent]) in
            Double(events.count { projector.kinds.contains($0.envelope.kind) })
        }
        // Of some kinds there are few, so the work is counted by events that the model handles.
        let (fewHandled, manyHandled) = (handled(quarter), handled(events))
        // Of fewer, what each page costs is most of it.
        guard fewHandled >= 10 else { return }
        let growth = (many / manyHandled) / (few / fewHandled)
        #expect(
            growth < 1.6,
            "an event costs \(few / fewHandled) steps among \(fewHandled), \(many / manyHandled) among \(manyHandled)"
        )
    }
}

/// One session in which both sides write on and on, the operator sees all, and the caller is told of nothing.
struct LongTalk {
    private(set) var script = EventScript(seed: 7)

    init(rounds: Int) throws {
        let user = UserID(unchecked: "111111111")
        let person = try script.createUser(user, .operator, name: "Ada Byron")
        let opened = try script.openSession()
        try script.claim(opened.session, by: user)
        for round in 0..<rounds {
            let said = try script.say("There", in: opened.session, from: .caller, of: opened.caller)
            try record(
                .messageDelivered(ChatMessageDelivered(message: said, to: .operator)),
                opened.session
            )
            if round % 3 == 0 {
                try record(.messageSeen(ChatMessageSeen(upTo: said, by: .operator)), opened.session)
            }
            _ = try script.say("Where?", in: opened.session, from: .operator, of: person)
            let sent = try script.say("Now", in: opened.session, from: .operator, of: person)
            for fact: SIPEvent in [
                .replyQueued(SIPReplyQueued(message: sent, attempt: 1)),
                .replyAnswered(SIPReplyAnswered(message: sent, attempt: 1, status: 200)),
            ] { try script.record(.sip(fact), on: .session(opened.session)) }
            let fix = Fix(latitude: 52.48, longitude: -1.89, accuracyMetres: 8)
            try script.record(
                .location(
                    .reported(
                        LocationReported(
                            person: opened.caller,
                            fix: .open(fix, of: opened.caller),
                            method: "gps"
                        )
                    )
                ),
                on: .session(opened.session)
            )
        }
    }

    private mutating func record(_ fact: ChatEvent, _ session: SessionID) throws {
        try script.record(.chat(fact), on: .session(session))
    }
}

/// Finds a message by a column that has no lookup, as all builds once did.
private struct LookingProjector: Projector {
    let identity = ProjectorIdentity("looking", version: 1)
    let tables = [
        Table(
            "found",
            key: ["position"],
            columns: [
                "position INTEGER NOT NULL", "message TEXT NOT NULL", "seen INTEGER NOT NULL",
            ],
            indexes: [["message"]]
        )
    ]
    let handlers = Handlers {
        On(ChatMessageSent.self) { sent, event, rows in
            rows.run(
                "INSERT OR REPLACE INTO found VALUES (?1, ?2, 0)",
                event.envelope.position,
                sent.message
            )
        }
        On(ChatMessageDelivered.self) { delivered, _, rows in
            rows.run("UPDATE found SET seen = 1 WHERE message = ?1", delivered.message)
        }
    }
}
