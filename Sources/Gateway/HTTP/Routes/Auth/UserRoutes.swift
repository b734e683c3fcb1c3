// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import HTTPTypes
import Hummingbird

/// Accounts: made by admins, with a temporary password that is told once.
struct UserRoutes: Sendable {
    let ledger: Ledger

    func add(to router: Router<GatewayContext>) {
        router.post("/v1/admin/users", use: create)
        router.get("/v1/admin/users", use: list)
    }

    private struct NewUserBody: Decodable {
        let login: String
        let role: Role
        let name: String?
        /// What events and file names call the user; nine random digits without it.
        let id: String?
    }

    private struct CreatedBody: Encodable {
        let user: UserBody
        let temporaryPassword: String
    }

    private struct UserBody: Encodable {
        let id: String
        let login: String
        let role: Role
        let organisation: String
        let isTemporary: Bool
        let isDisabled: Bool

        init(_ user: UserAccount) {
            id = user.id
            login = user.login
            role = user.role
            organisation = user.org
            isTemporary = user.isTemporary
            isDisabled = user.isDisabled
        }
    }

    /// No `Idempotency-Key`: a password cannot be told twice; a login can be taken once.
    @Sendable private func create(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let admin = try context.signedIn(as: .admin, .orgAdmin)
        let body = try await JSONBody().decode(NewUserBody.self, from: request, context: context)
        guard admin.role == .admin || ![.admin, .auditor].contains(body.role) else {
            throw Problem(.forbidden, detail: "only an admin makes admins and auditors")
        }
        let new = try await ledger.createUser(
            login: body.login,
            role: body.role,
            organisation: admin.organisation,
            name: body.name,
            id: body.id,
            ledger.context(of: admin, correlation: context.requestID)
        )
        let created = CreatedBody(user: UserBody(new.user), temporaryPassword: new.password)
        return try .json(created, status: .created)
    }

    @Sendable private func list(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let admin = try context.signedIn(as: .admin, .orgAdmin, .supervisor, .auditor)
        let users = try await ledger.accounts.users()
            .filter { admin.seesAllOrganisations || $0.org == admin.org }
        return try .json(PageBody(items: users.map(UserBody.init)))
    }
}
