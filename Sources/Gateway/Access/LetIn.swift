// SPDX-License-Identifier: Apache-2.0
import Commands
import Events

extension Ledger {
    /// The phones and browsers that are in a session because somebody of the centre let them in, the first first.
    func letIn(to id: SessionID) async throws -> [LetInBody] {
        let session = try handler.current(Session.self, id)
        let guests = Set(session.links.values.compactMap(\.openedBy))
        let phones = try await accounts.devices(admittedTo: "\(id)").compactMap { DeviceID($0) }
        var found: [LetInBody] = []
        for name in guests.union(phones) {
            let device = try await handler.settled(Device.self, name)
            guard device.validPerson != nil, let since = device.registeredAt,
                let giver = session.giver(of: device)
            else { continue }
            let isAdmitted = try session.admits(device) { try handler.current(Device.self, $0) }
            found.append(
                LetInBody(
                    device: name,
                    since: since,
                    by: giver.user,
                    isByLink: guests.contains(name),
                    isAdmitted: isAdmitted
                )
            )
        }
        return found.sorted { ($0.since, "\($0.device)") < ($1.since, "\($1.device)") }
    }

    /// Whether somebody has the open session into which the centre let a phone, and so may end it.
    func isLetIn(_ id: DeviceID, toSessionOf principal: Principal) throws -> Bool {
        let device = try handler.current(Device.self, id)
        guard let user = principal.user, let person = device.validPerson,
            let open = try handler.current(Caller.self, person).openSession
        else { return false }
        let session = try handler.current(Session.self, open)
        return session.owner == user && session.giver(of: device) != nil
    }
}
