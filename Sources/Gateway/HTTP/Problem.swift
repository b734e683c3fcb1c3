// SPDX-License-Identifier: Apache-2.0
import HTTPTypes

/// What went wrong, as a client reads it: an RFC 9457 problem.
///
/// Throw it from anywhere below the router; the door answers with
/// `application/problem+json`. Every problem has a stable type, the facts as members beside the
/// standard ones, and a detail that says what to do.
///
/// ```swift
/// throw Problem(.forbidden, detail: "ask a supervisor to link the sessions",
///               facts: ["session": .string(id)])
/// ```
struct Problem: Error, Sendable, Hashable {
    /// The kind of problem: decides type, title and status.
    let type: ProblemType
    /// This occurrence in words: the fact and the way out.
    ///
    /// Never a payload, never a person.
    var detail: String?
    /// Extension members; they may not be named like a standard one.
    var facts: [String: ProblemFact]
    /// Header fields that belong to the answer: `WWW-Authenticate`, `Retry-After`, `Allow`.
    var headers: HTTPFields

    init(
        _ type: ProblemType,
        detail: String? = nil,
        facts: [String: ProblemFact] = [:],
        headers: HTTPFields = [:]
    ) {
        self.type = type
        self.detail = detail
        self.facts = facts
        self.headers = headers
    }

    /// Whether it is our fault rather than the caller's; such errors are logged as errors.
    var isFault: Bool { type.status.code >= 500 }

    /// The code that a WebSocket closes with for this problem.
    var closeCode: WebSocketCloseCode {
        switch type.status.code {
        case 401, 403, 429: .policyViolation
        case 413: .messageTooBig
        case 415: .unsupportedData
        case 503: .tryAgainLater
        case 500...: .internalError
        default: .policyViolation
        }
    }
}

/// A kind of problem.
///
/// The slug is part of the interface: written once, never reused.
struct ProblemType: Sendable, Hashable {
    /// Kebab case, unique: `stale-revision`.
    let slug: String
    let status: HTTPResponse.Status
    /// The same for every occurrence.
    let title: String

    init(_ slug: String, _ status: HTTPResponse.Status, _ title: String) {
        self.slug = slug
        self.status = status
        self.title = title
    }

    /// The value of the member `type`.
    var urn: String { "urn:daybook:problem:\(slug)" }
}

/// The value of an extension member.
enum ProblemFact: Sendable, Hashable, Encodable {
    case string(String)
    case integer(Int)
    case boolean(Bool)
    case strings([String])

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .string(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .boolean(let value): try container.encode(value)
        case .strings(let value): try container.encode(value)
        }
    }
}
