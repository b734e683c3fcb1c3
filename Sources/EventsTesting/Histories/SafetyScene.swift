// SPDX-License-Identifier: Apache-2.0
import Events

/// A citizen with two contacts: one is removed, the other is told of a call for help, of where, and of its end.
enum SafetyScene {
    static func play(_ script: inout Script, in town: inout Town) {
        let (person, device): (PersonID, DeviceID) = (
            town.id(at: script.time), town.id(at: script.time)
        )
        script.bring(person)
        let phone = Actor.device(device)
        let profile = CitizenSet(
            person: person,
            name: .open(Phrases.name(&town.arbitrary), of: person),
            language: "en"
        )
        script.record(phone, .person(person), .safety(.citizenSet(profile)), in: &town)
        let friend = add(to: person, phone, &script, &town)
        let former = add(to: person, phone, &script, &town)
        let removed = ContactRemoved(citizen: person)
        script.record(phone, .contact(former.id), .safety(.contactRemoved(removed)), in: &town)
        script.pass(town.wait(5...30))
        let (sos, alert): (SOSID, AlertID) = (town.id(at: script.time), town.id(at: script.time))
        let raised = SOSRaised(
            person: person,
            trigger: .swipe,
            isDrill: town.arbitrary.one(in: 2),
            fix: town.arbitrary.one(in: 2) ? .open(town.fix(), of: person) : nil
        )
        script.record(phone, .sos(sos), .safety(.raised(raised)), in: &town)
        let queued = AlertQueued(
            cause: .sos(sos),
            severity: .critical,
            template: "sos",
            contact: friend.person,
            sms: .open(town.arbitrary.phone(), of: friend.person),
            deduplicationKey: "sos",
            timeToLiveSeconds: 86_400
        )
        script.record(phone, .alert(alert), .alert(.queued(queued)), in: &town)
        script.pass(town.wait(5...20))
        let moved = SOSMoved(person: person, fix: .open(town.fix(), of: person))
        script.record(phone, .sos(sos), .safety(.moved(moved)), in: &town)
        script.pass(town.wait(5...30))
        let reason: SOSEnded.Reason = town.arbitrary.one(in: 2) ? .safe : .falseAlarm
        let ended = SOSEnded(person: person, reason: reason)
        script.record(phone, .sos(sos), .safety(.ended(ended)), in: &town)
        write(&script, &town)
    }

    /// A text for everybody, written and hidden.
    private static func write(_ script: inout Script, _ town: inout Town) {
        let id: ContentID = town.id(at: script.time)
        for isShown in [true, false] {
            let set = ContentSet(
                section: .resources,
                language: "en",
                title: "Night shelter",
                text: "Open from **six** in the evening.",
                address: "1 Harbour Street",
                phone: "+441215550100",
                place: ContentPlace(latitude: 52.48, longitude: -1.89),
                isShown: isShown
            )
            let admin = town.anyone(.admin).actor
            script.record(admin, .content(id), .safety(.contentSet(set)), in: &town)
            script.pass(town.wait(1...5))
        }
    }

    private static func add(
        to citizen: PersonID,
        _ phone: Actor,
        _ script: inout Script,
        _ town: inout Town
    ) -> (id: ContactID, person: PersonID) {
        let (id, person): (ContactID, PersonID) = (
            town.id(at: script.time), town.id(at: script.time)
        )
        script.bring(person)
        let set = ContactSet(
            citizen: citizen,
            person: person,
            name: .open(Phrases.name(&town.arbitrary), of: person),
            mobile: .open(town.arbitrary.phone(), of: person),
            email: town.arbitrary.one(in: 2) ? .open("friend@example.org", of: person) : nil,
            language: "en"
        )
        script.record(phone, .contact(id), .safety(.contactSet(set)), in: &town)
        script.pass(town.wait(2...10))
        return (id, person)
    }
}
