// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import TestSupport
import Testing

@testable import Commands

@Suite(.tags(.promise7)) struct `Whose person somebody is` {
    /// Kinds that name somebody whom another event made known before, and give nobody a share in that person.
    static let borrowed: Set<Kind> = [
        // The caller of the session.
        "session.closed/1", "session.expired/1", "stream.started/1", "chat.message_sent/1",
        "session.video_wished/1", "session.video_wish_withdrawn/1", "session.offered/2",
        "session.sealed/2", "session.unsealed/2",
        "chat.attachment_added/1", "location.reported/1", "sip.message_received/1",
        "sip.reply_sent/1",
        // Nobody who is known: its key encrypts bytes of a stranger.
        "sip.malformed_received/1",
        "incident.opened/1",
        "incident.address_set/1", "incident.note_added/1",
        // Who stands behind the account, or reported.
        "user.logged_in/1", "patrol.checked_in/1", "patrol.check_in_refused/1",
        "access.refused/2", "report.status_changed/1", "guard.alarm_raised/1",
        "report.assigned/1", "report.photo_added/1", "report.update_added/1",
        "agency.place_shared/1",
        "round.point_handled/1", "channel.message_sent/1", "contact.removed/1", "sos.ended/1",
        // Others who decide about a person; it may be another organisation's.
        "hold.placed/1", "person.erased/1",
    ]

    @Test(arguments: EventCatalog.current.written)
    func `is known of everybody for whom an event seals anything, or whom it names`(
        kind: Kind
    ) throws {
        var arbitrary = Arbitrary(seed: 20)
        for _ in 0..<40 {
            let fact = try #require(Fact.arbitrary(of: kind, using: &arbitrary))
            guard !people(in: fact.payload).isEmpty else { continue }
            let isOwners = fact.links.contains {
                $0.role == .owner && $0.subject.category == "person"
            }
            #expect(
                isOwners != Self.borrowed.contains(kind),
                "\(kind) has to link to whom it names as owner, or stand among the borrowed"
            )
        }
    }

    @Test func `is nobody's share who only names whom another organisation has`() throws {
        let ledger = MemoryLedger()
        let scene = try ledger.closedChat()
        let north = OrganisationID(unchecked: "north")
        let cause = Subject.session(scene.session)
        for (person, organisations) in [
            (scene.caller, [OrganisationID.main]), (ledger.person(), [north]),
        ] {
            let alert = QueueAlert(
                about: cause,
                severity: .info,
                template: "hello",
                to: person,
                sms: .first,
                deduplicationKey: "hello",
                timeToLiveSeconds: 600
            )
            try ledger.run(alert, in: north)
            #expect(try ledger.state(Footprint.self, person).organisations == Set(organisations))
        }
    }

    /// Everybody whom a value names, or for whom something in it is sealed.
    private func people(in value: Any) -> Set<PersonID> {
        if let person = value as? PersonID { return [person] }
        if let sealed = value as? any Owned { return [sealed.person] }
        return Mirror(reflecting: value).children.reduce(into: []) { found, child in
            found.formUnion(people(in: child.value))
        }
    }
}

/// Something sealed, of whatever type.
private protocol Owned {
    var person: PersonID { get }
}

extension Sealed: Owned {}
