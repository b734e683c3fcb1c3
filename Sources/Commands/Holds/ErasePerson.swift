// SPDX-License-Identifier: Apache-2.0
public import Events

/// A person is forgotten: after this is recorded the gateway destroys the person's key.
///
/// Whoever turned out to be the same, by a corrected number, is erased with them: who asks for it has one number in mind.
/// So are the contacts whom the person's alerts told (``Citizen``), except one whom a hold names.
///
/// A hold of any organisation on the person, on a session of that person, or on an incident of a session or report of that
/// person, blocks it; and an organisation
/// erases only who is its own alone. Who stands behind an account is erased by two others, and the account ends with it:
/// whose account that is, and who may manage it, is for the gateway to say, which has the accounts.
public struct ErasePerson: Command {
    public let person: PersonID
    public let by: UserID?
    /// The two who agree; nobody, where no second one was asked.
    public let approvedBy: [UserID]
    public let reach: Reach
    public let reason: String

    public init(
        _ person: PersonID,
        by: UserID? = nil,
        approvedBy: [UserID] = [],
        within reach: Reach = .organisation,
        reason: String
    ) {
        self.person = person
        self.by = by
        self.approvedBy = approvedBy
        self.reach = reach
        self.reason = reason
    }

    /// Whose people the asker may erase.
    public enum Reach: Hashable, Sendable {
        /// Those who appear in no organisation but the asker's.
        case organisation
        /// Everybody's: who looks after the whole ledger.
        case ledger
    }

    /// Why nothing was erased.
    public enum Refusal: CommandRefusal {
        /// There is no such person, or none of the organisation that asks: told alike.
        case unknown(PersonID)
        /// The person appears in other organisations, too.
        case sharedWithOthers(PersonID)
        /// Nobody erases themselves: it would take the traces of what they did.
        case own(PersonID)
        case needsTwoPeople(PersonID, account: UserID)
        case held(PersonID, hold: HoldID, authority: String)
        case inSession(PersonID, SessionID)
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .unknown(let person):
                Problem(
                    .notFound,
                    "person-unknown",
                    "erasing person \(person) refused: this organisation has no such person; check the id",
                    facts: ["person": "\(person)"]
                )
            case .sharedWithOthers(let person):
                Problem(
                    .forbidden,
                    "person-of-others",
                    "erasing person \(person) refused: the person appears in other organisations, too; "
                        + "ask the admin of the whole ledger",
                    facts: ["person": "\(person)"]
                )
            case .own(let person):
                Problem(
                    .forbidden,
                    "person-own",
                    "erasing person \(person) refused: that is who asks; two others erase you",
                    facts: ["person": "\(person)"]
                )
            case .needsTwoPeople(let person, let account):
                Problem(
                    .forbidden,
                    "person-needs-two-people",
                    "erasing person \(person) refused: account \(account) would end with it, to "
                        + "which two others must agree; name a second one",
                    facts: ["person": "\(person)", "account": "\(account)"]
                )
            case .held(let person, let hold, let authority):
                Problem(
                    .conflict,
                    "person-held",
                    "erasing person \(person) refused: hold \(hold) by \(authority) keeps the data; "
                        + "have it lifted first",
                    facts: ["person": "\(person)", "hold": "\(hold)"]
                )
            case .inSession(let person, let session):
                Problem(
                    .conflict,
                    "person-in-session",
                    "erasing person \(person) refused: session \(session) is open; close it first",
                    facts: ["person": "\(person)", "session": "\(session)"]
                )
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    /// What the decision depends on.
    public struct State {
        /// The person first, then who turned out to be the same.
        let parts: [Part]
        let contacts: [Part]
    }

    /// One name under which the person stands in the log.
    struct Part {
        let person: Person
        let organisations: Set<OrganisationID>
        let openSession: Session?
        /// The hold that covers the person, if there is one.
        let hold: HoldPlaced?
        /// The accounts behind which the person stands.
        let accounts: [Account]
    }

    /// An account that ends with its person.
    struct Account {
        let user: User
        let open: [Session]
    }

    /// Erasures wait for holds, of whatever organisation, and holds for erasures.
    public var subject: Subject { HoldingOrganisations.lane }

    /// Whoever may erase everybody does it where the person is known; anybody else asks for the own organisation.
    public var owned: Subject? { reach == .ledger ? .person(person) : nil }

    public func read(_ ledger: inout LedgerView) throws -> State {
        let everybody = try ledger.everybody(whoIs: person)
        let contacts = try everybody.flatMap {
            try ledger.read(Citizen.self, $0).contacts.map(\.facts.person)
        }
        return State(
            parts: try everybody.map { try Self.part($0, &ledger) },
            contacts: try contacts.map { try Self.part($0, &ledger) }
        )
    }

    private static func part(_ person: PersonID, _ ledger: inout LedgerView) throws -> Part {
        let caller = try ledger.read(Caller.self, person)
        // No condition: an account is made for a new person, so that none comes in between.
        let footprint = try ledger.glance(Footprint.self, person)
        var accounts: [Account] = []
        for id in footprint.accounts {
            let user = try ledger.read(User.self, id)
            accounts.append(Account(user: user, open: try ledger.openSessions(of: id)))
        }
        return Part(
            person: try ledger.read(Person.self, person),
            organisations: footprint.organisations,
            openSession: try caller.openSession.map { try ledger.read(Session.self, $0) },
            hold: try hold(on: person, caller, &ledger),
            accounts: accounts
        )
    }

    public func decide(
        _ state: State,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        try InputFault.check(
            reason,
            "reason",
            bytesMax: CommandLimits.noteBytesMax,
            else: Refusal.unacceptable
        )
        for part in state.parts { try check(part.organisations, for: context.organisation) }
        let parts = state.parts.filter { !$0.person.isErased }
        guard !parts.isEmpty else { return .already(()) }
        try checkPeople(parts.flatMap(\.accounts).map(\.user.id))
        if let hold = parts.lazy.compactMap(\.hold).first {
            throw .held(person, hold: hold.hold, authority: hold.authority)
        }
        for case let open? in parts.map(\.openSession) where open.isOpen(at: context.now) {
            throw .inSession(person, open.id)
        }
        let contacts = state.contacts.filter { !$0.person.isErased && $0.hold == nil }
        return .record((parts + contacts).flatMap { erase($0, at: context.now) })
    }

    private func erase(_ part: Part, at now: Timestamp) -> [Write] {
        let overdue = [part.openSession?.overdueExpiry(at: now)].compactMap(\.self)
        let erased = PersonErased(
            person: part.person.id,
            by: by,
            approvedBy: approvedBy.isEmpty ? nil : approvedBy,
            reason: reason
        )
        return overdue + [.person(part.person.id, .erased(erased))]
            + part.accounts.flatMap { end($0, at: now) }
    }

    /// Ends an account: it may not sign in, is signed out, and what it had open is free.
    private func end(_ account: Account, at now: Timestamp) -> [Write] {
        let user = account.user
        var writes: [Write] = []
        if !user.isDisabled {
            writes.append(.user(user.id, .disabled(UserDisabled(reason: reason))))
        }
        return writes + LogOut.leaving(user, account.open, .revoked, at: now)
    }

    /// Refuses whoever would end an account alone, and the account's own.
    private func checkPeople(_ accounts: [UserID]) throws(Refusal) {
        guard let account = accounts.first else { return }
        if let by, accounts.contains(by) { throw .own(person) }
        guard approvedBy.count == 2, Set(approvedBy).count == 2,
            Set(approvedBy).isDisjoint(with: accounts)
        else { throw .needsTwoPeople(person, account: account) }
    }

    /// Refuses whom the asker's organisation does not know, or does not have alone.
    private func check(
        _ organisations: Set<OrganisationID>,
        for own: OrganisationID
    ) throws(Refusal) {
        guard reach == .organisation else { return }
        guard organisations.contains(own) else { throw .unknown(person) }
        guard organisations.count == 1 else { throw .sharedWithOthers(person) }
    }

    /// The hold that keeps this person's data, of whatever organisation; the oldest, so that the same refusal comes again.
    static func hold(
        on person: PersonID,
        _ caller: Caller,
        _ ledger: inout LedgerView
    ) throws -> HoldPlaced? {
        var covering: [HoldPlaced] = []
        let organisations = try ledger.glance(HoldingOrganisations.self, ()).all
        for organisation in organisations.sorted(by: { $0.text < $1.text }) {
            let holds = try ledger.read(Holds.self, organisation).active.values
            covering += try holds.filter { try covers($0, person, caller, ledger) }
        }
        return covering.min { $0.hold.description < $1.hold.description }
    }

    /// Whether a hold keeps this person's data: by name, or through a session of the person, even
    /// one that came after the hold was placed.
    private static func covers(
        _ hold: HoldPlaced,
        _ person: PersonID,
        _ caller: Caller,
        _ ledger: LedgerView
    ) throws -> Bool {
        if hold.persons.contains(person) || hold.scope == .person(person) { return true }
        if let session = hold.scope.sessionID { return caller.sessions[session] != nil }
        guard hold.scope.category == "incident",
            let incident = IncidentID(String(hold.scope.name))
        else { return false }
        // No condition: of a session or report that moves there at the same time, either order is as true.
        let isOfSession = try ledger.glance(Incident.self, incident).sessions
            .contains { caller.sessions[$0] != nil }
        return try isOfSession
            || ledger.glance(Footprint.self, person).reports
                .contains { try belonged($0, to: incident, ledger) }
    }

    /// Whether a report ever belonged to an incident, or to one that is merged into it.
    private static func belonged(
        _ report: ReportID,
        to incident: IncidentID,
        _ ledger: LedgerView
    ) throws -> Bool {
        try ledger.glance(Report.self, report).incidents.contains { first in
            var next: IncidentID? = first
            while let here = next, here != incident {
                next = try ledger.glance(Incident.self, here).merger?.into
            }
            return next != nil
        }
    }
}

extension CommandHandler {
    /// The hold, of whatever organisation, that keeps a person's data as the log stands; `nil` if none does.
    ///
    /// For whoever deletes what the log calls erased: a log that says both is not acted on.
    public func hold(on person: PersonID) throws -> HoldPlaced? {
        var ledger = LedgerView(folds, organisation: .main)
        return try ErasePerson.hold(on: person, try current(Caller.self, person), &ledger)
    }
}
