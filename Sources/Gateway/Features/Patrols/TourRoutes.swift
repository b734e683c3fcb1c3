// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import HTTPTypes
import Hummingbird
import Projections

/// The routes of tours: setting them up, walking them, and looking after those who do.
struct TourRoutes: Sendable {
    let ledger: Ledger

    var routes: [Route] {
        [
            Route(.post, "/v1/tours", for: .supervision, define),
            Route(.get, "/v1/tours", for: Self.readers, tours),
            Route(.post, "/v1/tours/:id/rounds", for: [.guard], start),
            Route(.get, "/v1/rounds", for: Self.readers, reads: "round-list", rounds),
            Route(.get, "/v1/rounds/:id", for: Self.readers, reads: "round", round),
            Route(
                .get,
                "/v1/rounds/:id/timeline",
                for: .readersOfTheCentre,
                reads: "timeline",
                timeline
            ),
            Route(.post, "/v1/rounds/:id/stop", for: Self.walkersAndAbove, stop),
            Route(.post, "/v1/rounds/:id/points/:point", for: .supervision, handle),
            Route(.post, "/v1/guard-alarms", for: [.guard], raise),
            Route(
                .get,
                "/v1/guard-alarms",
                for: Self.alarmReaders,
                reads: "guard-alarm-list",
                alarms
            ),
            Route(.post, "/v1/guard-alarms/:id/answer", for: .deskAndAbove, answer),
        ]
    }

    /// Who reads where guards go.
    static let readers: Askers = [
        .guard, .operator, .supervisor, .auditor, .organisationAdmin, .admin,
    ]
    private static let alarmReaders: Askers = [
        .guard, .operator, .supervisor, .organisationAdmin, .admin,
    ]
    private static let walkersAndAbove: Askers = [
        .guard, .supervisor, .organisationAdmin, .admin,
    ]

    // MARK: - Tours

    /// What sets up a tour, or changes the one with that id.
    private struct TourRequest: Decodable {
        let id: TourID?
        let site: String
        let name: String
        let points: [TourDefined.Point]
        let isOrdered: Bool
        let graceSeconds: Int
        let isRetired: Bool?
        let schedule: TourDefined.Schedule?
    }

    private func define(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let request = try await ledger.command(request, context)
        let body: TourRequest = try request.decoded()
        if let id = body.id { try ledger.rights.requireInReach(.tour(id), of: request.asker) }
        let tour = try body.id ?? known(request, "tour").flatMap { TourID($0) } ?? ledger.newID()
        let definition = TourDefined(
            site: body.site,
            name: body.name,
            points: body.points,
            isOrdered: body.isOrdered,
            graceSeconds: body.graceSeconds,
            isRetired: body.isRetired ?? false,
            schedule: body.schedule
        )
        return try await ledger.answer(
            DefineTour(tour, as: definition),
            request,
            status: body.id == nil ? .created : .ok
        ) { ["tour": "\(tour)"] }
    }

    /// The name of the thing that the same request made before: a repetition must name it again.
    private func known(_ request: CommandRequest, _ category: Substring) throws -> String? {
        let stamp = ledger.context(
            of: request.asker.principal,
            command: request.command,
            asked: request.asked
        ).stamp
        guard let receipt = try ledger.log.receipt(of: stamp) else { return nil }
        return receipt.revisions.keys.first { $0.category == category }.map { String($0.name) }
    }

    private func tours(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let principal = try context.signedIn()
        try await ledger.awaitLevel(request, of: "check-ins")
        let limit = try request.number("limit", default: 200, in: 1...1_000)
        let tours = try await ledger.readModels.checkIns.tours(
            after: request.cursor("after", in: ledger.log)?.position,
            limit: limit,
            in: principal.scope
        )
        let next = tours.count == limit ? tours.last?.position : nil
        return try .list(FullPage(rows: tours, next: next), at: \.position, TourBody.init)
    }

    // MARK: - Rounds

    private func start(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let tour: TourID = try context.id()
        let request = try await ledger.command(request, context)
        try ledger.rights.requireInReach(.tour(tour), of: request.asker)
        let command = StartRound(of: tour, by: try request.asker.requireUser())
        return try await ledger.answer(command, request, status: .created) { ["round": "\($0)"] }
    }

    /// A guard's own, or everybody's.
    private func rounds(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let principal = try context.signedIn()
        let before = try request.cursor("before", in: ledger.log)?.position
        let limit = try request.number("limit", default: 50, in: 1...200)
        try await ledger.awaitLevel(request, of: "check-ins")
        let found = try await ledger.readModels.checkIns.rounds(
            of: principal.role == .guard ? principal.user : nil,
            openOnly: request.text("open") == "true",
            before: before,
            limit: limit,
            in: principal.scope
        )
        let keys = try await ledger.keys(
            toRead: Subject(unchecked: "rounds/\(principal.organisation)"),
            context,
            fields: ["note"]
        )
        let next = found.count == limit ? found.last?.position : nil
        return try .list(FullPage(rows: found, next: next), at: \.position) {
            try RoundBody($0, keys)
        }
    }

    private func round(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let principal = try context.signedIn()
        let id: RoundID = try context.id()
        try await ledger.awaitLevel(request, of: "check-ins")
        guard let round = try await ledger.readModels.checkIns.round(id, in: principal.scope),
            principal.role != .guard || round.guardID == principal.user
        else { throw Problem(.notFound, detail: "there is no round \(id); look at the list") }
        let keys = try await ledger.keys(toRead: .round(id), context, fields: ["note"])
        return try .json(RoundBody(round, keys))
    }

    private func timeline(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let id: RoundID = try context.id()
        try ledger.rights.requireThere(.round(id), for: try context.signedIn())
        return try await ledger.timeline(of: CaseReference(id), .round(id), request, context)
    }

    private func stop(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let round: RoundID = try context.id()
        let request = try await ledger.command(request, context)
        try ledger.rights.requireInReach(.round(round), of: request.asker)
        let guardID = request.asker.role == .guard ? try request.asker.requireUser() : nil
        return try await ledger.answer(StopRound(round, by: guardID), request)
    }

    /// What is done about a point that is late or missed.
    private struct HandlingRequest: Decodable {
        let send: UserID?
        let note: String?
    }

    private func handle(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let round: RoundID = try context.id()
        let point: PatrolPointID = try context.id("point")
        let request = try await ledger.command(request, context)
        try ledger.rights.requireInReach(.round(round), of: request.asker)
        let body: HandlingRequest = try request.decoded()
        guard
            let guardID = try ledger.handler.current(Round.self, round).start?.guardID,
            let person = try ledger.handler.current(User.self, guardID).account?.person
        else { throw ReadingRights.Refusal.unknown(.round(round)) }
        let command = HandleRoundPoint(
            point,
            of: round,
            by: try request.asker.requireUser(),
            sending: body.send,
            note: body.note,
            about: person
        )
        return try await ledger.answer(command, request)
    }

    // MARK: - Alarms

    private struct AlarmRequest: Decodable {
        let fix: Fix?
    }

    private func raise(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let request = try await ledger.command(request, context)
        let body: AlarmRequest = try request.decoded()
        let alarm =
            try known(request, "guard_alarm").flatMap { GuardAlarmID($0) } ?? ledger.newID()
        let command = RaiseGuardAlarm(
            alarm,
            by: try request.asker.requireUser(),
            person: try ledger.personBehind(request.asker.principal),
            at: body.fix
        )
        return try await ledger.answer(command, request, status: .created) { ["alarm": "\($0)"] }
    }

    /// Those that nobody took up, and those of the last `taken` hours that somebody took up.
    ///
    /// Guards see their own.
    private func alarms(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let principal = try context.signedIn()
        try await ledger.awaitLevel(request, of: "check-ins")
        let hours = try request.number("taken", default: 0, in: 0...168)
        let found = try await ledger.readModels.checkIns.alarms(
            of: principal.role == .guard ? principal.user : nil,
            takenSince: hours == 0 ? nil : ledger.now + .seconds(-hours * 3_600),
            in: principal.scope
        )
        let keys = try await ledger.keys(
            toRead: Subject(unchecked: "guard-alarms/\(principal.organisation)"),
            context,
            fields: ["fix"]
        )
        return try .json(PageBody(items: found.map { try GuardAlarmBody($0, keys) }))
    }

    private func answer(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let alarm: GuardAlarmID = try context.id()
        let request = try await ledger.command(request, context)
        try ledger.rights.requireInReach(.guardAlarm(alarm), of: request.asker)
        let command = AnswerGuardAlarm(alarm, by: try request.asker.requireUser())
        return try await ledger.answer(command, request)
    }
}

/// A tour as the interface shows it.
private struct TourBody: Encodable {
    let id: TourID
    let site: String
    let name: String
    let isOrdered: Bool
    let graceSeconds: Int
    /// Present for a tour that is walked no more.
    let isRetired: Bool?
    /// Absent where guards set out as they see fit.
    let schedule: TourDefined.Schedule?
    let points: [TourDefined.Point]

    init(_ tour: PatrolTour) {
        id = tour.id
        site = tour.site
        name = tour.name
        isOrdered = tour.isOrdered
        graceSeconds = tour.graceSeconds
        isRetired = tour.isRetired ? true : nil
        schedule = tour.schedule
        points = tour.points
    }
}

/// A round as the interface shows it; a note is absent once the guard was erased.
private struct RoundBody: Encodable {
    let id: RoundID
    let tour: TourID
    let guardID: UserID
    let startedAt: Timestamp
    /// Absent while it goes on.
    let finishedAt: Timestamp?
    let reason: RoundFinished.Reason?
    let isOrdered: Bool
    let points: [Point]

    struct Point: Encodable {
        let point: PatrolPointID
        let from: Timestamp
        let until: Timestamp
        let lateUntil: Timestamp
        /// Absent while nobody was there.
        let standing: RoundPointReached.Standing?
        let reachedAt: Timestamp?
        let overdueAt: Timestamp?
        let missedAt: Timestamp?
        let handledBy: UserID?
        let handledAt: Timestamp?
        let sent: UserID?
        let note: String?
    }

    init(_ round: PatrolRound, _ keys: ReadingKeys) throws {
        id = round.id
        tour = round.tour
        guardID = round.guardID
        startedAt = round.startedAt
        finishedAt = round.finishedAt
        reason = round.reason
        isOrdered = round.isOrdered
        points = try round.points.map { point in
            Point(
                point: point.point,
                from: point.from,
                until: point.until,
                lateUntil: point.lateUntil,
                standing: point.standing,
                reachedAt: point.reachedAt,
                overdueAt: point.overdueAt,
                missedAt: point.missedAt,
                handledBy: point.handledBy,
                handledAt: point.handledAt,
                sent: point.sent,
                note: try point.note?.opened(with: keys).value
            )
        }
    }
}

/// A guard's alarm as the interface shows it.
private struct GuardAlarmBody: Encodable {
    let id: GuardAlarmID
    let guardID: UserID
    let at: Timestamp
    let fix: Fix?
    /// Absent while nobody took it up.
    let answeredBy: UserID?
    let answeredAt: Timestamp?
    /// When the guard first called.
    let since: Timestamp
    let times: Int
    /// The incident that it became when it was taken up.
    let incident: IncidentID?

    init(_ alarm: Projections.GuardAlarm, _ keys: ReadingKeys) throws {
        id = alarm.id
        guardID = alarm.guardID
        at = alarm.at
        fix = try alarm.fix?.opened(with: keys).value
        (answeredBy, answeredAt) = (alarm.answeredBy, alarm.answeredAt)
        (since, times, incident) = (alarm.since, alarm.times, alarm.incident)
    }
}
