// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import TestSupport
import Testing

@testable import Commands

@Suite(.tags(.promise4)) struct `Random commands` {
    @Test(arguments: seeds(200))
    func `do what an independent model says`(seed: UInt64) throws {
        var play = try RandomPlay(seed: seed)
        for step in 0..<80 {
            try play.step("seed \(seed), step \(step)")
        }
        try play.compareStates("seed \(seed)")
    }

    @Test func `meet every refusal that the model knows`() throws {
        var met: Set<String> = []
        for seed in seeds(100) {
            var play = try RandomPlay(seed: seed)
            for step in 0..<80 { try play.step("seed \(seed), step \(step)") }
            met.formUnion(play.refusals)
        }
        // Exhausting the streams of a session takes more luck than a short play has.
        #expect(
            met.union(["session-streams-exhausted"]) == [
                "caller-in-session", "operator-has-open-session", "session-unknown",
                "session-closed", "session-expired", "session-claimed-by-other",
                "session-not-owned", "session-started", "session-without-limit",
                "session-limit-not-reached", "session-of-other-caller", "chat-ended",
                "device-of-other-number", "session-streams-exhausted", "request-pending",
                "request-unknown", "request-over", "offer-over", "colleague-cannot-hold",
                "colleague-has-open-session", "session-not-unattended", "take-over-too-soon",
            ]
        )
    }
}

/// That many seeds, beginning with the one of the environment (`DAYBOOK_SEED`).
func seeds(_ count: UInt64) -> [UInt64] {
    (0..<count).map { SeededGenerator.environmentSeed &+ $0 }
}

/// One random play: the ledger and the model side by side.
struct RandomPlay {
    let ledger: MemoryLedger
    private var model = SessionModel()
    private var chance: SeededGenerator
    private let callers: [PersonID]
    private let users: [UserID] = [.sam, .john, .mary]
    private var known: [SessionID] = []
    private(set) var refusals: Set<String> = []

    init(seed: UInt64) throws {
        ledger = MemoryLedger(seed: seed)
        chance = SeededGenerator(seed: seed &* 31)
        let ledger = ledger
        callers = (0..<4).map { _ in ledger.person() }
        for user in users { try ledger.user(user) }
    }

    mutating func step(_ comment: Comment) throws {
        let caller = Int.random(in: 0..<callers.count, using: &chance)
        let user = Int.random(in: 0..<users.count, using: &chance)
        // The newest sessions are the likely ones, as they are in life.
        let session = known.suffix(4).randomElement(using: &chance) ?? ledger.id()
        switch Int.random(in: 0..<21, using: &chance) {
        case 17: try offer(session, user, comment)
        case 18: try accept(session, user, comment)
        case 19: try takeOver(session, user, comment)
        case 20: try silence(user, comment)
        case 0: wait()
        case 1: try create(user, caller, comment)
        case 2, 3: try chat(caller, comment)
        case 4: try claim(session, user, comment)
        case 5: try release(session, user, comment)
        case 6: try close(session, user, comment)
        case 7: try expire(session, comment)
        case 8, 9: try send(session, caller, comment)
        case 10, 11: try stream(session, caller, comment)
        case 12: try locate(session, caller, comment)
        case 13: try ask(session, user, comment)
        case 14: try open(request(of: session), in: session, caller, comment)
        default: try answer(request(of: session), in: session, caller, comment)
        }
    }

    private mutating func wait() {
        let microseconds =
            [1, 4_000_000, 60_000_000, 120_000_000].randomElement(using: &chance) ?? 1
        ledger.wait(.microseconds(microseconds))
        model.wait(microseconds)
    }

    private mutating func create(_ user: Int, _ caller: Int, _ comment: Comment) throws {
        let command = CreateSession(by: users[user], caller: callers[caller], phone: .first)
        let expected = model.creating(by: user, for: caller)
        guard let outcome = try run(command, expected, comment) else { return }
        known.append(outcome.session)
        model.created(outcome.session, by: user, for: caller)
    }

    private mutating func chat(_ caller: Int, _ comment: Comment) throws {
        let open = model.liveSession(ofCaller: caller)
        let command = StartChat(caller: callers[caller])
        guard let outcome = try run(command, nil, comment) else { return }
        #expect(outcome.isReused == (open != nil), comment)
        if let open { #expect(outcome.session == open, comment) }
        if !outcome.isReused { known.append(outcome.session) }
        model.chatted(outcome.session, by: caller)
    }

    private mutating func claim(_ id: SessionID, _ user: Int, _ comment: Comment) throws {
        let expected = model.claiming(id, by: user)
        guard try run(ClaimSession(id, by: users[user]), expected, comment) != nil else { return }
        model.owned(id, by: user)
    }

    private mutating func release(_ id: SessionID, _ user: Int, _ comment: Comment) throws {
        let command = ReleaseSession(id, by: Staff(users[user], as: .operator))
        guard try run(command, model.leaving(id, by: user), comment) != nil else { return }
        model.owned(id, by: nil)
    }

    private mutating func offer(_ id: SessionID, _ user: Int, _ comment: Comment) throws {
        let other = Int.random(in: 0..<users.count, using: &chance)
        let staff = Staff(users[user], as: .operator)
        let command = OfferSession(id, by: staff, to: users[other], reason: "shift")
        let expected = model.offering(id, by: user, to: other)
        guard try run(command, expected, comment) != nil else { return }
        model.offered(id, to: other)
    }

    private mutating func accept(_ id: SessionID, _ user: Int, _ comment: Comment) throws {
        let command = AnswerOffer(id, by: users[user], .accepted)
        guard try run(command, model.accepting(id, by: user), comment) != nil else { return }
        model.owned(id, by: user)
    }

    private mutating func takeOver(_ id: SessionID, _ user: Int, _ comment: Comment) throws {
        let command = TakeOverSession(id, by: users[user])
        guard try run(command, model.takingOver(id, by: user), comment) != nil else { return }
        model.owned(id, by: user)
    }

    private mutating func silence(_ user: Int, _ comment: Comment) throws {
        _ = try run(LogOut(users[user], reason: .idle), nil, comment)
        model.silenced(user)
    }

    private mutating func close(_ id: SessionID, _ user: Int, _ comment: Comment) throws {
        let staff = Staff(users[user], as: .operator)
        let command = CloseSession(id, by: .staff(staff), disposition: "handled")
        guard try run(command, model.leaving(id, by: user), comment) != nil else { return }
        model.closed(id)
    }

    private mutating func expire(_ id: SessionID, _ comment: Comment) throws {
        _ = try run(ExpireSession(id), model.expiring(id), comment)
    }

    private mutating func send(_ id: SessionID, _ caller: Int, _ comment: Comment) throws {
        let message = SessionModel.Message(
            sender: caller,
            temporaryID: Int.random(in: 0..<5, using: &chance)
        )
        let scene = Scene(session: id, caller: callers[caller])
        let expected = model.sending(message, in: id)
        let actor = Actor(unchecked: "device/\(caller)")
        let name = "t\(message.temporaryID)"
        // A text or a picture: both are messages, and a repetition by the same id is the first one.
        let sent =
            Int.random(in: 0..<3, using: &chance) == 0
            ? try run(ledger.picture(in: scene, as: name), expected, comment, as: actor)
            : try run(ledger.message(in: scene, as: name), expected, comment, as: actor)
        guard let sent else { return }
        if let first = model.rows[id]?.messages[message] { #expect(sent == first, comment) }
        model.sent(message, sent, in: id)
    }

    private mutating func stream(_ id: SessionID, _ caller: Int, _ comment: Comment) throws {
        let command = ledger.start(ledger.id(), in: id, from: .link(of: callers[caller]))
        guard try run(command, model.streaming(in: id, by: caller), comment) != nil else { return }
        model.streamed(id)
    }

    private mutating func locate(_ id: SessionID, _ caller: Int, _ comment: Comment) throws {
        let command = ReportLocation(
            .birmingham,
            in: id,
            by: .caller(callers[caller]),
            method: "gps"
        )
        guard try run(command, model.locating(in: id, by: caller), comment) != nil else { return }
        model.located(id)
    }

    private mutating func ask(_ id: SessionID, _ user: Int, _ comment: Comment) throws {
        let command = SendRequest(id, by: users[user], ask: .sendLocation)
        guard let sent = try run(command, model.asking(in: id, by: user), comment) else { return }
        model.asked(sent.request, in: id)
    }

    /// One that was asked there, mostly the newest, or one that nobody knows.
    private mutating func request(of session: SessionID) -> Events.RequestID {
        let asked = model.rows[session]?.requests.keys.sorted { "\($0)" < "\($1)" } ?? []
        return asked.suffix(2).randomElement(using: &chance) ?? ledger.id()
    }

    private mutating func open(
        _ request: Events.RequestID,
        in id: SessionID,
        _ caller: Int,
        _ comment: Comment
    ) throws {
        let command = MarkRequestOpened(request, in: id, by: .caller(callers[caller]))
        let expected = model.opening(request, in: id, by: caller)
        guard try run(command, expected, comment) != nil else { return }
        model.opened(request, in: id)
    }

    private mutating func answer(
        _ request: Events.RequestID,
        in id: SessionID,
        _ caller: Int,
        _ comment: Comment
    ) throws {
        let sender = Sender.caller(callers[caller])
        let command = AnswerRequest(request, in: id, by: sender, answer: .accepted)
        let expected = model.answering(request, in: id, by: caller)
        guard let counted = try run(command, expected, comment) else { return }
        #expect(counted == model.counted(request, in: id), comment)
        model.answered(request, in: id)
    }

    /// Runs a command and holds its end against what the model expects.
    private mutating func run<C: Command>(
        _ command: C,
        _ expected: String?,
        _ comment: Comment,
        as actor: Actor = Actor(unchecked: "operator/1")
    ) throws -> C.Outcome? {
        do {
            let outcome = try ledger.run(command, as: actor)
            #expect(expected == nil, "\(comment): \(C.self) was not refused")
            return outcome
        } catch let refusal as any CommandRefusal {
            #expect(refusal.problem.slug == expected, "\(comment): \(C.self)")
            refusals.insert(refusal.problem.slug)
            return nil
        }
    }

    /// Holds what the folds say against what the model says.
    func compareStates(_ comment: Comment) throws {
        for (id, row) in model.rows {
            let session = try ledger.state(Session.self, id)
            #expect(session.isOpen(at: ledger.now) == model.isLive(id), comment)
            #expect(session.isStarted == row.hasStarted, comment)
            #expect(session.chat.messages.count == row.messages.count, comment)
            #expect(session.streams.count == row.streams, comment)
            #expect(session.owner == row.owner.map { users[$0] }, comment)
            for stream in session.streams {
                #expect(try ledger.state(Stream.self, stream).isOver == row.isClosed, comment)
            }
        }
    }
}
