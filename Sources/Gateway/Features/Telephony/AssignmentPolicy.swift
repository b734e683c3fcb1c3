// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Projections
import Synchronization

/// Gives each text that waits to one operator after the other, where the site wants that: those who are signed in and may take one
/// more, in turn; who does not answer in time is passed over.
struct AssignmentPolicy: TimedPolicy {
    let ledger: Ledger

    var name: String { AssignSession.policy }
    /// 0 leaves texts in the queue, from which operators take them.
    var settings: [String: Int] { ["answerSeconds": seconds] }

    private var seconds: Int {
        Int(ledger.configuration.policies.textAssignment / .seconds(1))
    }

    func act(at now: Timestamp, behind start: LogPosition) async throws {
        guard seconds > 0 else { return }
        let desk = ledger.readModels.desk
        let waiting = try await desk.pendingChats(in: .wholeLedger)
        guard !waiting.isEmpty else { return }
        let present = try await desk.operators(in: .wholeLedger, signedIn: true)
            .filter { $0.role == .operator }
        var asked: Set<UserID> = []
        var free: [Session] = []
        for row in waiting {
            let session = try await ledger.handler.settled(Session.self, row.id)
            guard session.isTextOnly, session.owner == nil else { continue }
            if let offer = session.offer, now < offer.expiresAt {
                asked.insert(offer.to)
            } else {
                free.append(session)
            }
        }
        for session in free {
            guard let cause = session.contact?.cause, cause.position > start else { continue }
            let next = try next(for: session, among: present.map(\.id), besides: asked, at: now)
            guard let next else { continue }
            asked.insert(next)
            ledger.assignmentTurns.note(next)
            try await ledger.handle(
                AssignSession(session.id, to: next, for: seconds),
                of: name,
                because: cause,
                step: "assign-\(session.assignedTo.count)-\(next)"
            )
        }
    }

    /// Whose turn it is: first those whom this session was not given to, then whose last turn is longest ago.
    private func next(
        for session: Session,
        among present: [UserID],
        besides asked: Set<UserID>,
        at now: Timestamp
    ) throws -> UserID? {
        guard let organisation = session.contact?.organisation else { return nil }
        let policy = try ledger.handler.current(Policy.self, OperatorLimit.policy)
        let able = try present.filter { user in
            guard !asked.contains(user),
                try ledger.handler.current(User.self, user).mayHold(of: organisation)
            else { return false }
            let sessions = try ledger.handler.current(Operator.self, user).sessions
            let open = try sessions.map { try ledger.handler.current(Session.self, $0) }
            return Workload(open: open, policy: policy).admits(addingText: true, at: now)
                && !open.contains { $0.absence != nil }
        }
        return able.min { one, other in
            let (first, second) = (turns(one, session), turns(other, session))
            return first == second ? one.text < other.text : first < second
        }
    }

    /// How often the session was given to somebody, and when any was last.
    private func turns(_ user: UserID, _ session: Session) -> (Int, Int) {
        (session.assignedTo.count { $0 == user }, ledger.assignmentTurns.last(of: user))
    }
}

/// Who was given a session when: numbered, since the start of the process.
final class AssignmentTurns: Sendable {
    private let state = Mutex<(count: Int, last: [UserID: Int])>((0, [:]))

    func note(_ user: UserID) {
        state.withLock { state in
            state.count += 1
            state.last[user] = state.count
        }
    }

    /// 0 for whom nothing was given yet.
    func last(of user: UserID) -> Int { state.withLock { $0.last[user, default: 0] } }
}
