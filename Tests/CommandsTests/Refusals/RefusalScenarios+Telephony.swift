// SPDX-License-Identifier: Apache-2.0
import Events

@testable import Commands

extension RefusalScenario {
    static let telephony = [
        RefusalScenario("TakeTelephoneMessage.personErased") { ledger in
            let person = try ledger.erasedPerson()
            try ledger.run(ledger.text(from: person))
        },
        RefusalScenario("TakeTelephoneMessage.unacceptable") { ledger in
            try ledger.run(ledger.text("", from: ledger.person()))
        },
        RefusalScenario("SendRefusal.noTelephone") { ledger in
            let scene = try ledger.claimedChat()
            try ledger.run(ledger.answer(in: scene, by: .telephone))
        },
        RefusalScenario("RecordReply.overtaken") { ledger in
            let (scene, message) = try ledger.reply()
            try ledger.run(
                RecordReply(message, in: scene.session, attempt: 2, .answered(status: 200))
            )
        },
        RefusalScenario("SendReplyAgain.unavailable") { ledger in
            let (scene, message) = try ledger.reply()
            try ledger.run(CloseSession(scene.session, by: .staff(.sam), disposition: "handled"))
            try ledger.run(SendReplyAgain(message, in: scene.session, by: .sam))
        },
        RefusalScenario("SendReplyAgain.notOwner") { ledger in
            let (scene, message) = try ledger.reply()
            try ledger.run(SendReplyAgain(message, in: scene.session, by: .john))
        },
        RefusalScenario("SendReplyAgain.messageUnknown") { ledger in
            let (scene, _) = try ledger.reply()
            try ledger.run(SendReplyAgain(ledger.id(), in: scene.session, by: .sam))
        },
        RefusalScenario("SendReplyAgain.notFailed") { ledger in
            let (scene, message) = try ledger.reply()
            try ledger.run(SendReplyAgain(message, in: scene.session, by: .sam))
        },
        RefusalScenario("SetTrunk.unacceptable") { ledger in
            try ledger.run(
                SetTrunk("north", to: SIPTrunkSet(name: "", host: "192.0.2.7", isOn: true))
            )
        },
        RefusalScenario("RecordMalformedSIP.unacceptable") { ledger in
            try ledger.run(ledger.malformed(""))
        },
        RefusalScenario("AssignSession.unavailable") { ledger in
            let session = try ledger.closedChat().session
            try ledger.run(AssignSession(session, to: .sam, for: 20))
        },
        RefusalScenario("AssignSession.notWaiting") { ledger in
            let session = try ledger.claimedChat().session
            try ledger.run(AssignSession(session, to: .john, for: 20))
        },
        RefusalScenario("AssignSession.cannotTake") { ledger in
            let session = try ledger.chat().session
            try ledger.run(AssignSession(session, to: UserID(unchecked: "9"), for: 20))
        },
        RefusalScenario("LeaveDesk.unknown") { ledger in
            try ledger.run(LeaveDesk(UserID(unchecked: "9")))
        },
        RefusalScenario("MuteSession.unavailable") { ledger in
            let session = try ledger.closedChat().session
            try ledger.run(MuteSession(session, by: .boss, isMuted: true))
        },
        RefusalScenario("MuteSession.notOwner") { ledger in
            let session = try ledger.claimedChat().session
            let john = Staff(.john, as: .operator)
            try ledger.run(MuteSession(session, by: john, isMuted: true))
        },
    ]
}

extension MemoryLedger {
    /// A text by telephone.
    func text(
        _ text: String? = "smoke on the stairs",
        from person: PersonID,
        phone: PhoneNumber? = nil,
        as temporaryID: String = "a1",
        place: TakeTelephoneMessage.Content.Place? = nil
    ) -> TakeTelephoneMessage {
        let sender = SIPSender(
            uri: "sip:+442079460000@192.0.2.7",
            number: "+442079460000",
            name: nil,
            host: "192.0.2.7",
            port: 5060,
            answersTo: "sip:+442079460000@192.0.2.7"
        )
        let request = TakeTelephoneMessage.Request(
            from: sender,
            isVerified: phone != nil,
            trunk: nil,
            transport: .udp,
            method: .message,
            sequence: 1,
            raw: SHA256Digest(of: Array(temporaryID.utf8)),
            rawBytes: 400,
            temporaryID: temporaryID
        )
        var content = TakeTelephoneMessage.Content(text: text)
        content.place = place
        return TakeTelephoneMessage(from: person, phone: phone, request, content)
    }

    /// The owner's words.
    func answer(
        _ text: String = "help is on its way",
        in scene: Scene,
        as temporaryID: String = "o1",
        by way: AnswerWay? = nil
    ) -> SendMessage {
        SendMessage(
            text,
            in: scene.session,
            from: .operator(.sam),
            temporaryID: temporaryID,
            clientTimestamp: "",
            channel: .http,
            way: way
        )
    }

    /// A session by telephone that is Sam's, and an answer on its way.
    func reply() throws -> (Scene, MessageID) {
        let caller = person()
        let session = try run(text(from: caller))
        let scene = Scene(session: session, caller: caller)
        try run(ClaimSession(session, by: .sam))
        return (scene, try run(answer(in: scene)))
    }

    /// What came to the sockets and is no SIP.
    func malformed(_ fault: String = "CSeq is no number in its range") -> RecordMalformedSIP {
        let person = person()
        return RecordMalformedSIP(
            SIPMalformedReceived(
                person: person,
                sender: .open("192.0.2.7:5060", of: person),
                transport: .udp,
                fault: fault,
                count: 3,
                raw: SHA256Digest(of: [UInt8]()),
                rawBytes: 40
            )
        )
    }
}
