// SPDX-License-Identifier: Apache-2.0
import Foundation
import Hummingbird
import Logging
import ServiceLifecycle
import TestSupport

@testable import Gateway

/// Serves a door on a port of the loopback for as long as a test needs it, then stops gracefully.
func withServer<Value: Sendable>(
    _ test: TestDoor,
    tls: Certificates? = nil,
    connections: ConnectionTable? = nil,
    _ body:
        @Sendable (_ port: Int, _ stop: @escaping @Sendable () async -> Void) async throws ->
        Value
) async throws -> Value {
    let (ports, port) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
    let application = try GatewayServer(
        port: 0,
        tls: tls,
        connections: connections ?? ConnectionTable(test.door.limits.connections)
    ).application(
        door: test.door,
        logger: test.logger,
        onListening: { port.yield($0) }
    )
    let group = ServiceGroup(services: [application], logger: test.logger)
    return try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask { try await group.run() }
        var iterator = ports.makeAsyncIterator()
        guard let port = await iterator.next() else { throw CancellationError() }
        let value = try await body(port) { await group.triggerGracefulShutdown() }
        await group.triggerGracefulShutdown()
        try await tasks.waitForAll()
        return value
    }
}

/// The same with TLS by files.
func withServer<Value: Sendable>(
    _ test: TestDoor,
    tls files: Certificates.Files,
    _ body:
        @Sendable (_ port: Int, _ stop: @escaping @Sendable () async -> Void) async throws ->
        Value
) async throws -> Value {
    try await withServer(test, tls: Certificates(files), body)
}

/// Runs a program to its end.
///
/// - Returns: What it printed to standard output.
/// - Throws: ``ProgramFailed`` when it exits with another code than 0.
@discardableResult
func run(_ program: String, _ arguments: [String]) async throws -> String {
    let ended = try await FinishedProgram(running: "/usr/bin/env", [program] + arguments)
    let printed = String(decoding: ended.out, as: UTF8.self)
    guard ended.code == 0 else {
        throw ProgramFailed(program: program, status: ended.code, output: printed + ended.errors)
    }
    return printed
}

/// A program that a test ran did not succeed.
struct ProgramFailed: Error, CustomStringConvertible {
    let program: String
    let status: Int32
    let output: String

    var description: String { "\(program) exited with \(status): \(output)" }
}

/// Makes a certificate for the loopback that signs itself.
func selfSignedCertificate(in folder: URL) async throws -> Certificates.Files {
    let files = Certificates.Files(
        certificateChain: folder.appending(path: "cert.pem").path,
        privateKey: folder.appending(path: "key.pem").path
    )
    try await run(
        "openssl",
        [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-days", "2", "-subj", "/CN=localhost", "-addext",
            "subjectAltName=IP:127.0.0.1,DNS:localhost", "-keyout", files.privateKey, "-out",
            files.certificateChain,
        ]
    )
    return files
}
