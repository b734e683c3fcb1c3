// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import HTTPTypes
import Hummingbird

/// What a citizen keeps for the day on which help is needed: a name, and the contacts who are told (source 4, UC-1 to UC-6).
struct SafetyRoutes: Sendable {
    let ledger: Ledger

    var routes: [Route] {
        [
            Route(.get, "/v1/me/safety", for: .callers, reads: "own-contacts", read),
            Route(.put, "/v1/me/safety", for: .callers, set),
            Route(.put, "/v1/me/contacts/:id", for: .callers, setContact),
            Route(.delete, "/v1/me/contacts/:id", for: .callers, removeContact),
        ]
    }

    private struct SafetyBody: Encodable {
        let name: String?
        let language: String
        let contacts: [ContactBody]
        let contactsMax: Int
        /// The newest first.
        let alerts: [SOSBody]
    }

    private struct ContactBody: Encodable {
        let id: ContactID
        let name: String?
        let mobile: PhoneNumber?
        let email: String?
        let language: String
        let setAt: Timestamp
    }

    /// How many calls for help are shown with all that became of them.
    private static let callsShown = 20

    private func read(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let person = try Citizens.person(try context.signedIn())
        let keys = try await ledger.keys(
            toRead: .person(person),
            context,
            fields: ["name", "mobile", "email", "fix"]
        )
        let citizen = try ledger.handler.current(Citizen.self, person)
        let contacts = try citizen.contacts.map { contact in
            ContactBody(
                id: contact.id,
                name: try contact.facts.name.opened(with: keys).value,
                mobile: try contact.facts.mobile?.opened(with: keys).value,
                email: try contact.facts.email?.opened(with: keys).value,
                language: contact.facts.language,
                setAt: contact.setAt
            )
        }
        return try .json(
            SafetyBody(
                name: try citizen.profile?.name.opened(with: keys).value,
                language: citizen.profile?.language ?? "en",
                contacts: contacts,
                contactsMax: CommandLimits.contactsMax,
                alerts: try citizen.calls.suffix(Self.callsShown).reversed().map {
                    try SOSBody($0.id, of: citizen, ledger, keys)
                }
            )
        )
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
    ///
    /// What a hold keeps is removed from the list alone.
    private func removeContact(
        _ request: Request,
        _ context: GatewayContext
    ) async throws -> Response {
        let id: ContactID = try context.id()
        let request = try await ledger.command(request, context)
        let citizen = try Citizens.person(request.asker.principal)
        let known = try ledger.handler.current(Citizen.self, citizen).contact(id)
        if let person = known?.facts.person {
            do {
                let erase = ErasePerson(
                    person,
                    reason: "removed by the citizen whose contact it was"
                )
                let context = ledger.context(
                    actor: request.asker.ledgerActor,
                    organisation: request.asker.organisation,
                    correlation: request.requestID
                )
                _ = try await ledger.handler.handle(erase, context)
                _ = await Erasure(ledger: ledger).finishOrOwe(person)
            } catch ErasePerson.Refusal.held {
                // Whoever placed the hold has it lifted, and has the person erased then.
            }
        }
        return try await ledger.answer(RemoveContact(id, of: citizen), request)
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
