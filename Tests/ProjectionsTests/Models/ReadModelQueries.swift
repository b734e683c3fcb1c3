// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import ProjectionsTesting
import Testing

@testable import Projections

/// Every query of every read model, with every combination of its filters, for everybody who may see something.
struct ReadModelQueries {
    private let database: ReadDatabase
    private let evening: Evening
    private let now: Timestamp
    private let scopes: [Scope]

    init(_ database: ReadDatabase, _ evening: Evening) {
        self.database = database
        self.evening = evening
        now = evening.script.now
        let (caller, session) = (evening.first.caller, evening.first.session)
        let readers: [Scope.Reader] = [
            .everything, .desk(evening.operatorA), .desk(nil),
            .caller(caller, sessions: nil, past: .all),
            .caller(caller, sessions: [session], past: .all),
        ]
        scopes =
            readers.map { Scope(organisation: .main, reader: $0) } + [.wholeLedger]
    }

    /// Asks the model that the tables are of.
    func all() async throws {
        switch database.identity.name {
        case "operator-desk": try await askDesk()
        case "alert-queue": try await askAlerts()
        case "check-ins": try await askCheckIns()
        case "conversations": try await askConversations()
        case "deadlines": try await askDeadlines()
        case "hourly-trends": try await askTrends()
        case "incident-timeline": try await askTimeline()
        case "pushes": try await askPushes()
        case "recordings": try await askRecordings()
        case "registry": try await askRegistry()
        case "telephony": try await askTelephony()
        case "cameras": try await askCameras()
        case "channels": try await askChannels()
        default: try await askReports()
        }
    }

    /// Each choice of so many filters; a filter that is chosen has its bit.
    private func choices(of filters: Int) -> Range<Int> { 0..<(1 << filters) }

    private var references: [CaseReference] {
        [CaseReference(evening.first.incident), CaseReference(evening.second.session)]
    }
}

extension ReadModelQueries {
    private func askDesk() async throws {
        let desk = OperatorDesk(database)
        for scope in scopes {
            for choice in choices(of: 5) {
                var filter = OperatorDesk.Filter()
                filter.state = choice & 1 == 0 ? nil : .open
                filter.owner = choice & 2 == 0 ? nil : evening.operatorA
                filter.channel = choice & 4 == 0 ? nil : .chat
                filter.before = choice & 8 == 0 ? nil : LogPosition(50)
                filter.caller = choice & 16 == 0 ? nil : evening.first.caller
                _ = try await desk.sessions(filter, in: scope)
                for state in SessionState?.allOfThem {
                    filter.state = state
                    for point in [AsOf.Point.position(LogPosition(9)), .time(now)] {
                        _ = try await desk.candidates(filter, in: scope, at: point, time: now)
                    }
                }
            }
            for choice in choices(of: 5) {
                var search = OperatorDesk.Search()
                search.text = choice & 1 == 0 ? "fire" : "07712 3"
                search.phonePrefix = choice & 1 == 0 ? nil : "+4477123"
                search.kind = choice & 2 == 0 ? nil : .session
                search.from = choice & 4 == 0 ? nil : now
                search.until = choice & 8 == 0 ? nil : now
                search.before = choice & 16 == 0 ? nil : LogPosition(50)
                _ = try await desk.search(search, in: scope)
            }
            _ = try await desk.pendingChats(in: scope)
            _ = try await desk.callers(phonePrefix: "+44", in: scope)
            for signedIn in [nil, true] {
                _ = try await desk.operators(in: scope, signedIn: signedIn)
            }
        }
        for reference in references { _ = try await desk.sessions(of: reference) }
        _ = try await desk.numbers(after: nil)
        try await askDeskOfOne(desk)
    }

    private func askDeskOfOne(_ desk: OperatorDesk) async throws {
        let (session, caller) = (evening.first.session, evening.first.caller)
        let phone = PhoneNumber("+447712345678")
        var script = evening.script
        _ = try await desk.session(session)
        _ = try await desk.openSessions(of: evening.operatorA)
        _ = try await desk.owners()
        _ = try await desk.incident(evening.first.incident)
        for after in [nil, LogPosition(1)] {
            _ = try await desk.notes(
                of: [evening.first.incident, script.id()],
                after: after,
                limit: 10
            )
        }
        _ = try await desk.staff(evening.operatorA)
        _ = try await desk.activeSession(of: caller)
        if let phone {
            _ = try await desk.persons(phone: phone)
            _ = try await desk.numbers(phone: phone)
            _ = try await desk.devices(phone: phone)
        }
        _ = try await desk.caller(caller)
        _ = try await desk.device(script.id())
        _ = try await desk.devices(of: caller)
        _ = try await desk.requests(of: session)
        _ = try await desk.request(script.id())
        _ = try await desk.consents(of: session)
        _ = try await desk.locations(of: session)
        _ = try await desk.streams(of: session)
    }

    private func askAlerts() async throws {
        let alerts = AlertQueue(database)
        for organisation in [nil, OrganisationID.main] {
            _ = try await alerts.queue(in: organisation)
        }
        for scope in scopes {
            for choice in choices(of: 3) {
                _ = try await alerts.alerts(
                    in: scope,
                    state: choice & 1 == 0 ? nil : .queued,
                    cause: choice & 2 == 0 ? nil : .session(evening.first.session),
                    before: choice & 4 == 0 ? nil : LogPosition(50)
                )
            }
        }
        _ = try await alerts.alert(evening.alert)
        _ = try await alerts.alert(deduplicationKey: "fire-1", since: now)
        _ = try await alerts.parts(of: evening.alert)
        _ = try await alerts.depth()
        _ = try await alerts.due(
            by: .sms,
            at: now,
            after: LogPosition(0),
            setAt: Timestamp(microseconds: 0),
            awaitingReportSince: now,
            perContact: 5,
            since: now
        )
        _ = try await alerts.templates()
        _ = try await alerts.chains()
        _ = try await alerts.chains(of: .main)
        _ = try await alerts.rotas(of: .main)
        _ = try await alerts.webhooks()
        _ = try await alerts.webhooks(of: .main)
        _ = try await alerts.openCallOuts()
        _ = try await alerts.hasCallOut(about: .session(evening.first.session))
        for scope in scopes {
            for choice in choices(of: 2) {
                _ = try await alerts.callOuts(
                    in: scope,
                    isOpen: choice & 1 == 0 ? nil : true,
                    before: choice & 2 == 0 ? nil : LogPosition(50)
                )
            }
        }
        _ = try await alerts.expired(at: now, after: LogPosition(0))
        _ = try await alerts.lastParts(by: .sms)
        _ = try await alerts.waiting(for: .email)
        if let phone = PhoneNumber("+4915112345678") {
            _ = try await alerts.newest(to: phone, in: .main)
        }
    }

    private func askCheckIns() async throws {
        let checkIns = CheckIns(database)
        var script = evening.script
        let point: PatrolPointID = script.id()
        let guardID = UserID(unchecked: "g1")
        _ = try await checkIns.scheduledTours()
        for scope in scopes {
            for choice in choices(of: 5) {
                var filter = CheckIns.Filter()
                filter.guardID = choice & 1 == 0 ? nil : guardID
                filter.point = choice & 2 == 0 ? nil : point
                filter.from = choice & 4 == 0 ? nil : now
                filter.until = choice & 8 == 0 ? nil : now
                filter.before = choice & 16 == 0 ? nil : LogPosition(50)
                _ = try await checkIns.checkIns(filter, in: scope)
            }
            for choice in choices(of: 5) {
                var filter = CheckIns.ExceptionFilter()
                filter.kind = choice & 1 == 0 ? nil : .late
                filter.site = choice & 2 == 0 ? nil : "dock"
                filter.from = choice & 4 == 0 ? nil : now
                filter.until = choice & 8 == 0 ? nil : now
                filter.before = choice & 16 == 0 ? nil : LogPosition(50)
                _ = try await checkIns.exceptions(filter, in: scope)
            }
            _ = try await checkIns.points(in: scope)
            _ = try await checkIns.points(after: LogPosition(5), in: scope)
            _ = try await checkIns.tours(after: LogPosition(5), in: scope)
            _ = try await checkIns.tours(in: scope)
            _ = try await checkIns.round(script.id(), in: scope)
            for taken in [nil, now] {
                _ = try await checkIns.alarms(takenSince: taken, in: scope)
                _ = try await checkIns.alarms(of: guardID, takenSince: taken, in: scope)
            }
            for choice in choices(of: 3) {
                _ = try await checkIns.rounds(
                    of: choice & 1 == 0 ? nil : guardID,
                    openOnly: choice & 2 == 0,
                    before: choice & 4 == 0 ? nil : LogPosition(50),
                    in: scope
                )
            }
        }
        _ = try await checkIns.roundsDue(at: now)
        _ = try await checkIns.point(point)
    }
}

extension ReadModelQueries {
    private func askConversations() async throws {
        let conversations = Conversations(database)
        let session = evening.first.session
        var script = evening.script
        for reference in references {
            _ = try await conversations.conversations(of: reference)
            _ = try await conversations.messages(of: reference, after: LogPosition(3))
        }
        _ = try await conversations.pictures(in: session)
        _ = try await conversations.message(script.id())
        _ = try await conversations.message(temporaryID: "t", from: .caller, in: session)
        _ = try await conversations.rejections(in: session)
        _ = try await conversations.history(of: evening.first.caller)
    }

    private func askDeadlines() async throws {
        let deadlines = Deadlines(database)
        _ = try await deadlines.expiredStarts(at: now)
        _ = try await deadlines.expiredRequests(at: now)
        _ = try await deadlines.streams(.live, silentSince: now)
        _ = try await deadlines.next(silence: .seconds(5), end: .seconds(60))
        _ = try await deadlines.policies()
        _ = try await deadlines.policy("start-limit")
    }

    private func askTrends() async throws {
        for scope in scopes {
            _ = try await HourlyTrends(database).rows(
                in: scope,
                from: nil,
                until: now,
                knownTo: now
            )
        }
    }

    private func askTimeline() async throws {
        let timeline = IncidentTimeline(database)
        let stream = CaseReference.any(evening.stream.description)
        for reference in references + [CaseReference(evening.report), stream] {
            _ = try await timeline.root(of: reference)
            _ = try await timeline.subjects(of: reference)
            _ = try await timeline.timeline(of: reference, after: LogPosition(3), limit: 10)
        }
    }

    private func askPushes() async throws {
        let pushes = Pushes(database)
        _ = try await pushes.due(at: now, messages: now...now)
        _ = try await pushes.open(at: now)
    }

    private func askChannels() async throws {
        let channels = Channels(database)
        for scope in scopes { _ = try await channels.channels(in: scope) }
        let channel = try #require(ChannelID("01a21f85-eea6-7e29-a9db-5a3f280febae"))
        _ = try await channels.messages(of: channel, limit: 50)
        _ = try await channels.messages(of: channel, before: 7, limit: 50)
        _ = try await channels.message(7, of: channel)
    }

    private func askCameras() async throws {
        let cameras = Cameras(database)
        for scope in scopes { _ = try await cameras.cameras(of: "Depot North", in: scope) }
        _ = try await cameras.cameras(in: .wholeLedger)
        let camera = try #require(CameraID("01a21f85-eea6-7e29-a9db-5a3f280febae"))
        _ = try await cameras.footage(of: camera)
        _ = try await cameras.footage(of: camera, from: now, until: now)
        _ = try await cameras.expired(of: camera)
        _ = try await cameras.bytes(of: camera)
        _ = try await cameras.kept(of: camera)
        _ = try await cameras.kept(for: evening.first.incident)
    }

    private func askTelephony() async throws {
        let telephony = Telephony(database)
        let sender = "sip:+442079460000@192.0.2.7"
        _ = try await telephony.person(from: sender, at: "192.0.2.7", in: .main)
        _ = try await telephony.waitingStrangers()
        _ = try await telephony.openReplies()
        _ = try await telephony.trunks()
    }

    private func askRegistry() async throws {
        let registry = Registry(database)
        var script = evening.script
        let reader = Actor.user(evening.operatorA, as: .operator)
        _ = try await registry.user(evening.operatorA)
        for organisation in [nil, OrganisationID.main] {
            _ = try await registry.users(in: organisation)
            for choice in choices(of: 3) {
                _ = try await registry.access(
                    reader: choice & 1 == 0 ? nil : reader,
                    resource: choice & 2 == 0 ? nil : .session(evening.first.session),
                    organisation: organisation,
                    before: choice & 4 == 0 ? nil : LogPosition(50)
                )
            }
        }
        for scope in scopes {
            for active in [true, false] { _ = try await registry.holds(active: active, in: scope) }
        }
        _ = try await registry.holds(on: evening.first.caller)
        _ = try await registry.persons(of: script.id())
        _ = try await registry.erasure(of: evening.first.caller)
        _ = try await registry.erasures()
    }
}

extension ReadModelQueries {
    private func askRecordings() async throws {
        let recordings = Recordings(database)
        _ = try await recordings.recording(evening.stream)
        for reference in references { _ = try await recordings.recordings(of: reference) }
        _ = try await recordings.chunks(of: evening.stream)
        _ = try await recordings.gaps(of: evening.stream)
        _ = try await recordings.inspections(of: evening.stream)
        for scope in scopes {
            for choice in choices(of: 7) {
                var search = Recordings.Search()
                search.text = choice & 1 == 0 ? nil : "fire"
                search.fileName = choice & 2 == 0 ? nil : "2026"
                search.phonePrefix = choice & 4 == 0 ? nil : "+44"
                search.fromDate = choice & 8 == 0 ? nil : "2026-01-01"
                search.toDate = choice & 16 == 0 ? nil : "2027-01-01"
                search.fromTime = choice & 32 == 0 ? nil : "10-00"
                search.before = choice & 64 == 0 ? nil : LogPosition(50)
                _ = try await recordings.search(search, in: scope)
            }
        }
    }

    private func askReports() async throws {
        let reports = Reports(database)
        let centre = Fix(latitude: 40, longitude: -74)
        for scope in scopes {
            for choice in choices(of: 8) {
                var filter = Reports.Filter()
                filter.statuses = choice & 1 == 0 ? nil : [.submitted, .acknowledged]
                filter.species = choice & 2 == 0 ? nil : "seal"
                filter.reporter = choice & 4 == 0 ? nil : evening.first.caller
                filter.submittedFrom = choice & 8 == 0 ? nil : now
                filter.submittedBefore = choice & 16 == 0 ? nil : now
                filter.before = choice & 32 == 0 ? nil : LogPosition(50)
                filter.changedFrom = choice & 64 == 0 ? nil : now
                filter.isPublic = choice & 128 == 0 ? nil : true
                _ = try await reports.reports(filter, in: scope)
            }
            for grouping in ReportStatistics.Grouping.allCases {
                _ = try await reports.statistics(
                    by: grouping,
                    in: scope,
                    from: now,
                    until: now,
                    zone: .gmt
                )
            }
            _ = try await reports.report(evening.report, in: scope)
            _ = try await reports.joined(to: evening.report, in: scope)
            _ = try await reports.reports(
                near: centre,
                withinMetres: 10,
                in: scope,
                keys: NoKeys()
            )
        }
        _ = try await reports.history(of: evening.report)
        _ = try await reports.assignments(of: evening.report)
        _ = try await reports.photos(of: [evening.report])
        _ = try await reports.updates(of: evening.report)
        _ = try await reports.unacknowledged()
        _ = try await reports.agencies()
        _ = try await reports.agencies(of: .main)
    }
}

extension SessionState? {
    /// Every state, and none.
    fileprivate static var allOfThem: [SessionState?] { [nil] + SessionState.allCases }
}
