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

    /// A chat that a caller begins; such a session has no start limit.
    ///
    /// - Returns: The session, and what is recorded.
    func chat(
        of caller: PersonID,
        phone: PhoneNumber?,
        device: DeviceID?,
        _ context: inout CommandContext
    ) -> (session: SessionID, writes: [Write]) {
        let session: SessionID = context.newID()
        let created = SessionCreated(
            incident: context.newID(),
            caller: caller,
            phone: phone.map { .open($0, of: caller) },
            device: device,
            channel: .chat,
            openedBy: .caller
        )
        return (session, overdue(at: context.now) + Opening.writes(session, created))
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
