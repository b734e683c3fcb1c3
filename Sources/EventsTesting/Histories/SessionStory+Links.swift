// SPDX-License-Identifier: Apache-2.0
import Events

extension SessionStory {
    /// A caller without the application gets a one-use link from the operator, and joins by it.
    static func joinByLink(_ contact: Contact, _ script: inout Script, _ town: inout Town) {
        guard contact.expiresAt != nil, contact.caller.device == nil, let owner = contact.owner,
            town.arbitrary.one(in: 3)
        else { return }
        let link: LinkID = town.id(at: script.time)
        let device: DeviceID = town.id(at: script.time)
        let issued = SessionLinkIssued(
            link: link,
            by: town.members[owner].user,
            expiresAt: script.time + .seconds(900)
        )
        script.record(
            town.members[owner].actor,
            contact.subject,
            .session(.linkIssued(issued)),
            in: &town
        )
        script.pass(town.wait(5...40))
        let opened = SessionLinkOpened(link: link, device: device)
        let registered = DeviceRegistered(
            person: contact.caller.person,
            phone: .open(contact.caller.phone, of: contact.caller.person),
            verification: .link,
            codeGivenBy: town.members[owner].user
        )
        script.record(
            .device(device),
            [
                (contact.subject, .session(.linkOpened(opened))),
                (.device(device), .device(.registered(registered))),
            ],
            in: &town
        )
        script.pass(town.wait(1...5))
    }
}
