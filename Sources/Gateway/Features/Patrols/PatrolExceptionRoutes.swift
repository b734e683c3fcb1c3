// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import HTTPTypes
import Hummingbird
import Projections

/// The report of what did not go as planned on guards' tours, as a list and as a file for spreadsheets.
struct PatrolExceptionRoutes: Sendable {
    let ledger: Ledger

    /// A file has at most so many rows; `Daybook-Next` tells where the next one begins.
    private static let fileRowsMax = 10_000

    var routes: [Route] {
        [
            Route(
                .get,
                "/v1/patrol-exceptions",
                for: Self.readers,
                reads: "patrol-exception-list",
                list
            ),
            Route(
                .get,
                "/v1/patrol-exceptions.csv",
                for: Self.readers,
                reads: "patrol-exception-list",
                file
            ),
        ]
    }

    private static let readers: Askers = [.supervisor, .auditor, .organisationAdmin, .admin]

    private func filter(_ request: Request) throws -> CheckIns.ExceptionFilter {
        var filter = CheckIns.ExceptionFilter()
        filter.kind = try request.word("kind")
        filter.site = request.text("site")
        filter.from = try request.time("from")
        filter.until = try request.time("until")
        filter.before = try request.cursor("before", in: ledger.log)?.position
        return filter
    }

    private func keys(
        _ context: GatewayContext,
        _ fields: [String]
    ) async throws -> ReadingKeys {
        try await ledger.keys(
            toRead: Subject(
                unchecked: "patrol-exceptions/\(try context.signedIn().organisation)"
            ),
            context,
            fields: fields
        )
    }

    private func list(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let reader = try context.signedIn()
        var filter = try filter(request)
        filter.limit = try request.number(
            "limit",
            default: 100,
            in: 1...ProjectionLimits.listRowsMax
        )
        try await ledger.awaitLevel(request, of: "check-ins")
        let found = try await ledger.readModels.checkIns.exceptions(filter, in: reader.scope)
        // The board asks for rounds that did not begin, which tell of no person, again and again.
        let isPersonal = found.contains { $0.distanceMetres != nil || $0.note != nil }
        let keys = isPersonal ? try await keys(context, ["distanceMetres", "note"]) : nil
        let next = found.count == filter.limit ? found.last?.position : nil
        return try .list(FullPage(rows: found, next: next), at: \.position) {
            try PatrolExceptionBody($0, keys)
        }
    }

    /// Rows with the names of points, tours and guards, times in UTC.
    private func file(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let reader = try context.signedIn()
        var filter = try filter(request)
        try await ledger.awaitLevel(request, of: "check-ins")
        let keys = try await keys(context, ["distanceMetres", "note", "name"])
        var names = Names(handler: ledger.handler, keys: keys)
        filter.limit = ProjectionLimits.listRowsMax
        var rows: [[String]] = []
        var isMore = true
        while isMore && rows.count < Self.fileRowsMax {
            let page = try await ledger.readModels.checkIns.exceptions(filter, in: reader.scope)
            for exception in page { rows.append(try await names.fields(of: exception)) }
            isMore = page.count == filter.limit
            filter.before = page.last?.position
        }
        let head = [
            "time_utc", "kind", "reason", "site", "point", "tour", "guard", "distance_metres",
            "note", "round",
        ]
        var headers: HTTPFields = [
            .contentType: "text/csv; charset=utf-8", .cacheControl: "no-store",
        ]
        if isMore, let next = filter.before, let name = HTTPField.Name("Daybook-Next") {
            headers[name] = "\(next)"
        }
        let text = CSVText.of([head] + rows)
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: .init(string: text)))
    }
}

/// What rows of a file name, each read once.
private struct Names {
    let handler: CommandHandler
    let keys: ReadingKeys
    private var points: [PatrolPointID: String] = [:]
    private var tours: [TourID: String] = [:]
    private var guards: [UserID: String] = [:]

    init(handler: CommandHandler, keys: ReadingKeys) {
        (self.handler, self.keys) = (handler, keys)
    }

    mutating func fields(of exception: PatrolException) async throws -> [String] {
        [
            "\(exception.at)", exception.kind.rawValue, exception.reason ?? "",
            exception.site ?? "", try await name(of: exception.point),
            try await name(of: exception.tour), try await name(of: exception.guardID),
            try exception.distanceMetres?.opened(with: keys).value.map { "\($0)" } ?? "",
            try exception.note?.opened(with: keys).value ?? "",
            exception.round.map { "\($0)" } ?? "",
        ]
    }

    private mutating func name(of point: PatrolPointID?) async throws -> String {
        guard let point else { return "" }
        if let known = points[point] { return known }
        let name = try await handler.settled(Commands.PatrolPoint.self, point).definition?.name
        points[point] = name ?? ""
        return name ?? ""
    }

    private mutating func name(of tour: TourID?) async throws -> String {
        guard let tour else { return "" }
        if let known = tours[tour] { return known }
        let name = try await handler.settled(Tour.self, tour).definition?.name
        tours[tour] = name ?? ""
        return name ?? ""
    }

    /// The id of a guard who was erased.
    private mutating func name(of guardID: UserID?) async throws -> String {
        guard let guardID else { return "" }
        if let known = guards[guardID] { return known }
        let sealed = try await handler.settled(User.self, guardID).account?.name
        let name = try sealed?.opened(with: keys).value ?? "\(guardID)"
        guards[guardID] = name
        return name
    }
}

/// Something that did not go as planned as the interface shows it; personal members are absent once the guard was erased.
private struct PatrolExceptionBody: Encodable {
    /// The place in the log, as text; also the cursor of lists.
    let position: String
    let at: Timestamp
    let kind: PatrolException.Kind
    /// The point's, or the tour's; absent where the guard was at none.
    let site: String?
    let round: RoundID?
    let tour: TourID?
    let point: PatrolPointID?
    let guardID: UserID?
    let reason: String?
    let distanceMetres: Double?
    let note: String?

    init(_ exception: PatrolException, _ keys: ReadingKeys?) throws {
        position = "\(exception.position)"
        (at, kind, site) = (exception.at, exception.kind, exception.site)
        (round, tour, point) = (exception.round, exception.tour, exception.point)
        (guardID, reason) = (exception.guardID, exception.reason)
        distanceMetres = try keys.flatMap { try exception.distanceMetres?.opened(with: $0).value }
        note = try keys.flatMap { try exception.note?.opened(with: $0).value }
    }
}
