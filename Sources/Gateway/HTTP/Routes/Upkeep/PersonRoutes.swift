// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import HTTPTypes
import Hummingbird
import Projections

/// The routes by which a person is forgotten: what there is of the person first, and what stands in the way.
struct PersonRoutes: Sendable {
    let ledger: Ledger
    let erasure: Erasure

    var routes: [Route] {
        [
            Route(.get, "/v1/persons/:id", for: .managers, show),
            Route(.post, "/v1/persons/:id/erase", for: .managers, erase),
        ]
    }

    // MARK: - What there is

    /// What an erasure would reach.
    private struct PersonBody: Encodable {
        let person: PersonID
        let isErased: Bool
        let sessions: Int
        /// In these sessions, of both sides: all are sealed for the caller.
        let messages: Int
        let recordings: Int
        /// Pictures in chats, and stills of recordings.
        let pictures: Int
        /// Registered, and not ended.
        let phones: Int
        /// They end with the person.
        let accounts: [UserBody]
        /// While it is open nobody is erased.
        let openSession: SessionID?
        /// The hold that keeps everything.
        let heldBy: HoldingBody?
    }

    private struct HoldingBody: Encodable {
        let hold: HoldID
        let authority: String
    }

    private func show(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let principal = try context.signedIn()
        let person: PersonID = try context.id()
        let accounts = try await accounts(behind: person, for: principal)
        for model in ["operator-desk", "conversations"] {
            try await ledger.awaitLevel(request, of: model)
        }
        try await ledger.recordReading(
            of: .person(person),
            by: principal,
            for: "erasure-preview",
            fields: accounts.isEmpty ? [] : ["login"]
        )
        return try .json(try await body(of: person, accounts))
    }

    private func body(of person: PersonID, _ accounts: [UserAccount]) async throws -> PersonBody {
        let caller = try ledger.handler.current(Caller.self, person)
        let files = try ErasedFiles(of: person, in: ledger)
        let open = try caller.openSession.map { try ledger.handler.current(Session.self, $0) }
        let talks = try await ledger.readModels.conversations.history(
            of: person,
            limit: ProjectionLimits.listRowsMax
        )
        let phones = try await ledger.readModels.desk.devices(of: person)
        let hold = try ledger.handler.hold(on: person)
        return PersonBody(
            person: person,
            isErased: try ledger.handler.current(Person.self, person).isErased,
            sessions: caller.sessions.count,
            messages: talks.map(\.messages).reduce(0, +),
            recordings: files.recordings.count,
            pictures: files.blobs.count,
            phones: phones.count { $0.revokedAt == nil },
            accounts: accounts.map { UserBody($0) },
            openSession: open.flatMap { $0.isOpen(at: ledger.now) ? $0.id : nil },
            heldBy: hold.map { HoldingBody(hold: $0.hold, authority: $0.authority) }
        )
    }

    /// The accounts that would end with somebody whom the asker may erase.
    ///
    /// - Throws: 404 and 403 as an erasure does; of a person elsewhere nothing is told.
    private func accounts(
        behind person: PersonID,
        for principal: Principal
    ) async throws -> [UserAccount] {
        guard try erasure.knows(person) else { throw ErasePerson.Refusal.unknown(person) }
        let accounts = try await ledger.userAccounts(behind: person)
        try Self.check(principal, mayEnd: accounts, with: person)
        guard principal.role != .admin else { return accounts }
        let owners = try ledger.handler.current(Footprint.self, person).organisations
        guard owners.contains(principal.organisation) else {
            throw ErasePerson.Refusal.unknown(person)
        }
        guard owners.count == 1 else { throw ErasePerson.Refusal.sharedWithOthers(person) }
        return accounts
    }

    // MARK: - Forgetting

    private struct ErasureRequest: Decodable {
        let reason: String
        /// Needed for a person behind an account.
        let approver: Approval?
    }

    /// What an erasure did.
    private struct ErasureBody: Encodable {
        let person: PersonID
        let recordingsDeleted: Int
        /// What is still there and is tried again by itself, each with the reason; the key is destroyed all the same.
        let left: [String]
    }

    private func erase(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let person: PersonID = try context.id()
        let origin = SignInOrigin(request, context)
        let request = try await ledger.command(
            request,
            context,
            content: .secret
        )
        let principal = request.asker.principal
        let asked: ErasureRequest = try request.decoded()
        guard try erasure.knows(person) else { throw ErasePerson.Refusal.unknown(person) }
        let accounts = try await ledger.userAccounts(behind: person)
        try Self.check(principal, mayEnd: accounts, with: person)
        let approver: UserID? =
            if let approval = asked.approver {
                try await ledger.approver(approval, of: principal, from: origin)
            } else {
                nil
            }
        let command = ErasePerson(
            person,
            by: principal.user,
            approvedBy: approver.map { [principal.user, $0].compactMap(\.self) } ?? [],
            within: principal.role == .admin ? .ledger : .organisation,
            reason: asked.reason
        )
        let reply = try await erasure.ending(accounts) {
            // Approving took its time, and one of them may be an admin's by now.
            let now = try await ledger.stillSignedIn(principal)
            let accounts = try await ledger.userAccounts(behind: person)
            try Self.check(now, mayEnd: accounts, with: person)
        } recording: {
            let owner = accounts.first.map { OrganisationID(unchecked: $0.org) }
            return try await ledger.answer(command, request, about: .person(person), in: owner)
        }
        let outcome = await erasure.finishOrOwe(person)
        let body = ErasureBody(
            person: person,
            recordingsDeleted: outcome.recordingsDeleted,
            left: outcome.left.map(\.words)
        )
        var answer = try Response.json(body, status: outcome.left.isEmpty ? .ok : .accepted)
        answer.headers[.ledgerPosition] = reply.headers[.ledgerPosition]
        return answer
    }

    /// Whoever may not manage an account does not end it by erasing its person; of one elsewhere nothing is told.
    private static func check(
        _ principal: Principal,
        mayEnd accounts: [UserAccount],
        with person: PersonID
    ) throws {
        do {
            for account in accounts {
                try account.requireManager(principal.role, of: principal.org)
            }
        } catch AccountError.accountUnknown {
            throw ErasePerson.Refusal.unknown(person)
        }
    }
}
