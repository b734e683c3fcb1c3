// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import EventsTesting
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import ServiceLifecycle
import TestSupport

@testable import Gateway

/// A whole gateway on a folder of its own: log, read models, policies, and a port of the loopback.
///
/// Passwords are cheap to check, it waits longer, and it has one page; nothing else differs from what `daybook serve` runs.
struct TestGateway: Sendable {
    let folder: TemporaryFolder
    let gateway: Gateway
    let port: Int
    /// The responder behind the port, for requests without a socket.
    let responder: any HTTPResponder<GatewayContext>
    let stop: @Sendable () async -> Void

    var ledger: Ledger { gateway.ledger }

    /// Runs a gateway for as long as a test needs it, then stops it gracefully.
    ///
    /// - Parameters:
    ///   - folder: A ledger to go on with; `nil` for a new one.
    ///   - adjust: Changes the configuration: clock, limits, policies.
    ///   - body: The test.
    /// - Returns: What the test returns.
    /// - Throws: What the test throws, and what ended the gateway.
    @discardableResult
    static func run<Value: Sendable>(
        in folder: TemporaryFolder? = nil,
        adjust: (inout GatewayConfiguration) -> Void = { _ in },
        _ body: @Sendable (TestGateway) async throws -> Value
    ) async throws -> Value {
        let folder = try folder ?? TemporaryFolder()
        let gateway = try opened(in: folder, adjust)
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let group = try await gateway.group { announcement in
            if case .listening(_, let number) = announcement { port.yield(number) }
        }
        let responder = responder(of: gateway)
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            var iterator = ports.makeAsyncIterator()
            guard let number = await iterator.next() else { throw CancellationError() }
            let test = TestGateway(
                folder: folder,
                gateway: gateway,
                port: number,
                responder: responder,
                stop: { await group.triggerGracefulShutdown() }
            )
            do {
                let value = try await body(test)
                await group.triggerGracefulShutdown()
                try await tasks.waitForAll()
                return value
            } catch {
                await group.triggerGracefulShutdown()
                throw error
            }
        }
    }

    /// Opens a gateway of which nothing runs, no port and no service, for a test that itself does what one of them does: the
    /// service would look, too, and show what it found at another time.
    static func atRest(
        adjust: (inout GatewayConfiguration) -> Void = { _ in },
        _ body: (TestGateway) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let gateway = try opened(in: folder, adjust)
        let test = TestGateway(
            folder: folder,
            gateway: gateway,
            port: 0,
            responder: responder(of: gateway),
            stop: {}
        )
        do {
            try await body(test)
        } catch {
            await gateway.ledger.log.close()
            throw error
        }
        await gateway.ledger.log.close()
    }

    /// One page in place of ours, which take longer to read than most tests do.
    ///
    /// A test that looks at those sets `pages` to `nil`.
    static let page = URL(filePath: tool("")).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "fixtures/page")

    private static func opened(
        in folder: TemporaryFolder,
        _ adjust: (inout GatewayConfiguration) -> Void
    ) throws -> Gateway {
        var configuration = GatewayConfiguration(folder: folder.url.appending(path: "ledger"))
        configuration.port = 0
        configuration.origin = "test.example/main"
        configuration.pages = page
        configuration.limits.accounts.passwordCost = PasswordCost(
            logRounds: 4,
            blockSize: 8,
            parallelism: 1
        )
        // On a machine that does other things besides, nothing comes in time; what ends a test that hangs is its own limit.
        configuration.readWait = .testDeadline
        configuration.limits.ending = .testDeadline
        adjust(&configuration)
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return try Gateway(configuration, logger: logger)
    }

    private static func responder(
        of gateway: Gateway
    ) -> any HTTPResponder<GatewayContext> {
        let door = GatewayDoor(
            accounts: gateway.ledger.accounts,
            limits: gateway.ledger.configuration.limits,
            metrics: gateway.metrics,
            recordingRefusalsIn: gateway.ledger
        )
        door.add(gateway.routes)
        return door.responder()
    }
}

extension TestGateway {
    /// Somebody who is signed in, and may act at once.
    struct Client: Sendable {
        let gateway: TestGateway
        let token: String
        /// The user, or the device.
        let id: String
    }

    /// Makes an account that may act at once, and signs it in.
    func user(_ role: UserRole, login: String, org: String = "main") async throws -> Client {
        let new = try await ledger.createUser(
            login: login,
            role: role,
            organisation: OrganisationID(unchecked: org),
            password: "correct horse battery",
            ledger.context(actor: .ledger, organisation: OrganisationID(unchecked: org))
        )
        let token = try await ledger.accounts.issueToken(forUser: new.user.id)
        return Client(gateway: self, token: token.token, id: new.user.id)
    }

    /// Registers a phone, by a code that an operator gives.
    func caller(_ phone: String, codeBy operatorClient: Client) async throws -> Client {
        let code = try await operatorClient.post(
            "/v1/devices/codes",
            ["phone": phone]
        ).text("code")
        let answer = try await send(
            .post,
            "/v1/devices",
            body: Self.json(["phone": phone, "code": code])
        )
        guard answer.status == 201 else { throw UnexpectedAnswer(answer: answer) }
        let device = try answer.object
        return Client(
            gateway: self,
            token: device["token"] as? String ?? "",
            id: device["device"] as? String ?? ""
        )
    }

    /// Sends a request through all middleware, without a socket.
    func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        headers: HTTPFields = [:],
        body: String = ""
    ) async throws -> TestAnswer {
        var headers = headers
        if !body.isEmpty, headers[.contentType] == nil {
            headers[.contentType] = "application/json"
        }
        return try await send(method, path, headers: headers, bytes: Array(body.utf8))
    }

    /// The same with a body of any bytes.
    func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        headers: HTTPFields,
        bytes: [UInt8]
    ) async throws -> TestAnswer {
        let body = RequestBody(buffer: ByteBuffer(bytes: bytes))
        return try await send(method, path, headers: headers, body)
    }

    /// The same with a body that comes as it likes.
    func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        headers: HTTPFields,
        _ body: RequestBody
    ) async throws -> TestAnswer {
        let request = Request(
            head: HTTPRequest(
                method: method,
                scheme: "http",
                authority: "desk.example",
                path: path,
                headerFields: headers
            ),
            body: body
        )
        let response = try await responder.respond(
            to: request,
            context: GatewayContext(logger: ledger.logger, remoteAddress: "192.0.2.7")
        )
        let collected = CollectedBody()
        try await response.body.write(collected)
        return TestAnswer(
            status: Int(response.status.code),
            headers: response.headers,
            body: collected.text,
            bytes: collected.all
        )
    }

    /// What whoever runs the gateway reads of every part, without a token that a clock could end.
    func readiness() async throws -> [String: Any] {
        let answer = try Readiness(ledger: ledger).response(for: .whoeverRunsIt)
        let collected = CollectedBody()
        try await answer.body.write(collected)
        let object = try JSONSerialization.jsonObject(with: Data(collected.text.utf8))
        return object as? [String: Any] ?? [:]
    }

    /// The services of ``readiness()``.
    func services() async throws -> [[String: Any]] {
        try await readiness()["services"] as? [[String: Any]] ?? []
    }

    /// The position of the newest entry, behind which an answer is to be.
    var newest: String? { ledger.log.size.checkedPrevious.map { "\($0)" } }

    /// The decoded events of a kind, in log order.
    func events(_ kind: Kind) throws -> [RecordedEvent] {
        try ledger.log.entries(of: kind).map { try EventDecoder().decode($0) }
    }

    static func json(_ members: [String: Any]) throws -> String {
        let data = try JSONSerialization.data(withJSONObject: members, options: [.sortedKeys])
        return String(decoding: data, as: UTF8.self)
    }
}

extension TestGateway.Client {
    func get(_ path: String, after position: String? = nil) async throws -> TestAnswer {
        var headers = authorised
        headers[.ledgerAfter] = position
        return try await gateway.send(.get, path, headers: headers)
    }

    func post(
        _ path: String,
        _ body: [String: any Sendable] = [:],
        key: String? = nil,
        ifMatch: String? = nil
    ) async throws -> TestAnswer {
        try await send(.post, path, body, key: key, ifMatch: ifMatch)
    }

    func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: [String: any Sendable] = [:],
        key: String? = nil,
        ifMatch: String? = nil
    ) async throws -> TestAnswer {
        var headers = authorised
        headers[.idempotencyKey] = key
        headers[.ifMatch] = ifMatch
        return try await gateway.send(method, path, headers: headers, body: TestGateway.json(body))
    }

    /// Sends bytes that are no JSON.
    func upload(
        _ path: String,
        _ bytes: [UInt8],
        type: String = "application/octet-stream",
        key: String? = nil,
        ifMatch: String? = nil
    ) async throws -> TestAnswer {
        var headers = authorised
        headers[.contentType] = type
        headers[.idempotencyKey] = key
        headers[.ifMatch] = ifMatch
        return try await gateway.send(.post, path, headers: headers, bytes: bytes)
    }

    private var authorised: HTTPFields { [.authorization: "Bearer \(token)"] }
}

extension TestAnswer {
    /// The members of the object in the body.
    var object: [String: Any] {
        get throws {
            let object = try JSONSerialization.jsonObject(with: Data(body.utf8))
            guard let object = object as? [String: Any] else {
                throw UnexpectedAnswer(answer: self)
            }
            return object
        }
    }

    /// A member that must be a text.
    func text(_ member: String) throws -> String {
        guard let text = try object[member] as? String else { throw UnexpectedAnswer(answer: self) }
        return text
    }

    /// The items of a list.
    var items: [[String: Any]] {
        get throws {
            guard let items = try object["items"] as? [[String: Any]] else {
                throw UnexpectedAnswer(answer: self)
            }
            return items
        }
    }
}

/// An answer that a test could not go on with.
struct UnexpectedAnswer: Error, CustomStringConvertible {
    let answer: TestAnswer
    var description: String { "\(answer.status) \(answer.body)" }
}
