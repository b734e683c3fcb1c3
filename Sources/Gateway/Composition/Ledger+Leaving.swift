// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import Hummingbird
import Logging

/// Who is still here, and what becomes of the sessions of somebody who is not: one rule, whatever ends a sign-in (decision 0058).
///
/// Whoever ends their last sign-in has left, and what they had open is free. Whom silence signs out keeps it, and it stands
/// there unattended (ruling 34). Where an end was not told, ``notePresence(of:)`` finds it, and takes it for silence.
extension Ledger {
    /// Whether a user has a good sign-in besides one that ends.
    ///
    /// A token that was issued is none: it is a program's, and nobody sits before it.
    func isSignedIn(_ user: UserID, besides tokenID: String) async throws -> Bool {
        let issued = try handler.current(User.self, user).issuedTokens
        return try await accounts.goodTokens(ofUser: user.text).contains {
            $0.id != tokenID && !issued.contains($0.id)
        }
    }

    /// Whether nobody acts for a user: no sign-in is good, and no program of theirs goes on.
    private func isGone(_ user: UserID) async throws -> Bool {
        let known = try handler.current(User.self, user)
        let time = accounts.now()
        return try await !accounts.goodTokens(ofUser: user.text).contains { token in
            // A program of a role that silence signs out is there while it is not silent either.
            !known.issuedTokens.contains(token.id) || known.role?.hasIdleLogout != true
                || time <= token.lastUse + accounts.limits.operatorIdle
        }
    }

    /// Records that a user is gone whose last token has ended, and frees what they had open.
    func signOut(_ user: UserID, _ context: CommandContext) async throws {
        guard try await isGone(user) else { return }
        let own = self.context(actor: context.stamp.actor, organisation: context.organisation)
        _ = try await handler.handle(LogOut(user, reason: .revoked), own)
    }

    /// Records that nobody attends what a user has who is gone, or of one who is here that somebody does.
    ///
    /// Of who is gone no end of a sign-in said so: the request was cut off, the accounts or the log could not be written, or the
    /// tab was closed and nobody came back to it.
    func notePresence(of user: UserID) async throws {
        let known = try handler.current(User.self, user)
        guard let account = known.account else { return }
        if departures.hasLeft(user) {
            let context = context(
                actor: .policy("idle-logout"),
                organisation: account.organisation
            )
            _ = try await handler.handle(LeaveDesk(user), context)
            return
        }
        guard try await isGone(user) else {
            return try await resume(
                user,
                context(actor: .policy("idle-logout"), organisation: account.organisation)
            )
        }
        if let closed = known.tabClosed, now < closed + accounts.limits.operatorIdle { return }
        _ = try await handler.handle(
            LogOut(user, reason: known.isDisabled ? .revoked : .idle),
            context(actor: .policy("idle-logout"), organisation: account.organisation)
        )
    }

    /// Records that a user is back at what stood unattended.
    func resume(_ user: UserID, _ context: CommandContext) async throws {
        for session in try handler.current(Operator.self, user).sessions
        where try handler.current(Session.self, session).absence != nil {
            let own = self.context(actor: context.stamp.actor, organisation: context.organisation)
            _ = try await handler.handle(ResumeSession(session, by: user), own)
        }
    }

    /// Ends the sign-in whose cookie a new one takes the place of: no page has it any more, so nobody could end it.
    ///
    /// Who leaves the browser to somebody else, and is signed in nowhere else, has signed out.
    func endReplacedSignIn(
        _ request: Request,
        _ context: GatewayContext,
        by new: Principal
    ) async throws {
        guard let old = context.principal,
            Credential(of: request, to: context.endpointPath)?.place == .cookie
        else { return }
        try await accounts.following.change {
            guard let user = old.user, old.user != new.user,
                try await !isSignedIn(user, besides: old.tokenID)
            else { return }
            _ = try await handler.handle(
                LogOut(user, reason: .user),
                self.context(of: old, correlation: context.requestID)
            )
        } making: {
            try await accounts.revoke(tokenID: old.tokenID)
        }
    }

    /// The sign-ins of somebody that go on when one ends; none where the log cannot be read.
    func standingSignIns(besides principal: Principal) -> StandingSignIns? {
        guard let user = principal.user else { return nil }
        do {
            return StandingSignIns(.all(user.text), since: try lastEnd(of: user))
        } catch {
            // Then a start ends them.
            logger.error(
                "the sign-ins of a user that go on were not noted",
                metadata: ["user": "\(user)", "error": "\(error)"]
            )
            return nil
        }
    }

    /// When the ledger last told that sign-ins of a user ended.
    func lastEnd(of user: UserID) throws -> Date? {
        let known = try handler.current(User.self, user)
        return [known.tokensEnded, known.leftAt].compactMap(\.self).max()?.date
    }
}
