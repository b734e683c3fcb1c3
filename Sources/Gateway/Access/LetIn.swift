// SPDX-License-Identifier: Apache-2.0
import Commands
import Events

extension Ledger {
    /// The phones and browsers that are in a session as its caller, and by whose word each is, the first first.
    func letIn(to id: SessionID) async throws -> [LetInBody] {
        let session = try handler.current(Session.self, id)
        let guests = Set(session.links.values.compactMap(\.openedBy))
        var found: [LetInBody] = []
        for name in try await phones(in: session).union(guests) {
            let device = try await handler.settled(Device.self, name)
            guard device.validPerson != nil, let since = device.registeredAt,
                try session.has(device, phone)
            else { continue }
            found.append(
                LetInBody(
                    device: name,
                    since: since,
                    by: try session.standing(of: device, phone).giver?.user,
                    isByLink: guests.contains(name),
                    isAdmitted: try session.admits(device, phone)
                )
            )
        }
        return found.sorted { ($0.since, "\($0.device)") < ($1.since, "\($1.device)") }
    }

    /// The phones of a session's caller, and those that somebody let in one by one.
    private func phones(in session: Session) async throws -> Set<DeviceID> {
        guard let contact = session.contact else { return [] }
        let own = try await accounts.phones(
            of: "\(contact.caller)",
            org: contact.organisation.text
        )
        let admitted = try await accounts.devices(admittedTo: "\(session.id)")
        return Set((own + admitted).compactMap { DeviceID($0) })
    }

    private func phone(_ id: DeviceID) throws -> Device { try handler.current(Device.self, id) }

    /// Whether somebody has the open session that a phone is in, and so may end it.
    func isLetIn(_ id: DeviceID, toSessionOf principal: Principal) throws -> Bool {
        let device = try phone(id)
        guard let user = principal.user, let person = device.validPerson,
            let open = try handler.current(Caller.self, person).openSession
        else { return false }
        let session = try handler.current(Session.self, open)
        return try session.owner == user && session.has(device, phone)
    }

    /// Whether a phone's word counts for others now: one that the caller's open session is shut to, though it lies in its past,
    /// may be somebody else's (decision 0072).
    func mayVouch(_ principal: Principal, for session: SessionID? = nil) throws -> Bool {
        if let session, try !rights.sees(session, principal) { return false }
        guard let person = principal.person,
            let open = try handler.current(Caller.self, person).openSession,
            principal.sees(open)
        else { return true }
        return try rights.sees(open, principal)
    }
}
