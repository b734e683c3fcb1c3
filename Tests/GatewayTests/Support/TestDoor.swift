// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import Synchronization

@testable import Gateway

/// A clock that stands still until it is moved.
final class HandClock: Sendable {
    private let time = Mutex(Date(timeIntervalSince1970: 1_800_000_000))

    var now: Date { time.withLock { $0 } }

    func move(by duration: Duration) { time.withLock { $0 = $0 + duration } }
}

/// A door with real accounts in a folder of its own, and passwords that are cheap to check.
struct TestDoor {
    /// What all of them seal rows with: a file may be opened again.
    static let masterKey = MasterKey.random()

    let folder: URL
    let clock = HandClock()
    let accounts: AccountStore
    let door: GatewayDoor
    let metrics = PrometheusRegistry()
    let logger: Logger

    init(isTLS: Bool = false, adjust: (inout GatewayLimits) -> Void = { _ in }) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "door-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var limits = GatewayLimits()
        limits.accounts.passwordCost = PasswordCost(logRounds: 4, blockSize: 8, parallelism: 1)
        adjust(&limits)
        let clock = clock
        accounts = try AccountStore(
            path: folder.appending(path: "accounts.db").path,
            fingerprintKey: DerivedKey(of: .random(), for: "test"),
            rowKey: DerivedKey(of: Self.masterKey, for: "rows"),
            limits: limits.accounts,
            now: { clock.now }
        )
        door = GatewayDoor(accounts: accounts, limits: limits, metrics: metrics, isTLS: isTLS)
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        self.logger = logger
    }

    /// Creates a user who may act at once, and signs in.
    func token(role: Role = .operator, login: String = "amina") async throws -> String {
        let user = try await accounts.createUser(
            login: login,
            password: "correct horse battery",
            role: role,
            org: "centre",
            isTemporary: false
        )
        return try await accounts.issueToken(forUser: user.id).token
    }

    /// Sends a request through all middleware, without a socket.
    func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        headers: HTTPFields = [:],
        body: String = "",
        from address: String = "192.0.2.7"
    ) async throws -> TestAnswer {
        let request = Request(
            head: HTTPRequest(
                method: method,
                scheme: "http",
                authority: "desk.example",
                path: path,
                headerFields: headers
            ),
            body: RequestBody(buffer: ByteBuffer(string: body))
        )
        let response = try await door.responder().respond(
            to: request,
            context: GatewayContext(logger: logger, remoteAddress: address)
        )
        let collected = CollectedBody()
        try await response.body.write(collected)
        return TestAnswer(
            status: Int(response.status.code),
            headers: response.headers,
            body: collected.text
        )
    }
}

/// An answer, read whole.
struct TestAnswer {
    let status: Int
    let headers: HTTPFields
    let body: String
    /// The same, byte for byte.
    var bytes: [UInt8] = []

    /// The members of a JSON object, each printed.
    var members: [String: String] {
        get throws {
            let object = try JSONSerialization.jsonObject(with: Data(body.utf8))
            guard let object = object as? [String: Any] else { return [:] }
            return object.mapValues { "\($0)" }
        }
    }

    /// The type of the problem, without its prefix.
    var problem: String? {
        get throws {
            guard headers[.contentType] == "application/problem+json" else { return nil }
            return try members["type"].map { String($0.dropFirst("urn:daybook:problem:".count)) }
        }
    }
}

final class CollectedBody: ResponseBodyWriter, Sendable {
    private let bytes = Mutex(ByteBuffer())

    var text: String { String(buffer: bytes.withLock { $0 }) }
    var all: [UInt8] { Array(buffer: bytes.withLock { $0 }) }

    func write(_ buffer: ByteBuffer) async throws {
        bytes.withLock { _ = $0.writeImmutableBuffer(buffer) }
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
