// SPDX-License-Identifier: Apache-2.0
import Events
import SIP
import Synchronization
import TestSupport
import Testing

@testable import Gateway

/// A gateway's door for telephones, and one telephone, each on sockets of the loopback.
struct Line: Sendable {
    let gateway: TestGateway
    let trunks: TrunkBook
    let server: SIPEndpoint
    let phone: SIPEndpoint
    let heard: Heard
    /// Sends the gateway's answers until it is cancelled.
    let replies: Task<Void, Never>
    let door: SIPPeer
    let tcpDoor: SIPPeer

    /// What the telephone heard, and how it answers: the last of the statuses goes on.
    final class Heard: Sendable {
        private let state: Mutex<(bodies: [String], statuses: [Int])>

        init(_ statuses: [Int]) { state = Mutex(([], statuses)) }

        var bodies: [String] { state.withLock { $0.bodies } }

        func note(_ body: [UInt8]) -> Int {
            state.withLock { state in
                state.bodies.append(String(decoding: body, as: UTF8.self))
                let status = state.statuses[0]
                if state.statuses.count > 1 { state.statuses.removeFirst() }
                return status
            }
        }
    }

    /// Sets it up for a test.
    static func run(
        answering statuses: [Int] = [200],
        _ body: @Sendable (Line) async throws -> Void
    ) async throws {
        try await TestGateway.run { gateway in
            let trunks = TrunkBook(ledger: gateway.ledger)
            let door = TelephonyDoor(ledger: gateway.ledger, trunks: trunks)
            let server = try await SIPEndpoint.start(both) { await door.answer($0) }
            let heard = Heard(statuses)
            let phone = try await SIPEndpoint.start(both) { context in
                context.response(heard.note(context.request.body))
            }
            let replies = Task {
                await TelephonyReplies(ledger: gateway.ledger, endpoint: server).run()
            }
            let ports = await server.ports
            let line = Line(
                gateway: gateway,
                trunks: trunks,
                server: server,
                phone: phone,
                heard: heard,
                replies: replies,
                door: SIPPeer(.udp, host: "127.0.0.1", port: ports[0]),
                tcpDoor: SIPPeer(.tcp, host: "127.0.0.1", port: ports[1])
            )
            let result: Result<Void, any Error>
            do { result = .success(try await body(line)) } catch { result = .failure(error) }
            replies.cancel()
            await replies.value
            await phone.close()
            await server.close()
            try result.get()
        }
    }

    private static var both: SIPEndpoint.Configuration {
        SIPEndpoint.Configuration(
            listeners: [
                .init(.udp, host: "127.0.0.1", port: 0), .init(.tcp, host: "127.0.0.1", port: 0),
            ]
        )
    }

    /// A message of words.
    func text(
        _ text: String,
        to uri: String = "sip:sos@127.0.0.1",
        from: String = "sip:+442079460000@127.0.0.1",
        callID: String = "c1"
    ) -> SIPRequest {
        request(
            type: "text/plain;charset=UTF-8",
            body: Array(text.utf8),
            to: uri,
            from: from,
            callID: callID
        )
    }

    /// A message of any body.
    func request(
        type: String,
        body: [UInt8],
        fields: [HeaderField] = [],
        to uri: String = "sip:sos@127.0.0.1",
        from: String = "sip:+442079460000@127.0.0.1",
        callID: String = "c1"
    ) -> SIPRequest {
        // The texts of these tests are URIs.
        let target = (try? URI.parse(uri)) ?? .other(scheme: "urn", rest: "service:sos")
        return SIPRequest(
            .message,
            target,
            fields: HeaderFields(
                [
                    HeaderField("From", "<\(from)>;tag=a1"), HeaderField("To", "<\(uri)>"),
                    HeaderField("Call-ID", callID), HeaderField("CSeq", "1 MESSAGE"),
                    HeaderField("Content-Type", type),
                ] + fields
            ),
            body: body
        )
    }

    /// The only session.
    func session() throws -> SessionID {
        let created = try #require(try gateway.events("session.created/1").first)
        return try #require(SessionID(String(created.envelope.subject.name)))
    }

    /// Waits until so many attempts of answers have ended.
    func ends(_ count: Int) async throws {
        try await eventually("\(count) attempts have ended") {
            let answered = try gateway.events("sip.reply_answered/1").count
            return try answered + gateway.events("sip.reply_timed_out/1").count == count
        }
    }
}
