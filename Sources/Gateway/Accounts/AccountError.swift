// SPDX-License-Identifier: Apache-2.0
import HTTPTypes

/// Why an operation on accounts was refused.
enum AccountError: Error, Sendable, Hashable {
    case loginTaken(String)
    case loginInvalid(String)
    /// It could be taken for another one.
    case loginMixed(String)
    case userIDTaken(String)
    case userIDInvalid(String)
    /// Parts of the gateway are called so in the log.
    case userIDReserved(String)
    case passwordTooShort(min: Int)
    case passwordTooLong(max: Int)
    case passwordOfTooManyBytes(max: Int)
    case passwordIsLogin
    case passwordUnchanged
    /// Wrong login, wrong password, disabled account: told alike, so that nobody learns logins.
    case signInRefused
    /// Too many tries for this login, or from this address, right ones or wrong.
    case signInThrottled(wait: Duration)
    /// Too many codes were tried for this number, or from this address.
    case codesThrottled(wait: Duration)
    /// More passwords wait to be checked than are allowed to.
    case tooManySignIns
    case tokenUnknown
    case tokenExpired
    case tokenRevoked
    case tokenIdle(limit: Duration)
    case accountDisabled
    /// What the ledger says of the account or phone cannot be read: it has no rights until it can.
    case accountUnreadable
    /// The ledger, of which nobody has decided whether it is the right one, knows nothing of the account or phone.
    case accountUntold
    case accountUnknown(String)
    /// Nobody would be left who can manage accounts.
    case lastAdmin
    /// Wrong, used or expired: told alike.
    case deviceCodeRefused
    /// Why is told: whoever names a link has it, for it cannot be guessed.
    case linkRefused(LinkFault)
    case idempotencyKeyReused(String)
    case idempotencyKeyInvalid
}

extension AccountError: CustomStringConvertible {
    /// What HTTP says, for whoever asked on the command line.
    var description: String { problem.detail ?? problem.type.title }
}

extension AccountError: ProblemRepresentable {
    var problem: Problem {
        switch self {
        case .loginTaken, .userIDTaken, .loginInvalid, .loginMixed, .userIDInvalid,
            .userIDReserved, .accountUnknown:
            accountProblem
        case .lastAdmin:
            Problem(.conflict, detail: "this is the last admin; make another one first")
        case .passwordTooShort, .passwordTooLong, .passwordOfTooManyBytes, .passwordIsLogin,
            .passwordUnchanged:
            passwordProblem
        case .signInRefused:
            .unauthorized("login or password is wrong")
        case .signInThrottled(let wait):
            .tooManyRequests(
                "too many sign-ins were tried for this login, or from this address; wait \(wait.secondsToTell) s, then try again",
                wait: wait
            )
        case .codesThrottled(let wait):
            .tooManyRequests("too many codes were tried here; wait, then try again", wait: wait)
        case .tooManySignIns:
            Problem(.unavailable, detail: "too many people sign in at once; try again")
        case .tokenUnknown, .tokenExpired, .tokenRevoked, .tokenIdle, .accountDisabled:
            tokenProblem
        case .accountUnreadable:
            Problem(
                .ledgerDamaged,
                detail:
                    "what the ledger says of this account or phone cannot be read; whoever runs the gateway sees which entries in /readyz"
            )
        case .accountUntold:
            Problem(
                .ledgerReadOnly,
                detail:
                    "the ledger is served for reading only, and knows nothing of this account or phone, so it has no rights here until whoever runs the gateway has settled which log is the right one"
            )
        case .deviceCodeRefused:
            .unauthorized("the code is wrong, used or expired; ask an operator for a new one")
        case .linkRefused(let fault): fault.problem
        case .idempotencyKeyReused(let key):
            Problem(
                .idempotencyKeyReused,
                detail: "this key came with another request before; use a new key",
                facts: ["idempotencyKey": .string(key)]
            )
        case .idempotencyKeyInvalid:
            Problem(.malformedRequest, detail: "Idempotency-Key has 1 to 128 characters of ASCII")
        }
    }

    private var accountProblem: Problem {
        switch self {
        case .loginTaken(let login):
            Problem(.conflict, detail: "the login \(login) is taken; choose another")
        case .userIDTaken(let id):
            Problem(.conflict, detail: "the user id \(id) is taken; choose another")
        case .loginInvalid:
            Problem(
                .malformedRequest,
                detail: "a login has 1 to 64 characters that can be seen, without spaces"
            )
        case .loginMixed:
            Problem(
                .malformedRequest,
                detail:
                    "a login has letters of one script, such as Latin or Cyrillic alone, digits 0 to 9 and signs of ASCII, so that it is not taken for another; write it so"
            )
        case .userIDReserved(let id):
            Problem(.conflict, detail: "the user id \(id) is the gateway's own; choose another")
        case .userIDInvalid:
            Problem(.malformedRequest, detail: "a user id has 1 to 128 of A-Z a-z 0-9 . _ ~ -")
        default:
            Problem(.notFound, detail: "no such account")
        }
    }

    private var passwordProblem: Problem {
        switch self {
        case .passwordTooShort(let min):
            Problem(.passwordRefused, detail: "choose a password of at least \(min) characters")
        case .passwordTooLong(let max):
            Problem(.passwordRefused, detail: "choose a password of at most \(max) characters")
        case .passwordOfTooManyBytes(let max):
            Problem(.passwordRefused, detail: "choose a password of at most \(max) bytes of UTF-8")
        case .passwordIsLogin:
            Problem(.passwordRefused, detail: "choose a password that does not contain the login")
        default:
            Problem(.passwordRefused, detail: "choose a password that is not the old one")
        }
    }

    private var tokenProblem: Problem {
        let detail =
            switch self {
            case .tokenExpired: "the token has expired"
            case .tokenRevoked: "the token was revoked"
            case .tokenIdle(let limit): "signed out after \(limit) without a request"
            case .accountDisabled: "the account is disabled"
            default: "the token is not known here"
            }
        return Problem(
            .sessionExpired,
            detail: "\(detail); sign in again",
            headers: [.wwwAuthenticate: "Bearer realm=\"daybook\", error=\"invalid_token\""]
        )
    }
}

extension ProblemType {
    static let passwordRefused = Self(
        "password-refused",
        .unprocessableContent,
        "Password not acceptable"
    )
}
