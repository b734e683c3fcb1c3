// SPDX-License-Identifier: Apache-2.0
import Events

/// How two operators find that they talk of the same event.
extension SessionStory {
    /// Another caller tells of it; one operator proposes, the other agrees or does not, and the second contact ends.
    static func agree(on contact: Contact, _ script: inout Script, _ town: inout Town) {
        guard let owner = contact.owner, let next = town.free(.operator, at: script.time) else {
            return
        }
        let caller = call(&script, &town)
        var other = Contact(
            session: town.id(at: script.time),
            incident: town.id(at: script.time),
            caller: town.callers[caller]
        )
        open(&other, &script, &town)
        other.owner = next
        town.members[next].busyUntil = .max
        let (asker, answerer) = (town.members[owner], town.members[next])
        let claimed = SessionClaimed(owner: answerer.user)
        script.record(answerer.actor, other.subject, .session(.claimed(claimed)), in: &town)
        script.pass(town.wait(1...20))
        let proposed = SessionLinkProposed(
            from: contact.session,
            by: asker.user,
            expiresAt: script.time + .seconds(60)
        )
        script.record(asker.actor, other.subject, .session(.linkProposed(proposed)), in: &town)
        script.pass(town.wait(1...20))
        if town.arbitrary.bool() {
            link(other, with: contact, by: asker, answerer, &script, &town)
        } else {
            let declined = SessionLinkDeclined(from: contact.session, proposer: asker.user)
            script.record(
                answerer.actor,
                other.subject,
                .session(.linkDeclined(declined)),
                in: &town
            )
        }
        script.pass(town.wait(5...60))
        close(&other, &script, &town)
        town.callers[caller].busyUntil = script.time
        town.members[next].busyUntil = script.time
    }

    /// The owner of the other agrees, and takes it out again later.
    private static func link(
        _ other: Contact,
        with contact: Contact,
        by asker: Town.Member,
        _ answerer: Town.Member,
        _ script: inout Script,
        _ town: inout Town
    ) {
        let (shared, own) = (Subject.incident(contact.incident), Subject.incident(other.incident))
        let linked = IncidentSessionLinked(
            session: other.session,
            from: other.incident,
            reason: "agreed"
        )
        let accepted = SessionLinkAccepted(
            session: other.session,
            from: contact.session,
            proposer: asker.user,
            incident: contact.incident
        )
        script.record(
            answerer.actor,
            [
                (shared, .incident(.sessionLinked(linked))),
                (other.subject, .session(.linkAccepted(accepted))),
            ],
            in: &town
        )
        script.pass(town.wait(20...120))
        let reason = "another event"
        let left = IncidentSessionUnlinked(
            session: other.session,
            to: other.incident,
            reason: reason
        )
        let back = IncidentSessionLinked(
            session: other.session,
            from: contact.incident,
            reason: reason
        )
        script.record(
            answerer.actor,
            [
                (shared, .incident(.sessionUnlinked(left))),
                (own, .incident(.sessionLinked(back))),
            ],
            in: &town
        )
    }
}
