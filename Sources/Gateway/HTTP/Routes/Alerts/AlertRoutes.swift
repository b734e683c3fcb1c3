// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import HTTPTypes
import Hummingbird
import Projections

/// The routes of alerts: one goes into the queue, and the queue can be read.
///
/// Nothing here contacts the outside; delivery is a policy's work, from the queue.
struct AlertRoutes: Sendable {
    let ledger: Ledger

    var routes: [Route] {
        [
            Route(
                .post,
                "/v1/alerts",
                for: [
                    .guard, .rescuer, .operator, .supervisor, .organisationAdmin, .admin, .service,
                ],
                queue
            ),
            Route(.get, "/v1/alerts", for: .readersOfTheCentre, reads: "alert-list", list),
        ]
    }

    /// What queues an alert; one for each contact (domain.md §12).
    private struct AlertRequest: Decodable {
        /// What it is about, as a subject: `incident/0199…`.
        let cause: Subject
        let severity: AlertQueued.Severity
        let template: String
        /// Who is told; may be left out when `sms` says who.
        let contact: PersonID?
        let sms: GivenNumber?
        let email: String?
        /// What is said, in words of one's own; where it is absent the template's words.
        let text: String?
        /// Of the template's variables, such as `link`.
        let values: [String: String]?
        /// Two letters; English where it is absent, or nothing is written in it.
        let language: String?
        /// Keeps apart what says the same of the same cause, at the same addresses, to the same contact, and would be one alert
        /// for ten minutes.
        let deduplicationKey: String?
        let timeToLiveSeconds: Int?
    }

    private func queue(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let request = try await ledger.command(
            request,
            context
        )
        let body: AlertRequest = try request.decoded()
        let cause = body.cause
        let right: Right = { rights, asker in
            try rights.requireInReach(cause, of: asker)
            try rights.check(contents: cause, for: asker.principal)
        }
        try right(ledger.rights, request.asker)
        let organisation =
            try ledger.rights.organisation(of: cause) ?? request.asker.organisation
        guard body.text?.count ?? 0 <= DeliveryLimits.textMax else {
            throw Problem(
                .malformedRequest,
                detail: "text has more than \(DeliveryLimits.textMax) characters; shorten it"
            )
        }
        let contact = try await contact(body, in: organisation)
        let command = QueueAlert(
            about: body.cause,
            severity: body.severity,
            template: body.template,
            to: contact.person,
            sms: body.sms?.number,
            email: body.email,
            message: try ledger.message(
                body.template,
                in: body.language ?? "en",
                words: body.text,
                values: body.values ?? [:],
                body.severity
            ),
            deduplicationKey: body.deduplicationKey ?? "\(body.template) \(body.cause)",
            timeToLiveSeconds: body.timeToLiveSeconds ?? 86_400,
            openedWith: ledger.keys.unrecorded(.compared)
        )
        return try await ledger.answer(
            command,
            request,
            if: right,
            newcomers: contact.newcomers,
            status: .created
        ) { id in
            ["alert": "\(id)"]
        }
    }

    /// The person to tell, whom the organisation of the cause knows: whether there is somebody elsewhere, nobody is told.
    private func contact(
        _ body: AlertRequest,
        in organisation: OrganisationID
    ) async throws -> PhoneBook.Owner {
        if let contact = body.contact {
            let owners = try ledger.handler.current(Footprint.self, contact).organisations
            guard owners.contains(organisation) else {
                throw Problem(
                    .notFound,
                    detail: "there is no person \(contact); check the id, or give a number in sms"
                )
            }
            return PhoneBook.Owner(person: contact, newcomers: [])
        }
        guard let phone = body.sms?.number else {
            throw Problem(.malformedRequest, detail: "say who is told: give contact or sms")
        }
        if let last = ledger.log.size.checkedPrevious {
            try await ledger.readModels.runner.wait(for: last, on: "alert-queue")
        }
        if try await ledger.phoneBook.known(phone, in: organisation) == nil,
            let alerted = try await ledger.readModels.alerts.newest(to: phone, in: organisation),
            !ledger.keys.isDestroyed(alerted.contact)
        {
            return PhoneBook.Owner(person: alerted.contact, newcomers: [])
        }
        return try await ledger.phoneBook.owner(
            with: phone,
            in: organisation,
            at: ledger.now
        )
    }

    private func list(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let principal = try context.signedIn()
        let state: AlertState? = try request.word("state")
        let limit = try request.number("limit", default: 100, in: 1...ProjectionLimits.listRowsMax)
        let cause = try cause(request)
        if let cause {
            // Of another organisation: as if it were not there.
            try ledger.rights.requireThere(cause, for: principal)
            try ledger.rights.check(contents: cause, for: principal)
        }
        let before = try request.cursor("before", in: ledger.log)?.position
        try await ledger.awaitLevel(request, of: "alert-queue")
        let page = try await FullPage(limit, before: before, at: \.queuedPosition) {
            before,
            count in
            try await ledger.readModels.alerts.alerts(
                in: principal.scope,
                state: state,
                cause: cause,
                before: before,
                limit: count
            )
        } admitting: { alert in
            try ReadingRights.holds {
                try ledger.rights.check(contents: alert.cause, for: principal)
            }
        }
        let keys = try await ledger.keys(
            toRead: Subject(unchecked: "alerts/\(principal.organisation)"),
            context,
            fields: ["sms", "email"]
        )
        return try .list(page, at: \.queuedPosition) { try AlertBody($0, keys: keys) }
    }

    private func cause(_ request: Request) throws(Problem) -> Subject? {
        guard let text = request.text("cause") else { return nil }
        guard let subject = Subject(text) else {
            throw Problem(.malformedRequest, detail: "cause is a subject, such as incident/0199…")
        }
        return subject
    }
}

/// An alert as the interface shows it; addresses are absent once the contact was erased.
struct AlertBody: Encodable {
    let id: AlertID
    let state: AlertState
    let cause: Subject
    let severity: AlertQueued.Severity
    let template: String
    let contact: PersonID
    let sms: PhoneNumber?
    let email: String?
    /// The device that is told by Web Push.
    let push: DeviceID?
    let deduplicationKey: String
    let queuedAt: Timestamp
    let expiresAt: Timestamp
    let acknowledgedAt: Timestamp?
    /// What the contact answered last.
    let answer: AlertAnswered.Answer?
    /// How far each part has come.
    let parts: [AlertPartBody]
    /// The place in the log, as text; also the cursor of lists.
    let position: String

    init(_ alert: QueuedAlert, keys: ReadingKeys) throws {
        id = alert.id
        state = alert.state
        cause = alert.cause
        severity = alert.severity
        template = alert.template
        contact = alert.contact
        sms = try alert.sms?.opened(with: keys).value
        push = alert.push
        email = try alert.email?.opened(with: keys).value
        deduplicationKey = alert.deduplicationKey
        queuedAt = alert.queuedAt
        expiresAt = alert.expiresAt
        acknowledgedAt = alert.acknowledgedAt
        answer = alert.answer
        parts = alert.parts.map(AlertPartBody.init)
        position = "\(alert.queuedPosition)"
    }
}

/// How far one part of an alert came.
struct AlertPartBody: Encodable {
    let alert: AlertID
    let channel: AlertChannel
    let state: AlertState
    let attempts: Int
    let error: String?
    /// What the outside reported last.
    let report: AlertReported.Outcome?
    let at: Timestamp

    init(_ part: AlertPart) {
        alert = part.alert
        channel = part.channel
        state = part.state
        attempts = part.attempts
        error = part.error
        report = part.report
        at = part.changedAt
    }
}
