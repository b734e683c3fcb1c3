// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// Phones: an operator gives a code for a number, the phone's owner registers with it (ruling 24).
struct DeviceRoutes: Sendable {
    let ledger: Ledger

    var routes: [Route] {
        [
            Route(.post, "/v1/devices/codes", for: .deskAndAbove, makeCode),
            Route(.post, "/v1/devices", for: .strangers, register),
            Route(.get, "/v1/devices", for: .supervision, reads: "devices", list),
            Route(.delete, "/v1/devices/:id", for: .supervision.orOwner, revoke),
            Route(.post, "/v1/devices/:id/admit", for: .owners, admit),
        ]
    }

    private struct CodeRequestBody: Decodable {
        let phone: GivenNumber
        let role: Role?
        /// Why, in words; recorded, and shown to the phones that the number has.
        let reason: String?
    }

    private struct CodeBody: Encodable {
        let phone: PhoneNumber
        /// The phone that will be registered by it.
        let device: DeviceID
        /// Six characters that can be spoken; told once.
        let code: String
        let expiresInSeconds: Int
        /// The earlier session that the new phone will see, because whoever gives the code has it.
        let session: SessionID?
    }

    @Sendable private func makeCode(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let asked = try await ledger.command(
            request,
            context,
            // A digest of a telephone number could be tried out.
            content: .secret
        )
        let asker = asked.asker
        let body = try asked.decoded(CodeRequestBody.self)
        let phone = body.phone.number
        let role = body.role ?? .caller
        guard let staff = asker.staff, [.caller, .reporter].contains(role) else {
            throw Problem(
                .forbidden,
                detail: "a phone is registered as caller or reporter; make an account for others"
            )
        }
        let owner = try await ledger.phoneBook.owner(
            with: phone,
            in: asker.organisation,
            at: ledger.now
        )
        let life = ledger.configuration.limits.accounts.deviceCodeLife
        let device: DeviceID = ledger.newID()
        let command = IssueDeviceCode(
            device,
            of: owner.person,
            phone: phone,
            by: staff,
            reason: body.reason ?? "asked by telephone",
            expires: ledger.now + life
        )
        // The ledger first: no code is good of which it does not know.
        var context = try ledger.context(of: asked)
        context.newcomers = owner.newcomers
        let answer = try await ledger.handler.handle(command, context)
        try answer.requireFirst("code")
        let session = answer.outcome
        let code = try await ledger.accounts.makeDeviceCode(
            phoneNumber: phone.text,
            person: "\(owner.person)",
            org: asker.org,
            role: role,
            device: "\(device)",
            session: session.map { "\($0)" },
            giver: staff.user.text
        )
        return try .json(
            CodeBody(
                phone: phone,
                device: device,
                code: code,
                expiresInSeconds: Int(life / .seconds(1)),
                session: session
            ),
            status: .created
        )
    }

    private struct RegistrationBody: Decodable {
        let phone: GivenNumber
        let code: String
        let publicKey: String?
    }

    private struct DeviceBody: Encodable {
        let device: DeviceID
        /// Told once.
        let token: String
        let expires: String
    }

    /// Under an `Idempotency-Key` the same request gets the same phone again for a while, and another token (decision 0063).
    @Sendable private func register(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let body = try await JSONBody().decode(
            RegistrationBody.self,
            from: request,
            context: context
        )
        let key = try request.repeatableKey()
        return try await ledger.registering(under: key.map { "device \($0)" }) {
            let registration = try await ledger.accounts.registerDevice(
                phoneNumber: body.phone.number.text,
                code: body.code,
                request: key.map { "\($0) \(body.publicKey ?? "")" },
                address: context.remoteAddress,
                isGiven: isRecorded
            )
            guard let device = DeviceID(registration.device.id) else {
                throw Problem(.internalError, detail: "the accounts name no device for this code")
            }
            return (registration, device)
        } naming: {
            ($0.1, nil)
        } telling: { registration, device in
            let position = try await record(registration, device, key, body, context)
            if registration.isAgain {
                try await ledger.recordToldAgain(device, in: registration.device.org, context)
            }
            var response = try Response.json(
                DeviceBody(
                    device: device,
                    token: registration.token.token,
                    expires: Timestamp(registration.token.expires).description
                ),
                status: .created
            )
            response.headers[.ledgerPosition] = position
            return response
        }
    }

    /// Whether the ledger tells of a code what the accounts say: for whom, for which number, by whom and until when; one of
    /// which it does not is no code, whoever wrote it there (decision 0055).
    @Sendable private func isRecorded(_ code: DeviceCode) throws -> Bool {
        let isSo = try tells(of: code)
        if !isSo {
            ledger.logger.critical(
                "the accounts have a code for a phone of which the ledger does not tell; it was refused",
                metadata: ["category": "security", "device": "\(code.device.id)"]
            )
        }
        return isSo
    }

    private func tells(of code: DeviceCode) throws -> Bool {
        guard let id = DeviceID(code.device.id) else { return false }
        let known = try ledger.handler.current(Device.self, id)
        // One that was used a moment ago is asked for by who used it.
        let isOpen = known.person == nil && known.code.map { $0.expires > ledger.now } ?? false
        guard let issued = known.code, isOpen || code.isUsed, !known.isRevoked,
            "\(issued.person)" == code.device.person,
            issued.by?.text == code.giver, known.codeOrganisation?.text == code.device.org
        else { return false }
        if let session = code.session {
            guard let session = SessionID(session), known.admissions[session] != nil else {
                return false
            }
        }
        return try issued.phone.opened(with: ledger.keys.unrecorded(.compared)).value?.text
            == code.device.phoneNumber
    }

    private func record(
        _ registration: Registration,
        _ device: DeviceID,
        _ key: String?,
        _ body: RegistrationBody,
        _ context: GatewayContext
    ) async throws -> String? {
        guard let person = PersonID(registration.device.person) else {
            throw Problem(.internalError, detail: "the accounts name no person for this number")
        }
        let command = RegisterDevice(
            device,
            of: person,
            phone: body.phone.number,
            verification: registration.giver == nil ? .sms : .operatorCode,
            codeGivenBy: registration.giver,
            publicKey: body.publicKey
        )
        let answer = try await ledger.handler.handle(
            command,
            ledger.context(
                actor: .device(device),
                organisation: OrganisationID(unchecked: registration.device.org),
                command: key.map(CommandRequest.command),
                correlation: context.requestID
            )
        )
        return answer.receipt.map { "\($0.last)" }
    }

    // MARK: - Phones that are registered

    private struct ListedBody: Encodable {
        let device: DeviceID
        let registeredAt: Timestamp
        let revokedAt: Timestamp?
    }

    /// The phones of a number, for whoever may end one.
    @Sendable private func list(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let principal = try context.signedIn()
        guard let phone = request.text("phone").flatMap({ try? GivenNumber($0).number }) else {
            throw Problem(
                .malformedRequest,
                detail: "phone is a number with its country code, such as %2B447712345678"
            )
        }
        let devices = try await ledger.accounts.devices(
            phoneNumber: phone.text,
            org: principal.org
        )
        if let person = devices.first.flatMap({ PersonID($0.device.person) }) {
            _ = try await ledger.keys(toRead: .person(person), context, fields: ["phone"])
        }
        let items = devices.compactMap { found in
            DeviceID(found.device.id).map {
                ListedBody(
                    device: $0,
                    registeredAt: Timestamp(found.registered),
                    revokedAt: found.revoked.map { Timestamp($0) }
                )
            }
        }
        return try .json(PageBody(items: items))
    }

    /// Ends a phone that was lost: supervisors and admins do, the phone itself or an older one of the same person, and who
    /// has the open session that it is in.
    @Sendable private func revoke(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let principal = try context.signedIn()
        let id: DeviceID = try context.id()
        let owner = try await ledger.organisation(of: id)
        guard let owner, principal.role == .admin || owner == principal.org else {
            throw Problem(.notFound, detail: "there is no device \(id); check the id")
        }
        let isTheirs = try ledger.isLetIn(id, toSessionOf: principal)
        let isOwn = try await isOwn(id, of: principal)
        if !isTheirs, !isOwn {
            try principal.require(.supervision)
        }
        guard let reason = request.text("reason") else {
            throw Problem(.malformedRequest, detail: "say why in the query: ?reason=…")
        }
        try await ledger.revokeDevice(
            id,
            reason: reason,
            ledger.context(
                actor: principal.ledgerActor,
                organisation: OrganisationID(unchecked: owner),
                correlation: context.requestID
            )
        )
        return Response(status: .noContent)
    }

    /// Whether a phone is somebody's own to end; one whose word does not count ends itself alone.
    private func isOwn(_ id: DeviceID, of principal: Principal) async throws -> Bool {
        guard let own = principal.deviceID, principal.scopes.isEmpty,
            let device = try await ledger.accounts.device(id: "\(id)"),
            principal.personID == device.person, try device.id == own || ledger.mayVouch(principal)
        else { return false }
        return try await ledger.accounts.mayEnd(device.id, by: own)
    }

    private struct AdmissionBody: Decodable {
        let session: SessionID?
    }

    /// Lets a new phone see what was before it: an older phone of the same person agrees to everything, the owner of a session
    /// to that session.
    @Sendable private func admit(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let id: DeviceID = try context.id()
        let request = try await ledger.command(request, context)
        let asker = request.asker
        let body: AdmissionBody = try request.decoded()
        let device = try await ledger.accounts.device(id: "\(id)")
        guard let device, device.org == asker.org else {
            throw Problem(.notFound, detail: "there is no device \(id); check the id")
        }
        let right = try await right(of: asker, toAdmit: device, to: body.session)
        let answer = try await ledger.answer(
            AdmitDevice(id, to: body.session),
            request,
            if: right
        )
        if let session = body.session {
            try await ledger.accounts.admit(
                device: device.id,
                to: "\(session)",
                through: asker.deviceID
            )
        } else if let own = asker.deviceID {
            try await ledger.accounts.admit(device: device.id, toAllOf: own)
        }
        return answer
    }

    /// What lets somebody agree to a phone: of an older phone that is asked here, of a session's owner whenever it is decided.
    private func right(
        of asker: Asker,
        toAdmit device: DeviceAccount,
        to session: SessionID?
    ) async throws -> Right? {
        guard let own = asker.deviceID else {
            return { rights, asker in
                try Self.requireOwner(asker, of: session, in: rights.states, for: device.person)
            }
        }
        let mayAdmit = try await ledger.accounts.mayAdmit(device.id, by: own)
        guard asker.personID == device.person, asker.scopes.isEmpty, mayAdmit,
            try ledger.mayVouch(asker.principal, for: session)
        else {
            throw Problem(
                .forbidden,
                detail: "an older phone of the same person agrees, one that was itself agreed to"
            )
        }
        return nil
    }

    private static func requireOwner(
        _ asker: Asker,
        of session: SessionID?,
        in states: any CurrentStates,
        for person: String
    ) throws {
        let state = try session.map { try states.current(Session.self, $0) }
        guard let state, let user = asker.user, state.owner == user,
            state.contact.map({ "\($0.caller)" }) == person
        else {
            throw Problem(.forbidden, detail: "the owner of the caller's session agrees to it")
        }
    }
}
