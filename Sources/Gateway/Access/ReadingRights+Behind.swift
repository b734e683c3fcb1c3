// SPDX-License-Identifier: Apache-2.0
import Commands
import Events

/// Whose conversation stands behind a thing: an alert, a stream or a phone is as private as what it is about.
extension ReadingRights {
    /// How many alerts may be about one another; of what is further away, only those who supervise are told.
    static let alertsInRowMost = 16

    /// Lets somebody have what tells of a conversation, by its subject: a session, a stream, an incident, an alert or a call-out
    /// about one of them, and the phone or person who is in one; everything else passes.
    ///
    /// Whether the role reads such a thing at all is another question: ``FeedRights`` asks both.
    func check(contents subject: Subject, for reader: Principal) throws {
        let name = String(subject.name)
        switch subject.category {
        case "session":
            guard let id = SessionID(name) else { throw Refusal.unknown(subject) }
            try check(id, for: reader)
        case "stream":
            guard let id = StreamID(name) else { throw Refusal.unknown(subject) }
            try check(id, for: reader)
        case "incident":
            guard let id = IncidentID(name) else { throw Refusal.unknown(subject) }
            try check(id, for: reader)
        case "alert":
            // Whom it tells, and of what, is as private as what it is about in the end.
            let cause = try firstCause(of: subject, for: reader)
            if let cause {
                try Refusal.about(subject) { try check(contents: cause, for: reader) }
            }
        case "call_out":
            guard let id = CallOutID(name) else { throw Refusal.unknown(subject) }
            if let cause = try states.current(CallOut.self, id).opened?.cause {
                try Refusal.about(subject) { try check(contents: cause, for: reader) }
            }
        case "device":
            guard let id = DeviceID(name) else { throw Refusal.unknown(subject) }
            let device = try states.current(Device.self, id)
            try check(subject, of: device.person ?? device.codeOwner, for: reader)
        case "person": try check(subject, of: PersonID(name), for: reader)
        default: break
        }
    }

    /// What an alert is about in the end: it may be about another alert.
    ///
    /// - Returns: No alert; `nil` for one that was never queued.
    private func firstCause(of alert: Subject, for reader: Principal) throws -> Subject? {
        var cause = alert
        for _ in 0..<Self.alertsInRowMost {
            guard let id = AlertID(String(cause.name)) else { throw Refusal.unknown(alert) }
            guard let next = try states.current(Alert.self, id).cause else { return nil }
            guard next.category == "alert" else { return next }
            cause = next
        }
        guard reader.role.reach == .everything else { throw Refusal.role(alert) }
        return nil
    }

    /// Refuses what is of somebody who is in a session that the reader may not read; who reads no sessions is not told
    /// whether there is one.
    private func check(
        _ subject: Subject,
        of person: PersonID?,
        for reader: Principal
    ) throws {
        switch reader.role.reach {
        case .everything: return
        case .own, .nothing: throw Refusal.role(subject)
        case .desk:
            let open = try person.flatMap { try states.current(Caller.self, $0).openSession }
            guard let open, try isInReach(.session(open), of: reader) else { return }
            try Refusal.about(subject) { try check(open, for: reader) }
        }
    }
}
