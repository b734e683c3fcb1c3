// SPDX-License-Identifier: Apache-2.0
import Events

/// What opening a session depends on: the person, the person's open session, the operator's load.
public struct Opening: Hashable, Sendable {
    let person: Person
    let openSession: Session?
    /// None when a caller opens it.
    let workload: Workload?
    let startLimitSeconds: Int

    static func read(
        of caller: PersonID,
        by user: UserID?,
        _ ledger: inout LedgerView
    ) throws -> Opening {
        let open = try ledger.read(Caller.self, caller).openSession
        return Opening(
            person: try ledger.read(Person.self, caller),
            openSession: try open.map { try ledger.read(Session.self, $0) },
            workload: try user.map { try Workload.read($0, &ledger) },
            startLimitSeconds: try ledger.read(Policy.self, Policy.startLimit)
                .settings["limitSeconds"] ?? CommandLimits.startLimitSeconds
        )
    }

    /// The expiry of a session that the clock ended before anybody recorded it.
    func overdue(at now: Timestamp) -> [Write] {
        let sessions = [openSession].compactMap(\.self) + (workload?.open ?? [])
        return Set(sessions).sorted { $0.id.description < $1.id.description }
            .compactMap { $0.overdueExpiry(at: now) }
    }

    /// A session and its incident begin together (ruling 17).
    static func writes(_ session: SessionID, _ created: SessionCreated) -> [Write] {
        [
            .session(session, .created(created)),
            .incident(
                created.incident,
                .opened(IncidentOpened(type: "unclassified", priority: 3))
            ),
            .incident(
                created.incident,
                .sessionLinked(IncidentSessionLinked(session: session, reason: "opened together"))
            ),
        ]
    }
}
