// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import HTTPTypes

/// What lets somebody change a thing, beside what its command decides.
///
/// It takes an ``Asker``, whose request has come. Handed to ``Ledger/answer(_:_:if:about:in:newcomers:status:body:)`` it is asked
/// once more when the command is decided, and what it read holds when the events are appended.
extension ReadingRights {
    /// Refuses a thing of another organisation as if it were not there, for commands that decide the rest.
    func requireInReach(_ subject: Subject, of asker: Asker) throws {
        try requireThere(subject, for: asker.principal)
        if let session = subject.session { try requireSeen(session, by: asker.principal) }
    }

    /// Lets somebody join all that an incident is with something else, or throws why not; refused is the id that was named.
    func requireWhole(_ named: IncidentID, which id: IncidentID, for asker: Asker) throws {
        try Refusal.about(.incident(named)) {
            try check(id, for: asker.principal, whole: true)
        }
    }

    /// Lets somebody write about an incident, where it happened, what it is and what else is to be remembered, or throws why not.
    ///
    /// That is who has, or had last, one of its sessions, who took up the guard's alarm with which it was opened, and who supervises:
    /// who only may read it, while it waits for somebody or when it is over, changes nothing (decision 0075).
    ///
    /// - Parameters:
    ///   - named: How the asker calls it, which a refusal to read it names.
    ///   - incident: What that is now.
    ///   - asker: Who would write.
    /// - Throws: ``ReadingRights/Refusal`` for who may not read it, 403 for who only may.
    func requireWriter(_ named: IncidentID, which incident: IncidentID, _ asker: Asker) throws {
        try Refusal.about(.incident(named)) { try check(incident, for: asker.principal) }
        guard asker.role.reach != .everything else { return }
        if try hasTakenUp(incident, asker.principal) { return }
        let isHandler = try sessions(of: incident).contains {
            try states.current(Session.self, $0).owner == asker.user
        }
        guard isHandler else {
            throw Problem(
                .forbidden,
                detail: "incident \(incident) is written about by who has one of its sessions or "
                    + "took up its alarm, and by supervisors; claim the session, or ask one of them"
            )
        }
    }
}
