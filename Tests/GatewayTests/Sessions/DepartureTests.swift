// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import NIOCore
import NIOPosix
import Projections
import TestSupport
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(10))) struct `A client that asks for the past and leaves` {
    @Test func `waits for no thread any more`() async throws {
        try await TestGateway.run { gateway in
            let amina = try await gateway.user(.operator, login: "amina")
            let (caller, session) = try await gateway.openChat("+447712345678", codeBy: amina)
            let said = try await caller.post("/v1/sessions/\(session)/messages", ["text": "help"])
            _ = try await amina.post("/v1/sessions/\(session)/claim")
            let point = try said.text("position")
            let path = "/v1/sessions/\(session)/transcript?asOf=\(point)"
            let past = gateway.ledger.readModels.past

            try await Self.occupied(gateway) {
                let client = try await Self.ask(path, amina)
                try await eventually("the request waits") { past.counts.waiting == 1 }
                try await client.close()
                // Nobody has let a thread go: what waits no more has left.
                try await eventually("the request is gone") { past.counts.waiting == 0 }
                #expect(past.counts.making == GatewayLimits.pastViewsAtOnce)
            }
            #expect(try await amina.get(path).status == 200)
            #expect(past.counts == (making: 0, waiting: 0))
        }
    }

    /// Keeps every thread of the past busy while something happens.
    private static func occupied(
        _ gateway: TestGateway,
        _ body: () async throws -> Void
    ) async throws {
        let log = gateway.ledger.log
        let gate = DispatchSemaphore(value: 0)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for number in 0..<GatewayLimits.pastViewsAtOnce {
                tasks.addTask {
                    let asOf = AsOf(EntrySource(log), keys: NoKeys()) { view, _ in
                        try await gateway.ledger.readModels.past.tables(
                            of: view,
                            isFixed: false,
                            for: "user/\(number)"
                        ) {
                            gate.wait()
                            throw CancellationError()
                        }
                    }
                    await #expect(throws: CancellationError.self) {
                        try await asOf.operatorDesk(of: [], at: .position(LogPosition(0)))
                    }
                }
            }
            defer { for _ in 0..<GatewayLimits.pastViewsAtOnce { gate.signal() } }
            let past = gateway.ledger.readModels.past
            try await eventually("every thread of the past is busy") {
                past.counts.making == GatewayLimits.pastViewsAtOnce
            }
            try await body()
        }
    }

    /// A connection on which a question was asked.
    private static func ask(
        _ path: String,
        _ client: TestGateway.Client
    ) async throws -> any Channel {
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: client.gateway.port).get()
        let head =
            "GET \(path) HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(client.token)\r\n\r\n"
        try await channel.writeAndFlush(ByteBuffer(string: head))
        return channel
    }
}
