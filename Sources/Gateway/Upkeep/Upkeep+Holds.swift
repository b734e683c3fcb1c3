// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Projections

/// Legal holds and erasure, from the console.
extension Upkeep {
    /// A hold as lists show it.
    public struct ListedHold: Codable, Hashable, Sendable {
        public let id: String
        public let organisation: String
        public let scope: String
        public let reason: String
        public let authority: String
        public let placedAt: String
        public let liftedAt: String?
    }

    /// Places a hold on `person/…`, `session/…` or `incident/…`.
    ///
    /// - Parameters:
    ///   - scope: What is held.
    ///   - reason: Why.
    ///   - authority: Who ordered it.
    ///   - organisation: Who holds; `nil` for the organisation that the scope belongs to.
    /// - Returns: The hold's id.
    /// - Throws: `PlaceHold.Refusal`; ``UpkeepError`` for a person of several organisations, when none is named.
    public func placeHold(
        on scope: String,
        reason: String,
        authority: String,
        by organisation: String? = nil
    ) async throws -> String {
        guard let scope = Subject(scope).flatMap(PlaceHold.Scope.init) else {
            throw UpkeepError.notAnID(
                scope,
                wanted: "person/…, session/… or incident/… with its id"
            )
        }
        return try await work { ledger in
            let command = PlaceHold(on: scope, reason: reason, authority: authority)
            let holder = try owner(of: scope, asked: organisation, in: ledger)
            let context = context(in: ledger, for: holder)
            return "\(try await ledger.handler.handle(command, context).outcome)"
        }
    }

    /// Lifts a hold for two people, who both sign in for it.
    ///
    /// - Parameters:
    ///   - id: The hold's.
    ///   - reason: Why.
    ///   - people: Login and password of each.
    /// - Throws: ``UpkeepError/refused(_:)`` for people who may not approve for each other; `LiftHold.Refusal`.
    public func liftHold(
        _ id: String,
        reason: String,
        by people: [(login: String, password: String)]
    ) async throws {
        guard let hold = HoldID(id) else {
            throw UpkeepError.notAnID(id, wanted: "id of a hold")
        }
        let approvals = people.map { Approval(login: $0.login, password: $0.password) }
        try await work { ledger in
            let approvers = try await ledger.consolePeople(approvals)
            let command = LiftHold(hold, reason: reason, approvedBy: approvers)
            let holder = try await level(ledger).holds(active: false, in: .wholeLedger)
                .first { $0.id == hold }
            let context = context(in: ledger, for: holder?.organisation)
            _ = try await ledger.handler.handle(command, context)
        }
    }

    /// The holds, oldest first.
    public func holds() async throws -> [ListedHold] {
        try await work { ledger in
            try await level(ledger).holds(active: false, in: .wholeLedger).map { hold in
                ListedHold(
                    id: "\(hold.id)",
                    organisation: "\(hold.organisation)",
                    scope: "\(hold.scope)",
                    reason: hold.reason,
                    authority: hold.authority,
                    placedAt: "\(hold.placedAt)",
                    liftedAt: hold.liftedAt.map { "\($0)" }
                )
            }
        }
    }

    /// Erases a person: the event, the account, the key, the recordings, the rows.
    ///
    /// - Parameters:
    ///   - person: The id.
    ///   - reason: Why.
    ///   - people: Login and password of the two who agree; for a person behind an account.
    /// - Returns: How many recordings were deleted.
    /// - Throws: ``UpkeepError/refused(_:)`` for people who may not; `ErasePerson.Refusal` when a hold of any organisation, or an open session, is in the way;
    ///   ``ErasureUnfinished`` when the key is destroyed and a file could not be deleted.
    public func erase(
        _ person: String,
        reason: String,
        by people: [(login: String, password: String)] = []
    ) async throws -> Int {
        guard let person = PersonID(person) else {
            throw UpkeepError.notAnID(person, wanted: "id of a person")
        }
        let approvals = people.map { Approval(login: $0.login, password: $0.password) }
        return try await work { ledger in
            let erasure = Erasure(ledger: ledger)
            guard try erasure.knows(person) else {
                throw UpkeepError.notAnID("\(person)", wanted: "person of this ledger")
            }
            let accounts = try await ledger.userAccounts(behind: person)
            let people = try await ledger.consolePeople(approvals, ending: accounts)
            let command = ErasePerson(
                person,
                approvedBy: people,
                within: .ledger,
                reason: reason
            )
            let owner = accounts.first.map { OrganisationID(unchecked: $0.org) }
            try await erasure.ending(accounts) {
                _ = try await ledger.handler.handle(command, context(in: ledger, for: owner))
            }
            let outcome = try await erasure.finish(everybodyWhoIs: person)
            guard outcome.left.isEmpty else { throw ErasureUnfinished(left: outcome.left) }
            return outcome.recordingsDeleted
        }
    }

    /// The registry, level with the log.
    private func level(_ ledger: Ledger) async throws -> Registry {
        if let last = ledger.log.size.checkedPrevious {
            try await ledger.readModels.runner.wait(for: last, on: "registry")
        }
        return ledger.readModels.registry
    }

    /// Who holds: the organisation that is named, or the one that has the thing.
    private func owner(
        of scope: PlaceHold.Scope,
        asked: String?,
        in ledger: Ledger
    ) throws -> OrganisationID? {
        if let asked {
            guard let organisation = OrganisationID(asked) else {
                throw UpkeepError.notAnID(asked, wanted: "name of an organisation")
            }
            return organisation
        }
        guard case .person(let person) = scope else {
            return try ledger.rights.organisation(of: scope.subject)
        }
        let organisations = try ledger.handler.current(Footprint.self, person).organisations
        guard organisations.count < 2 else {
            throw UpkeepError.ofSeveralOrganisations(organisations.map(\.text).sorted())
        }
        return organisations.first
    }
}

extension Ledger {
    /// People who show their passwords at the console, each of whom may approve for each other.
    ///
    /// - Parameters:
    ///   - approvals: Of each.
    ///   - accounts: What would end with their act; one of them may manage each of those.
    /// - Returns: The users, in their order.
    /// - Throws: ``UpkeepError/refused(_:)``.
    fileprivate func consolePeople(
        _ approvals: [Approval],
        ending accounts: [UserAccount] = []
    ) async throws -> [UserID] {
        do {
            var people: [UserAccount] = []
            for approval in approvals {
                people.append(try await present(approval, from: SignInOrigin(address: "console")))
            }
            for person in people {
                for other in people where other != person {
                    try await check(
                        person,
                        approvesFor: UserID(unchecked: other.id),
                        in: other.org
                    )
                }
            }
            for account in accounts where !people.isEmpty {
                guard people.contains(where: { account.isManaged(by: $0.role, of: $0.org) }) else {
                    throw UpkeepError.refused(
                        "neither of the two may manage account \(account.id); name an admin"
                    )
                }
            }
            return people.map { UserID(unchecked: $0.id) }
        } catch let problem as any ProblemRepresentable {
            throw UpkeepError.refused(problem.problem.detail ?? problem.problem.type.title)
        } catch let problem as Problem {
            throw UpkeepError.refused(problem.detail ?? problem.type.title)
        }
    }
}
