// SPDX-License-Identifier: Apache-2.0
import Events

/// One caller's contact with the centre, from its opening to its end.
enum SessionStory: Story {
    static func write(_ script: inout Script, in town: inout Town) {
        let caller = call(&script, &town)
        town.callers[caller].busyUntil = .max
        var contact = Contact(
            session: town.id(at: script.time),
            incident: town.id(at: script.time),
            caller: town.callers[caller]
        )
        script.correlation = "incident/\(contact.incident)"
        let openedByOperator = town.arbitrary.one(in: 2)
        if openedByOperator, let owner = town.free(.operator, at: script.time) {
            open(by: owner, &contact, &script, &town)
            if town.arbitrary.one(in: 6) {
                return expire(&contact, owner, caller, &script, &town)
            }
        } else {
            open(&contact, &script, &town)
            claim(&contact, &script, &town)
        }
        tell(&contact, &script, &town)
        if town.arbitrary.one(in: 8) { agree(on: contact, &script, &town) }
        close(&contact, &script, &town)
        if town.arbitrary.one(in: 4) {
            CallOutScene.call(about: .session(contact.session), &script, in: &town)
        }
        town.callers[caller].busyUntil = script.time
        if let owner = contact.owner { town.members[owner].busyUntil = script.time }
        findSameEvent(contact, &script, &town)
    }

    /// Someone calls: an old acquaintance, or a new person who may have the application installed.
    static func call(_ script: inout Script, _ town: inout Town) -> Int {
        if !town.arbitrary.one(in: 3), let known = town.freeCaller(at: script.time) { return known }
        let person: PersonID = town.id(at: script.time)
        script.bring(person)
        let phone = town.arbitrary.phone()
        let device: DeviceID? = town.arbitrary.one(in: 2) ? town.id(at: script.time) : nil
        if let device {
            let giver = town.anyone(.operator)
            let issued = DeviceCodeIssued(
                person: person,
                phone: .open(phone, of: person),
                by: giver.user,
                reason: .open("asked by telephone", of: person),
                expires: script.time + .seconds(900)
            )
            script.record(giver.actor, .device(device), .device(.codeIssued(issued)), in: &town)
            if town.arbitrary.one(in: 4) {
                let admitted = DeviceAdmitted(person: person)
                script.record(giver.actor, .device(device), .device(.admitted(admitted)), in: &town)
            }
            let registered = DeviceRegistered(
                person: person,
                phone: .open(phone, of: person),
                verification: .operatorCode,
                codeGivenBy: giver.user
            )
            script.record(
                .device(device),
                .device(device),
                .device(.registered(registered)),
                in: &town
            )
            script.pass(town.wait(2...20))
        }
        let push = device.flatMap { takePushes($0, of: person, &script, &town) }
        let caller = Town.Caller(
            person: person,
            phone: phone,
            device: device,
            push: push,
            busyUntil: script.time
        )
        if town.callers.count >= Town.callersMax, let oldest = town.freeCaller(at: script.time) {
            town.callers[oldest] = caller
            return oldest
        }
        town.callers.append(caller)
        return town.callers.count - 1
    }

    /// An operator opens the session for a number and owns it at once.
    private static func open(
        by owner: Int,
        _ contact: inout Contact,
        _ script: inout Script,
        _ town: inout Town
    ) {
        contact.owner = owner
        let user = town.members[owner].user
        var facts = contact.opening(
            SessionCreated(
                incident: contact.incident,
                caller: contact.caller.person,
                phone: .open(contact.caller.phone, of: contact.caller.person),
                device: contact.caller.device,
                channel: .video,
                openedBy: .operator,
                openedByUser: user,
                startLimitSeconds: 120,
                expiresAt: script.time + .seconds(120)
            )
        )
        facts.append((contact.subject, .session(.claimed(SessionClaimed(owner: user)))))
        // Nobody else's story may take the two before this one ends.
        town.members[owner].busyUntil = .max
        script.record(town.members[owner].actor, facts, in: &town)
        push("video_call", of: contact, &script, &town)
        script.pass(town.wait(2...30))
    }

    /// A caller opens it and waits to be claimed.
    static func open(
        _ contact: inout Contact,
        _ script: inout Script,
        _ town: inout Town
    ) {
        let created = SessionCreated(
            incident: contact.incident,
            caller: contact.caller.person,
            phone: contact.caller.device == nil
                ? nil : .open(contact.caller.phone, of: contact.caller.person),
            device: contact.caller.device,
            channel: town.arbitrary.one(in: 3) ? .video : .chat,
            openedBy: .caller
        )
        script.record(contact.callerActor, contact.opening(created), in: &town)
        if created.channel == .video {
            let wished = SessionVideoWished(
                caller: contact.caller.person,
                expiresAt: script.time + .seconds(120)
            )
            let fact = Fact.session(.videoWished(wished))
            script.record(contact.callerActor, contact.subject, fact, in: &town)
            if town.arbitrary.one(in: 4) { withdrawWish(contact, &script, &town) }
        }
        script.pass(town.wait(1...40))
    }

    /// The caller thinks better of showing video before anybody has come.
    private static func withdrawWish(
        _ contact: Contact,
        _ script: inout Script,
        _ town: inout Town
    ) {
        script.pass(town.wait(1...20))
        let withdrawn = SessionVideoWishWithdrawn(caller: contact.caller.person)
        let fact = Fact.session(.videoWishWithdrawn(withdrawn))
        script.record(contact.callerActor, contact.subject, fact, in: &town)
    }

    /// An operator who is free then takes it; nobody does when all are busy.
    private static func claim(
        _ contact: inout Contact,
        _ script: inout Script,
        _ town: inout Town
    ) {
        guard !town.arbitrary.one(in: 12), let owner = town.free(.operator, at: script.time) else {
            return
        }
        contact.owner = owner
        town.members[owner].busyUntil = .max
        if town.arbitrary.one(in: 5) {
            let assigned = SessionAssigned(
                to: town.members[owner].user,
                expiresAt: script.time + .seconds(20)
            )
            let policy = Actor.policy("text-assignment")
            script.record(policy, contact.subject, .session(.assigned(assigned)), in: &town)
            script.pass(town.wait(1...15))
        }
        let claimed = SessionClaimed(owner: town.members[owner].user)
        script.record(
            town.members[owner].actor,
            contact.subject,
            .session(.claimed(claimed)),
            in: &town
        )
        script.pass(town.wait(1...6))
    }

    /// Nothing is started; the policy ends it when the limit runs out.
    private static func expire(
        _ contact: inout Contact,
        _ owner: Int,
        _ caller: Int,
        _ script: inout Script,
        _ town: inout Town
    ) {
        guard let expiresAt = contact.expiresAt else { return }
        script.pass(until: expiresAt)
        let expired = SessionExpired(
            caller: contact.caller.person,
            owner: town.members[owner].user,
            reason: .startLimit
        )
        script.record(
            .policy("start-limit"),
            contact.subject,
            .session(.expired(expired)),
            in: &town
        )
        town.members[owner].busyUntil = script.time
        town.callers[caller].busyUntil = script.time
    }

    /// Ends it, with every stream that still runs.
    static func close(
        _ contact: inout Contact,
        _ script: inout Script,
        _ town: inout Town
    ) {
        let owner = contact.owner.map { town.members[$0] }
        let note = town.arbitrary.maybe { $0.element(of: Phrases.operator) }
        let closed = SessionClosed(
            caller: contact.caller.person,
            by: owner == nil ? .caller : .operator,
            owner: owner?.user,
            disposition: town.arbitrary.element(of: Phrases.dispositions),
            note: note.map { .open($0, of: contact.caller.person) }
        )
        var facts: [(Subject, Fact)] = [(contact.subject, .session(.closed(closed)))]
        if let live = contact.live {
            facts.append(
                (.stream(live.id), .stream(.stopped(live.stop(closed.by, "session closed"))))
            )
        }
        script.record(owner?.actor ?? contact.callerActor, facts, in: &town)
        if let live = contact.live { StreamScene.finalize(live, &script, &town) }
        if town.arbitrary.one(in: 6) { seal(contact, &script, &town) }
    }

    /// A supervisor makes what ended private again, and mostly thinks better of it.
    private static func seal(
        _ contact: Contact,
        _ script: inout Script,
        _ town: inout Town
    ) {
        let boss = town.anyone(.supervisor)
        let person = contact.caller.person
        let sealed = SessionSealed(by: boss.user, reason: .open("a colleague called", of: person))
        script.record(boss.actor, contact.subject, .session(.sealed(sealed)), in: &town)
        guard town.arbitrary.bool() else { return }
        script.pass(town.wait(60...3_600))
        let unsealed = SessionUnsealed(by: boss.user, reason: .open("for training", of: person))
        script.record(boss.actor, contact.subject, .session(.unsealed(unsealed)), in: &town)
    }
}
