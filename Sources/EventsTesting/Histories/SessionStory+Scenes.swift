// SPDX-License-Identifier: Apache-2.0
import Events

extension SessionStory {
    /// What happens while the session is open.
    static func tell(_ contact: inout Contact, _ script: inout Script, _ town: inout Town) {
        // A place is told before any start limit runs out, so the session counts as started.
        answerForPlace(certain: true, &contact, &script, &town)
        joinByLink(contact, &script, &town)
        for _ in 0..<town.arbitrary.number(1...7) {
            switch town.arbitrary.number(0...9) {
            case 0...3: talk(&contact, &script, &town)
            case 4: TelephoneScene.text(&contact, &script, in: &town)
            case 5...6: StreamScene.play(&contact, &script, &town)
            case 7: answerForPlace(certain: false, &contact, &script, &town)
            case 8:
                setAddress(contact, &script, &town)
                write(about: &contact, &script, &town)
            default: comeBack(&contact, &script, &town)
            }
        }
    }

    private static func talk(_ contact: inout Contact, _ script: inout Script, _ town: inout Town) {
        for _ in 0..<town.arbitrary.number(1...5) {
            let fromCaller = contact.owner == nil || town.arbitrary.bool()
            say(fromCaller ? .caller : .operator, &contact, &script, &town)
        }
    }

    private static func say(
        _ party: Party,
        _ contact: inout Contact,
        _ script: inout Script,
        _ town: inout Town
    ) {
        let actor = actor(of: party, contact, town)
        if town.arbitrary.one(in: 3) {
            let typing = SessionActivitySignalled(by: party, activity: .typing)
            script.record(actor, contact.subject, .session(.activitySignalled(typing)), in: &town)
            script.pass(town.wait(5...12))
        }
        contact.messages += 1
        let temporary = "\(party.rawValue)-\(contact.messages)"
        if town.arbitrary.one(in: 40) {
            let rejected = ChatMessageRejected(
                temporaryID: temporary,
                from: party,
                reason: "too long"
            )
            script.record(actor, contact.subject, .chat(.messageRejected(rejected)), in: &town)
            return script.pass(town.wait(1...4))
        }
        let message: MessageID = town.id(at: script.time)
        if town.arbitrary.one(in: 12) {
            show(message, as: temporary, from: party, contact, &script, &town)
            return receive(message, from: party, contact, &script, &town)
        }
        let text = town.arbitrary.element(of: party == .caller ? Phrases.caller : Phrases.operator)
        let sent = ChatMessageSent(
            message: message,
            temporaryID: temporary,
            from: party,
            text: .open(text, of: contact.caller.person),
            clientTimestamp: "\(script.time.microseconds / 1_000_000)",
            channel: .webSocket
        )
        script.record(actor, contact.subject, .chat(.messageSent(sent)), in: &town)
        if party == .operator, town.arbitrary.one(in: 5) {
            push("chat", of: contact, &script, &town)
        }
        script.pass(town.wait(0.05...1.5))
        receive(message, from: party, contact, &script, &town)
    }

    private static func show(
        _ message: MessageID,
        as temporary: String,
        from party: Party,
        _ contact: Contact,
        _ script: inout Script,
        _ town: inout Town
    ) {
        let isUpright = town.arbitrary.bool()
        let added = ChatAttachmentAdded(
            message: message,
            temporaryID: temporary,
            from: party,
            person: contact.caller.person,
            blob: town.arbitrary.digest(),
            bytes: town.arbitrary.number(40_000...4_000_000),
            mediaType: town.arbitrary.one(in: 4) ? .png : .jpeg,
            width: isUpright ? 3_024 : 4_032,
            height: isUpright ? 4_032 : 3_024
        )
        let actor = actor(of: party, contact, town)
        script.record(actor, contact.subject, .chat(.attachmentAdded(added)), in: &town)
        script.pass(town.wait(0.2...3))
    }

    private static func receive(
        _ message: MessageID,
        from party: Party,
        _ contact: Contact,
        _ script: inout Script,
        _ town: inout Town
    ) {
        let other: Party = party == .caller ? .operator : .caller
        guard other == .caller || contact.owner != nil else {
            return script.pass(town.wait(3...20))
        }
        let actor = actor(of: other, contact, town)
        let delivered = ChatMessageDelivered(message: message, to: other)
        script.record(actor, contact.subject, .chat(.messageDelivered(delivered)), in: &town)
        script.pass(town.wait(0.5...8))
        guard !town.arbitrary.one(in: 5) else { return }
        let seen = ChatMessageSeen(upTo: message, by: other)
        script.record(actor, contact.subject, .chat(.messageSeen(seen)), in: &town)
        script.pass(town.wait(0.5...9))
    }

    /// Who acts for a side; only called for the operator when there is one.
    static func actor(of party: Party, _ contact: Contact, _ town: Town) -> Actor {
        guard party == .operator, let owner = contact.owner else { return contact.callerActor }
        return town.members[owner].actor
    }

    private static func answerForPlace(
        certain: Bool,
        _ contact: inout Contact,
        _ script: inout Script,
        _ town: inout Town
    ) {
        let request: RequestID = town.id(at: script.time)
        if contact.owner != nil {
            let sent = SessionRequestSent(
                request: request,
                ask: .sendLocation,
                expiresAt: script.time + .seconds(60)
            )
            let asker = actor(of: .operator, contact, town)
            script.record(asker, contact.subject, .session(.requestSent(sent)), in: &town)
            push("location", of: contact, &script, &town)
            script.pass(town.wait(1...9))
            open(request, contact, &script, &town)
        }
        let named = contact.owner == nil ? nil : request
        let found = certain || !town.arbitrary.one(in: 3)
        let place: LocationEvent =
            found
            ? .reported(
                LocationReported(
                    person: contact.caller.person,
                    fix: .open(town.fix(), of: contact.caller.person),
                    method: town.arbitrary.one(in: 3) ? "network" : "gps",
                    request: named
                )
            )
            : .unavailable(
                LocationUnavailable(
                    reason: town.arbitrary.one(in: 2) ? .denied : .timeout,
                    request: named
                )
            )
        var facts: [(Subject, Fact)] = [(contact.subject, .location(place))]
        if named != nil {
            let answer = SessionRequestAnswered(
                request: request,
                answer: found ? .accepted : .declined
            )
            facts.append((contact.subject, .session(.requestAnswered(answer))))
        }
        script.record(contact.callerActor, facts, in: &town)
        script.pass(town.wait(1...15))
    }

    /// Mostly the caller's page tells that it shows the request.
    private static func open(
        _ request: RequestID,
        _ contact: Contact,
        _ script: inout Script,
        _ town: inout Town
    ) {
        guard !town.arbitrary.one(in: 4) else { return }
        let opened = SessionRequestOpened(request: request)
        script.record(
            contact.callerActor,
            contact.subject,
            .session(.requestOpened(opened)),
            in: &town
        )
        script.pass(town.wait(1...6))
    }

    private static func setAddress(
        _ contact: Contact,
        _ script: inout Script,
        _ town: inout Town
    ) {
        guard contact.owner != nil else { return }
        let set = IncidentAddressSet(
            address: .open(
                "Strada Florilor \(town.arbitrary.number(1...200))",
                of: contact.caller.person
            ),
            plusCode: town.arbitrary.maybe { _ in .open("8GP8C32X+4V", of: contact.caller.person) },
            source: .operator
        )
        let actor = actor(of: .operator, contact, town)
        script.record(actor, .incident(contact.incident), .incident(.addressSet(set)), in: &town)
        script.pass(town.wait(2...10))
    }

    /// The owner says what it is, and writes a note.
    private static func write(
        about contact: inout Contact,
        _ script: inout Script,
        _ town: inout Town
    ) {
        guard contact.owner != nil else { return }
        let actor = actor(of: .operator, contact, town)
        let type = town.arbitrary.element(of: ["fire", "medical", "water_rescue"])
        if type != contact.type {
            let classified = IncidentClassified(
                type: type,
                priority: town.arbitrary.number(1...5),
                typeBefore: contact.type,
                priorityBefore: contact.priority
            )
            (contact.type, contact.priority) = (classified.type, classified.priority)
            script.record(
                actor,
                .incident(contact.incident),
                .incident(.classified(classified)),
                in: &town
            )
        }
        let added = IncidentNoteAdded(
            note: town.id(at: script.time),
            session: contact.session,
            text: .open("the second floor", of: contact.caller.person)
        )
        script.record(actor, .incident(contact.incident), .incident(.noteAdded(added)), in: &town)
        let kept = IncidentFootageKept(
            camera: town.id(at: script.time),
            name: "Gate 1",
            firstAt: script.time + (.zero - .seconds(60)),
            lastAt: script.time
        )
        script.record(actor, .incident(contact.incident), .incident(.footageKept(kept)), in: &town)
        script.pass(town.wait(2...10))
    }

    /// The connection broke, and the caller comes back; or the owner changes.
    private static func comeBack(
        _ contact: inout Contact,
        _ script: inout Script,
        _ town: inout Town
    ) {
        guard let owner = contact.owner, town.arbitrary.bool() else {
            let resumed = SessionResumed(
                by: .caller,
                gapMilliseconds: town.arbitrary.number(500...60_000)
            )
            script.record(
                contact.callerActor,
                contact.subject,
                .session(.resumed(resumed)),
                in: &town
            )
            return script.pass(town.wait(1...5))
        }
        passOn(from: owner, &contact, &script, &town)
    }
}
