// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Logging
import Metrics
import NIOSSL
import Projections
import SIP
import Synchronization
import Threads

/// Where texts by telephone are taken.
public struct TelephonyConfiguration: Sendable, Hashable {
    /// UDP and TCP.
    public var plain: GatewayConfiguration.Address?
    /// TLS, with the gateway's certificate.
    public var tls: GatewayConfiguration.Address?

    public init() {}

    /// Whether anything is listened to.
    var isOn: Bool { plain != nil || tls != nil }
}

/// Listens for telephones, answers them, and sends them what the centre answers.
struct TelephonyService: Sendable {
    /// As `/readyz` has it.
    static let name = "telephony"

    let ledger: Ledger
    let certificates: Certificates?
    let metrics: PrometheusRegistry
    /// Hears once where it listens.
    let announce: @Sendable ([String]) async -> Void

    /// Serves until the gateway stops.
    func run() async throws {
        let trunks = TrunkBook(ledger: ledger)
        try await trunks.refresh()
        let malformed = MalformedSIP(ledger: ledger)
        let door = TelephonyDoor(ledger: ledger, trunks: trunks)
        let endpoint = try await SIPEndpoint.start(
            try configuration(trunks, malformed)
        ) { await door.answer($0) }
        await announce(await urls(endpoint))
        let replies = TelephonyReplies(ledger: ledger, endpoint: endpoint)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await endpoint.run() }
            group.addTask { await replies.run() }
            group.addTask { await trunks.follow() }
            group.addTask { await malformed.run() }
            group.addTask { try await note(endpoint) }
            defer { group.cancelAll() }
            // The endpoint ends when this task is cancelled, or its socket was taken away; replies when the gateway stops.
            try await group.next()
        }
    }

    private func configuration(
        _ trunks: TrunkBook,
        _ malformed: MalformedSIP
    ) throws -> SIPEndpoint.Configuration {
        let settings = ledger.configuration.telephony
        var listeners: [SIPEndpoint.Listener] = []
        if let plain = settings.plain {
            for transport in [SIPTransport.udp, .tcp] {
                listeners.append(.init(transport, host: plain.host, port: plain.port))
            }
        }
        if let tls = settings.tls, let certificates {
            let context = try NIOSSLContext(configuration: certificates.serving)
            listeners.append(.init(.tls, host: tls.host, port: tls.port, tls: context))
        }
        var configuration = SIPEndpoint.Configuration(listeners: listeners)
        configuration.limits = { trunks.trunk(at: $0) == nil ? .stranger : TelephonyLimits.trunk }
        configuration.clientTLS = try NIOSSLContext(configuration: .makeClientConfiguration())
        configuration.onMalformed = { malformed.note($0, from: $1, $2) }
        return configuration
    }

    /// `sip:127.0.0.1:5060;transport=udp`, one of each socket.
    private func urls(_ endpoint: SIPEndpoint) async -> [String] {
        let settings = ledger.configuration.telephony
        let hosts = settings.plain.map { [($0.host, "udp"), ($0.host, "tcp")] } ?? []
        let all = hosts + (settings.tls.map { [($0.host, "tls")] } ?? [])
        return zip(all, await endpoint.ports).map { "sip:\($0.0):\($1);transport=\($0.1)" }
    }

    // MARK: - Numbers

    private func note(_ endpoint: SIPEndpoint) async throws {
        while true {
            let now = await endpoint.statistics
            set("sip_transactions", Double(now.transactions))
            set("sip_requests_open", Double(now.open))
            set("sip_connections", Double(now.connections))
            set("sip_malformed", Double(now.malformed))
            set("sip_over_limit", Double(now.overLimit))
            set("sip_dropped", Double(now.dropped))
            try await Task.sleep(for: LedgerMetrics.interval)
        }
    }

    private func set(_ label: String, _ value: Double) {
        Meter(label: label, factory: metrics).set(value)
    }
}

/// The trunks that are believed, by the addresses that they come from.
final class TrunkBook: Sendable {
    private let ledger: Ledger
    private let trunks = Mutex<[String: String]>([:])

    init(ledger: Ledger) {
        self.ledger = ledger
    }

    /// The trunk whose requests come from an address.
    func trunk(at host: String) -> String? { trunks.withLock { $0[host] } }

    /// Reads them from the log.
    func refresh() async throws {
        if let last = ledger.log.size.checkedPrevious {
            try await ledger.readModels.runner.wait(for: last, on: "telephony")
        }
        var found: [String: String] = [:]
        for trunk in try await ledger.trunks() {
            guard let settings = trunk.settings, settings.isOn else { continue }
            found[settings.host] = trunk.id
        }
        trunks.withLock { $0 = found }
    }

    /// Reads them again at each change.
    func follow() async {
        await LookLoop.run(ledger, at: [.category("trunk")]) { () -> [Never] in
            do {
                try await refresh()
                ledger.standings.recover(TelephonyService.name)
            } catch {
                // What was known stays; it is read again in half a second.
                ledger.logger.debug("trunks wait", metadata: ["reason": "\(error)"])
            }
            return []
        } run: { _ in
        }
    }
}

/// Records what came to the sockets and is no SIP: of an address block the first of a minute, with its bytes.
struct MalformedSIP: Sendable {
    private struct Came: Sendable {
        let bytes: [UInt8]
        let peer: SIPPeer
        let fault: SIPFault
    }

    private let ledger: Ledger
    private let came: AsyncStream<Came>
    private let inlet: AsyncStream<Came>.Continuation
    /// Since the last event.
    private let count = Counter()

    init(ledger: Ledger) {
        self.ledger = ledger
        (came, inlet) = AsyncStream.makeStream(
            bufferingPolicy: .bufferingOldest(TelephonyLimits.malformedWaiting)
        )
    }

    /// Counts one; does not wait.
    func note(_ bytes: [UInt8], from peer: SIPPeer, _ fault: SIPFault) {
        count.add()
        let kept = SenderText.withoutTokens(Array(bytes.prefix(TelephonyLimits.rawBytesMax)))
        inlet.yield(Came(bytes: kept, peer: peer, fault: fault))
    }

    /// Records until it is cancelled.
    func run() async {
        var minutes: [String: Int64] = [:]
        var rate = RateLimiter(TelephonyLimits.malformedRecorded, at: ContinuousClock.now)
        for await one in came {
            let minute = ledger.now.microseconds / 60_000_000
            minutes = minutes.filter { $0.value == minute }
            let block = NetworkAddress.block(of: one.peer.host) ?? one.peer.host
            guard minutes[block] == nil, rate.takeOne(at: .now) == nil else { continue }
            minutes[block] = minute
            do {
                try await record(one)
            } catch {
                ledger.logger.warning("a malformed text is not kept", metadata: ["why": "\(error)"])
            }
        }
    }

    private func record(_ one: Came) async throws {
        let person: PersonID = ledger.newID()
        try ledger.keys.create(person)
        let blob = try await ledger.holdPicture(one.bytes, for: person)
        let malformed = SIPMalformedReceived(
            person: person,
            sender: .open("\(one.peer.host):\(one.peer.port)", of: person),
            transport: SIPMessageReceived.Transport(one.peer.transport),
            fault: String("\(one.fault)".prefix(CommandLimits.wordBytesMax)),
            count: count.take(),
            raw: blob.digest,
            rawBytes: blob.bytes
        )
        let context = ledger.context(
            actor: .policy(TelephonyService.name),
            organisation: ledger.configuration.organisation
        )
        _ = try await ledger.handler.handle(RecordMalformedSIP(malformed), context)
        try await ledger.blobs.settle(blob.digest)
    }

    private final class Counter: Sendable {
        private let value = Mutex(0)

        func add() { value.withLock { $0 += 1 } }

        func take() -> Int {
            value.withLock { value in
                defer { value = 0 }
                return value
            }
        }
    }
}
