// SPDX-License-Identifier: Apache-2.0
import Events
import Hummingbird

/// Records in the ledger who was turned away, as the problem leaves.
///
/// Stands once before the authentication, for tokens that are not valid, and once behind it, for
/// everything else. Who is known is recorded once per attempt, reason and minute; strangers are counted.
struct RefusalMiddleware: RouterMiddleware {
    typealias Context = GatewayContext

    let ledger: Ledger

    func handle(
        _ request: Request,
        context: Context,
        next: NextResponder
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as AccountError {
            if let reason = AccessRefused.Reason(error) {
                await record(reason, request, context, context.principal)
            }
            throw error
        } catch {
            // Behind the authentication only: outside of it nobody is known yet.
            if let principal = context.principal,
                let reason = AccessRefused.Reason(ProblemTable.problem(for: error))
            {
                await record(reason, request, context, principal)
            }
            throw error
        }
    }

    private func record(
        _ reason: AccessRefused.Reason,
        _ request: Request,
        _ context: Context,
        _ principal: Principal?
    ) async {
        let attempt = "\(request.method.rawValue) \(context.endpointPath ?? "unknown")"
        guard let principal else {
            return ledger.countRefusal(
                of: context.remoteAddress,
                attempt: attempt,
                reason: reason
            )
        }
        await ledger.recordRefusal(
            of: principal,
            from: Self.subject(of: request.uri.path),
            attempt: attempt,
            reason: reason
        )
    }

    /// The thing that a path names: `/v1/sessions/0199…/transcript` is about `session/0199…`.
    static func subject(of path: String) -> Subject? {
        let parts = path.split(separator: "/")
        guard parts.count >= 3, parts[0] == "v1", UUIDv7(String(parts[2])) != nil else {
            return nil
        }
        let category: String? =
            switch parts[1] {
            case "sessions": "session"
            case "incidents": "incident"
            case "streams": "stream"
            case "reports": "report"
            case "alerts": "alert"
            default: nil
            }
        return category.flatMap { Subject("\($0)/\(parts[2])") }
    }
}

extension AccessRefused.Reason {
    /// Why a token turned somebody away; `nil` for other faults of accounts.
    init?(_ error: AccountError) {
        switch error {
        case .tokenUnknown, .tokenRevoked, .accountDisabled, .accountUnreadable,
            .accountUntold, .deviceCodeRefused, .linkRefused,
            .signInRefused:
            self = .token
        case .tokenExpired, .tokenIdle: self = .expired
        case .signInThrottled, .codesThrottled: self = .rate
        case .loginTaken, .loginInvalid, .loginMixed, .userIDTaken, .userIDInvalid, .userIDReserved,
            .passwordTooShort, .passwordTooLong, .passwordOfTooManyBytes, .passwordIsLogin,
            .passwordUnchanged,
            .tooManySignIns,
            .accountUnknown, .lastAdmin, .idempotencyKeyReused, .idempotencyKeyInvalid:
            return nil
        }
    }
}
