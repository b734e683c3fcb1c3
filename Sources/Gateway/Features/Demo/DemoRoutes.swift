// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import HTTPTypes
import Hummingbird
import Projections

/// The start page of a demo: who may be tried, and signing in as one of them without a password.
///
/// In a ledger that was not made as a demo there are no such routes: each answers as a path that is none.
struct DemoRoutes: Sendable {
    /// Where the start page is.
    static let page = "/demo"
    /// Where a citizen who has set up contacts begins.
    static let citizensPage = "/safe"
    /// What a path answers that is no route.
    static let noRoute = Problem(.unknownRoute, detail: "see the OpenAPI file for the routes")

    private let ledger: Ledger
    private let pages: PageTable
    private let signIns: ClientRates

    init(ledger: Ledger, pages: PageTable) {
        (self.ledger, self.pages) = (ledger, pages)
        signIns = ClientRates(ledger.configuration.limits.demoSignIns, capacity: 1)
    }

    var routes: [Route] {
        [
            Route(.get, "/v1/demo", for: .strangers, list),
            Route(.post, "/v1/demo/sign-in", for: .strangers, signIn),
        ]
    }

    /// Somebody whom a visitor may be.
    private struct Person: Encodable {
        /// The user, or the phone.
        let person: String
        let role: Role
        /// The page that they start on.
        let home: String
        let login: String?
        /// Of a phone that of the citizen, where one was set up.
        let name: String?
        /// The number of a phone.
        let phone: String?
    }

    @Sendable private func list(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        try requireOwnPage(request)
        return try .json(PageBody(items: try await people()))
    }

    private struct SignInBody: Decodable {
        let person: String
    }

    /// Answers as `POST /v1/auth/login` does; a phone gets a token and no cookie, as when it registers.
    @Sendable private func signIn(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        try requireOwnPage(request)
        try signIns.check("visitors")
        let asked = try await JSONBody().decode(SignInBody.self, from: request, context: context)
        guard let person = try await people().first(where: { $0.person == asked.person }) else {
            throw Problem(
                .notFound,
                detail: "this demo has nobody to sign in as by that id; GET /v1/demo lists them"
            )
        }
        if person.phone != nil { return try await open(person.person, context) }
        let user = try await ledger.accounts.user(id: person.person)
        let limits = ledger.configuration.limits.accounts
        let token = try await ledger.accounts.issueToken(
            forUser: user.id,
            idle: user.role.hasIdleLogout ? limits.operatorIdle : nil
        )
        return try await AuthRoutes(ledger: ledger)
            .admit(user, with: token, by: .demo, request, context)
    }

    /// Gives a visitor a further token of a registered phone; that it did is recorded with the phone.
    private func open(_ id: String, _ context: GatewayContext) async throws -> Response {
        guard let device = DeviceID(id) else {
            throw Problem(.internalError, detail: "the accounts name no device for this phone")
        }
        let token = try await ledger.accounts.issueToken(forDevice: id)
        do {
            let phone = try await ledger.accounts.authenticate(token.token)
            let told = RecordAccess(
                by: phone.ledgerActor,
                of: .device(device),
                purpose: "demo",
                fields: ["token"]
            )
            let own = ledger.context(of: phone, correlation: context.requestID)
            _ = try await ledger.handler.handle(told, own)
            return try .json(SignedInBody(token, phone))
        } catch {
            // No visitor has a phone without the ledger knowing.
            try await ledger.accounts.revoke(tokenID: token.id)
            throw error
        }
    }

    /// Everybody whose role has a page and who has chosen a password, by login; then the phones.
    private func people() async throws -> [Person] {
        var people: [Person] = []
        for user in try await ledger.accounts.users() {
            guard let home = pages.homes[user.role],
                user.hasPassword, !user.isTemporary, !user.isDisabled
            else { continue }
            let person = Person(
                person: user.id,
                role: user.role,
                home: home,
                login: user.login,
                name: try await name(of: UserID(unchecked: user.id)),
                phone: nil
            )
            people.append(person)
        }
        guard let home = pages.homes[.caller] else { return people }
        let phones = try await ledger.accounts.firstCallers(GatewayLimits.demoPhones)
        let callers = try phones.map { phone in
            let name = try PersonID(phone.person).flatMap { try citizensName(of: $0) }
            return Person(
                person: phone.id,
                role: .caller,
                home: name == nil ? home : Self.citizensPage,
                login: nil,
                name: name,
                phone: phone.phoneNumber
            )
        }
        return people + callers
    }

    private func citizensName(of person: PersonID) throws -> String? {
        try ledger.handler.current(Citizen.self, person).profile?.name
            .opened(with: ledger.keys.unrecorded(.delivered)).value
    }

    private func name(of user: UserID) async throws -> String? {
        try await ledger.readModels.desk.staff(user)?.name?
            .opened(with: ledger.keys.unrecorded(.colleague)).value
    }

    /// Refuses where there is no demo, what a proxy brought, for it may come from any machine, and pages of other sites, also one
    /// whose name somebody made lead to this machine.
    private func requireOwnPage(_ request: Request) throws(Problem) {
        guard ledger.isDemo else { throw Self.noRoute }
        if let header = request.headers.first(where: { $0.name.isOfProxies })?.name {
            throw Problem(
                .forbidden,
                detail:
                    "one signs in to a demo on the machine that it runs on, without a proxy: this request came through one, as its header \(header) says; open http://localhost with the demo's port there",
                facts: ["header": .string(header.canonicalName)]
            )
        }
        let host = request.head.authority?.lowercased() ?? ""
        let origin = request.headers[.origin]?.lowercased()
        guard Self.isOfThisMachine(host),
            origin.map({ ["http://\(host)", "https://\(host)"].contains($0) }) ?? true
        else {
            let page = origin.map { " by a page of \($0)" } ?? ""
            throw Problem(
                .crossOrigin,
                detail:
                    "one signs in to a demo on its own start page, at localhost or 127.0.0.1; this was asked at \(host)\(page)",
                facts: ["host": .string(host)]
            )
        }
    }

    /// Whether a host, with its port, is a name that means this machine for every browser (RFC 6761, section 6.3).
    private static func isOfThisMachine(_ host: String) -> Bool {
        guard let name = URLComponents(string: "any://\(host)")?.host else { return false }
        return ["127.0.0.1", "localhost", "::1", "[::1]"].contains(name)
            || name.hasSuffix(".localhost")
    }
}

extension HTTPField.Name {
    /// Whether proxies write it, to say whom they bring.
    fileprivate var isOfProxies: Bool {
        ["forwarded", "via", "x-real-ip"].contains(canonicalName)
            || canonicalName.hasPrefix("x-forwarded-")
    }
}
