// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import Hummingbird
import NIOCore

/// A request that changes something: who asks, its body, and what makes a repetition the same.
struct CommandRequest: Sendable {
    /// Who asks, as they are now that all of it is here.
    let asker: Asker
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
        /// The same where the answer cannot be told twice: a key counts for nothing.
        case unrepeatable
        /// Any bytes, so many at most, that come in so much time.
        case bytes(max: Int, within: Duration)
        /// Whatever it is, nobody waits for it; a key counts for nothing.
        case nothing

        fileprivate var isBytes: Bool { if case .bytes = self { true } else { false } }
        fileprivate var isSecret: Bool { if case .secret = self { true } else { false } }
        fileprivate var isRemembered: Bool {
            switch self {
            case .json, .secret, .bytes: true
            case .unrepeatable, .nothing: false
            }
        }
    }

    /// Reads a request whole, asks who sent it, and holds its key to its content.
    ///
    /// - Parameters:
    ///   - request: With a body of JSON, or none.
    ///   - context: Has its limits, who may ask, and who sent its head: who may not ask then is refused before the body is read.
    ///   - subject: Whose revision `If-Match` names; `nil` for a command that takes none.
    ///   - content: What its body is.
    ///   - confirm: Who somebody is when the body is here.
    ///   - accounts: Remembers keys.
    /// - Throws: 401 and 403 for who may not ask, also when that ended while the body came; 400 for a header that is malformed,
    ///   408, 413, 415; `AccountError` for a key that is none or came with another request.
    init(
        _ request: Request,
        _ context: GatewayContext,
        about subject: Subject? = nil,
        content: Content = .json,
        confirming confirm: Confirming,
        accounts: AccountStore
    ) async throws {
        _ = try context.askers.principal(in: context)
        body = try await Self.body(of: request, content, context.limits)
        asker = try await Asker(context, confirm)
        requestID = context.requestID
        occurredAt = try Self.moment(request.headers[.occurredAt])
        seen = try request.ifMatch(about: subject)
        guard content.isRemembered, let key = request.headers[.idempotencyKey] else {
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
        try await accounts.claim(key: key, of: asker.actor, for: fingerprint)
        command = Self.command(key)
        asked = SHA256Digest(bytes: fingerprint.digest)
    }

    /// The body, when it has come.
    private static func body(
        of request: Request,
        _ content: Content,
        _ limits: GatewayLimits
    ) async throws -> Data {
        let (limit, time): (Int, Duration) =
            switch content {
            case .nothing: (0, .zero)
            case .json, .secret, .unrepeatable: (limits.commandBodyBytes, limits.commandArrival)
            case .bytes(let max, let time): (max, time)
            }
        if case .nothing = content { return Data() }
        if let length = request.announcedLength, length > limit {
            throw Problem.bodyTooLarge(limit: limit)
        }
        do {
            let body = try await request.body.collect(upTo: limit, within: time)
            if !content.isBytes, body.readableBytes > 0 { try JSONBody.requireJSON(request) }
            return Data(body.readableBytesView)
        } catch is NIOTooManyBytesError {
            throw Problem.bodyTooLarge(limit: limit)
        }
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
                    "Daybook-Occurred-At is an RFC 3339 time, such as 2026-11-21T13:11:00Z"
            )
        }
        return moment
    }
}

/// Whoever asks for a change, as they are now that all of their request has come: nobody else has a right to one (decision 0075).
///
/// A body may take its time, and who has sent the head of a request may be signed out, another's or nobody by the time that
/// the rest is here. So only a ``CommandRequest`` makes one, and what decides about changes takes no other.
@dynamicMemberLookup
struct Asker: Sendable {
    let principal: Principal

    /// Asks again who somebody is.
    ///
    /// - Parameters:
    ///   - context: Who sent the head, and who may.
    ///   - confirm: Who they are now; throws for who is nobody any more.
    /// - Throws: What ``Askers/principal(in:)`` does, and what `confirm` throws.
    fileprivate init(
        _ context: GatewayContext,
        _ confirm: Confirming
    ) async throws {
        var now = context
        now.principal = try await confirm(context.askers.principal(in: context))
        principal = try context.askers.principal(in: now)
    }

    subscript<Value>(dynamicMember path: KeyPath<Principal, Value>) -> Value {
        principal[keyPath: path]
    }

    /// The user, for what only accounts may do.
    func requireUser() throws(Problem) -> UserID {
        guard let user = principal.user else {
            throw Problem(.forbidden, detail: "this needs an account")
        }
        return user
    }

    /// The member of the centre, for what only accounts may do.
    func requireStaff() throws(Problem) -> Staff {
        guard let staff = principal.staff else {
            throw Problem(.forbidden, detail: "this needs an account")
        }
        return staff
    }

    /// The side of a session that this one can be.
    func requireSender() throws(Problem) -> Sender {
        guard let sender = principal.sender else {
            throw Problem(.forbidden, detail: "you have no part in sessions")
        }
        return sender
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
