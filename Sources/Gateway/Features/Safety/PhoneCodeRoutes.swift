// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import HTTPTypes
import Hummingbird

/// How somebody registers a phone without the help of an operator: by a code that comes to its number by SMS.
struct PhoneCodeRoutes: Sendable {
    let ledger: Ledger
    private let proofs: ProofOfWork
    /// Each SMS costs the centre something, and wakes whoever has the number.
    private let byNumber: ClientRates
    private let byAddress: ClientRates
    private let all: ClientRates

    init(ledger: Ledger) {
        self.ledger = ledger
        let limits = ledger.configuration.limits
        proofs = ProofOfWork(ledger.deliverySecrets, max: limits.proofOfWorkMax)
        byNumber = ClientRates(limits.codesOfNumber, capacity: limits.rememberedClients)
        byAddress = ClientRates(limits.codesOfAddress, capacity: limits.rememberedClients)
        all = ClientRates(limits.codesOfAll, capacity: 1)
    }

    var routes: [Route] {
        [
            Route(.get, "/v1/public/safety", for: .strangers, read),
            Route(.post, "/v1/public/phone-codes", for: .strangers, send),
        ]
    }

    private struct CentreBody: Encodable {
        let centre: String
        /// Whether the centre sends codes.
        let isOpen: Bool
        let contactsMax: Int
    }

    private func read(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try .json(
            CentreBody(
                centre: ledger.centreName,
                isOpen: try isOpen(),
                contactsMax: CommandLimits.contactsMax
            )
        )
    }

    private func isOpen() throws -> Bool {
        try ledger.handler.current(MessageSender.self, .sms).settings?.isOn ?? false
    }

    private struct CodeRequest: Decodable {
        let phone: GivenNumber
        let proof: ProofOfWork.Answer
        let language: String?
    }

    private struct SentBody: Encodable {
        let expiresInSeconds: Int
    }

    private func send(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let body = try await JSONBody().decode(CodeRequest.self, from: request, context: context)
        guard let key = request.headers[.idempotencyKey], (8...128).contains(key.utf8.count) else {
            throw Problem(
                .malformedRequest,
                detail: "a code needs an Idempotency-Key of 8 to 128 bytes, to be sent once"
            )
        }
        guard try isOpen() else {
            throw Problem(
                ProblemType("codes-closed", .serviceUnavailable, "No codes are sent"),
                detail: "this centre sends no SMS; ask it for a code by telephone"
            )
        }
        try proofs.check(body.proof, for: key, at: ledger.now)
        let phone = body.phone.number
        // What one address may not ask for costs neither the number nor others anything.
        let wait =
            byAddress.admit(NetworkAddress.holder(of: context.remoteAddress))
            ?? byNumber.admit(phone.text) ?? all.admit("")
        if let wait {
            throw Problem.tooManyRequests("ask for fewer codes", wait: wait)
        }
        let life = try await send(to: phone, body.language ?? "en", key, context)
        return try .json(
            SentBody(expiresInSeconds: Int(life / .seconds(1))),
            status: .accepted
        )
    }

    private func send(
        to phone: PhoneNumber,
        _ language: String,
        _ key: String,
        _ context: GatewayContext
    ) async throws -> Duration {
        let owner = try await ledger.phoneBook.owner(with: phone, in: .main, at: ledger.now)
        let stopped = try ledger.handler.current(Contact.self, owner.person).stopped
        guard !stopped.contains(.sms) else {
            throw Problem(
                ProblemType("codes-stopped", .conflict, "The number takes no messages"),
                detail:
                    "no code was sent: this number answered STOP; send START from it, then ask again"
            )
        }
        let life = ledger.configuration.limits.accounts.deviceCodeLife
        let device: DeviceID = ledger.newID()
        // A digest of the number could be tried out; that of the key tells nothing.
        let step = SHA256Digest(of: Data(key.utf8)).text
        var issuing = ledger.context(
            actor: .nobody,
            organisation: .main,
            command: CommandID(unchecked: "code~\(step)"),
            correlation: context.requestID
        )
        issuing.newcomers = owner.newcomers
        let issue = IssueDeviceCode(
            device,
            of: owner.person,
            phone: phone,
            by: nil,
            reason: "asked for on the page",
            expires: ledger.now + life
        )
        let answer = try await ledger.handler.handle(issue, issuing)
        try answer.requireFirst("code")
        let code = try await ledger.accounts.makeDeviceCode(
            phoneNumber: phone.text,
            person: "\(owner.person)",
            org: OrganisationID.main.text,
            device: "\(device)"
        )
        let message = try ledger.message(
            "code",
            in: language,
            values: ["code": code, "address": "\(ledger.publicAddress)/safe"],
            .info
        )
        let queue = QueueAlert(
            about: .device(device),
            severity: .info,
            template: "code",
            to: owner.person,
            sms: phone,
            message: message,
            deduplicationKey: "\(device)",
            timeToLiveSeconds: Int(life / .seconds(1))
        )
        let queueing = ledger.context(
            actor: .nobody,
            organisation: .main,
            command: CommandID(unchecked: "code~\(step)~sms"),
            correlation: context.requestID
        )
        _ = try await ledger.handler.handle(queue, queueing)
        return life
    }
}
