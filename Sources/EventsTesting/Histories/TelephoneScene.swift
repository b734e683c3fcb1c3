// SPDX-License-Identifier: Apache-2.0
import Events

/// A caller who texts by telephone in a session, and the answers; somebody who speaks no SIP.
enum TelephoneScene {
    /// A trunk is named, and now and then somebody knocks at its door with something else.
    static func define(_ script: inout Script, in town: inout Town) {
        let admin = town.anyone(.admin).actor
        let trunk = SIPTrunkSet(name: "North", host: "192.0.2.7", isOn: true)
        script.record(admin, .trunk("north"), .sip(.trunkSet(trunk)), in: &town)
        let person: PersonID = town.id(at: script.time)
        script.bring(person)
        let malformed = SIPMalformedReceived(
            person: person,
            sender: .open("198.51.100.9:40112", of: person),
            transport: .udp,
            fault: "start line cannot be read",
            count: 12,
            raw: town.arbitrary.digest(),
            rawBytes: 512
        )
        let policy = Actor.policy("telephony")
        script.record(policy, .malformedSIP, .sip(.malformedReceived(malformed)), in: &town)
    }

    /// The caller texts, and the owner answers: mostly that arrives, or does at the second attempt.
    static func text(_ contact: inout Contact, _ script: inout Script, in town: inout Town) {
        receive(&contact, &script, &town)
        guard let owner = contact.owner else { return }
        let actor = town.members[owner].actor
        let message: MessageID = town.id(at: script.time)
        contact.messages += 1
        let sent = ChatMessageSent(
            message: message,
            temporaryID: "operator-\(contact.messages)",
            from: .operator,
            text: .open(town.arbitrary.element(of: Phrases.operator), of: contact.caller.person),
            clientTimestamp: "",
            channel: .webSocket
        )
        let queued = SIPReplyQueued(message: message, attempt: 1)
        script.record(
            actor,
            [
                (contact.subject, .chat(.messageSent(sent))),
                (contact.subject, .sip(.replyQueued(queued))),
            ],
            in: &town
        )
        if town.arbitrary.one(in: 3) {
            let late = SIPReplyTimedOut(message: message, attempt: 1, timeoutMilliseconds: 4_000)
            attempt(message, 1, contact, &script, &town, end: [.sip(.replyTimedOut(late))])
            let again = SIPReplyQueued(message: message, attempt: 2)
            script.record(actor, contact.subject, .sip(.replyQueued(again)), in: &town)
            deliver(message, 2, contact, &script, &town)
        } else {
            deliver(message, 1, contact, &script, &town)
        }
        guard town.arbitrary.one(in: 8) else { return }
        let muted = SessionMuteSet(by: town.members[owner].user, isMuted: true)
        script.record(actor, contact.subject, .session(.muteSet(muted)), in: &town)
        script.pass(town.wait(1...9))
    }

    private static func receive(
        _ contact: inout Contact,
        _ script: inout Script,
        _ town: inout Town
    ) {
        let person = contact.caller.person
        let message: MessageID = town.id(at: script.time)
        contact.messages += 1
        let sent = ChatMessageSent(
            message: message,
            temporaryID: "sip-\(contact.messages)",
            from: .caller,
            text: .open(town.arbitrary.element(of: Phrases.caller), of: person),
            clientTimestamp: "",
            channel: .sip
        )
        let chosen = ChatQuickResponseChosen(
            message: message,
            service: town.arbitrary.element(of: ChatQuickResponseChosen.Service.allCases)
        )
        let number = contact.caller.phone.text
        let sender = SIPSender(
            uri: "sip:\(number)@192.0.2.7",
            number: number,
            name: nil,
            host: "192.0.2.7",
            port: 5_060,
            answersTo: "sip:\(number)@192.0.2.7"
        )
        let received = SIPMessageReceived(
            person: person,
            sender: .open(sender, of: person),
            isVerified: town.arbitrary.bool(),
            trunk: town.arbitrary.maybe { _ in "north" },
            transport: .tcp,
            method: .message,
            sequence: contact.messages,
            message: message,
            raw: town.arbitrary.digest(),
            rawBytes: 900
        )
        var facts: [Fact] = [.chat(.messageSent(sent)), .sip(.messageReceived(received))]
        if town.arbitrary.one(in: 3) { facts.insert(.chat(.quickResponseChosen(chosen)), at: 1) }
        script.record(contact.callerActor, facts.map { (contact.subject, $0) }, in: &town)
        script.pass(town.wait(1...6))
    }

    private static func deliver(
        _ message: MessageID,
        _ number: Int,
        _ contact: Contact,
        _ script: inout Script,
        _ town: inout Town
    ) {
        let answered = SIPReplyAnswered(message: message, attempt: number, status: 200)
        let delivered = ChatMessageDelivered(message: message, to: .caller)
        let end: [Fact] = [.sip(.replyAnswered(answered)), .chat(.messageDelivered(delivered))]
        attempt(message, number, contact, &script, &town, end: end)
    }

    private static func attempt(
        _ message: MessageID,
        _ number: Int,
        _ contact: Contact,
        _ script: inout Script,
        _ town: inout Town,
        end: [Fact]
    ) {
        let policy = Actor.policy("telephony")
        let sent = SIPReplySent(
            message: message,
            attempt: number,
            person: contact.caller.person,
            transport: .tcp,
            raw: town.arbitrary.digest(),
            rawBytes: 700
        )
        script.record(policy, contact.subject, .sip(.replySent(sent)), in: &town)
        script.pass(town.wait(0.1...4))
        script.record(policy, end.map { (contact.subject, $0) }, in: &town)
        script.pass(town.wait(1...5))
    }
}
