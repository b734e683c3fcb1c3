// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import HTTPTypes
import Hummingbird
import Projections

/// The routes of a passer-by without an account: reporting an animal, sending photos after it, and following the rescue.
struct PublicReportRoutes: Sendable {
    let ledger: Ledger
    private let proofs: ProofOfWork
    private let reports: ClientRates
    /// Apart from the gate of who is signed in: strangers keep nobody's picture out.
    private let gate: PictureGate

    init(ledger: Ledger) {
        self.ledger = ledger
        let limits = ledger.configuration.limits
        proofs = ProofOfWork(ledger.deliverySecrets, max: limits.proofOfWorkMax)
        reports = ClientRates(limits.reportsOfAddress, capacity: limits.rememberedClients)
        gate = PictureGate(limits)
    }

    /// The animals that the form offers, and no others: their words stand open in the log and in messages.
    static let types = [
        "sea-lion", "harbor-seal", "elephant-seal", "fur-seal", "dolphin", "porpoise", "whale",
        "sea-otter", "sea-turtle", "seabird", "other",
    ]
    /// How long a reporter may send photos after the report.
    static let photoTime = Duration.seconds(7 * 86_400)

    var routes: [Route] {
        [
            Route(.get, "/v1/public/rescue", for: .strangers, form),
            Route(.get, "/v1/public/proof-of-work", for: .strangers) { _, _ in
                try Response.json(proofs.challenge(at: ledger.now))
            },
            Route(.post, "/v1/public/reports", for: .strangers, submit),
            Route(.get, "/v1/public/reports/:token", for: .strangers, status),
            Route(.put, "/v1/public/reports/:token/photos/:number", for: .strangers, addPhoto),
        ]
    }

    // MARK: - Reporting

    private struct FormBody: Encodable {
        let centre: String
        /// Whether there is an agency that a report can go to.
        let isOpen: Bool
        /// West, south, east and north of the agencies' areas, in degrees; `nil` where none has one.
        let bounds: [Double]?
        let types: [String]
        let photosMax: Int
        let photoBytesMax: Int
    }

    private func form(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let agencies = try await ledger.staffedAgencies()
        return try .json(
            FormBody(
                centre: ledger.centreName,
                isOpen: !agencies.isEmpty,
                bounds: Self.bounds(of: agencies),
                types: Self.types,
                photosMax: CommandLimits.photosMax,
                photoBytesMax: context.limits.pictureBytes
            )
        )
    }

    private static func bounds(of agencies: [Agency]) -> [Double]? {
        let numbers = agencies.flatMap { agency in
            (agency.definition?.area?.polygons ?? []).flatMap { $0.flatMap(\.self) }
        }
        let longitudes = stride(from: 0, to: numbers.count, by: 2).map { numbers[$0] }
        let latitudes = stride(from: 1, to: numbers.count, by: 2).map { numbers[$0] }
        guard let west = longitudes.min(), let east = longitudes.max(),
            let south = latitudes.min(), let north = latitudes.max()
        else { return nil }
        return [west, south, east, north]
    }

    /// What a passer-by reports.
    private struct PublicReport: Codable {
        let fix: Fix
        let species: String
        let sizeClass: ReportSubmitted.SizeClass
        let condition: ReportSubmitted.Condition
        let notes: String?
        let contact: String?
        let publishPhotos: Bool?
        var proof: ProofOfWork.Answer?
    }

    private struct SubmittedBody: Encodable {
        let report: ReportID
        let token: String
        let agency: AgencyCard?
        /// Whether anybody of the agency is on duty now.
        let isOnDuty: Bool
        let submittedAt: Timestamp
    }

    private func submit(_ request: Request, _ context: GatewayContext) async throws -> Response {
        var body = try await JSONBody().decode(
            PublicReport.self,
            from: request,
            context: context
        )
        guard let key = request.headers[.idempotencyKey], (8...128).contains(key.utf8.count) else {
            throw Problem(
                .malformedRequest,
                detail: "a report needs an Idempotency-Key of 8 to 128 bytes, to count once"
            )
        }
        guard let proof = body.proof else {
            throw Problem(.malformedRequest, detail: "a report needs a proof of work")
        }
        body.proof = nil
        guard Self.types.contains(body.species) else {
            throw Problem(
                .malformedRequest,
                detail: "species is one of \(Self.types.joined(separator: ", "))"
            )
        }
        // The reporter is nobody whom the centre knows: a person of their own, who can be erased with all that they sent.
        let reporter: PersonID = ledger.newID()
        var command = SubmitReport(
            by: reporter,
            at: body.fix,
            species: body.species,
            sizeClass: body.sizeClass,
            condition: body.condition,
            notes: body.notes,
            contact: body.contact,
            publishesPhotos: body.publishPhotos ?? false
        )
        try command.check()
        let asked = SHA256Digest(of: try JSONBody.encoder.encode(body))
        try proofs.check(proof, for: key, at: ledger.now)
        if let wait = reports.admit(NetworkAddress.holder(of: context.remoteAddress)) {
            throw Problem.tooManyRequests("send fewer reports", wait: wait)
        }
        let agencies = try await ledger.staffedAgencies()
        guard let choice = AgencyChoice(for: body.fix, body.species, among: agencies),
            let organisation = choice.agency.organisation
        else {
            throw Problem(
                ProblemType("rescue-closed", .serviceUnavailable, "No reports are taken"),
                detail: "no rescue agency takes reports here; call the emergency number"
            )
        }
        command.assignment = choice.assigned(at: body.fix)
        var commandContext = ledger.context(
            actor: .nobody,
            organisation: organisation,
            command: CommandID(unchecked: "report~" + SHA256Digest(of: Data(key.utf8)).text),
            correlation: context.requestID,
            asked: asked
        )
        commandContext.newcomers = [reporter]
        let answer = try await ledger.handler.handle(command, commandContext)
        let report = try ledger.handler.current(Report.self, answer.outcome)
        return try .json(
            SubmittedBody(
                report: answer.outcome,
                token: ledger.deliverySecrets.linkCode(to: answer.outcome, for: .report),
                agency: try card(of: report),
                isOnDuty: try isOnDuty(report),
                submittedAt: report.cause?.time ?? ledger.now
            ),
            status: .created
        )
    }

    private func isOnDuty(_ report: Report) throws -> Bool {
        guard let id = report.assignment?.fact.agency else { return false }
        let agency = try ledger.handler.current(Agency.self, id)
        guard let organisation = agency.organisation else { return false }
        return try agency.members.contains { try ledger.isOnDuty($0, in: organisation) }
    }

    private func card(of report: Report) throws -> AgencyCard? {
        guard let agency = report.assignment?.fact.agency else { return nil }
        return try AgencyCard(ledger.handler.current(Agency.self, agency))
    }

    // MARK: - Following it

    private struct StatusBody: Encodable {
        let centre: String
        let species: String
        let status: ReportStatus
        let submittedAt: Timestamp
        let agency: AgencyCard?
        /// Whether anybody of the agency is on duty now.
        let isOnDuty: Bool
        let photos: Int
        let steps: [Step]

        struct Step: Encodable {
            let to: ReportStatus
            let at: Timestamp
        }
    }

    private func status(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let report = try report(context)
        guard let submitted = report.submitted, let cause = report.cause,
            let status = report.status
        else { throw Self.unknownLink }
        let main = try ledger.main(of: report)
        return try .json(
            StatusBody(
                centre: ledger.centreName,
                species: submitted.species,
                status: main.status ?? status,
                submittedAt: cause.time,
                agency: try card(of: main),
                isOnDuty: try isOnDuty(main),
                photos: report.photos.count,
                steps: main.steps.map { .init(to: $0.to, at: $0.at) }
            )
        )
    }

    private func addPhoto(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let report = try report(context)
        guard let number = NumberText.whole(context.parameters.get("number") ?? "", in: 1...16)
        else {
            throw Problem(.malformedRequest, detail: "a photo has a number from 1 to 16")
        }
        guard let cause = report.cause, ledger.now < cause.time + Self.photoTime else {
            throw Problem(
                ProblemType("report-photos-over", .conflict, "No photos are taken any more"),
                detail: "photos are taken for seven days after the report; send a new report"
            )
        }
        let client = NetworkAddress.holder(of: context.remoteAddress)
        return try await gate.pass(of: client) {
            let bytes = try await request.body.collect(
                upTo: context.limits.pictureBytes,
                within: context.limits.pictureArrival
            )
            let commandContext = ledger.context(
                actor: .nobody,
                organisation: cause.organisation,
                command: CommandID(unchecked: "report~\(report.id)~photo-\(number)"),
                correlation: context.requestID
            )
            let (body, isNew) = try await ReportPhotos(ledger: ledger).add(
                Array(bytes.readableBytesView),
                to: report.id,
                number: number,
                commandContext
            )
            return try .json(body, status: isNew ? .created : .ok)
        }
    }

    private func report(_ context: GatewayContext) throws -> Report {
        let token = context.parameters.get("token") ?? ""
        guard let id: ReportID = ledger.deliverySecrets.id(ofLink: token, for: .report) else {
            throw Self.unknownLink
        }
        return try ledger.handler.current(Report.self, id)
    }

    private static let unknownLink = Problem(
        .notFound,
        detail: "this is no link of ours; open it as you were given it"
    )
}

extension Ledger {
    /// The report that goes on for one that was joined to it; itself where it was not.
    func main(of report: Report) throws -> Report {
        var main = report
        // None leads back to itself: only what is joined to nothing is joined to.
        while let other = main.joinedTo { main = try handler.current(Report.self, other) }
        return main
    }
}
