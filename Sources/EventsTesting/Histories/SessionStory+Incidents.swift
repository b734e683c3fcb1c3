// SPDX-License-Identifier: Apache-2.0
import Events

extension SessionStory {
    /// A supervisor takes the session for part of an earlier incident, and finds later that it was not.
    static func findSameEvent(_ contact: Contact, _ script: inout Script, _ town: inout Town) {
        if town.arbitrary.one(in: 4), let earlier = town.freeCase(at: script.time) {
            // Nobody else's story may take it before this one ends.
            town.cases[earlier].busyUntil = .max
            script.pass(town.wait(10...60))
            let incident = town.cases[earlier].incident
            if town.arbitrary.bool() {
                link(contact, to: incident, &script, &town)
            } else {
                merge(contact, into: incident, &script, &town)
            }
            town.cases[earlier].busyUntil = script.time
        }
        if town.cases.count >= Town.casesMax { town.cases.removeFirst() }
        town.cases.append(Town.Case(incident: contact.incident, busyUntil: script.time))
    }

    private static func link(
        _ contact: Contact,
        to incident: IncidentID,
        _ script: inout Script,
        _ town: inout Town
    ) {
        let actor = town.anyone(.supervisor).actor
        let session = contact.session
        let linked = IncidentSessionLinked(
            session: session,
            from: contact.incident,
            reason: "same event"
        )
        script.record(actor, .incident(incident), .incident(.sessionLinked(linked)), in: &town)
        script.pass(town.wait(20...120))
        let reason = "another event"
        let left = IncidentSessionUnlinked(
            session: session,
            to: contact.incident,
            reason: reason
        )
        let back = IncidentSessionLinked(session: session, from: incident, reason: reason)
        script.record(
            actor,
            [
                (.incident(incident), .incident(.sessionUnlinked(left))),
                (.incident(contact.incident), .incident(.sessionLinked(back))),
            ],
            in: &town
        )
    }

    private static func merge(
        _ contact: Contact,
        into incident: IncidentID,
        _ script: inout Script,
        _ town: inout Town
    ) {
        let actor = town.anyone(.supervisor).actor
        let own = Subject.incident(contact.incident)
        let session = contact.session
        let merged = IncidentMerged(into: incident, sessions: [session], reason: "same event")
        let linked = IncidentSessionLinked(
            session: session,
            from: contact.incident,
            reason: "same event"
        )
        script.record(
            actor,
            [
                (own, .incident(.merged(merged))),
                (.incident(incident), .incident(.sessionLinked(linked))),
            ],
            in: &town
        )
        script.pass(town.wait(20...120))
        let reason = "another event"
        let unmerged = IncidentUnmerged(from: incident, sessions: [session], reason: reason)
        let left = IncidentSessionUnlinked(session: session, to: contact.incident, reason: reason)
        let back = IncidentSessionLinked(session: session, from: incident, reason: reason)
        script.record(
            actor,
            [
                (own, .incident(.unmerged(unmerged))),
                (.incident(incident), .incident(.sessionUnlinked(left))),
                (own, .incident(.sessionLinked(back))),
            ],
            in: &town
        )
    }
}
