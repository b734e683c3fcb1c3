// SPDX-License-Identifier: Apache-2.0
import Foundation
import NIOCore
import NIOSSL
import Synchronization
import TestSupport
import Testing
import Threads

@testable import SIP

/// What a handler was asked, in its order.
private final class Requests: Sendable {
    private let all = Mutex<[SIPRequestContext]>([])

    func note(_ context: SIPRequestContext) { all.withLock { $0.append(context) } }

    var bodies: [String] {
        all.withLock { $0.map { String(decoding: $0.request.body, as: UTF8.self) } }
    }
}

private typealias Configure = (inout SIPEndpoint.Configuration) -> Void

/// An endpoint on the loopback for the length of a test.
private func withEndpoint<Result>(
    _ transports: SIPTransport...,
    configure: Configure = { _ in },
    handler: @escaping SIPEndpoint.Handler = { $0.response(200) },
    _ body: (SIPEndpoint, [Int]) async throws -> Result
) async throws -> Result {
    var configuration = SIPEndpoint.Configuration(
        listeners: transports.map { SIPEndpoint.Listener($0, host: "127.0.0.1", port: 0) }
    )
    configure(&configuration)
    let endpoint = try await SIPEndpoint.start(configuration, handler: handler)
    do {
        let result = try await body(endpoint, await endpoint.ports)
        await endpoint.close()
        return result
    } catch {
        await endpoint.close()
        throw error
    }
}

private func limits(requests: Int = 1000, open: Int = 1000, connections: Int = 10) -> PeerLimits {
    PeerLimits(
        requests: Rate(burst: Double(requests), perSecond: 0.001),
        messages: Rate(burst: 10_000, perSecond: 1),
        openMax: open,
        connectionsMax: connections
    )
}

@Suite(.timeLimit(.minutes(1))) struct `An endpoint` {
    @Test func `a datagram that comes three times reaches the handler once`() async throws {
        let requests = Requests()
        let handler: SIPEndpoint.Handler = { context in
            requests.note(context)
            return context.response(200)
        }
        try await withEndpoint(.udp, handler: handler) { endpoint, ports in
            let peer = try await RawPeer.udp(to: ports[0])
            let bytes = SIPRequest.sample(body: "one").bytes
            for _ in 0..<3 {
                try await peer.send(bytes)
                let answer = try await peer.message()
                guard case .response(let response) = answer else {
                    throw SIPFault(.unsupported, at: "test")
                }
                let via = try response.envelope().via
                #expect(response.status == 200)
                #expect(via.parameters.first("received")?.value == "127.0.0.1")
                #expect(via.parameters.first("rport")?.value == String(peer.port))
            }
            #expect(requests.bodies == ["one"])
            let statistics = await endpoint.statistics
            #expect(statistics.counts.requests == 1)
            #expect(statistics.counts.copies == 2)
            #expect(statistics.transactions == 1)
            try await peer.close()
        }
    }

    @Test func `answers on the connection that the requests came by, in pieces or together`()
        async throws
    {
        let requests = Requests()
        let handler: SIPEndpoint.Handler = { context in
            requests.note(context)
            return context.response(200)
        }
        try await withEndpoint(.tcp, handler: handler) { endpoint, ports in
            let peer = try await RawPeer.tcp(to: ports[0])
            let one = SIPRequest.sample(transport: .tcp, branch: "z9hG4bK1", body: "one").bytes
            let two = SIPRequest.sample(transport: .tcp, branch: "z9hG4bK2", body: "two").bytes
            try await peer.send(Array((one + two).prefix(one.count + 20)))
            #expect(try await peer.status() == 200)
            try await peer.send(Array(two.dropFirst(20)))
            #expect(try await peer.status() == 200)
            #expect(requests.bodies == ["one", "two"])
            try await peer.send([13, 10, 13, 10])
            #expect(await peer.bytes() == [13, 10])
            #expect(await endpoint.statistics.transactions == 0)
            try await peer.close()
            try await eventually("the connection is forgotten") {
                await endpoint.statistics.connections == 0
            }
        }
    }

    @Test func `reports what is malformed, and answers it where a Via can be read`() async throws {
        let faults = Mutex<[(Int, SIPFault)]>([])
        let configure: Configure = {
            $0.onMalformed = { bytes, _, fault in
                faults.withLock { $0.append((bytes.count, fault)) }
            }
        }
        try await withEndpoint(.udp, .tcp, configure: configure) { _, ports in
            let peer = try await RawPeer.udp(to: ports[0])
            try await peer.send([1, 2, 3])
            try await peer.send("SIP/2.0 999 x\nVia: SIP/2.0/UDP a;rport\n\n".wire)
            try await peer.send("OPTIONS sip:a@b SIP/2.0\nVia: SIP/2.0/UDP a;rport\n\n".wire)
            #expect(await peer.bytes()?.starts(with: "SIP/2.0 400".utf8) == true)
            try await peer.send("OPTIONS sip:a@b SIP/3.0\nVia: SIP/2.0/UDP a;rport\n\n".wire)
            #expect(await peer.bytes()?.starts(with: "SIP/2.0 505".utf8) == true)
            try await peer.close()
            let stream = try await RawPeer.tcp(to: ports[1])
            try await stream.send(
                "OPTIONS sip:a@b SIP/2.0\nVia: SIP/2.0/TCP a;rport\nl: 0\n\n".wire
            )
            #expect(await stream.bytes()?.starts(with: "SIP/2.0 400".utf8) == true)
            try await stream.send("OPTIONS sip:a@b SIP/2.0\nVia: SIP/2.0/TCP a;rport\n\n".wire)
            #expect(await stream.bytes()?.starts(with: "SIP/2.0 400".utf8) == true)
            #expect(await stream.bytes() == nil, "the connection is closed")
            let seen = faults.withLock { $0 }
            #expect(
                seen.map(\.1) == [
                    SIPFault(.cutOff, at: "header"), SIPFault(.badNumber, at: "start line"),
                    SIPFault(.missing, at: "From"), SIPFault(.unsupportedVersion, at: "start line"),
                    SIPFault(.missing, at: "From"), SIPFault(.missing, at: "Content-Length"),
                ]
            )
            #expect(seen[0].0 == 3)
        }
    }

    @Test func `goes on after all messages of RFC 4475`() async throws {
        let requests = Requests()
        let handler: SIPEndpoint.Handler = { context in
            requests.note(context)
            return context.response(200)
        }
        let configure: Configure = { $0.limits = { _ in limits() } }
        try await withEndpoint(.udp, configure: configure, handler: handler) { endpoint, ports in
            let peer = try await RawPeer.udp(to: ports[0])
            for message in Torture.all { try await peer.send(message.bytes) }
            let read = Torture.all.count { if case .request = $0.outcome { true } else { false } }
            // novelsc, regescrt and cparam02 have the branch and the sender of another one of the same method.
            let copies = 3
            let answers = Torture.all.count {
                if case .response = $0.outcome { true } else { false }
            }
            try await eventually("all requests are handled") {
                requests.bodies.count >= read - copies
            }
            try await eventually("all messages have come") {
                let seen = await endpoint.statistics
                let counts = seen.counts
                return counts.requests + counts.copies + counts.strayResponses + seen.malformed
                    == 49
            }
            let statistics = await endpoint.statistics
            #expect(statistics.counts.requests == read - copies)
            #expect(statistics.counts.copies == copies)
            #expect(statistics.counts.strayResponses == answers)
            try await peer.close()
        }
    }

    @Test(arguments: [SIPTransport.udp, .tcp])
    func `sends requests and gets their answers`(transport: SIPTransport) async throws {
        let requests = Requests()
        let handler: SIPEndpoint.Handler = { context in
            requests.note(context)
            return context.response(202, body: Array("heard".utf8))
        }
        try await withEndpoint(transport, handler: handler) { _, ports in
            try await withEndpoint(.udp) { client, _ in
                let peer = SIPPeer(transport, host: "127.0.0.1", port: ports[0])
                for number: UInt32 in 1...3 {
                    let answer = try await client.send(Self.outgoing(number), to: peer)
                    #expect(answer.status == 202)
                    #expect(answer.body == Array("heard".utf8))
                }
                #expect(requests.bodies == ["1", "2", "3"])
                #expect(await client.statistics.connections == (transport == .udp ? 0 : 1))
            }
        }
    }

    /// Without Via, as a caller of `send` makes it.
    private static func outgoing(_ number: UInt32 = 1, body: String? = nil) -> SIPRequest {
        var request = SIPRequest.sample(number: number, body: body ?? "\(number)")
        request.fields = HeaderFields(request.fields.all.filter { $0.name != "Via" })
        return request
    }

    @Test func `a request goes back to its sender by the sender's connection`() async throws {
        let contexts = AsyncStream.makeStream(of: SIPRequestContext.self)
        let handler: SIPEndpoint.Handler = { context in
            contexts.continuation.yield(context)
            return context.response(200)
        }
        try await withEndpoint(.tcp, handler: handler) { server, ports in
            let requests = Requests()
            let handler: SIPEndpoint.Handler = { context in
                requests.note(context)
                return context.response(200)
            }
            try await withEndpoint(.udp, handler: handler) { phone, _ in
                let peer = SIPPeer(.tcp, host: "127.0.0.1", port: ports[0])
                _ = try await phone.send(Self.outgoing(), to: peer)
                var came = contexts.stream.makeAsyncIterator()
                let context = try #require(await came.next())
                let answer = try await server.send(Self.outgoing(body: "back"), to: context.peer)
                #expect(answer.status == 200)
                #expect(requests.bodies == ["back"])
                await phone.close()
                try await eventually("the connection is forgotten") {
                    await server.statistics.connections == 0
                }
                await #expect(throws: SIPEndpoint.SendError.connectionEnded) {
                    try await server.send(Self.outgoing(2), to: context.peer)
                }
            }
        }
    }

    @Test func `a request without an answer fails when its time is up`() async throws {
        let silent = try await RawPeer.udp(to: 9)
        try await withEndpoint(.udp) { endpoint, _ in
            let patience = Duration.milliseconds(20)
            let peer = SIPPeer(.udp, host: "127.0.0.1", port: silent.port)
            await #expect(throws: SIPEndpoint.SendError.noAnswer(within: patience)) {
                try await endpoint.send(Self.outgoing(), to: peer, within: patience)
            }
            guard case .request(let request) = try await silent.message() else {
                throw SIPFault(.unsupported, at: "test")
            }
            #expect(try request.envelope().via.branch != nil)
            #expect(request.fields["Max-Forwards"] == "70")
            #expect(await endpoint.statistics.transactions == 1, "it goes on for 32 s")
        }
        try await silent.close()
    }

    @Test func `says why a request cannot be sent`() async throws {
        try await withEndpoint(.udp) { endpoint, ports in
            let udp = SIPPeer(.udp, host: "127.0.0.1", port: ports[0])
            let long = String(repeating: "x", count: 1300)
            await #expect {
                try await endpoint.send(Self.outgoing(body: long), to: udp)
            } throws: { error in
                guard case .tooLongForDatagram(let bytes) = error as? SIPEndpoint.SendError else {
                    return false
                }
                return bytes > 1300
            }
            let unused = try await RawPeer.udp(to: 9)
            for nobody in [
                SIPPeer(.tcp, host: "127.0.0.1", port: unused.port),
                SIPPeer(.udp, host: "::1", port: ports[0]),
                SIPPeer(.tls, host: "127.0.0.1", port: unused.port),
            ] {
                await #expect {
                    try await endpoint.send(Self.outgoing(), to: nobody)
                } throws: { error in
                    guard case .unreachable = error as? SIPEndpoint.SendError else { return false }
                    return true
                }
            }
            let empty = SIPRequest(.message, Self.outgoing().uri, fields: [])
            let fault = SIPEndpoint.SendError.malformed(SIPFault(.missing, at: "From"))
            await #expect(throws: fault) { try await endpoint.send(empty, to: udp) }
            try await unused.close()
        }
    }

    @Test func `a CANCEL cancels the handler, and answers for it`() async throws {
        let begun = Latch()
        let handler: SIPEndpoint.Handler = { context in
            begun.raise()
            try? await Task.sleep(for: .seconds(3600))
            return context.response(Task.isCancelled ? 500 : 200)
        }
        try await withEndpoint(.udp, handler: handler) { endpoint, ports in
            let peer = try await RawPeer.udp(to: ports[0])
            try await peer.send(SIPRequest.sample(.invite).bytes)
            await begun.wait()
            try await peer.send(SIPRequest.sample(.cancel).bytes)
            var statuses: [Int] = []
            while statuses.last != 487 { statuses.append(try await peer.status()) }
            #expect(statuses.filter { $0 != 100 } == [200, 487])
            try await eventually("the handler has ended") {
                await endpoint.statistics.open == 0
            }
            try await peer.close()
        }
    }

    @Test func `provisional answers go out before the final one`() async throws {
        let endpoints = AsyncStream.makeStream(of: SIPEndpoint.self)
        let handler: SIPEndpoint.Handler = { context in
            for await endpoint in endpoints.stream {
                await endpoint.progress(context.response(180), of: context)
                break
            }
            return context.response(context.request.method == .invite ? 488 : 199)
        }
        try await withEndpoint(.udp, handler: handler) { endpoint, ports in
            endpoints.continuation.yield(endpoint)
            let peer = try await RawPeer.udp(to: ports[0])
            try await peer.send(SIPRequest.sample(.invite).bytes)
            #expect(try await peer.status() == 180)
            #expect(try await peer.status() == 488)
            try await peer.send(SIPRequest.sample(.ack).bytes)
            endpoints.continuation.finish()
            try await peer.send(SIPRequest.sample(.options).bytes)
            #expect(try await peer.status() == 500, "a handler that ends without a final answer")
            try await peer.close()
        }
    }

    @Test func `beyond the limits of its address a request gets 503`() async throws {
        let requests = Requests()
        let configure: Configure = {
            $0.limits = { _ in limits(requests: 2) }
        }
        let handler: SIPEndpoint.Handler = { context in
            requests.note(context)
            return context.response(200)
        }
        try await withEndpoint(.udp, configure: configure, handler: handler) { endpoint, ports in
            let peer = try await RawPeer.udp(to: ports[0])
            for (number, status) in [(1, 200), (2, 200), (3, 503), (2, 200)] {
                let branch = "z9hG4bK\(number)"
                try await peer.send(SIPRequest.sample(branch: branch, body: branch).bytes)
                #expect(try await peer.status() == status)
            }
            #expect(requests.bodies == ["z9hG4bK1", "z9hG4bK2"])
            #expect(await endpoint.statistics.overLimit == 1)
            try await peer.close()
        }
    }

    @Test func `more requests at once than its address may have get 503`() async throws {
        let begun = Latch()
        let goOn = Latch()
        let configure: Configure = {
            $0.limits = { _ in limits(open: 1) }
        }
        let handler: SIPEndpoint.Handler = { context in
            begun.raise()
            await goOn.wait()
            return context.response(200)
        }
        try await withEndpoint(.udp, configure: configure, handler: handler) { _, ports in
            let peer = try await RawPeer.udp(to: ports[0])
            try await peer.send(SIPRequest.sample(branch: "z9hG4bK1").bytes)
            await begun.wait()
            try await peer.send(SIPRequest.sample(branch: "z9hG4bK2").bytes)
            #expect(try await peer.status() == 503)
            goOn.raise()
            #expect(try await peer.status() == 200)
            try await peer.send(SIPRequest.sample(branch: "z9hG4bK3").bytes)
            #expect(try await peer.status() == 200)
            try await peer.close()
        }
    }

    @Test func `more connections than its address may have are closed`() async throws {
        let configure: Configure = {
            $0.limits = { _ in limits(connections: 1) }
        }
        try await withEndpoint(.tcp, configure: configure) { endpoint, ports in
            let first = try await RawPeer.tcp(to: ports[0])
            try await first.send(SIPRequest.sample(transport: .tcp).bytes)
            #expect(try await first.status() == 200)
            let second = try await RawPeer.tcp(to: ports[0])
            #expect(await second.bytes() == nil)
            #expect(await endpoint.statistics.connectionsRefused == 1)
            try await first.close()
            try await eventually("the first connection is forgotten") {
                await endpoint.statistics.connections == 0
            }
            let third = try await RawPeer.tcp(to: ports[0])
            try await third.send(SIPRequest.sample(transport: .tcp).bytes)
            #expect(try await third.status() == 200)
            try await third.close()
        }
    }

    @Test func `bytes of strangers' unfinished messages have a bound, a named address goes on`()
        async throws
    {
        for isNamed in [false, true] {
            let configure: Configure = {
                $0.begunBytesMax = 4096
                $0.limits = { _ in
                    var limits = limits()
                    limits.isNamed = isNamed
                    return limits
                }
            }
            try await withEndpoint(.tcp, configure: configure) { endpoint, ports in
                let request = SIPRequest.sample(
                    transport: .tcp,
                    body: String(repeating: "x", count: 8192)
                ).bytes
                let peer = try await RawPeer.tcp(to: ports[0])
                try await peer.send(Array(request.dropLast()))
                if isNamed {
                    try await peer.send(request.suffix(1))
                    #expect(try await peer.status() == 200)
                    try await peer.close()
                } else {
                    #expect(await peer.bytes() == nil)
                    #expect(await endpoint.statistics.dropped == 1)
                    let next = try await RawPeer.tcp(to: ports[0])
                    try await next.send(SIPRequest.sample(transport: .tcp).bytes)
                    #expect(try await next.status() == 200)
                    try await next.close()
                }
            }
        }
    }

    @Test(arguments: [SIPTransport.udp, .tcp])
    func `on all addresses knows a peer of IPv4 by its plain address, and answers it`(
        transport: SIPTransport
    ) async throws {
        let hosts = Mutex<[String]>([])
        let handler: SIPEndpoint.Handler = { context in
            hosts.withLock { $0.append(context.peer.host) }
            return context.response(200)
        }
        let configuration = SIPEndpoint.Configuration(
            listeners: [SIPEndpoint.Listener(transport, host: "::", port: 0)]
        )
        let endpoint = try await SIPEndpoint.start(configuration, handler: handler)
        let port = await endpoint.ports[0]
        let peer =
            switch transport {
            case .udp: try await RawPeer.udp(to: port)
            case .tcp, .tls: try await RawPeer.tcp(to: port)
            }
        try await peer.send(SIPRequest.sample(transport: transport).bytes)
        #expect(try await peer.status() == 200)
        #expect(hosts.withLock(\.self) == ["127.0.0.1"])
        try await peer.close()
        await endpoint.close()
    }

    @Test func `a message that trickles is given up with its connection`() async throws {
        let configure: Configure = { $0.messageWithin = .milliseconds(20) }
        try await withEndpoint(.tcp, configure: configure) { _, ports in
            let peer = try await RawPeer.tcp(to: ports[0])
            // On a slow machine the connection is closed before.
            try? await peer.send(Array("MESSAGE sip:a".utf8))
            #expect(await peer.bytes() == nil)
        }
    }

    @Test func `a connection that is silent is closed`() async throws {
        let configure: Configure = { $0.idleMax = .milliseconds(20) }
        try await withEndpoint(.tcp, configure: configure) { _, ports in
            let peer = try await RawPeer.tcp(to: ports[0])
            try await peer.send([13, 10, 13, 10])
            #expect(await peer.bytes() == [13, 10])
            #expect(await peer.bytes() == nil)
        }
    }

    @Test func `closing ends handlers, connections and requests that wait`() async throws {
        let begun = Latch()
        let handler: SIPEndpoint.Handler = { context in
            begun.raise()
            try? await Task.sleep(for: .seconds(3600))
            return context.response(500)
        }
        try await withEndpoint(.udp, .tcp, handler: handler) { endpoint, ports in
            let peer = try await RawPeer.tcp(to: ports[1])
            try await peer.send(SIPRequest.sample(transport: .tcp).bytes)
            await begun.wait()
            let silent = try await RawPeer.udp(to: 9)
            let target = SIPPeer(.udp, host: "127.0.0.1", port: silent.port)
            // Ends with the endpoint, and is awaited below.
            let answer = Task {
                try await endpoint.send(Self.outgoing(), to: target, within: .seconds(3600))
            }
            _ = try await silent.message()
            await endpoint.close()
            await #expect(throws: SIPEndpoint.SendError.closed) { try await answer.value }
            await #expect(throws: SIPEndpoint.SendError.closed) {
                try await endpoint.send(Self.outgoing(), to: target)
            }
            // The 500 of the handler that was cancelled may come first.
            while await peer.bytes() != nil {}
            #expect(await endpoint.statistics.open == 0)
            try await silent.close()
        }
    }

    @Test func `runs until it is closed or its task is cancelled`() async throws {
        try await withEndpoint(.udp, .tcp) { endpoint, ports in
            let running = Task { try await endpoint.run() }
            running.cancel()
            try await running.value
            await #expect(throws: SIPEndpoint.SendError.closed) {
                try await endpoint.send(
                    Self.outgoing(),
                    to: SIPPeer(.udp, host: "127.0.0.1", port: ports[0])
                )
            }
        }
        try await withEndpoint(.udp) { endpoint, _ in
            let running = Task { try await endpoint.run() }
            await endpoint.close()
            try await running.value
        }
        try await withEndpoint(.udp, .tcp) { endpoint, _ in
            let running = Task { try await endpoint.run() }
            try await endpoint.listeners[1].close()
            await #expect(throws: SIPEndpoint.ListenerClosed.self) { try await running.value }
        }
    }

    @Test func `over TLS answers those who trust its certificate`() async throws {
        let folder = try TemporaryFolder()
        let (key, certificate) = (
            folder.url.appending(path: "key.pem").path, folder.url.appending(path: "cert.pem").path
        )
        let made = try await FinishedProgram(
            running: "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
                "subjectAltName=IP:127.0.0.1,DNS:localhost", "-keyout", key, "-out", certificate,
            ]
        )
        try #require(made.code == 0, "\(made.errors)")
        let chain = try NIOSSLCertificate.fromPEMFile(certificate)
        let server = try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem))
            )
        )
        var trusting = TLSConfiguration.makeClientConfiguration()
        trusting.trustRoots = .certificates(chain)
        let (trusted, untrusted) = (
            try NIOSSLContext(configuration: trusting),
            try NIOSSLContext(configuration: .makeClientConfiguration())
        )
        let configure: Configure = {
            $0.listeners[0].tls = server
        }
        try await withEndpoint(.tls, configure: configure) { _, ports in
            for host in ["127.0.0.1", "localhost"] {
                let configure: Configure = {
                    $0.clientTLS = trusted
                }
                try await withEndpoint(.udp, configure: configure) { client, _ in
                    let peer = SIPPeer(.tls, host: host, port: ports[0])
                    for number: UInt32 in 1...2 {
                        let answer = try await client.send(Self.outgoing(number), to: peer)
                        #expect(answer.status == 200)
                    }
                    #expect(await client.statistics.connections == 1)
                }
            }
            let configure: Configure = {
                $0.clientTLS = untrusted
            }
            try await withEndpoint(.udp, configure: configure) { client, _ in
                let peer = SIPPeer(.tls, host: "127.0.0.1", port: ports[0])
                await #expect {
                    try await client.send(Self.outgoing(), to: peer)
                } throws: { error in
                    guard case .unreachable = error as? SIPEndpoint.SendError else { return false }
                    return true
                }
            }
        }
    }
}

@Suite struct `The limits of addresses` {
    @Test func `are kept for so many addresses, and those of quiet ones are let go`() {
        var table = PeerTable { _ in .stranger }
        let start = ContinuousClock.now
        for number in 0..<PeerTable.hostsMax {
            _ = table.takesMessage(from: "10.0.\(number / 256).\(number % 256)", at: start)
        }
        let isTaken = table.connects("10.0.0.0", at: start)
        #expect(isTaken)
        _ = table.takesMessage(from: "192.0.2.1", at: start)
        #expect(table.count == PeerTable.hostsMax + 1, "who is new shares one entry")
        _ = table.takesMessage(from: "192.0.2.2", at: start)
        #expect(table.count == PeerTable.hostsMax + 1)
        _ = table.takesMessage(from: "192.0.2.3", at: start + .seconds(61))
        #expect(table.count == 2)
    }

    @Test func `are one for the first 64 bits of IPv6`() {
        var table = PeerTable { _ in .stranger }
        let now = ContinuousClock.now
        for host in ["2001:db8::1", "2001:db8:0:0:9::2", "2001:db8::ffff:1"] {
            _ = table.takesMessage(from: host, at: now)
        }
        #expect(table.count == 1)
        _ = table.takesMessage(from: "2001:db8:0:1::1", at: now)
        #expect(table.count == 2)
        _ = table.takesMessage(from: "::ffff:192.0.2.1", at: now)
        _ = table.takesMessage(from: "192.0.2.1", at: now)
        _ = table.takesMessage(from: "::ffff:192.0.2.2", at: now)
        #expect(table.count == 4)
    }
}
