// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import HTTPTypes
import Hummingbird
import Projections

/// The routes of guards' tours: places, their codes, and scans.
struct PatrolRoutes: Sendable {
    let ledger: Ledger
    let codes: PatrolCodes

    init(ledger: Ledger) {
        self.ledger = ledger
        codes = PatrolCodes(ledger)
    }

    var routes: [Route] {
        [
            Route(.post, "/v1/patrol-points", for: .supervision, define),
            Route(.get, "/v1/patrol-points", for: TourRoutes.readers, points),
            Route(.get, "/v1/patrol-points/:id/qr", for: .supervision, code),
            Route(.post, "/v1/patrol-points/:id/code", for: .supervision, renew),
            Route(.post, "/v1/check-ins", for: [.guard], checkIn),
            Route(
                .get,
                "/v1/check-ins",
                for: TourRoutes.readers,
                reads: "check-in-list",
                checkIns
            ),
        ] + TourRoutes(ledger: ledger).routes + PatrolExceptionRoutes(ledger: ledger).routes
    }

    /// What sets up a place, or moves the one with that id.
    private struct PointRequest: Decodable {
        let id: PatrolPointID?
        let site: String
        let name: String
        let latitude: Double
        let longitude: Double
        let radiusMetres: Double
    }

    private func define(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let request = try await ledger.command(
            request,
            context
        )
        let body: PointRequest = try request.decoded()
        if let id = body.id {
            try ledger.rights.requireInReach(.patrolPoint(id), of: request.asker)
        }
        let point = try body.id ?? known(request) ?? ledger.newID()
        let definition = PatrolPointDefined(
            site: body.site,
            name: body.name,
            latitude: body.latitude,
            longitude: body.longitude,
            radiusMetres: body.radiusMetres
        )
        let command = DefinePatrolPoint(point, as: definition)
        return try await ledger.answer(
            command,
            request,
            status: body.id == nil ? .created : .ok
        ) { ["point": "\(point)"] }
    }

    /// The place that the same request set up before: a repetition must name it again.
    private func known(_ request: CommandRequest) throws -> PatrolPointID? {
        let stamp = ledger.context(
            of: request.asker.principal,
            command: request.command,
            asked: request.asked
        ).stamp
        guard let receipt = try ledger.log.receipt(of: stamp) else { return nil }
        return receipt.revisions.keys.first { $0.category == "patrol_point" }
            .flatMap { PatrolPointID(String($0.name)) }
    }

    private func points(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let principal = try context.signedIn()
        try await ledger.awaitLevel(request, of: "check-ins")
        let limit = try request.number("limit", default: 200, in: 1...1_000)
        let points = try await ledger.readModels.checkIns.points(
            after: request.cursor("after", in: ledger.log)?.position,
            limit: limit,
            in: principal.scope
        )
        let next = points.count == limit ? points.last?.position : nil
        return try .list(FullPage(rows: points, next: next), at: \.position, PatrolPointBody.init)
    }

    /// A place's code, to be printed as a QR code and hung there.
    private struct CodeBody: Encodable {
        let point: PatrolPointID
        let code: String
    }

    private func code(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let principal = try context.signedIn()
        let point: PatrolPointID = try context.id()
        try ledger.rights.requireThere(.patrolPoint(point), for: principal)
        let state = try await ledger.handler.settled(Commands.PatrolPoint.self, point)
        return try .json(body(of: state))
    }

    private func body(of point: Commands.PatrolPoint) throws -> CodeBody {
        let code = try codes.text(of: point.id, number: point.codeNumber)
        return CodeBody(point: point.id, code: code)
    }

    /// Which code is to go; absent for whichever hangs there.
    private struct RenewalRequest: Decodable {
        let code: String?
    }

    /// The label was lost, or copied: it counts no more, and another one is to be printed.
    private func renew(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let point: PatrolPointID = try context.id()
        let request = try await ledger.command(request, context)
        try ledger.rights.requireInReach(.patrolPoint(point), of: request.asker)
        let body: RenewalRequest = try request.decoded()
        var number: Int?
        if let code = body.code {
            let state = try await ledger.handler.settled(Commands.PatrolPoint.self, point)
            guard let read = codes.read(code), read.point == point,
                case .genuine(let known) = try codes.verdict(
                    on: read.tag,
                    of: point,
                    newest: state.codeNumber
                )
            else {
                throw Problem(
                    .forgedPatrolCode,
                    detail: "the code to renew is not one of point \(point); read it again"
                )
            }
            number = known
        }
        return try await ledger.answer(RenewPatrolCode(point, number: number), request) {
            try self.body(of: ledger.handler.current(Commands.PatrolPoint.self, point))
        }
    }

    private func checkIns(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let principal = try context.signedIn()
        var filter = CheckIns.Filter()
        filter.guardID = principal.role == .guard ? principal.user : nil
        filter.before = try request.cursor("before", in: ledger.log)?.position
        filter.limit = try request.number(
            "limit",
            default: 100,
            in: 1...ProjectionLimits.listRowsMax
        )
        try await ledger.awaitLevel(request, of: "check-ins")
        let found = try await ledger.readModels.checkIns.checkIns(
            filter,
            in: principal.scope
        )
        let keys = try await ledger.keys(
            toRead: Subject(unchecked: "check-ins/\(principal.organisation)"),
            context,
            fields: ["fix", "distanceMetres", "note"]
        )
        let next = found.count == filter.limit ? found.last?.position : nil
        return try .list(FullPage(rows: found, next: next), at: \.position) {
            try CheckInBody($0, keys: keys)
        }
    }
}

extension PatrolRoutes {
    /// What a guard's phone sends after a scan.
    private struct CheckInRequest: Decodable {
        /// The scanned text, as it stands on the code.
        let code: String
        let fix: Fix?
        /// Kept on the phone and sent later; `Daybook-Occurred-At` then tells the scan's moment.
        let offline: Bool?
        let note: String?
    }

    /// Takes a scan; a refused one is recorded too, then answered as a problem (ruling 26).
    func checkIn(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let request = try await ledger.command(request, context)
        guard let user = request.asker.user else {
            throw Problem(.forbidden, detail: "a guard signs in with an account to check in")
        }
        let body: CheckInRequest = try request.decoded()
        guard let scan = codes.read(body.code) else {
            throw Problem(
                .notAPatrolCode,
                detail:
                    "the scanned text is no patrol code; scan the code at the point, and print its "
                    + "label anew where it begins with daybook-patrol in small letters"
            )
        }
        let point = try await ledger.handler.settled(Commands.PatrolPoint.self, scan.point)
        let command = Commands.CheckIn(
            at: scan.point,
            by: user,
            person: try ledger.personBehind(request.asker.principal),
            code: try codes.verdict(on: scan.tag, of: scan.point, newest: point.codeNumber),
            fix: body.fix,
            sending: body.offline == true ? .later : .atOnce,
            note: body.note
        )
        do {
            return try await ledger.answer(command, request, status: .created) {
                ["point": "\(scan.point)"]
            }
        } catch Commands.CheckIn.Refusal.badCode(let point) {
            // Not a 403: the guard may check in, it is the code that does not count.
            throw Problem(
                .forgedPatrolCode,
                detail: "the code is not that of point \(point); scan the code there",
                facts: ["point": .string("\(point)")]
            )
        }
    }
}

extension ProblemType {
    static let notAPatrolCode = Self(
        "not-a-patrol-code",
        .unprocessableContent,
        "Not a patrol code"
    )
    static let forgedPatrolCode = Self(
        "check-in-bad-code",
        .unprocessableContent,
        "Check in bad code"
    )
}

/// A place of a tour as the interface shows it.
struct PatrolPointBody: Encodable {
    let id: PatrolPointID
    let site: String
    let name: String
    let latitude: Double
    let longitude: Double
    let radiusMetres: Double
    let definedAt: Timestamp

    init(_ point: Projections.PatrolPoint) {
        id = point.id
        site = point.site
        name = point.name
        latitude = point.latitude
        longitude = point.longitude
        radiusMetres = point.radiusMetres
        definedAt = point.definedAt
    }
}

/// A scan as the interface shows it; personal members are absent once the guard was erased.
struct CheckInBody: Encodable {
    /// The place in the log, as text; also the cursor of lists.
    let position: String
    /// Absent for a scan that names no known place.
    let point: PatrolPointID?
    let guardID: UserID
    /// Why it does not count; absent for one that does.
    let refusal: PatrolCheckInRefused.Reason?
    let at: Timestamp
    let occurredAt: Timestamp?
    let offline: Bool
    let fix: Fix?
    let distanceMetres: Double?
    let note: String?

    init(_ scan: Projections.CheckIn, keys: ReadingKeys) throws {
        position = "\(scan.position)"
        point = scan.point
        guardID = scan.guardID
        refusal = scan.refusal
        at = scan.at
        occurredAt = scan.occurredAt
        offline = scan.offline
        fix = try scan.fix?.opened(with: keys).value
        distanceMetres = try scan.distanceMetres?.opened(with: keys).value
        note = try scan.note?.opened(with: keys).value
    }
}
