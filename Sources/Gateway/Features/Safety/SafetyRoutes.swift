// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import HTTPTypes
import Hummingbird

/// What a citizen keeps for the day on which help is needed: a name, and the contacts who are told (source 4, UC-1 to UC-6).
struct SafetyRoutes: Sendable {
    let ledger: Ledger
    /// Each introduction is an SMS to somebody who did not ask for it.
    private let introductions: ClientRates
    private let removals: ClientRates

    init(ledger: Ledger) {
        self.ledger = ledger
        let limits = ledger.configuration.limits
        introductions = ClientRates(
            limits.introductionsOfCitizen,
            capacity: limits.rememberedClients
        )
        removals = ClientRates(limits.removalsOfCitizen, capacity: limits.rememberedClients)
    }

    var routes: [Route] {
        [
            Route(.get, "/v1/me/safety", for: .callers, reads: "own-contacts", read),
            Route(.put, "/v1/me/safety", for: .callers, set),
            Route(.delete, "/v1/me/safety", for: .callers, leave),
            Route(.put, "/v1/me/contacts/:id", for: .callers, setContact),
            Route(.delete, "/v1/me/contacts/:id", for: .callers, removeContact),
            Route(.post, "/v1/me/contacts/:id/introduce", for: .callers, introduce),
        ]
    }

    private struct SafetyBody: Encodable {
        let name: String?
        let language: String
        let contacts: [ContactBody]
        let contactsMax: Int
        /// One's own number.
        let phone: String?
        /// Oldest first.
        let phones: [PhoneBody]
        /// The newest first.
        let alerts: [SOSBody]
    }

    /// A phone that is registered for the citizen.
    private struct PhoneBody: Encodable {
        let id: DeviceID
        let registeredAt: Timestamp
        let isThis: Bool
        /// Whether an older one agreed to it, or there is no older one.
        let isAgreed: Bool
    }

    private struct ContactBody: Encodable {
        let id: ContactID
        let name: String?
        let mobile: PhoneNumber?
        let email: String?
        let language: String
        let setAt: Timestamp
        /// On which channels the contact takes no messages.
        let stopped: [AlertChannel]
        let introducedAt: Timestamp?
        let confirmedAt: Timestamp?
    }

    /// How many calls for help are shown with all that became of them.
    private static let callsShown = 20

    private func read(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let principal = try context.signedIn()
        let person = try Citizens.person(principal)
        let keys = try await ledger.keys(
            toRead: .person(person),
            context,
            fields: ["name", "mobile", "email", "fix"]
        )
        let citizen = try ledger.handler.current(Citizen.self, person)
        // A number may have had another owner, of whom only what an older phone agrees to is shown (ruling 39).
        let begin = principal.past.begin
        let isOwn = { (time: Timestamp) in begin.map { time >= $0 } ?? true }
        let profile = citizen.profileAt.map(isOwn) ?? false ? citizen.profile : nil
        let contacts = try citizen.contacts.map { contact in
            let told = try introduced(contact.id)
            let stopped = try ledger.handler.current(Contact.self, contact.facts.person).stopped
            return ContactBody(
                id: contact.id,
                name: try contact.facts.name.opened(with: keys).value,
                mobile: try contact.facts.mobile?.opened(with: keys).value,
                email: try contact.facts.email?.opened(with: keys).value,
                language: contact.facts.language,
                setAt: contact.setAt,
                stopped: stopped.sorted { $0.rawValue < $1.rawValue },
                introducedAt: told.at,
                confirmedAt: told.confirmedAt
            )
        }
        let own = try await ledger.accounts.device(id: principal.deviceID ?? "")
        return try .json(
            SafetyBody(
                name: try profile?.name.opened(with: keys).value,
                language: profile?.language ?? "en",
                contacts: contacts,
                contactsMax: CommandLimits.contactsMax,
                phone: own?.phoneNumber,
                phones: try await phones(of: person, asking: principal),
                alerts: try citizen.calls.filter { isOwn($0.raisedAt) }.suffix(Self.callsShown)
                    .reversed().map {
                        try SOSBody($0.id, of: citizen, ledger, keys)
                    }
            )
        )
    }

    /// When a contact was last told that they are one, and when they first answered that.
    private func introduced(
        _ contact: ContactID
    ) throws -> (at: Timestamp?, confirmedAt: Timestamp?) {
        let told = try ledger.handler.current(ContactAlerts.self, .contact(contact)).alerts
        let answers = try told.compactMap {
            try ledger.handler.current(Alert.self, $0.alert).acknowledgedAt
        }
        return (told.last?.queuedAt, answers.min())
    }

    private func phones(
        of person: PersonID,
        asking principal: Principal
    ) async throws -> [PhoneBody] {
        let ids = try await ledger.accounts.phones(of: "\(person)", org: principal.org)
        let devices = try ids.reversed().compactMap { DeviceID($0) }.map {
            try ledger.handler.current(Device.self, $0)
        }
        return devices.compactMap { device in
            device.registeredAt.map {
                PhoneBody(
                    id: device.id,
                    registeredAt: $0,
                    isThis: "\(device.id)" == principal.deviceID,
                    isAgreed: device.id == devices[0].id || !device.admittedBy.isEmpty
                )
            }
        }
    }

    private struct CitizenRequest: Decodable {
        let name: String
        let language: String?
    }

    private func set(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let request = try await ledger.command(request, context)
        let person = try Citizens.person(request.asker.principal)
        let body: CitizenRequest = try request.decoded()
        let command = SetCitizen(
            person,
            name: body.name,
            language: body.language ?? "en",
            openedWith: ledger.keys.unrecorded(.compared)
        )
        return try await ledger.answer(command, request)
    }

    private struct ContactRequest: Decodable {
        let name: String
        let mobile: GivenNumber?
        let email: String?
        let language: String?
    }

    /// The phone names the contact, so that it can be added without a network, and twice.
    private func setContact(_ request: Request, _ context: GatewayContext) async throws -> Response
    {
        let id: ContactID = try context.id()
        let request = try await ledger.command(request, context)
        let citizen = try Citizens.person(request.asker.principal)
        let body: ContactRequest = try request.decoded()
        if let email = body.email, !MailAddress.isUsable(email) {
            throw Problem(
                .malformedRequest,
                detail: "email is no address of e-mail, such as nina@example.org; correct it"
            )
        }
        let known = try ledger.handler.current(Citizen.self, citizen).contact(id)?.facts.person
        let person = known ?? ledger.newID()
        let command = SetContact(
            id,
            of: citizen,
            person: person,
            name: body.name,
            mobile: body.mobile?.number,
            email: body.email,
            language: body.language ?? "en",
            openedWith: ledger.keys.unrecorded(.compared)
        )
        return try await ledger.answer(
            command,
            request,
            newcomers: known == nil ? [person] : [],
            status: known == nil ? .created : .ok
        ) { NoOutcome() }
    }

    /// The contact's key goes first: who asks again after a crash finds the rest to do.
    private func removeContact(
        _ request: Request,
        _ context: GatewayContext
    ) async throws -> Response {
        let id: ContactID = try context.id()
        let request = try await ledger.command(request, context)
        let citizen = try Citizens.person(request.asker.principal)
        let state = try ledger.handler.current(Citizen.self, citizen)
        let known = state.contact(id)
        if let known {
            try requireTold([known], of: state)
            if let wait = removals.admit("\(citizen)") {
                throw Problem.tooManyRequests("remove fewer contacts", wait: wait)
            }
            try await erase(known, of: citizen, ledger.step(of: request))
        }
        return try await ledger.answer(RemoveContact(id, of: citizen), request)
    }

    /// Contacts who were told of danger are told of its end before their addresses are destroyed; for ten minutes, in case no message can be
    /// sent at all.
    private func requireTold(_ contacts: [Citizen.Contact], of citizen: Citizen) throws {
        let people = Set(contacts.map(\.facts.person))
        for call in citizen.calls {
            let sos = try ledger.handler.current(SOS.self, call.id)
            guard let ended = sos.ended, let at = sos.endedAt,
                ledger.now < at + CommandLimits.endToldWithin
            else { continue }
            let template = EndSOS.template(ended, of: sos)
            for told in try ledger.handler.current(ContactAlerts.self, .sos(call.id)).alerts
            where told.template == template && people.contains(told.person) {
                let alert = try ledger.handler.current(Alert.self, told.alert)
                guard SOSResult([alert]) != nil else {
                    throw Problem(
                        ProblemType("contact-untold", .conflict, "A contact is still to be told"),
                        detail:
                            "removing refused: the message that call for help \(call.id) is over is not sent yet; try again in a minute"
                    )
                }
            }
        }
    }

    /// What a hold keeps, on the contact or on the citizen, is removed from the list alone.
    private func erase(
        _ contact: Citizen.Contact,
        of citizen: PersonID,
        _ context: CommandContext
    ) async throws {
        guard try ledger.handler.hold(on: citizen) == nil else { return }
        let person = contact.facts.person
        do {
            let erase = ErasePerson(person, reason: "removed by the citizen whose contact it was")
            _ = try await ledger.handler.handle(erase, context)
            _ = await Erasure(ledger: ledger).finishOrOwe(person)
        } catch ErasePerson.Refusal.held {
            // The organisation that placed the hold lifts it, and erases the person then.
        }
    }

    /// Tells a contact by a message that they are one; again within a day it is the same message.
    private func introduce(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let id: ContactID = try context.id()
        let request = try await ledger.command(request, context)
        let citizen = try Citizens.person(request.asker.principal)
        let state = try ledger.handler.current(Citizen.self, citizen)
        guard let contact = state.contact(id)?.facts else { throw ContactRefusal.unknown(id) }
        if let wait = introductions.admit("\(citizen)") {
            throw Problem.tooManyRequests("tell fewer contacts", wait: wait)
        }
        let keys = ledger.keys.unrecorded(.delivered)
        let words = SOSWords(
            ledger: ledger,
            name: try state.profile?.name.opened(with: keys).value
        )
        let queue = QueueAlert(
            about: .contact(id),
            severity: .info,
            template: "sos-introduction",
            to: contact.person,
            sms: try contact.mobile?.opened(with: keys).value,
            email: try contact.email?.opened(with: keys).value,
            message: try words.message(
                "sos-introduction",
                in: contact.language,
                at: nil,
                ledger.now
            ),
            deduplicationKey: "introduction",
            deduplicationWindow: .seconds(86_400),
            openedWith: ledger.keys.unrecorded(.compared)
        )
        return try await ledger.answer(queue, request) { _ in NoOutcome() }
    }

    /// Deletes the citizen's account: contacts and their keys, all phones of the number, and the citizen's own key where the centre
    /// needs it for nothing else.
    ///
    /// Each step may be done again: after a crash the phone asks again, or is signed out already.
    private func leave(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let request = try await ledger.command(request, context)
        let principal = request.asker.principal
        let person = try Citizens.person(principal)
        let citizen = try ledger.handler.current(Citizen.self, person)
        let open = try citizen.calls.last {
            try !ledger.handler.current(SOS.self, $0.id).isOver(at: ledger.now)
        }
        if let open {
            throw Problem(
                ProblemType("sos-open", .conflict, "An alert goes on"),
                detail: "call for help \(open.id) goes on; end it, then delete the account"
            )
        }
        try requireTold(citizen.contacts, of: citizen)
        let reason = "asked for by the citizen"
        for contact in citizen.contacts {
            try await erase(contact, of: person, ledger.step(of: request))
            let remove = RemoveContact(contact.id, of: person)
            _ = try await ledger.handler.handle(remove, ledger.step(of: request))
        }
        if try isNoneOfTheCentres(person) {
            do {
                let erase = ErasePerson(person, reason: reason)
                _ = try await ledger.handler.handle(erase, ledger.step(of: request))
                _ = await Erasure(ledger: ledger).finishOrOwe(person)
            } catch is ErasePerson.Refusal {
                // A hold, or another organisation, still needs what there is of the person; the phones end below.
            }
        }
        for id in try await ledger.accounts.phones(of: "\(person)", org: principal.org) {
            guard let phone = DeviceID(id) else { continue }
            try await ledger.revokeDevice(phone, reason: reason, ledger.step(of: request))
        }
        return Response(status: .noContent)
    }

    /// Whether the centre has nothing of a person but the account: no session, no report.
    private func isNoneOfTheCentres(_ person: PersonID) throws -> Bool {
        try ledger.handler.current(Caller.self, person).sessions.isEmpty
            && ledger.handler.current(Footprint.self, person).reports.isEmpty
    }
}

extension Ledger {
    /// The context of one step of a request that records several commands: each step may be done again.
    fileprivate func step(of request: CommandRequest) -> CommandContext {
        context(
            actor: request.asker.ledgerActor,
            organisation: request.asker.organisation,
            correlation: request.requestID
        )
    }
}

/// Who a citizen is.
enum Citizens {
    /// The person behind a phone on whose word the person's contacts may be read and told.
    ///
    /// - Throws: 403 for the guest of a link, and for a new phone as long as an older one of the same person has not agreed to it
    ///   (ruling 39): who was given a number that was somebody else's before has no business with that one's friends.
    static func person(_ principal: Principal) throws(Problem) -> PersonID {
        guard let person = principal.person, principal.isJudged else {
            throw Problem(
                ProblemType("phone-not-agreed", .forbidden, "Another phone is to agree"),
                detail:
                    "your older phone agrees to this one first; where it is lost, the centre ends it"
            )
        }
        return person
    }
}
