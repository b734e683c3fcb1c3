// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import HTTPTypes
import Hummingbird
import Projections

/// A citizen's call for help, as the citizen's phone raises, follows and ends it (source 4, UC-7 to UC-13).
struct SOSRoutes: Sendable {
    let ledger: Ledger

    var routes: [Route] {
        [
            Route(.put, "/v1/me/sos/:id", for: .callers, raise),
            Route(.get, "/v1/me/sos/:id", for: .callers, reads: "own-alert", read),
            Route(.put, "/v1/me/sos/:id/place", for: .callers, move),
            Route(.post, "/v1/me/sos/:id/end", for: .callers, end),
            Route(.get, "/v1/sos/:id/timeline", for: .overseers, reads: "timeline", timeline),
        ]
    }

    private struct RaiseRequest: Decodable {
        let trigger: SOSRaised.Trigger
        let fix: Fix?
        let isDrill: Bool?
    }

    /// The phone names the call, so that it counts once, however often it comes.
    private func raise(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let id: SOSID = try context.id()
        let request = try await ledger.command(request, context)
        let person = try Citizens.person(request.asker.principal)
        let body: RaiseRequest = try request.decoded()
        let isDrill = body.isDrill ?? false
        let notices = try notices(
            isDrill ? "sos-drill" : "sos",
            of: person,
            at: body.fix,
            request.occurredAt.map { min($0, ledger.now) } ?? ledger.now
        )
        let command = RaiseSOS(
            id,
            of: person,
            by: body.trigger,
            at: body.fix,
            isDrill: isDrill,
            telling: notices,
            and: isDrill ? nil : try await desk("sos-desk", request, at: body.fix)
        )
        let isNew = try ledger.handler.current(SOS.self, id).raised == nil
        return try await ledger.answer(command, request, status: isNew ? .created : .ok) {
            NoOutcome()
        }
    }

    private struct PlaceRequest: Decodable {
        let fix: Fix
    }

    private func move(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let id: SOSID = try context.id()
        let request = try await ledger.command(request, context)
        let person = try Citizens.person(request.asker.principal)
        let body: PlaceRequest = try request.decoded()
        return try await ledger.answer(
            MoveSOS(
                id,
                of: person,
                to: body.fix,
                tellingDesk: ledger.configuration.site.answersCitizens
            ),
            request
        )
    }

    private struct EndRequest: Decodable {
        let reason: SOSEnded.Reason
    }

    private func end(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let id: SOSID = try context.id()
        let request = try await ledger.command(request, context)
        let person = try Citizens.person(request.asker.principal)
        let reason = try request.decoded(EndRequest.self).reason
        let notices = try notices(
            EndSOS.template(reason, of: try ledger.handler.current(SOS.self, id)),
            of: person,
            at: nil,
            ledger.now
        )
        let command = EndSOS(
            id,
            of: person,
            reason,
            telling: notices,
            and: try await desk(
                reason == .safe ? "sos-desk-safe" : "sos-desk-false-alarm",
                request,
                at: nil
            )
        )
        return try await ledger.answer(command, request)
    }

    private func read(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let id: SOSID = try context.id()
        let person = try Citizens.person(try context.signedIn())
        guard try ledger.handler.current(SOS.self, id).raised?.person == person else {
            throw SOSRefusal.unknown(id)
        }
        let keys = try await ledger.keys(
            toRead: .sos(id),
            context,
            fields: ["name", "fix"]
        )
        let citizen = try ledger.handler.current(Citizen.self, person)
        return try .json(try SOSBody(id, of: citizen, ledger, keys))
    }

    /// What happened, for who looks into it afterwards.
    private func timeline(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let id: SOSID = try context.id()
        try ledger.rights.requireThere(.sos(id), for: try context.signedIn())
        return try await ledger.timeline(of: CaseReference(id), .sos(id), request, context)
    }

    /// What the operators' queue gets, in the citizen's language; `nil` on a site that keeps calls for help out of it.
    private func desk(
        _ template: String,
        _ request: CommandRequest,
        at fix: Fix?
    ) async throws -> DeskNotice? {
        guard ledger.configuration.site.answersCitizens else { return nil }
        let principal = request.asker.principal
        let person = try Citizens.person(principal)
        let profile = try ledger.handler.current(Citizen.self, person).profile
        let name = try profile?.name.opened(with: ledger.keys.unrecorded(.delivered)).value
        let message = try SOSWords(ledger: ledger, name: name).message(
            template,
            in: profile?.language ?? "en",
            at: fix,
            request.occurredAt.map { min($0, ledger.now) } ?? ledger.now
        )
        let own = try await ledger.accounts.device(id: principal.deviceID ?? "")
        return DeskNotice(
            message.text,
            phone: own.flatMap { try? GivenNumber($0.phoneNumber).number },
            device: principal.deviceID.flatMap { DeviceID($0) }
        )
    }

    /// What each contact is told, in the contact's language; one whose key was destroyed is told nothing.
    private func notices(
        _ template: String,
        of person: PersonID,
        at fix: Fix?,
        _ time: Timestamp
    ) throws -> [ContactNotice] {
        let keys = ledger.keys.unrecorded(.delivered)
        let citizen = try ledger.handler.current(Citizen.self, person)
        let words = SOSWords(
            ledger: ledger,
            name: try citizen.profile?.name.opened(with: keys).value
        )
        return try citizen.contacts.map { contact in
            ContactNotice(
                to: contact.facts.person,
                mobile: try contact.facts.mobile?.opened(with: keys).value,
                email: try contact.facts.email?.opened(with: keys).value,
                message: try words.message(template, in: contact.facts.language, at: fix, time)
            )
        }
    }
}

/// A call for help as the citizen sees it: what became of each contact's messages.
struct SOSBody: Encodable {
    let id: SOSID
    let raisedAt: Timestamp?
    let occurredAt: Timestamp?
    let trigger: SOSRaised.Trigger?
    let isDrill: Bool
    let fix: Fix?
    let placeAt: Timestamp?
    let endedAt: Timestamp?
    let endReason: String?
    let contacts: [Told]
    /// The citizen's open session with the centre, where the site has calls for help in its queue.
    let session: SessionID?

    /// One contact who was told.
    struct Told: Encodable {
        /// Absent for one who was removed since.
        let contact: ContactID?
        let name: String?
        let parts: [Part]
        let answeredAt: Timestamp?
    }

    /// One channel's message.
    struct Part: Encodable {
        let channel: AlertChannel
        let state: State
    }

    enum State: String, Encodable {
        case waiting, sent, delivered, failed
    }

    init(_ id: SOSID, of citizen: Citizen, _ ledger: Ledger, _ keys: ReadingKeys) throws {
        let sos = try ledger.handler.current(SOS.self, id)
        let now = ledger.now
        self.id = id
        raisedAt = sos.cause?.time
        occurredAt = sos.occurredAt
        trigger = sos.raised?.trigger
        isDrill = sos.raised?.isDrill ?? false
        fix = try sos.fix?.opened(with: keys).value
        placeAt = sos.fixAt
        let isOver = sos.isOver(at: now)
        endedAt = sos.endedAt ?? (isOver ? sos.expiresAt : nil)
        endReason = sos.ended?.rawValue ?? (isOver ? "expired" : nil)
        session =
            ledger.configuration.site.answersCitizens
            ? try ledger.handler.current(Caller.self, citizen.person).openSession : nil
        contacts = try ledger.handler.current(ContactAlerts.self, .sos(id)).alerts
            .filter { ["sos", "sos-drill"].contains($0.template) }
            .map { told in
                let alert = try ledger.handler.current(Alert.self, told.alert)
                let contact = citizen.contacts.first { $0.facts.person == told.person }
                return Told(
                    contact: contact?.id,
                    name: try contact?.facts.name.opened(with: keys).value,
                    parts: Self.parts(of: alert, at: now),
                    answeredAt: alert.acknowledgedAt
                )
            }
    }

    private static func parts(of alert: Alert, at now: Timestamp) -> [Part] {
        alert.parts.sorted { $0.key.rawValue < $1.key.rawValue }.map { channel, part in
            let isLate = alert.expiresAt.map { $0 <= now } ?? false
            let state: State =
                if part.report == .delivered { .delivered } else if part.isGivenUp {
                    .failed
                } else if part.isSent { .sent } else {
                    isLate || alert.isAcknowledged ? .failed : .waiting
                }
            return Part(channel: channel, state: state)
        }
    }
}
