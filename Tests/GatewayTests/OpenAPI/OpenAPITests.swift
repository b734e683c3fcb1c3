// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import Hummingbird
import TestSupport
import Testing

@testable import Gateway

@Suite struct `The OpenAPI file` {
    @Test(.timeLimit(.minutes(10)))
    func `describes every route, and the gateway answers each request in it as described`()
        async throws
    {
        // A demo has all routes; in any other ledger those of its start page are none.
        try await TestGateway.run {
            $0.isDemo = true
            $0.pages = nil
        } _: { gateway in
            let context = try await Self.context(gateway)
            let (status, output) = try await check(context, in: gateway.folder)
            #expect(status == 0, "\(output)")
        }
    }

    /// What the checker needs to know: routes, somebody of each role, ids.
    private static func context(_ gateway: TestGateway) async throws -> [String: Any] {
        let roles: [UserRole] = [
            .operator, .supervisor, .guard, .rescuer, .analyst, .auditor, .admin,
        ]
        var tokens: [String: String] = [:]
        for role in roles {
            tokens[role.rawValue] = try await gateway.user(role, login: "the-\(role.rawValue)")
                .token
        }
        let other = try await gateway.user(.operator, login: "other")
        tokens["other"] = other.token
        tokens["leaver"] = try await gateway.user(.operator, login: "leaver").token
        _ = try await gateway.user(.supervisor, login: "tessa")
        let desk = TestGateway.Client(gateway: gateway, token: tokens["operator"] ?? "", id: "")
        let caller = try await gateway.caller("+447712345678", codeBy: desk)
        tokens["caller"] = caller.token
        let person = try await gateway.ledger.accounts.authenticate(caller.token).personID
        return [
            "port": gateway.port,
            "routes": routes(of: gateway),
            "tokens": tokens,
            "variables": [
                "person": person ?? "", "colleague": other.id,
                "nothing": "0199e0c0-0000-7000-8000-000000000000",
            ],
        ]
    }

    /// Each route as it is declared.
    private static func routes(of gateway: TestGateway) -> [[String: Any]] {
        let door = GatewayDoor(
            accounts: gateway.ledger.accounts,
            metrics: PrometheusRegistry()
        )
        return (gateway.gateway.routes + door.ownRoutes).map { route in
            [
                "method": route.method.rawValue,
                "path": route.path.description,
                "roles": route.askers.roles?.map(\.rawValue) ?? ["any"],
                "strangers": route.askers.areStrangersToo,
                "owners": route.askers.isOwnerToo,
                "guests": route.askers.isGuestToo,
            ]
        }
    }
}

/// Runs the checker beside the gateway, over its port.
private func check(
    _ context: [String: Any],
    in folder: TemporaryFolder
) async throws -> (status: Int32, output: String) {
    let input = folder.url.appending(path: "context.json")
    try JSONSerialization.data(withJSONObject: context).write(to: input)
    let output = folder.url.appending(path: "output.txt")
    try Data().write(to: output)
    let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", root.appending(path: "Tests/Tools/openapi_check.py").path]
    process.standardInput = try FileHandle(forReadingFrom: input)
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: output)
    let status: Int32 = try await withCheckedThrowingContinuation { continuation in
        process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
        do { try process.run() } catch { continuation.resume(throwing: error) }
    }
    return (status, try String(contentsOf: output, encoding: .utf8))
}
