// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import HTTPTypes
import Hummingbird

/// One-use links: how a caller without the application joins the session that an operator opened (ruling 24).
struct LinkRoutes: Sendable {
    let ledger: Ledger

    var routes: [Route] {
        [
            Route(.post, "/v1/sessions/:id/links", for: .deskAndAbove, issue),
            Route(.post, "/v1/links/use", for: .strangers, open),
            Route(.get, "/j/:link", for: .strangers, lead),
        ]
    }

    private struct LinkBody: Encodable {
        let session: SessionID
        /// The short URL, below the gateway's own address.
        let path: String
        /// Told on another way than the link.
        let code: String
        let expiresInSeconds: Int
    }

    /// A link cannot be told twice; who lost it makes a new one, which ends the first.
    @Sendable private func issue(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let id: SessionID = try context.id()
        let asked = try await ledger.command(
            request,
            context
        )
        let staff = try asked.asker.requireStaff()
        let life = ledger.configuration.limits.accounts.linkLife
        let expiresAt = ledger.now + life
        let link: LinkID = ledger.newID()
        let answer = try await ledger.handler.handle(
            IssueLink(link, to: id, by: staff, expiresAt: expiresAt),
            ledger.context(of: asked) { try $0.check(id, for: $1.principal) }
        )
        try answer.requireFirst("link")
        let issued = try await ledger.accounts.makeLink(
            for: try purpose(of: link, to: id),
            until: Date(milliseconds: expiresAt.microseconds / 1_000)
        )
        let body = LinkBody(
            session: id,
            path: "/j/\(issued.link)",
            code: issued.code,
            expiresInSeconds: Int(life / .seconds(1))
        )
        var response = try Response.json(body, status: .created)
        response.headers[.ledgerPosition] = answer.receipt.map { "\($0.last)" }
        return response
    }

    /// Whom the session was opened for, from the log itself.
    private func purpose(of link: LinkID, to session: SessionID) throws -> LinkPurpose {
        guard let entry = try ledger.log.entries(of: .session(session), limit: 1).first,
            case .session(.created(let created)) = try EventDecoder().decode(entry).fact,
            let phone = try created.phone?.opened(with: ledger.keys.unrecorded(.link)).value
        else { throw Problem(.notFound, detail: "the caller was erased; open a new session") }
        return LinkPurpose(
            id: "\(link)",
            session: "\(session)",
            person: "\(created.caller)",
            phoneNumber: phone.readAgain.text,
            org: entry.envelope.organisation.text
        )
    }

    /// The short URL leads to the caller's page; what stands behind `#` is sent to nobody.
    @Sendable private func lead(_ request: Request, _ context: GatewayContext) throws -> Response {
        let link = context.parameters.get("link") ?? ""
        guard (1...32).contains(link.utf8.count),
            link.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
        else { throw Problem(.notFound, detail: "this is no link of ours; check it") }
        return Response(
            status: .seeOther,
            headers: [.location: "/call#link=\(link)", .cacheControl: "no-store"]
        )
    }

    private struct UseBody: Decodable {
        let link: String
        let code: String
        let publicKey: String?
    }

    private struct JoinedBody: Encodable {
        let session: SessionID
        let device: DeviceID
        /// Told once.
        let token: String
        let expires: String
    }

    /// Under an `Idempotency-Key` the same request gets the same phone again for a while, and another token (decision 0063).
    @Sendable private func open(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let body = try await JSONBody().decode(UseBody.self, from: request, context: context)
        guard body.link.utf8.count <= AccountLimits.givenLinkBytes else {
            throw AccountError.linkRefused(.unknown)
        }
        // A link is good once: what can be refused beforehand does not use it up.
        try OpenLink.check(publicKey: body.publicKey)
        let key = try request.repeatableKey()
        return try await ledger.registering(under: key.map { "link \($0)" }) {
            let (purpose, account, token, isAgain) = try await ledger.accounts.useLink(
                // The short URL may be given whole.
                String(body.link.split(separator: "/").last ?? ""),
                code: body.code,
                request: key.map { "\($0) \(body.publicKey ?? "")" },
                deviceID: "\(ledger.newID() as DeviceID)"
            )
            guard let link = LinkID(purpose.id), let session = SessionID(purpose.session),
                let phone = PhoneNumber(purpose.phoneNumber), let device = DeviceID(account.id)
            else { throw Problem(.internalError, detail: "the accounts have another form") }
            return Joining(
                command: OpenLink(
                    link,
                    of: session,
                    as: device,
                    phone: phone,
                    publicKey: body.publicKey
                ),
                organisation: purpose.org,
                token: token,
                isAgain: isAgain
            )
        } naming: {
            ($0.command.device, $0.command.link)
        } telling: {
            try await join($0, key, context)
        }
    }

    /// A phone that a link registered with the accounts.
    private struct Joining {
        let command: OpenLink
        let organisation: String
        let token: IssuedToken
        let isAgain: Bool
    }

    private func join(
        _ joining: Joining,
        _ key: String?,
        _ context: GatewayContext
    ) async throws -> Response {
        let device = joining.command.device
        let answer = try await ledger.handler.handle(
            joining.command,
            ledger.context(
                actor: .device(device),
                organisation: OrganisationID(unchecked: joining.organisation),
                command: key.map(CommandRequest.command),
                correlation: context.requestID
            )
        )
        if joining.isAgain {
            try await ledger.recordToldAgain(device, in: joining.organisation, context)
        }
        let joined = JoinedBody(
            session: joining.command.session,
            device: device,
            token: joining.token.token,
            expires: Timestamp(joining.token.expires).description
        )
        var response = try Response.json(joined, status: .created)
        response.headers[.ledgerPosition] = answer.receipt.map { "\($0.last)" }
        return response
    }
}
