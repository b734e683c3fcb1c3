// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import HTTPTypes
import Hummingbird
import Projections

/// The routes of rescue agencies: setting them up, and who works for them.
struct AgencyRoutes: Sendable {
    let ledger: Ledger

    /// Agencies of one organisation; each is looked at for each report.
    private static let agenciesMax = 100

    /// Who has to do with reports.
    static let readers: Askers = [
        .rescuer, .operator, .supervisor, .auditor, .organisationAdmin, .admin, .service,
    ]

    var routes: [Route] {
        [
            Route(.get, "/v1/agencies", for: Self.readers, list),
            Route(.get, "/v1/agencies/mine", for: Self.readers, mine),
            Route(.post, "/v1/agencies/mine/place", for: [.rescuer], share),
            Route(.delete, "/v1/agencies/mine/place", for: [.rescuer], stopSharing),
            Route(.put, "/v1/agencies/:id", for: .supervision, define),
            Route(.put, "/v1/agencies/:id/members", for: .supervision, setMembers),
        ]
    }

    private func list(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let principal = try context.signedIn()
        try await ledger.awaitLevel(request, of: "reports")
        let agencies = try await ledger.agencies(of: principal.scope.organisation)
        return try .json(PageBody(items: try agencies.map(body)))
    }

    private func mine(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let principal = try context.signedIn()
        let agency = try await agency(of: principal.user, in: principal.organisation)
        var body = try body(agency)
        body.place = try ledger.teamPlace(of: agency).map(AgencyBody.Place.init)
        return try .json(body)
    }

    /// The agency for which somebody works.
    private func agency(
        of user: UserID?,
        in organisation: OrganisationID
    ) async throws -> Agency {
        guard let user,
            let agency = try await ledger.agencies(ofMember: user, in: organisation).first
        else {
            throw Problem(
                ProblemType("agency-of-nobody", .notFound, "You work for no agency"),
                detail: "you are a member of no rescue agency; ask an administrator to add you"
            )
        }
        return agency
    }

    private struct PlaceRequest: Decodable {
        let fix: Fix
    }

    private func share(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let request = try await ledger.command(request, context)
        let body: PlaceRequest = try request.decoded()
        return try await share(body.fix, request)
    }

    private func stopSharing(
        _ request: Request,
        _ context: GatewayContext
    ) async throws -> Response {
        try await share(nil, try await ledger.command(request, context))
    }

    private func share(_ fix: Fix?, _ request: CommandRequest) async throws -> Response {
        let user = try request.asker.requireUser()
        let agency = try await agency(of: user, in: request.asker.organisation)
        let command = ShareAgencyPlace(
            fix,
            of: agency.id,
            by: user,
            person: try ledger.personBehind(request.asker.principal)
        )
        return try await ledger.answer(command, request)
    }

    private func define(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let id: AgencyID = try context.id()
        let request = try await ledger.command(request, context, about: .agency(id))
        let right = try right(id)
        try right(ledger.rights, request.asker)
        let body: AgencyRequest = try request.decoded()
        let others = try await ledger.readModels.reports.agencies(of: request.asker.organisation)
        guard others.contains(id) || others.count < Self.agenciesMax else {
            throw Problem(
                ProblemType("too-many-agencies", .conflict, "Too many agencies"),
                detail:
                    "an organisation has at most \(Self.agenciesMax) agencies; give one up first"
            )
        }
        return try await ledger.answer(
            DefineAgency(id, as: try body.definition),
            request,
            if: right
        )
    }

    private struct MembersRequest: Decodable {
        let members: [UserID]
    }

    private func setMembers(_ request: Request, _ context: GatewayContext) async throws -> Response
    {
        let id: AgencyID = try context.id()
        let request = try await ledger.command(request, context, about: .agency(id))
        let right = try right(id)
        try right(ledger.rights, request.asker)
        let body: MembersRequest = try request.decoded()
        return try await ledger.answer(
            SetAgencyMembers(of: id, to: body.members),
            request,
            if: right
        )
    }

    /// An agency of another organisation is none; a new one is the asker's.
    private func right(_ id: AgencyID) throws -> Right {
        { rights, asker in
            guard try rights.organisation(of: .agency(id)) != nil else { return }
            try rights.requireInReach(.agency(id), of: asker)
        }
    }

    private func body(_ agency: Agency) throws -> AgencyBody {
        AgencyBody(agency, revision: try ledger.log.revision(of: .agency(agency.id)))
    }
}

/// An agency as everybody may know it.
struct AgencyCard: Encodable {
    let id: AgencyID
    let name: String
    let phone: String?
    let email: String?
    let website: String?
    let address: String?
    let donationLink: String?

    /// `nil` for one that was never set up.
    init?(_ agency: Agency) {
        guard let definition = agency.definition else { return nil }
        id = agency.id
        name = definition.name
        phone = definition.phone
        email = definition.email
        website = definition.website
        address = definition.address
        donationLink = definition.donationLink
    }
}

/// An agency as staff see it.
private struct AgencyBody: Encodable {
    let id: AgencyID
    let name: String
    let phone: String?
    let email: String?
    let website: String?
    let address: String?
    let donationLink: String?
    let types: [String]
    let area: MultiPolygon?
    let base: AgencyDefined.Base?
    let takesReports: Bool
    let isRetired: Bool
    let members: [UserID]
    let revision: String?
    /// Where the team is now; only for its members.
    var place: Place?

    struct Place: Encodable {
        let latitude: Double
        let longitude: Double
        let at: Timestamp
        let by: UserID

        init(_ place: TeamPlace) {
            (latitude, longitude) = (place.fix.latitude, place.fix.longitude)
            (at, by) = (place.at, place.by)
        }
    }

    init(_ agency: Agency, revision: Revision?) {
        let definition = agency.definition
        id = agency.id
        name = definition?.name ?? ""
        phone = definition?.phone
        email = definition?.email
        website = definition?.website
        address = definition?.address
        donationLink = definition?.donationLink
        types = definition?.types ?? []
        area = definition?.area.map(MultiPolygon.init)
        base = definition?.base
        takesReports = definition?.takesReports ?? false
        isRetired = definition?.isRetired ?? true
        members = agency.members
        self.revision = revision.map { "\($0)" }
    }
}

/// What sets up an agency.
private struct AgencyRequest: Decodable {
    let name: String
    let phone: String?
    let email: String?
    let website: String?
    let address: String?
    let donationLink: String?
    let types: [String]?
    let area: MultiPolygon?
    let base: AgencyDefined.Base?
    let takesReports: Bool?
    let isRetired: Bool?

    var definition: AgencyDefined {
        get throws {
            AgencyDefined(
                name: name,
                phone: phone,
                email: email,
                address: address,
                website: website,
                donationLink: donationLink,
                types: types ?? [],
                area: try area?.area,
                base: base,
                takesReports: takesReports ?? true,
                isRetired: isRetired ?? false
            )
        }
    }
}

/// A GeoJSON MultiPolygon (RFC 7946): positions are longitude, latitude.
private struct MultiPolygon: Codable {
    let type: String
    let coordinates: [[[[Double]]]]

    init(_ area: Area) {
        type = "MultiPolygon"
        coordinates = area.polygons.map { rings in
            rings.map { numbers in
                stride(from: 0, to: numbers.count - 1, by: 2).map {
                    [numbers[$0], numbers[$0 + 1]]
                }
            }
        }
    }

    /// - Throws: 400 for another geometry, and for positions with fewer than two numbers; a height is left out.
    var area: Area {
        get throws {
            guard type == "MultiPolygon" else {
                throw Problem(.malformedRequest, detail: "area is a GeoJSON MultiPolygon")
            }
            return Area(
                polygons: try coordinates.map { rings in
                    try rings.map { positions in
                        try positions.flatMap { position in
                            guard position.count >= 2 else {
                                throw Problem(
                                    .malformedRequest,
                                    detail: "a position of area has longitude and latitude"
                                )
                            }
                            return [position[0], position[1]]
                        }
                    }
                }
            )
        }
    }
}
