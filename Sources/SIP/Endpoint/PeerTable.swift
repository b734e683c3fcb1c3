// SPDX-License-Identifier: Apache-2.0
public import Threads

/// How much one address may ask of an endpoint.
public struct PeerLimits: Hashable, Sendable {
    /// New requests; beyond it they are answered with 503 and not handled.
    public var requests: Rate
    /// Messages of all kinds, copies too; beyond it they are dropped, and a connection is closed.
    public var messages: Rate
    /// Requests that are being handled at once; beyond it 503.
    public var openMax: Int
    /// Connections at once; beyond it a new one is closed.
    public var connectionsMax: Int
    /// Whether it is an address that somebody named: it does not share connections and memory with strangers.
    public var isNamed = false

    public init(requests: Rate, messages: Rate, openMax: Int, connectionsMax: Int) {
        self.requests = requests
        self.messages = messages
        self.openMax = openMax
        self.connectionsMax = connectionsMax
    }

    /// For an address without limits of its own: more than a person with a telephone needs.
    public static let stranger = PeerLimits(
        requests: Rate(burst: 40, perSecond: 10),
        messages: Rate(burst: 200, perSecond: 60),
        openMax: 16,
        connectionsMax: 4
    )
}

/// What each address asked for lately, of at most ``hostsMax`` addresses.
///
/// Addresses of IPv6 count by their first 64 bits. When no more fit, those that have been quiet are forgotten; if there are none, who
/// is new shares one entry with everybody else who is.
struct PeerTable {
    typealias Instant = ContinuousClock.Instant

    static let hostsMax = 16_384
    /// So long an address without open requests and connections is remembered.
    private static let quietAfter = Duration.seconds(60)

    private struct Entry {
        var limits: PeerLimits
        var requests: RateLimiter<Instant>
        var messages: RateLimiter<Instant>
        var open = 0
        var connections = 0
    }

    private let limits: @Sendable (String) -> PeerLimits
    private var entries: [String: Entry] = [:]
    private var prunedAt: Instant?

    init(_ limits: @escaping @Sendable (String) -> PeerLimits) {
        self.limits = limits
    }

    var count: Int { entries.count }

    /// Whether one more message is taken.
    mutating func takesMessage(from host: String, at now: Instant) -> Bool {
        change(host, at: now) { $0.messages.takeOne(at: now) == nil }
    }

    /// Whether one more request may be handled; if so, ``ended(_:at:)`` is called after it.
    mutating func begins(_ host: String, at now: Instant) -> Bool {
        change(host, at: now) { entry in
            guard entry.open < entry.limits.openMax, entry.requests.takeOne(at: now) == nil else {
                return false
            }
            entry.open += 1
            return true
        }
    }

    /// A request is no longer handled.
    mutating func ended(_ host: String, at now: Instant) {
        change(host, at: now) { $0.open = max(0, $0.open - 1) }
    }

    /// Whether one more connection is taken; if so, ``disconnects(_:at:)`` is called after it.
    mutating func connects(_ host: String, at now: Instant) -> Bool {
        change(host, at: now) { entry in
            guard entry.connections < entry.limits.connectionsMax else { return false }
            entry.connections += 1
            return true
        }
    }

    /// A connection has ended.
    mutating func disconnects(_ host: String, at now: Instant) {
        change(host, at: now) { $0.connections = max(0, $0.connections - 1) }
    }

    private mutating func change<Result>(
        _ host: String,
        at now: Instant,
        _ body: (inout Entry) -> Result
    ) -> Result {
        var holder = Self.holder(of: host)
        if entries[holder] == nil, entries.count >= Self.hostsMax {
            prune(at: now)
            if entries.count >= Self.hostsMax { holder = "" }
        }
        var entry = entries[holder] ?? newEntry(host, at: now)
        // They may have changed meanwhile: what is used up stays used up.
        entry.limits = limits(host)
        entry.requests.rate = entry.limits.requests
        entry.messages.rate = entry.limits.messages
        defer { entries[holder] = entry }
        return body(&entry)
    }

    private func newEntry(_ host: String, at now: Instant) -> Entry {
        let limits = limits(host)
        return Entry(
            limits: limits,
            requests: RateLimiter(limits.requests, at: now),
            messages: RateLimiter(limits.messages, at: now)
        )
    }

    /// At most once a second, for it looks at all.
    private mutating func prune(at now: Instant) {
        if let prunedAt, prunedAt.duration(to: now) < .seconds(1) { return }
        prunedAt = now
        entries = entries.filter { _, entry in
            entry.open > 0 || entry.connections > 0
                || entry.messages.lastUse.duration(to: now) < Self.quietAfter
        }
    }

    private static func holder(of host: String) -> String {
        guard host.utf8.contains(.colon) else { return host }
        let groups = host.split(separator: "::", omittingEmptySubsequences: false)
        let front = groups[0].split(separator: ":")
        return (front + Array(repeating: "0", count: max(0, 4 - front.count))).prefix(4)
            .joined(separator: ":")
    }
}
