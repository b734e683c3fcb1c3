// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Hummingbird

/// Tells who somebody is now, or throws for who is nobody any more.
typealias Confirming = @Sendable (Principal) async throws -> Principal

/// Who may ask for something, as far as roles say.
struct Askers: Sendable, ExpressibleByArrayLiteral {
    /// Whoever is signed in.
    static let anyone = Askers(roles: nil, isTemporaryToo: false)
    /// The same with a temporary password, too.
    static let anyoneAtAll = Askers(roles: nil, isTemporaryToo: true)

    private let roles: [Role]?
    private let isTemporaryToo: Bool

    private init(roles: [Role]?, isTemporaryToo: Bool) {
        self.roles = roles
        self.isTemporaryToo = isTemporaryToo
    }

    init(arrayLiteral roles: Role...) {
        self.init(roles: roles, isTemporaryToo: false)
    }

    /// Whoever sent a request, if they are one of these.
    ///
    /// - Throws: 401 for nobody; 403 for another role, and while the password is a temporary one.
    func principal(in context: GatewayContext) throws(Problem) -> Principal {
        if isTemporaryToo { return try context.signedInEvenTemporarily() }
        guard let roles else { return try context.signedIn() }
        return try context.signedIn(as: roles)
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
        as askers: Askers,
        about subject: Subject? = nil,
        content: CommandRequest.Content = .json
    ) async throws -> CommandRequest {
        try await CommandRequest(
            request,
            context,
            as: askers,
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
