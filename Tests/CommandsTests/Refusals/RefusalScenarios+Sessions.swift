// SPDX-License-Identifier: Apache-2.0
import Events

@testable import Commands

extension RefusalScenario {
    static let sessions: [RefusalScenario] =
        opening + claiming + handing + ending + activity + requests + incidents

    private static let opening = [
        RefusalScenario("CreateSession.callerInSession") { ledger in
            let scene = try ledger.chat()
            try ledger.run(CreateSession(by: .sam, caller: scene.caller, phone: .first))
        },
        RefusalScenario("CreateSession.operatorBusy") { ledger in
            _ = try ledger.video()
            _ = try ledger.video()
        },
        RefusalScenario("CreateSession.personErased") { ledger in
            let person = try ledger.erasedPerson()
            try ledger.run(CreateSession(by: .sam, caller: person, phone: .first))
        },
        RefusalScenario("StartChat.personErased") { ledger in
            try ledger.run(StartChat(caller: try ledger.erasedPerson()))
        },
    ]

    private static let claiming = [
        RefusalScenario("ClaimSession.unavailable") { ledger in
            try ledger.run(ClaimSession(ledger.id(), by: .sam))
        },
        RefusalScenario("ClaimSession.taken") { ledger in
            try ledger.run(ClaimSession(try ledger.claimedChat().session, by: .john))
        },
        RefusalScenario("ClaimSession.operatorBusy") { ledger in
            _ = try ledger.claimedChat()
            _ = try ledger.claimedChat()
        },
        RefusalScenario("ReleaseSession.unavailable") { ledger in
            try ledger.run(ReleaseSession(try ledger.closedChat().session, by: .sam))
        },
        RefusalScenario("ReleaseSession.notOwner") { ledger in
            try ledger.run(ReleaseSession(try ledger.claimedChat().session, by: .john))
        },
    ]

    private static let handing = [
        RefusalScenario("OfferSession.unavailable") { ledger in
            try ledger.run(offer(try ledger.closedChat().session))
        },
        RefusalScenario("OfferSession.notOwner") { ledger in
            try ledger.run(offer(try ledger.claimedChat(by: .mary).session))
        },
        RefusalScenario("OfferSession.cannotHold") { ledger in
            try ledger.run(offer(try ledger.claimedChat().session))
        },
        RefusalScenario("OfferSession.colleagueBusy") { ledger in
            try ledger.user(.john)
            _ = try ledger.claimedChat(by: .john)
            try ledger.run(offer(try ledger.claimedChat().session))
        },
        RefusalScenario("OfferSession.unacceptable") { ledger in
            try ledger.run(offer(try ledger.claimedChat().session, reason: ""))
        },
        RefusalScenario("AnswerOffer.unavailable") { ledger in
            try ledger.run(AnswerOffer(ledger.id(), by: .john, .accepted))
        },
        RefusalScenario("AnswerOffer.noOffer") { ledger in
            try ledger.run(AnswerOffer(try ledger.claimedChat().session, by: .john, .accepted))
        },
        RefusalScenario("AnswerOffer.operatorBusy") { ledger in
            let session = try ledger.offeredChat().session
            _ = try ledger.claimedChat(by: .john)
            try ledger.run(AnswerOffer(session, by: .john, .accepted))
        },
        RefusalScenario("TakeOverSession.unavailable") { ledger in
            try ledger.run(TakeOverSession(ledger.id(), by: .john))
        },
        RefusalScenario("TakeOverSession.notUnattended") { ledger in
            try ledger.run(TakeOverSession(try ledger.claimedChat().session, by: .john))
        },
        RefusalScenario("TakeOverSession.tooSoon") { ledger in
            try ledger.run(TakeOverSession(try ledger.unattendedChat().session, by: .john))
        },
        RefusalScenario("TakeOverSession.operatorBusy") { ledger in
            let session = try ledger.unattendedChat().session
            _ = try ledger.claimedChat(by: .john)
            ledger.wait(.seconds(120))
            try ledger.run(TakeOverSession(session, by: .john))
        },
        RefusalScenario("ResumeSession.unavailable") { ledger in
            try ledger.run(ResumeSession(ledger.id(), by: .sam))
        },
        RefusalScenario("ResumeSession.notOwner") { ledger in
            try ledger.run(ResumeSession(try ledger.claimedChat().session, by: .john))
        },
    ]

    private static func offer(_ session: SessionID, reason: String = "my shift ends")
        -> OfferSession
    {
        OfferSession(session, by: .sam, to: .john, reason: reason)
    }

    private static let ending = [
        RefusalScenario("ExpireSession.unknown") { ledger in
            try ledger.run(ExpireSession(ledger.id()))
        },
        RefusalScenario("ExpireSession.closed") { ledger in
            try ledger.run(ExpireSession(try ledger.closedChat().session))
        },
        RefusalScenario("ExpireSession.started") { ledger in
            let scene = try ledger.video()
            try ledger.stream(in: scene)
            ledger.wait(.seconds(120))
            try ledger.run(ExpireSession(scene.session))
        },
        RefusalScenario("ExpireSession.noLimit") { ledger in
            try ledger.run(ExpireSession(try ledger.chat().session))
        },
        RefusalScenario("ExpireSession.tooEarly") { ledger in
            try ledger.run(ExpireSession(try ledger.video().session))
        },
        RefusalScenario("CloseSession.unavailable") { ledger in
            let session = try ledger.expiredVideo().session
            try ledger.run(CloseSession(session, by: .staff(.sam), disposition: "handled"))
        },
        RefusalScenario("CloseSession.notOwner") { ledger in
            let session = try ledger.chat().session
            try ledger.run(CloseSession(session, by: .staff(.sam), disposition: "handled"))
        },
        RefusalScenario("CloseSession.unacceptable") { ledger in
            let session = try ledger.claimedChat().session
            try ledger.run(CloseSession(session, by: .staff(.sam), disposition: ""))
        },
    ]

    private static let activity = [
        RefusalScenario("SignalActivity.unavailable") { ledger in
            let scene = try ledger.closedChat()
            try ledger.run(
                SignalActivity(scene.session, by: .caller(scene.caller), activity: .typing)
            )
        },
        RefusalScenario("SignalActivity.notYours") { ledger in
            let session = try ledger.chat().session
            try ledger.run(
                SignalActivity(session, by: .caller(ledger.person()), activity: .typing)
            )
        },
        RefusalScenario("RecordConsent.unavailable") { ledger in
            try ledger.run(consent(try ledger.closedChat()))
        },
        RefusalScenario("RecordConsent.notYours") { ledger in
            let session = try ledger.chat().session
            try ledger.run(consent(Scene(session: session, caller: ledger.person())))
        },
        RefusalScenario("RecordConsent.unacceptable") { ledger in
            try ledger.run(consent(try ledger.chat(), textVersion: ""))
        },
    ]

    private static let requests = [
        RefusalScenario("SendRequest.unavailable") { ledger in
            try ledger.run(SendRequest(ledger.id(), by: .sam, ask: .startVideo))
        },
        RefusalScenario("SendRequest.notOwner") { ledger in
            let session = try ledger.chat().session
            try ledger.run(SendRequest(session, by: .sam, ask: .startVideo))
        },
        RefusalScenario("SendRequest.pending") { ledger in
            let scene = try ledger.video()
            _ = try ledger.request(.startVideo, in: scene)
            _ = try ledger.request(.startVideo, in: scene)
        },
        RefusalScenario("AnswerRequest.unavailable") { ledger in
            try ledger.run(
                AnswerRequest(ledger.id(), in: ledger.id(), by: .system, answer: .accepted)
            )
        },
        RefusalScenario("AnswerRequest.notYours") { ledger in
            let scene = try ledger.video()
            let request = try ledger.request(.startVideo, in: scene)
            let other = Sender.caller(ledger.person())
            try ledger.run(
                AnswerRequest(request, in: scene.session, by: other, answer: .accepted)
            )
        },
        RefusalScenario("AnswerRequest.unknown") { ledger in
            let scene = try ledger.video()
            try ledger.run(answer(ledger.id(), .accepted, in: scene))
        },
        RefusalScenario("AnswerRequest.answered") { ledger in
            let scene = try ledger.video()
            let request = try ledger.request(.startVideo, in: scene)
            try ledger.run(answer(request, .declined, in: scene))
            try ledger.run(answer(request, .accepted, in: scene))
        },
        RefusalScenario("MarkRequestOpened.unavailable") { ledger in
            let scene = try ledger.video()
            try ledger.run(
                MarkRequestOpened(ledger.id(), in: ledger.id(), by: .caller(scene.caller))
            )
        },
        RefusalScenario("MarkRequestOpened.notYours") { ledger in
            let scene = try ledger.video()
            let request = try ledger.request(.startVideo, in: scene)
            let other = Sender.caller(ledger.person())
            try ledger.run(MarkRequestOpened(request, in: scene.session, by: other))
        },
        RefusalScenario("MarkRequestOpened.unknown") { ledger in
            let scene = try ledger.video()
            try ledger.run(ledger.opened(ledger.id(), in: scene))
        },
        RefusalScenario("MarkRequestOpened.over") { ledger in
            let scene = try ledger.video()
            let request = try ledger.request(.startVideo, in: scene)
            try ledger.run(answer(request, .declined, in: scene))
            try ledger.run(ledger.opened(request, in: scene))
        },
        RefusalScenario("AnswerRequest.notYetStale") { ledger in
            let scene = try ledger.video()
            let request = try ledger.request(.startVideo, in: scene)
            try ledger.run(answer(request, .stale, in: scene))
        },
    ]

    private static let incidents = [
        RefusalScenario("LinkSession.sessionUnknown") { ledger in
            let incident = try ledger.video(by: .john)
            let known = try ledger.state(Session.self, incident.session).contact?.incident
            try ledger.run(LinkSession(ledger.id(), to: known ?? ledger.id(), reason: "same fire"))
        },
        RefusalScenario("LinkSession.incidentUnknown") { ledger in
            let session = try ledger.chat().session
            try ledger.run(LinkSession(session, to: ledger.id(), reason: "same fire"))
        },
        RefusalScenario("LinkSession.otherOrganisation") { ledger in
            let elsewhere = try ledger.incident(of: OrganisationID(unchecked: "elsewhere"))
            let session = try ledger.chat().session
            try ledger.run(LinkSession(session, to: elsewhere, reason: "same fire"))
        },
        RefusalScenario("MergeIncidents.otherOrganisation") { ledger in
            let elsewhere = try ledger.incident(of: OrganisationID(unchecked: "elsewhere"))
            let incident = try ledger.incident()
            try ledger.run(MergeIncidents(elsewhere, into: incident, reason: "same fire"))
        },
        RefusalScenario("LinkSession.unacceptable") { ledger in
            let session = try ledger.chat().session
            try ledger.run(LinkSession(session, to: ledger.id(), reason: ""))
        },
        RefusalScenario("LinkProposalRefusal.unavailable") { ledger in
            let session = try ledger.claimedChat().session
            try ledger.run(ProposeLink(session, with: ledger.id(), by: .sam))
        },
        RefusalScenario("LinkProposalRefusal.notOwner") { ledger in
            let (mine, theirs) = try ledger.pair()
            try ledger.run(ProposeLink(mine, with: theirs, by: .mary))
        },
        RefusalScenario("LinkProposalRefusal.notAnothers") { ledger in
            let (mine, _) = try ledger.pair()
            try ledger.run(ProposeLink(mine, with: mine, by: .sam))
        },
        RefusalScenario("LinkProposalRefusal.otherOrganisation") { ledger in
            let (mine, _) = try ledger.pair()
            let elsewhere = OrganisationID(unchecked: "elsewhere")
            let other = try ledger.run(StartChat(caller: ledger.person()), in: elsewhere).session
            try ledger.run(ProposeLink(mine, with: other, by: .sam))
        },
        RefusalScenario("LinkProposalRefusal.pending") { ledger in
            let (mine, theirs) = try ledger.pair()
            try ledger.run(ProposeLink(mine, with: theirs, by: .sam))
            try ledger.run(ProposeLink(mine, with: theirs, by: .sam))
        },
        RefusalScenario("LinkProposalRefusal.declined") { ledger in
            let (mine, theirs) = try ledger.pair()
            try ledger.run(ProposeLink(mine, with: theirs, by: .sam))
            try ledger.run(AnswerLinkProposal(theirs, from: mine, by: .john, .declined))
            try ledger.run(ProposeLink(mine, with: theirs, by: .sam))
        },
        RefusalScenario("LinkProposalRefusal.crowded") { ledger in
            let theirs = try ledger.claimedChat(by: .john).session
            for number in 0...CommandLimits.proposalsAtOnceMax {
                let asker = UserID(unchecked: "asker-\(number)")
                let session = try ledger.claimedChat(by: asker).session
                try ledger.run(ProposeLink(session, with: theirs, by: asker))
            }
        },
        RefusalScenario("LinkProposalRefusal.noProposal") { ledger in
            let (mine, theirs) = try ledger.pair()
            try ledger.run(AnswerLinkProposal(mine, from: theirs, by: .sam, .accepted))
        },
        RefusalScenario("LinkProposalRefusal.bothLinked") { ledger in
            let (mine, theirs) = try ledger.pair()
            for session in [mine, theirs] {
                let incident = try ledger.state(Membership.self, session).incident
                let other = try ledger.chat().session
                try ledger.run(LinkSession(other, to: incident ?? ledger.id(), reason: "smoke"))
            }
            try ledger.run(ProposeLink(mine, with: theirs, by: .sam))
        },
        RefusalScenario("ClassifyIncident.incidentUnknown") { ledger in
            try ledger.run(ClassifyIncident(ledger.id(), as: "fire", priority: 1))
        },
        RefusalScenario("ClassifyIncident.merged") { ledger in
            try ledger.run(ClassifyIncident(try ledger.mergedIncident(), as: "fire", priority: 1))
        },
        RefusalScenario("ClassifyIncident.unacceptable") { ledger in
            try ledger.run(ClassifyIncident(try ledger.incident(), as: "fire", priority: 6))
        },
        RefusalScenario("AddNote.incidentUnknown") { ledger in
            let session = try ledger.chat().session
            try ledger.run(AddNote("ring twice", to: ledger.id(), about: session))
        },
        RefusalScenario("AddNote.merged") { ledger in
            let session = try ledger.chat().session
            try ledger.run(AddNote("ring twice", to: try ledger.mergedIncident(), about: session))
        },
        RefusalScenario("AddNote.sessionElsewhere") { ledger in
            let session = try ledger.chat().session
            try ledger.run(AddNote("ring twice", to: try ledger.incident(), about: session))
        },
        RefusalScenario("AddNote.personErased") { ledger in
            let scene = try ledger.closedChat()
            try ledger.run(ErasePerson(scene.caller, reason: "asked for it"))
            let incident = try ledger.state(Membership.self, scene.session).incident
            let session = scene.session
            try ledger.run(AddNote("ring twice", to: incident ?? ledger.id(), about: session))
        },
        RefusalScenario("AddNote.full") { ledger in
            let session = try ledger.chat().session
            let incident = try ledger.state(Membership.self, session).incident ?? ledger.id()
            for _ in 0...CommandLimits.notesPerIncidentMax {
                try ledger.run(AddNote("ring twice", to: incident, about: session))
            }
        },
        RefusalScenario("AddNote.unacceptable") { ledger in
            let session = try ledger.chat().session
            try ledger.run(AddNote("", to: try ledger.incident(), about: session))
        },
        RefusalScenario("IssueLink.unavailable") { ledger in
            try ledger.link(to: try ledger.expiredVideo())
        },
        RefusalScenario("IssueLink.notOwner") { ledger in
            try ledger.link(to: try ledger.video(by: .john))
        },
        RefusalScenario("IssueLink.withoutNumber") { ledger in
            try ledger.link(to: try ledger.claimedChat())
        },
        RefusalScenario("OpenLink.unavailable") { ledger in
            let scene = try ledger.video()
            let link = try ledger.link(to: scene)
            ledger.wait(.seconds(120))
            try ledger.run(ledger.opening(link, of: scene))
        },
        RefusalScenario("OpenLink.unknown") { ledger in
            try ledger.run(ledger.opening(ledger.id(), of: try ledger.video()))
        },
        RefusalScenario("OpenLink.over") { ledger in
            let scene = try ledger.video()
            let link = try ledger.link(to: scene)
            ledger.wait(.seconds(60))
            try ledger.run(ledger.opening(link, of: scene))
        },
        RefusalScenario("OpenLink.unacceptable") { ledger in
            let scene = try ledger.video()
            let link = try ledger.link(to: scene)
            let key = String(repeating: "x", count: 5_000)
            try ledger.run(ledger.opening(link, of: scene, publicKey: key))
        },
        RefusalScenario("LinkSession.merged") { ledger in
            let (first, second) = (try ledger.incident(), try ledger.incident())
            try ledger.run(MergeIncidents(first, into: second, reason: "same fire"))
            let session = try ledger.chat().session
            try ledger.run(LinkSession(session, to: first, reason: "same fire"))
        },
        RefusalScenario("UnlinkSession.incidentUnknown") { ledger in
            let session = try ledger.chat().session
            try ledger.run(UnlinkSession(session, from: ledger.id(), reason: "another fire"))
        },
        RefusalScenario("UnlinkSession.notLinked") { ledger in
            let session = try ledger.chat().session
            let incident = try ledger.incident()
            try ledger.run(UnlinkSession(session, from: incident, reason: "another fire"))
        },
        RefusalScenario("UnlinkSession.alone") { ledger in
            let session = try ledger.chat().session
            let incident = try ledger.state(Membership.self, session).incident ?? ledger.id()
            try ledger.run(UnlinkSession(session, from: incident, reason: "another fire"))
        },
        RefusalScenario("UnlinkSession.unacceptable") { ledger in
            let session = try ledger.chat().session
            try ledger.run(UnlinkSession(session, from: ledger.id(), reason: ""))
        },
        RefusalScenario("MergeIncidents.incidentUnknown") { ledger in
            let incident = try ledger.incident()
            try ledger.run(MergeIncidents(ledger.id(), into: incident, reason: "same fire"))
        },
        RefusalScenario("MergeIncidents.same") { ledger in
            let incident = try ledger.incident()
            try ledger.run(MergeIncidents(incident, into: incident, reason: "same fire"))
        },
        RefusalScenario("MergeIncidents.merged") { ledger in
            let (first, second) = (try ledger.incident(), try ledger.incident())
            try ledger.run(MergeIncidents(first, into: second, reason: "same fire"))
            let third = try ledger.incident()
            try ledger.run(MergeIncidents(first, into: third, reason: "same fire"))
        },
        RefusalScenario("MergeIncidents.tooManySessions") { ledger in
            let (first, second) = (try ledger.incident(), try ledger.incident())
            for _ in 0..<CommandLimits.sessionsPerMergeMax {
                let session = try ledger.chat().session
                try ledger.run(LinkSession(session, to: first, reason: "same fire"))
            }
            try ledger.run(MergeIncidents(first, into: second, reason: "same fire"))
        },
        RefusalScenario("MergeIncidents.unacceptable") { ledger in
            let incident = try ledger.incident()
            try ledger.run(MergeIncidents(incident, into: ledger.id(), reason: ""))
        },
        RefusalScenario("UnmergeIncident.incidentUnknown") { ledger in
            let incident = try ledger.incident()
            try ledger.run(UnmergeIncident(ledger.id(), from: incident, reason: "another fire"))
        },
        RefusalScenario("UnmergeIncident.notMerged") { ledger in
            let (first, second) = (try ledger.incident(), try ledger.incident())
            try ledger.run(UnmergeIncident(first, from: second, reason: "another fire"))
        },
        RefusalScenario("UnmergeIncident.unacceptable") { ledger in
            let incident = try ledger.incident()
            try ledger.run(UnmergeIncident(incident, from: incident, reason: ""))
        },
        RefusalScenario("SetAddress.incidentUnknown") { ledger in
            try ledger.run(SetAddress(ledger.id(), address: "94 Broad Street", source: .operator))
        },
        RefusalScenario("SetAddress.unacceptable") { ledger in
            try ledger.run(
                SetAddress(
                    ledger.id(),
                    address: String(repeating: "x", count: 5_000),
                    source: .operator
                )
            )
        },
    ]

    private static func consent(_ scene: Scene, textVersion: String = "2026-1") -> RecordConsent {
        RecordConsent(
            scene.session,
            by: .caller(scene.caller),
            scope: .video,
            decision: .granted,
            textVersion: textVersion
        )
    }

    private static func answer(
        _ request: RequestID,
        _ answer: SessionRequestAnswered.Answer,
        in scene: Scene
    ) -> AnswerRequest {
        AnswerRequest(request, in: scene.session, by: .caller(scene.caller), answer: answer)
    }
}
