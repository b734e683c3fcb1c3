// SPDX-License-Identifier: Apache-2.0
import HTTPTypes

/// The kinds of problem that the door itself knows; each part adds its own beside it.
extension ProblemType {
    static let malformedRequest = Self("malformed-request", .badRequest, "Malformed request")
    static let malformedJSON = Self("malformed-json", .badRequest, "Malformed JSON")
    static let unauthorized = Self("unauthorized", .unauthorized, "Sign in first")
    static let sessionExpired = Self("session-expired", .unauthorized, "Signed out")
    static let forbidden = Self("forbidden", .forbidden, "Not allowed")
    static let crossOrigin = Self("cross-origin", .forbidden, "Request from another site")
    static let passwordMustChange = Self(
        "password-must-change",
        .forbidden,
        "Change the temporary password first"
    )
    static let notFound = Self("not-found", .notFound, "Not found")
    static let unknownRoute = Self("unknown-route", .notFound, "No such route")
    static let methodNotAllowed = Self(
        "method-not-allowed",
        .methodNotAllowed,
        "Method not allowed"
    )
    static let conflict = Self("conflict", .conflict, "Conflict")
    static let signedInAsOther = Self(
        "signed-in-as-other",
        .conflict,
        "Somebody else is signed in"
    )
    static let bodyTooLarge = Self("body-too-large", .contentTooLarge, "Body too large")
    static let unsupportedMediaType = Self(
        "unsupported-media-type",
        .unsupportedMediaType,
        "Unsupported media type"
    )
    static let idempotencyKeyReused = Self(
        "idempotency-key-reused",
        .unprocessableContent,
        "Idempotency key reused"
    )
    static let upgradeRequired = Self(
        "upgrade-required",
        .upgradeRequired,
        "WebSocket required"
    )
    static let expectationFailed = Self(
        "expectation-failed",
        .expectationFailed,
        "Expectation not met"
    )
    static let tooManyRequests = Self("too-many-requests", .tooManyRequests, "Too many requests")
    static let overBudget = Self("over-budget", .tooManyRequests, "Too much was recorded for you")
    static let internalError = Self(
        "internal-error",
        .internalServerError,
        "Internal error"
    )
    static let unavailable = Self("unavailable", .serviceUnavailable, "Not available now")
}

extension Problem {
    /// The route is a WebSocket, and the request is not its handshake.
    static let upgradeRequired = Problem(
        .upgradeRequired,
        detail: "connect with a WebSocket of version 13 over HTTP/1.1",
        headers: [.upgrade: "websocket", .secWebSocketVersion: "13"]
    )

    /// Nobody is signed in, and the route asks for it.
    static func unauthorized(_ detail: String) -> Problem {
        Problem(
            .unauthorized,
            detail: detail,
            headers: [.wwwAuthenticate: "Bearer realm=\"daybook\""]
        )
    }

    /// A limit of rate is reached.
    ///
    /// - Parameters:
    ///   - detail: Which limit, and what to do.
    ///   - wait: How long to wait before the next try; told in whole seconds.
    /// - Returns: A 429 with `Retry-After`.
    static func tooManyRequests(_ detail: String, wait: Duration) -> Problem {
        Self.wait(.tooManyRequests, detail, for: wait)
    }

    /// Somebody has written more than their budget.
    static func overBudget(_ detail: String, wait: Duration) -> Problem {
        Self.wait(.overBudget, detail, for: wait)
    }

    private static func wait(
        _ type: ProblemType,
        _ detail: String,
        for wait: Duration
    ) -> Problem {
        let seconds = wait.secondsToTell
        return Problem(
            type,
            detail: detail,
            facts: ["retryAfterSeconds": .integer(seconds)],
            headers: [.retryAfter: String(seconds)]
        )
    }

    /// A body is longer than its route takes.
    static func bodyTooLarge(limit: Int) -> Problem {
        Problem(
            .bodyTooLarge,
            detail: "send at most \(limit) bytes",
            facts: ["limitBytes": .integer(limit)]
        )
    }
}

extension Duration {
    /// How long somebody is told to wait, in whole seconds.
    var secondsToTell: Int { max(1, Int((self / .seconds(1)).rounded(.up))) }
}
