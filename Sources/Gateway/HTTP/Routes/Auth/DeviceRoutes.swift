// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Phones: an operator gives a code for a number, the phone's owner registers with it (ruling 24).
struct DeviceRoutes: Sendable {
    let ledger: Ledger

    func add(to router: Router<GatewayContext>) {
        router.post("/v1/devices/codes", use: makeCode)
        router.post("/v1/devices", use: register)
    }

    private struct CodeRequestBody: Decodable {
        let phone: PhoneNumber
        let role: Role?
    }

    private struct CodeBody: Encodable {
        let phone: PhoneNumber
        /// Six characters that can be spoken; told once.
        let code: String
        let expiresInSeconds: Int
    }

    @Sendable private func makeCode(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let principal = try context.signedIn(as: .operator, .supervisor, .organisationAdmin, .admin)
        let body = try await JSONBody().decode(
            CodeRequestBody.self,
            from: request,
            context: context
        )
        let role = body.role ?? .caller
        guard [.caller, .reporter].contains(role) else {
            throw Problem(
                .forbidden,
                detail: "a phone is registered as caller or reporter; make an account for others"
            )
        }
        let person = try await ledger.phoneBook.person(with: body.phone, at: ledger.now)
        let code = try await ledger.accounts.makeDeviceCode(
            phoneNumber: body.phone.text,
            person: "\(person)",
            org: principal.org,
            role: role
        )
        try await ledger.accounts.note(giver: principal.actor, ofCodeFor: body.phone.text)
        let life = ledger.configuration.limits.accounts.deviceCodeLife
        return try .json(
            CodeBody(phone: body.phone, code: code, expiresInSeconds: Int(life / .seconds(1))),
            status: .created
        )
    }

    private struct RegistrationBody: Decodable {
        let phone: PhoneNumber
        let code: String
        let publicKey: String?
    }

    private struct DeviceBody: Encodable {
        let device: DeviceID
        /// Told once.
        let token: String
        let expires: String
    }

    /// No `Idempotency-Key`: a token cannot be told twice; who lost it asks for a new code.
    @Sendable private func register(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let body = try await JSONBody().decode(
            RegistrationBody.self,
            from: request,
            context: context
        )
        let device: DeviceID = ledger.newID()
        let (account, token) = try await ledger.accounts.registerDevice(
            phoneNumber: body.phone.text,
            code: body.code,
            deviceID: "\(device)"
        )
        do {
            let position = try await record(account, device, body, context)
            var response = try Response.json(
                DeviceBody(
                    device: device,
                    token: token.token,
                    expires: Timestamp(token.expires).description
                ),
                status: .created
            )
            response.headers[.ledgerPosition] = position
            return response
        } catch {
            // A device that the ledger does not know must not act.
            try await ledger.accounts.revokeDevice(id: account.id)
            throw error
        }
    }

    private func record(
        _ account: DeviceAccount,
        _ device: DeviceID,
        _ body: RegistrationBody,
        _ context: GatewayContext
    ) async throws -> String? {
        guard let person = PersonID(account.person) else {
            throw Problem(.internalError, detail: "the accounts name no person for this number")
        }
        let command = RegisterDevice(
            device,
            of: person,
            phone: body.phone,
            verification: .operatorCode,
            codeGivenBy: try await ledger.accounts.giver(ofCodeFor: body.phone.text),
            publicKey: body.publicKey
        )
        let answer = try await ledger.handler.handle(
            command,
            ledger.context(
                actor: .device(device),
                organisation: OrganisationID(unchecked: account.org),
                correlation: context.requestID
            )
        )
        return answer.receipt.map { "\($0.last)" }
    }
}
