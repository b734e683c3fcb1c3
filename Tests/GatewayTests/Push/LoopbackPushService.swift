// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import ServiceLifecycle
import Synchronization

@testable import Gateway

/// A push service on the loopback, over HTTP, that answers as a test says and keeps what it was given.
final class LoopbackPushService: Sendable {
    /// What it answers to the next request; the last one stays.
    enum Answer: Sendable {
        case status(Int, retryAfter: Int? = nil)
        /// Nothing, until ``release()``; then 201.
        case hang
    }

    /// A request as it came.
    struct Received: Sendable {
        let headers: HTTPFields
        let body: Data

        func header(_ name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }
    }

    private struct State {
        var answers: [Answer]
        var received = 0
    }

    private let state: Mutex<State>
    private let arrivals: AsyncStream<Received>.Continuation
    private let gate = AsyncStream.makeStream(of: Void.self)
    /// Every request, in the order of arrival.
    let requests: AsyncStream<Received>

    private init(_ answers: [Answer]) {
        state = Mutex(State(answers: answers))
        (requests, arrivals) = AsyncStream.makeStream(of: Received.self)
    }

    /// How many requests came.
    var count: Int { state.withLock(\.received) }

    /// What it says from now on.
    func say(_ answers: [Answer]) { state.withLock { $0.answers = answers } }

    /// Answers whoever hangs, now and later.
    func release() { gate.continuation.finish() }

    /// The next request.
    func next() async throws -> Received {
        var iterator = requests.makeAsyncIterator()
        guard let request = await iterator.next() else { throw CancellationError() }
        return request
    }

    /// Runs one for as long as a test needs it.
    static func run<Value: Sendable>(
        _ answers: [Answer] = [.status(201)],
        _ body: @Sendable (_ service: LoopbackPushService, _ origin: String) async throws -> Value
    ) async throws -> Value {
        let service = LoopbackPushService(answers)
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        var logger = Logger(label: "push service")
        logger.logLevel = .critical
        let router = Router()
        router.post("/**") { request, _ in try await service.answer(request) }
        let application = Application(
            router: router,
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { port.yield($0.localAddress?.port ?? 0) },
            logger: logger
        )
        let group = ServiceGroup(services: [application], logger: logger)
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            var iterator = ports.makeAsyncIterator()
            let number = await iterator.next() ?? 0
            defer { service.release() }
            do {
                let value = try await body(service, "http://127.0.0.1:\(number)")
                service.release()
                await group.triggerGracefulShutdown()
                try await tasks.waitForAll()
                return value
            } catch {
                service.release()
                await group.triggerGracefulShutdown()
                throw error
            }
        }
    }

    private func answer(_ request: Request) async throws -> Response {
        let body = try await request.body.collect(upTo: 8_192)
        let answer = state.withLock { state in
            state.received += 1
            return state.answers.count > 1
                ? state.answers.removeFirst() : state.answers.first ?? .status(201)
        }
        arrivals.yield(Received(headers: request.headers, body: Data(body.readableBytesView)))
        switch answer {
        case .status(let code, let wait):
            var headers: HTTPFields = [.location: "/elsewhere"]
            headers[.retryAfter] = wait.map(String.init)
            return Response(status: .init(code: code), headers: headers)
        case .hang:
            for await _ in gate.stream {}
            return Response(status: .created)
        }
    }
}

extension LoopbackPushService.Received {
    /// The message, as the browser with these keys reads it.
    func members(for keys: BrowserKeys) throws -> [String: String] {
        let object = try JSONSerialization.jsonObject(with: keys.open(body))
        return (object as? [String: [String: String]])?["data"] ?? [:]
    }

    /// The claims of the proof of identity, if its signature is that of the key beside it.
    func provenClaims() throws -> (claims: [String: Any], key: String) {
        let text = header("Authorization") ?? ""
        let parts = text.dropFirst("vapid t=".count).split(separator: ",")
        let token = String(parts[0])
        let key = String(parts[1].trimmingPrefix(" k="))
        let pieces = token.split(separator: ".").map(String.init)
        let signature = try P256.Signing.ECDSASignature(
            rawRepresentation: Data(base64URL: pieces[2]) ?? Data()
        )
        let signer = try P256.Signing.PublicKey(
            x963Representation: Data(base64URL: key) ?? Data()
        )
        guard signer.isValidSignature(signature, for: Data((pieces[0] + "." + pieces[1]).utf8))
        else { throw NotProven() }
        let claims = try JSONSerialization.jsonObject(with: Data(base64URL: pieces[1]) ?? Data())
        return (claims as? [String: Any] ?? [:], key)
    }

    struct NotProven: Error {}
}
