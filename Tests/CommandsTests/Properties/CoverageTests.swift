// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import TestSupport
import Testing

@testable import Commands

@Suite(.tags(.promise3)) struct `The commands together` {
    @Test func `record every kind but the clock's own, and refuse in every way`() throws {
        var coverage = Coverage(ofKindsAnd: try SourceText.refusals().sorted())
        for scenario in RefusalScenario.all {
            let ledger = MemoryLedger()
            do {
                try scenario.play(ledger)
            } catch let refusal as any CommandRefusal {
                coverage.meet(caseName(of: refusal))
            }
            for event in ledger.events { coverage.meet(event.fact) }
        }
        let ledger = MemoryLedger()
        try ledger.playTheRest()
        for event in ledger.events { coverage.meet(event.fact) }
        #expect(coverage.missing == ["clock.stepped/1"], "\(coverage.table)")
    }
}

extension MemoryLedger {
    /// What no refusal needs on the way to it.
    fileprivate func playTheRest() throws {
        try run(AddReportUpdate("on the beach", by: .sam, to: try report()))
        try playTelephony()
        try playCamera()
        try playChannel()
        try playSafety()
        let given = try chat().session
        let turn = UserID(unchecked: "88")
        try user(turn)
        try run(AssignSession(given, to: turn, for: 20))
        try run(AnswerOffer(given, by: turn, .declined))
        try run(CloseSession(given, by: .staff(.boss), disposition: "handled"))
        let past = try closedChat().session
        let offered = try offeredChat().session
        try run(AnswerOffer(offered, by: .john, .declined))
        try run(OfferSession(offered, by: .sam, to: .john, reason: "my shift ends"))
        try run(AnswerOffer(offered, by: .john, .accepted))
        let left = try unattendedChat().session
        try run(ResumeSession(left, by: .sam))
        try run(CloseSession(left, by: .staff(.sam), disposition: "handled"))
        try run(CloseSession(offered, by: .staff(.john), disposition: "handled"))
        let (mine, theirs) = try pair()
        try run(ProposeLink(mine, with: theirs, by: .sam))
        try run(AnswerLinkProposal(theirs, from: mine, by: .john, .declined))
        wait(CommandLimits.proposalPause)
        try run(ProposeLink(mine, with: theirs, by: .sam))
        try run(AnswerLinkProposal(theirs, from: mine, by: .john, .accepted))
        try run(CloseSession(mine, by: .staff(.sam), disposition: "handled"))
        try run(SealSession(past, by: .mary, reason: "a colleague"))
        try run(SealSession(past, .unseal, by: .mary, reason: "training"))
        let scene = try claimedChat(by: UserID(unchecked: "42"))
        let incident = try #require(try state(Membership.self, scene.session).incident)
        let caller = Sender.caller(scene.caller)
        try run(ClassifyIncident(incident, as: "fire", priority: 1))
        try run(AddNote("ring twice", to: incident, about: scene.session))
        try run(SetAddress(incident, address: "94 Broad Street", source: .operator))
        let guardian = UserID(unchecked: "77")
        try user(guardian, as: .guard)
        let agency = try agency()
        try run(SetAgencyMembers(of: agency, to: [guardian]))
        try run(ShareAgencyPlace(.birmingham, of: agency, by: guardian, person: person()))
        let (seen, same) = (try report(), try report())
        try run(JoinReport(same, to: seen, by: .sam))
        try run(JoinReport(same, to: nil, by: .sam))
        let fire = try #require(try state(Membership.self, try chat().session).incident)
        try run(AttachReport(seen, to: fire, by: .sam))
        try run(AttachReport(seen, to: nil, by: .sam))
        let hidden = ReportVisibilitySet(of: .report, isPublic: false, by: .sam)
        try run(SetReportVisibility(of: seen, hidden))
        for change: ChangeAccount.Change in [
            .tokenIssued("1", until: now), .tokenRevoked("1"), .passwordChanged(.reset),
            .disabled(reason: "left"), .enabled(reason: "back"),
            .role(.rescuer, reason: "promoted"),
        ] { try run(ChangeAccount(guardian, change)) }
        try run(code(for: try chat().caller))
        try run(AdmitDevice(try device(of: person()), to: nil))
        let called = try video()
        try run(opening(try link(to: called), of: called))
        try run(opened(try request(.startVideo, in: called), in: called))
        let other = try chat().session
        try run(LinkSession(other, to: incident, reason: "same fire"))
        try run(UnlinkSession(other, from: incident, reason: "another fire"))
        let second = try #require(try state(Membership.self, other).incident)
        try run(MergeIncidents(second, into: incident, reason: "same fire"))
        try run(UnmergeIncident(second, from: incident, reason: "another fire"))
        try run(StartChat(caller: scene.caller))
        try run(
            ReportLocation(.birmingham, in: scene.session, by: caller, method: "gps")
        )
        try run(ReportLocationUnavailable(in: scene.session, by: caller, reason: .denied))
        try run(picture(in: scene))
        let message = try run(message(in: scene))
        let owner = Sender.operator(UserID(unchecked: "42"))
        try run(MarkDelivered(message, in: scene.session, to: owner))
        try run(MarkSeen(upTo: message, in: scene.session, by: owner))
        try run(ReleaseSession(scene.session, by: .boss))
        try playStream(in: scene)
        let report = try report()
        try run(ChangeReportStatus(of: report, to: .acknowledged, by: .mary))
        let person = person()
        let gate = try point()
        try run(RenewPatrolCode(gate))
        try run(CheckIn(at: gate, by: .mary, person: person, code: .genuine(number: 2)))
        try walkRound()
        try run(EnablePolicy(Policy.callerVideo, settings: ["anytime": 0]))
        let wishing = try chat()
        try run(WishVideo(in: wishing.session, by: wishing.caller))
        try run(WithdrawVideoWish(in: wishing.session, by: wishing.caller))
        try run(EnablePolicy(Policy.callerVideo, settings: ["anytime": 1]))
        try run(CorrectNumber(of: wishing.caller, to: .first, sameAs: []))
        try run(EnablePolicy("stream-silence", settings: ["silenceSeconds": 5]))
        try run(
            RecordAccess(
                by: .user(.sam, as: .operator),
                of: .session(scene.session),
                purpose: "transcript",
                fields: ["text"]
            )
        )
        try run(ConfirmClock(heldBack: .seconds(7_200)))
        let hold = try run(
            PlaceHold(on: .person(scene.caller), reason: "trial", authority: "Court")
        )
        try run(LiftHold(hold, reason: "acquitted", approvedBy: [.sam, .john]))
        let user = UserID(unchecked: "43")
        try self.user(user)
        try run(LogOut(user, reason: .user))
        try run(
            SetReach(of: user, phone: .first, email: nil, language: "en", offDutyUntil: nil)
        )
        let device = try subscribedDevice(of: person)
        try run(EndPush(on: device, .asked))
        let again: PushSubscriptionID = id()
        try run(SubscribePush(device, by: again, endpoint: .sample()))
        try run(EndPush(on: device, .expired(again, status: 410)))
    }

    private func playStream(in scene: Scene) throws {
        let stream = try stream(in: scene)
        try run(ArchiveChunk(.sample(0), of: stream))
        try run(RecordInspection(.sample(0...0), of: stream))
        try run(ChangeQuality(of: stream, to: .medium, cause: .user))
        try run(AdjustCamera(of: stream, to: "front", light: .on))
        try run(InterruptStream(stream, reason: .disconnected))
        try run(ResumeStream(stream, gapMilliseconds: 900, part: 1))
        let gap = StreamGapDetected(fromMilliseconds: 966, toMilliseconds: 1_866, cause: "network")
        try run(RecordGap(gap, in: stream))
        try run(FailRecording(stream, reasonCode: "disk-full", text: "no room"))
        try run(RecordViewing(of: stream, by: .user(.sam, as: .operator), mode: .live))
    }

    private func playTelephony() throws {
        let (scene, message) = try reply()
        let raw = SHA256Digest(of: [UInt8]())
        for step: RecordReply.Step in [
            .sent(.udp, raw: raw, bytes: 90), .timedOut(milliseconds: 4000),
        ] { try run(RecordReply(message, in: scene.session, attempt: 1, step)) }
        try run(SendReplyAgain(message, in: scene.session, by: .sam))
        let answered = RecordReply.Step.answered(status: 0)
        try run(RecordReply(message, in: scene.session, attempt: 2, answered))
        try run(MuteSession(scene.session, by: .boss, isMuted: true))
        let quick = SendMessage(
            "Police",
            in: scene.session,
            from: .caller(scene.caller),
            temporaryID: "q",
            clientTimestamp: "",
            channel: .http,
            quickResponse: .police
        )
        try run(quick)
        try run(CloseSession(scene.session, by: .staff(.sam), disposition: "handled"))
        try run(malformed())
        try run(SetTrunk("north", to: SIPTrunkSet(name: "North", host: "192.0.2.7", isOn: true)))
    }

    private func playChannel() throws {
        let channel = try channel()
        try write("hello", to: channel, by: member(.operator))
        try run(ReadChannel(channel, through: 1, by: member(.guard)))
    }

    private func playCamera() throws {
        let camera = try camera()
        try run(RecordCameraStanding(camera, .sample))
        for file in ["a.webm", "b.webm"] { try run(ArchiveMinute(camera, .sample(in: file))) }
        try run(ExpireFootage(camera, .sample("a.webm")))
        try keep(of: camera, for: try incident())
    }

    /// A round of which one point is reached, and nobody comes to the others.
    private func walkRound() throws {
        let points = [try point()]
        let tour: TourID = id()
        let daily = TourDefined.Schedule(minutesOfDay: [0], weekdays: [1])
        try run(DefineTour(tour, as: .sample(points, schedule: daily)))
        let start = ScheduledStart.spans(of: [now + .seconds(60)], graceSeconds: 0)[0]
        wait(.seconds(600))
        try run(PassTourStart(of: tour, at: start))
        try walkLateRound()
    }

    private func walkLateRound() throws {
        let (round, points) = try lateRound()
        let person = person()
        try run(
            HandleRoundPoint(
                points[0],
                of: round,
                by: .sam,
                sending: .john,
                note: nil,
                about: person
            )
        )
        try run(CheckIn(at: points[0], by: .mary, person: person, code: .genuine(number: 1)))
        wait(.seconds(2_000))
        try run(PassRoundTime(round))
    }
}
