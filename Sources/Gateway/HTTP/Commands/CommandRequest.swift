// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import Hummingbird
import NIOCore

/// A request that changes something: who asks, its body, and what makes a repetition the same.
struct CommandRequest: Sendable {
    let principal: Principal
    /// Made of `Idempotency-Key`; fresh without one.
    let command: CommandID
    /// What was asked under that key: the fingerprint of the request.
    let asked: SHA256Digest
    let requestID: String
    /// When the device claims that it happened: `Daybook-Occurred-At`.
    let occurredAt: Timestamp?
    /// What the client had seen of the subject: `If-Match`.
    let seen: SeenRevision?
    private let body: Data

    /// What the body of a command is.
    enum Content {
        case json
        /// JSON with a password: what is remembered of the request is not made of its body, for a digest of it could
        /// be tried out.
        case secret
        /// Any bytes, so many at most, that come in so much time.
        case bytes(max: Int, within: Duration)

        fileprivate var isBytes: Bool { if case .bytes = self { true } else { false } }
        fileprivate var isSecret: Bool { if case .secret = self { true } else { false } }
    }

    /// Reads a request whole and holds its key to its content.
    ///
    /// - Parameters:
    ///   - request: With a body of JSON, or none.
    ///   - context: Has its limits.
    ///   - principal: Who asks.
    ///   - subject: Whose revision `If-Match` names; `nil` for a command that takes none.
    ///   - content: What its body is.
    ///   - accounts: Remembers keys.
    /// - Throws: 400 for a header that is malformed, 408, 413, 415, `AccountError` for a key that is none or came with another
    ///   request, and for whoever was signed out while the body came.
    init(
        _ request: Request,
        _ context: GatewayContext,
        by principal: Principal,
        about subject: Subject? = nil,
        content: Content = .json,
        accounts: AccountStore
    ) async throws {
        let (limit, time): (Int, Duration) =
            switch content {
            case .json, .secret: (context.limits.commandBodyBytes, context.limits.commandArrival)
            case .bytes(let max, let time): (max, time)
            }
        if let length = request.announcedLength, length > limit {
            throw Problem.bodyTooLarge(limit: limit)
        }
        do {
            body = Data(try await request.body.collect(upTo: limit, within: time).readableBytesView)
        } catch is NIOTooManyBytesError {
            throw Problem.bodyTooLarge(limit: limit)
        }
        if !content.isBytes, !body.isEmpty { try JSONBody.requireJSON(request) }
        // A body may take its time; what ended meanwhile asks for nothing any more.
        self.principal = try await accounts.stillSignedIn(principal)
        requestID = context.requestID
        occurredAt = try Self.moment(request.headers[.occurredAt])
        seen = try request.ifMatch(about: subject)
        guard let key = request.headers[.idempotencyKey] else {
            var chance = SystemRandomNumberGenerator()
            let now = LedgerClock.system.now()
            command = CommandID(unchecked: UUIDv7(at: now, using: &chance).description)
            asked = .saidByID
            return
        }
        let fingerprint = RequestFingerprint(
            method: request.method.rawValue,
            path: request.uri.description,
            body: content.isSecret ? Data() : body
        )
        try await accounts.claim(key: key, of: principal.actor, for: fingerprint)
        command = Self.command(key)
        asked = SHA256Digest(bytes: fingerprint.digest)
    }

    /// The body as it came.
    var bytes: [UInt8] { Array(body) }

    /// The body as JSON; an empty body counts as `{}`.
    func decoded<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try JSONBody.value(type, in: body.isEmpty ? Data("{}".utf8) : body)
    }

    /// A key as a command id.
    ///
    /// Our own ids, such as those of access records, have a `~`; a client's key must not be taken
    /// for one of them, so such keys, and those with other characters, go by their digest.
    static func command(_ key: String) -> CommandID {
        if !key.contains("~"), let id = CommandID(key) { return id }
        return CommandID(unchecked: "key~" + SHA256Digest(of: Data(key.utf8)).text)
    }

    /// When the device claims that it happened.
    private static func moment(_ text: String?) throws(Problem) -> Timestamp? {
        guard let text else { return nil }
        guard let moment = Timestamp(text) else {
            throw Problem(
                .malformedRequest,
                detail:
                    "Daybook-Occurred-At is an RFC 3339 time in UTC, such as 2026-11-21T13:11:00Z"
            )
        }
        return moment
    }
}

extension Answer {
    /// Refuses to tell again what is told once: a repetition under the same key makes no second one, either.
    func requireFirst(_ what: String) throws(Problem) {
        guard receipt?.repeated == true else { return }
        throw Problem(
            .conflict,
            detail:
                "this \(what) was given already, and is told once; ask for another under a new key"
        )
    }
}

extension Ledger {
    /// What comes with a request of somebody who is signed in.
    func context(of request: CommandRequest) -> CommandContext {
        context(
            of: request.principal,
            command: request.command,
            correlation: request.requestID,
            occurredAt: request.occurredAt,
            seen: request.seen,
            asked: request.asked
        )
    }

    /// Reads a request that changes something; see ``CommandRequest``.
    func command(
        _ request: Request,
        _ context: GatewayContext,
        by principal: Principal,
        about subject: Subject? = nil,
        content: CommandRequest.Content = .json
    ) async throws -> CommandRequest {
        try await CommandRequest(
            request,
            context,
            by: principal,
            about: subject,
            content: content,
            accounts: accounts
        )
    }
}
