// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import TestSupport
import Testing

@testable import Commands

@Suite(.tags(.promise3, .promise4), .timeLimit(.minutes(10))) struct `Handling a command` {
    @Test func `gives one of a hundred concurrent claims, and tells the others its owner`()
        async throws
    {
        let ledger = try LedgerOnDisk()
        let session = try await ledger.run(StartChat(caller: ledger.person())).outcome.session
        let winners = try await concurrently(100) { number -> UserID? in
            let user = UserID(unchecked: "\(1_000 + number)")
            do {
                try await ledger.run(
                    ClaimSession(session, by: user),
                    ledger.context(.user(user, as: .operator))
                )
                return user
            } catch ClaimSession.Refusal.taken(session, let owner) {
                #expect(owner == (try ledger.handler.current(Session.self, session).owner))
                return nil
            }
        }
        let owner = try ledger.handler.current(Session.self, session).owner
        #expect(winners.compactMap(\.self) == [owner].compactMap(\.self))
        #expect(ledger.log.size == 4)
        try await ledger.close()
    }

    /// Whoever did not hear an answer asks again, perhaps before the first request is done.
    @Test func `under way many times under one id is done once, and each gets its receipt`()
        async throws
    {
        let ledger = try LedgerOnDisk()
        let phone = try #require(PhoneNumber("+447700900001"))
        let command = RegisterDevice(
            try #require(DeviceID("01890000-0000-7000-8000-000000000001")),
            of: try ledger.person(),
            phone: phone,
            verification: .link
        )
        let log = ledger.log
        let receipts = try await concurrently(32) { _ in
            // Handlers of their own take no turns: only the log's writer keeps them apart.
            try await CommandHandler(log: log)
                .handle(command, ledger.context(command: "c-1")).receipt?.last
        }
        #expect(Set(receipts).count == 1 && receipts.first != .some(nil))
        #expect(try log.entries(of: DeviceRegistered.kind).count == 1)
        try await ledger.close()
    }

    @Test func `gives an operator one of many sessions claimed at once`() async throws {
        let ledger = try LedgerOnDisk()
        var sessions: [SessionID] = []
        for _ in 0..<20 {
            sessions.append(
                try await ledger.run(StartChat(caller: ledger.person())).outcome.session
            )
        }
        let all = sessions
        let claimed = try await concurrently(20) { number -> SessionID? in
            do {
                try await ledger.run(ClaimSession(all[number], by: .sam))
                return all[number]
            } catch ClaimSession.Refusal.operatorBusy(let busy) {
                #expect(busy.open.count == 1 && busy.max == 1)
                return nil
            }
        }
        #expect(claimed.compactMap(\.self).count == 1)
        #expect(try ledger.handler.current(Operator.self, .sam).sessions.count == 1)
        try await ledger.close()
    }

    @Test func `opens one session of a caller who starts many times at once`() async throws {
        let ledger = try LedgerOnDisk()
        let caller = try ledger.person()
        let outcomes = try await concurrently(20) { _ in
            try await ledger.run(StartChat(caller: caller)).outcome
        }
        #expect(Set(outcomes.map(\.session)).count == 1)
        #expect(outcomes.filter { !$0.isReused }.count == 1)
        try await ledger.close()
    }

    /// Ruling 44: reading something never makes a decision about it stale, nor is it folded by one.
    @Test func `does not look at who looked`() async throws {
        let ledger = try LedgerOnDisk()
        let session = try await ledger.run(StartChat(caller: ledger.person())).outcome.session
        let incident = try #require(ledger.handler.current(Membership.self, session).incident)
        _ = try ledger.handler.current(MergedIncidents.self, incident)
        let read = ledger.handler.folds.eventsRead
        let actor = Actor.user(.sam, as: .operator)
        for resource in [Subject.session(session), .incident(incident)] {
            let access = RecordAccess(by: actor, of: resource, purpose: "case", fields: ["text"])
            try await ledger.run(access, ledger.context(actor))
        }
        _ = try ledger.handler.current(Membership.self, session)
        _ = try ledger.handler.current(MergedIncidents.self, incident)
        #expect(ledger.handler.folds.eventsRead == read)
        try await ledger.close()
    }

    @Test func `takes in what it recorded without reading it back`() async throws {
        let ledger = try LedgerOnDisk()
        let caller = try ledger.person()
        let session = try await ledger.run(StartChat(caller: caller)).outcome.session
        try await ledger.run(ClaimSession(session, by: .sam))
        let read = ledger.handler.folds.eventsRead
        for number in 0..<50 {
            try await ledger.run(
                SendMessage(
                    "ambulance",
                    in: session,
                    from: number.isMultiple(of: 2) ? .caller(caller) : .operator(.sam),
                    temporaryID: "t\(number)",
                    clientTimestamp: "437647234",
                    channel: .webSocket
                )
            )
        }
        #expect(ledger.handler.folds.eventsRead == read)
        // It is what somebody makes of it who reads everything.
        let reader = CommandHandler(log: ledger.log)
        let known = try ledger.handler.current(Session.self, session)
        #expect(try reader.current(Session.self, session) == known)
        #expect(
            try reader.current(Caller.self, caller) == ledger.handler.current(Caller.self, caller)
        )
        #expect(
            try reader.current(Operator.self, .sam) == ledger.handler.current(Operator.self, .sam)
        )
        try await ledger.close()
    }

    @Test(arguments: [false, true])
    func `again by the same id gives the same answer`(reopened: Bool) async throws {
        let ledger = try LedgerOnDisk()
        let caller = try ledger.person()
        let create = CreateSession(by: .sam, caller: caller, phone: .first)
        let first = try await ledger.run(create, ledger.context(command: "c-1"))
        let session = first.outcome.session
        try await ledger.run(ClaimSession(session, by: .sam))
        if reopened { try await ledger.reopen() }
        ledger.wait(.seconds(30))
        let again = try await ledger.run(create, ledger.context(command: "c-1"))
        #expect(again.outcome == first.outcome)
        #expect(again.receipt?.first == first.receipt?.first)
        #expect(again.receipt?.revisions == first.receipt?.revisions)
        #expect(again.receipt?.repeated == true && first.receipt?.repeated == false)
        try await ledger.close()
    }

    @Test func `gives a resent message its first id and place, also after a restart`() async throws
    {
        let ledger = try LedgerOnDisk()
        let caller = try ledger.person()
        let session = try await ledger.run(StartChat(caller: caller)).outcome.session
        let message = SendMessage(
            "ambulance",
            in: session,
            from: .caller(caller),
            temporaryID: "temp1234567890",
            clientTimestamp: "437647234",
            channel: .webSocket
        )
        let first = try await ledger.run(message)
        try await ledger.reopen()
        let again = try await ledger.run(message)
        #expect(again.outcome == first.outcome)
        #expect(again.receipt?.first == first.receipt?.first)
        #expect(again.receipt?.revisions == first.receipt?.revisions)
        #expect(again.receipt?.time == first.receipt?.time)
        try await ledger.close()
    }

    @Test func `that is refused and recorded is refused again by the same id`() async throws {
        let ledger = try LedgerOnDisk()
        let point: PatrolPointID = ledger.id()
        try await ledger.run(DefinePatrolPoint(point, as: .sample()))
        let afar = Fix(latitude: 53, longitude: -1.9026)
        let scan = CheckIn(
            at: point,
            by: .mary,
            person: try ledger.person(),
            code: .genuine(number: 1),
            fix: afar
        )
        for _ in 1...2 {
            await #expect(throws: CheckIn.Refusal.tooFar(point)) {
                try await ledger.run(scan, ledger.context(command: "scan-1"))
            }
            try await ledger.reopen()
        }
        #expect(ledger.log.size == 2)
        try await ledger.close()
    }

    @Test func `decides between starting and expiring once`() async throws {
        for _ in 1...5 {
            let ledger = try LedgerOnDisk()
            let caller = try ledger.person()
            let create = CreateSession(by: .sam, caller: caller, phone: .first)
            let session = try await ledger.run(create).outcome.session
            let stream: StreamID = ledger.id()
            let start = start(stream, in: session, of: caller)
            let startContext = ledger.context()
            ledger.wait(.seconds(120))
            async let started: Void = ignoringRefusal { try await ledger.run(start, startContext) }
            async let expired: Void = ignoringRefusal {
                try await ledger.run(ExpireSession(session))
            }
            _ = try await (started, expired)
            let state = try ledger.handler.current(Session.self, session)
            #expect(state.isStarted != (state.ending == .expired))
            try await ledger.close()
        }
    }

    @Test func `with the id of another command is told so`() async throws {
        let ledger = try LedgerOnDisk()
        let caller = try ledger.person()
        try await ledger.run(StartChat(caller: caller), ledger.context(command: "c-1"))
        let report = SubmitReport(
            by: caller,
            at: .birmingham,
            species: "seal",
            sizeClass: .small,
            condition: .alive
        )
        await #expect(throws: CommandFault.idReused(CommandID(unchecked: "c-1"))) {
            try await ledger.run(report, ledger.context(command: "c-1"))
        }
        try await ledger.close()
    }

    @Test(arguments: [false, true])
    func `of the same type, but with another text, is told so for ever`(reopened: Bool) async throws
    {
        let ledger = try LedgerOnDisk()
        let caller = try ledger.person()
        let session = try await ledger.run(StartChat(caller: caller)).outcome.session
        func message(_ text: String, _ temporaryID: String) -> SendMessage {
            SendMessage(
                text,
                in: session,
                from: .caller(caller),
                temporaryID: temporaryID,
                clientTimestamp: "437647234",
                channel: .webSocket
            )
        }
        let first = try await ledger.run(message("first", "t-1"), ledger.context(command: "c-1"))
        if reopened { try await ledger.reopen() }
        await #expect(throws: CommandFault.idReused(CommandID(unchecked: "c-1"))) {
            try await ledger.run(message("SECOND", "t-2"), ledger.context(command: "c-1"))
        }
        let again = try await ledger.run(message("first", "t-1"), ledger.context(command: "c-1"))
        #expect(again.outcome == first.outcome && again.receipt?.repeated == true)
        try await ledger.close()
    }

    @Test func `that closes under the id of a claim is told so, and the session stays open`()
        async throws
    {
        let ledger = try LedgerOnDisk()
        let session = try await ledger.run(StartChat(caller: ledger.person())).outcome.session
        try await ledger.run(ClaimSession(session, by: .sam), ledger.context(command: "c-1"))
        let close = CloseSession(session, by: .staff(.sam), disposition: "handled")
        await #expect(throws: CommandFault.idReused(CommandID(unchecked: "c-1"))) {
            try await ledger.run(close, ledger.context(command: "c-1"))
        }
        #expect(try ledger.handler.current(Session.self, session).ending == nil)
        try await ledger.close()
    }

    @Test func `that found it so already leaves nothing, and is decided anew by the same id`()
        async throws
    {
        let ledger = try LedgerOnDisk()
        let session = try await ledger.run(StartChat(caller: ledger.person())).outcome.session
        let claim = ClaimSession(session, by: .sam)
        try await ledger.run(claim, ledger.context(command: "first"))
        let size = ledger.log.size
        let already = try await ledger.run(claim, ledger.context(command: "again"))
        #expect(ledger.log.size == size && already.receipt?.repeated ?? true)
        try await ledger.run(ReleaseSession(session, by: .sam))
        let anew = try await ledger.run(claim, ledger.context(command: "again"))
        #expect(anew.receipt?.repeated == false)
        // The first one was recorded, and gives its receipt for ever.
        let first = try await ledger.run(claim, ledger.context(command: "first"))
        #expect(first.receipt?.repeated == true && ledger.log.size > size)
        try await ledger.close()
    }

    @Test func `asks what its members say, whatever their order by chance`() throws {
        let session = try #require(SessionID("0199a5d2-0000-7000-8000-000000000001"))
        let close = CloseSession(session, by: .staff(.sam), disposition: "handled")
        #expect(
            CommandContent.digest(of: close)
                == CommandContent.digest(
                    of: CloseSession(session, by: .staff(.sam), disposition: "handled")
                )
        )
        #expect(
            CommandContent.digest(of: close)
                != CommandContent.digest(
                    of: CloseSession(session, by: .staff(.john), disposition: "handled")
                )
        )
        let settings = Dictionary(uniqueKeysWithValues: (0..<64).map { ("\($0)", $0) })
        let reordered = Dictionary(
            uniqueKeysWithValues: settings.shuffled().map { ($0.key, $0.value) }
        )
        #expect(
            CommandContent.digest(of: EnablePolicy("p", settings: settings))
                == CommandContent.digest(of: EnablePolicy("p", settings: reordered))
        )
    }

    @Test func `records access once in a minute`() async throws {
        let ledger = try LedgerOnDisk()
        let actor = Actor.user(.sam, as: .operator)
        let access = RecordAccess(
            by: actor,
            of: .session(ledger.id()),
            purpose: "transcript",
            fields: ["text"]
        )
        for _ in 1...3 {
            let id = access.commandID(at: ledger.now).text
            try await ledger.run(access, ledger.context(actor, command: id))
        }
        #expect(ledger.log.size == 1)
        try await ledger.close()
    }

    @Test func `stops a session's streams with it on disk`() async throws {
        let ledger = try LedgerOnDisk()
        let caller = try ledger.person()
        let create = CreateSession(by: .sam, caller: caller, phone: .first)
        let session = try await ledger.run(create).outcome.session
        for _ in 0..<CommandLimits.streamsPerSessionMax {
            try await ledger.run(start(ledger.id(), in: session, of: caller))
        }
        let close = CloseSession(session, by: .staff(.sam), disposition: "handled")
        let receipt = try await ledger.run(close).receipt
        #expect(receipt?.count == CommandLimits.streamsPerSessionMax + 1)
        try await ledger.close()
    }

    private func start(
        _ stream: StreamID,
        in session: SessionID,
        of caller: PersonID
    ) -> StartStream {
        StartStream(
            stream,
            in: session,
            from: .link(of: caller),
            settings: .medium,
            transport: .webSocket,
            codec: .vp9,
            file: "2026/11/2026-11-21-13-11-123456789.webm",
            timeZone: "UTC"
        )
    }

    private func ignoringRefusal(_ body: @Sendable () async throws -> some Any) async throws {
        do { _ = try await body() } catch is any CommandRefusal {}
    }
}

@Suite(.timeLimit(.minutes(10))) struct `Turns on a subject` {
    @Test func `come one after another, in the order of arrival`() async throws {
        let lanes = Lanes()
        let subject = Subject(unchecked: "session/a")
        try await lanes.enter(subject)
        // Another subject is free meanwhile.
        try await lanes.enter(Subject(unchecked: "session/b"))
        let order = try await withThrowingTaskGroup(of: Void.self) { group in
            let arrived = AsyncStream.makeStream(of: Int.self)
            group.addTask {
                try await lanes.enter(subject)
                arrived.continuation.yield(1)
                lanes.leave(subject)
            }
            lanes.leave(subject)
            var numbers = arrived.stream.makeAsyncIterator()
            let first = await numbers.next()
            try await group.waitForAll()
            return first
        }
        #expect(order == 1)
    }
}

/// Runs a body many times at once and gives what each returned.
func concurrently<Value: Sendable>(
    _ count: Int,
    _ body: @escaping @Sendable (Int) async throws -> Value
) async throws -> [Value] {
    try await withThrowingTaskGroup(of: Value.self) { group in
        for number in 0..<count { group.addTask { try await body(number) } }
        var values: [Value] = []
        for try await value in group { values.append(value) }
        return values
    }
}
