// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Hummingbird

/// Tells who somebody is now, or throws for who is nobody any more.
typealias Confirming = @Sendable (Principal) async throws -> Principal

/// Who may use a route, as far as that does not depend on what it is used for.
struct Askers: Sendable, Hashable, ExpressibleByArrayLiteral {
    /// Whoever comes, signed in or not.
    static let strangers = Askers(nil) { $0.areStrangersToo = true }
    /// Whoever is signed in.
    static let anyone = Askers(nil)
    /// The same with a temporary password, too.
    static let anyoneAtAll = Askers(nil) { $0.isTemporaryToo = true }
    /// Whose the thing is, in no role besides.
    static let owners = Askers([]).orOwner
    /// Whose sessions are.
    static let callers: Askers = [.caller]
    /// Both sides of a session.
    static let parties: Askers = [.caller, .operator, .supervisor]
    /// Who have sessions.
    static let desk: Askers = [.operator, .supervisor]
    /// The same, and who look after the sessions of others, and have none.
    static let deskAndAbove: Askers = [.operator, .supervisor, .organisationAdmin, .admin]
    /// Who look after the work of others.
    static let supervision: Askers = [.supervisor, .organisationAdmin, .admin]
    /// The same, and who check it.
    static let overseers: Askers = [.supervisor, .auditor, .organisationAdmin, .admin]
    /// Who manage accounts.
    static let managers: Askers = [.organisationAdmin, .admin]
    /// Who read conversations.
    static let readers = Askers(Role.allCases.filter { $0.reach != .nothing })
    /// The same without the callers.
    static let readersOfTheCentre = Askers(
        Role.allCases.filter { ![.nothing, .own].contains($0.reach) }
    )

    /// `nil` for any role.
    let roles: [Role]?
    private(set) var isTemporaryToo = false
    private(set) var areStrangersToo = false
    /// In which roles somebody may be whose the thing is; `nil` for any.
    private var ownerRoles: [Role]? = []
    private(set) var isGuestToo = false

    init(_ roles: [Role]?, _ change: (inout Askers) -> Void = { _ in }) {
        self.roles = roles
        change(&self)
    }

    init(arrayLiteral roles: Role...) { self.init(roles) }

    /// And whose the thing is, whatever their role: the handler finds out, and requires the role of everybody else.
    var orOwner: Askers { Askers(self) { $0.ownerRoles = nil } }
    /// The same for who has one of some roles.
    func orOwner(as roles: Role...) -> Askers { Askers(self) { $0.ownerRoles = roles } }
    /// And the guest of a one-use link, whose session it is about (ruling 39).
    var orGuest: Askers { Askers(self) { $0.isGuestToo = true } }

    /// Whether also those may whose the thing is.
    var isOwnerToo: Bool { ownerRoles != [] }

    private init(_ askers: Askers, _ change: (inout Askers) -> Void) {
        self = askers
        change(&self)
    }

    /// Whoever sent a request, if they are one of these.
    ///
    /// - Throws: 401 for nobody; 403 for another role, and while the password is a temporary one.
    func principal(in context: GatewayContext) throws(Problem) -> Principal {
        let principal =
            isTemporaryToo ? try context.signedInEvenTemporarily() : try context.signedIn()
        if !isOwnerToo || ownerRoles?.contains(principal.role) == false {
            try principal.require(self)
        }
        return principal
    }
}
/// Throws where an asker may not, by how things stand.
typealias Right = @Sendable (ReadingRights, Asker) throws -> Void

extension Ledger {
    /// What comes with a request that changes something.
    ///
    /// - Parameters:
    ///   - request: What is asked, and by whom.
    ///   - right: Whether they may, asked at once and again when it is decided: what it reads are conditions of the append.
    ///     `nil` where the command decides that.
    ///   - organisation: Whose the events will be; `nil` for the asker's.
    /// - Returns: Its time is now, its chance fresh.
    /// - Throws: What `right` does.
    func context(
        of request: CommandRequest,
        if right: Right? = nil,
        in organisation: OrganisationID? = nil
    ) throws -> CommandContext {
        var context = context(
            actor: request.asker.ledgerActor,
            organisation: organisation ?? request.asker.organisation,
            command: request.command,
            correlation: request.requestID,
            occurredAt: request.occurredAt,
            seen: request.seen,
            asked: request.asked
        )
        guard let right else { return context }
        // What is told again is not decided again, but to who may hear it.
        try right(rights, request.asker)
        context.right = { [log, asker = request.asker] states in
            try right(ReadingRights(log: log, states: states), asker)
        }
        return context
    }

    /// Reads a request that changes something; see ``CommandRequest``.
    func command(
        _ request: Request,
        _ context: GatewayContext,
        about subject: Subject? = nil,
        content: CommandRequest.Content = .json
    ) async throws -> CommandRequest {
        try await CommandRequest(
            request,
            context,
            about: subject,
            content: content,
            confirming: { try await stillSignedIn($0) },
            accounts: accounts
        )
    }

    /// Who somebody is now, if they are still signed in, and no guest whose session is over.
    @discardableResult
    func stillSignedIn(_ principal: Principal) async throws -> Principal {
        let now = try await accounts.stillSignedIn(principal)
        try checkGuest(now)
        return now
    }
}
