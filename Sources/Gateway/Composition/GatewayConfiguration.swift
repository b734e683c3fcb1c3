// SPDX-License-Identifier: Apache-2.0
public import Events
public import Foundation
import Maps

/// Everything that can be set about a gateway.
public struct GatewayConfiguration: Sendable {
    /// The ledger's folder; made on the first start.
    public var folder: URL
    /// An address or name.
    public var host = "127.0.0.1"
    /// 0 lets the system choose.
    public var port = 8080
    /// The PEM files of TLS; `nil` for plain HTTP, on the loopback only unless ``isBehindProxy``.
    public var tls: TLSFiles?
    /// A proxy in front of the gateway does TLS, so that plain HTTP may leave the loopback.
    public var isBehindProxy = false
    /// Proxies that are believed about whom they bring, `ADDRESS` or `ADDRESS/BITS`.
    public var trustedProxies: [String] = []
    /// In which header they say it; the other is ignored, and so are both from anybody else.
    public var proxyHeader = ProxyHeader.forwardedFor
    /// The ledger's name, fixed on the first start; `nil` takes the folder's, or this machine's.
    public var origin: String?
    /// Whether a ledger that can no longer be proved gets another key; see ``NewOrigin``.
    public var beginsNewOrigin = false
    /// Whether a ledger may be made although its master key is there already.
    public var isFirst = false
    /// Whether a ledger that is made now is a demo, in which a visitor signs in as anybody without a password.
    public var isDemo = false
    /// Whether erasures are carried out that stood in the log before its key began; see ``NewOrigin``.
    public var carriesOutErasures = false
    /// Whether accounts are believed that an earlier program wrote, whose rows carry no codes.
    public var adoptsAccounts = false
    /// Where the master key comes from; `nil` for the standard places.
    public var masterKey: MasterKeyPlace?
    /// The organisation of the first admin, and of policies.
    public var organisation = OrganisationID.main
    /// The site's time zone: recordings are named in it.
    public var timeZone: TimeZone = .gmt
    /// What the pages of the site say.
    public var site = Site()
    /// The folder of the web pages; `nil` for the one beside the program or in its source tree.
    public var pages: URL?
    /// Whether that folder is read again for each answer, for whoever works on the pages.
    public var rereadsPages = false
    /// Sets of tiles, MBTiles files, the lowest first; `nil` for the world map and those in the
    /// ledger's folder `maps`.
    public var maps: [URL]?
    /// By which messages name the nearest town; `nil` where they give coordinates alone.
    var gazetteer = Gazetteer.installed
    /// A folder with files of others that pages use, before those of Debian packages.
    public var assets: URL?
    /// When policies act.
    public var policies = PolicyNumbers()
    /// How phones are told by Web Push.
    public var push = PushConfiguration()
    /// Where texts by telephone are taken.
    public var telephony = TelephonyConfiguration()
    /// Where cameras may be.
    public var cameras = CameraConfiguration()
    /// Where `/metrics` is shown to whoever runs the gateway, without a token; `nil` for nowhere.
    public var metricsAddress: Address?
    /// Full paths of folders of recordings that are added to those of the ledger.
    public var volumes: [String] = []
    /// Free bytes that video leaves on each of its disks; four times what the log keeps for itself.
    public var mediaReserveBytes = 4 << 30
    /// How long a new event may wait until a signed checkpoint covers it.
    public var checkpointInterval = Duration.seconds(60)
    /// The two clocks; moved by hand in tests.
    public var clock = LedgerClock.system
    /// Every limit of the door.
    var limits = GatewayLimits()
    /// What checking a password costs that is set from now on: the base-2 logarithm of scrypt's N.
    ///
    /// 15 takes 32 MiB and some 0.2 s of one core; less than 12 stops nobody who guesses.
    public var passwordCost: Int {
        get { limits.accounts.passwordCost.logRounds }
        set { limits.accounts.passwordCost.logRounds = newValue }
    }
    /// How long a query waits until it shows what was recorded before it, and a start until all read models do.
    public var readWait: Duration {
        get { limits.readModelWait }
        set { limits.readModelWait = newValue }
    }

    public init(folder: URL) {
        self.folder = folder
    }

    /// Where something listens.
    public struct Address: Sendable, Hashable {
        public let host: String
        /// 0 lets the system choose.
        public let port: Int

        public init(host: String, port: Int) {
            self.host = host
            self.port = port
        }
    }

    /// The PEM files of a certificate chain, leaf first, and its key.
    public struct TLSFiles: Sendable, Hashable {
        public let certificateChain: String
        public let privateKey: String

        public init(certificateChain: String, privateKey: String) {
            self.certificateChain = certificateChain
            self.privateKey = privateKey
        }
    }

    private var isOnLoopback: Bool { Self.isLoopback(host) }

    private static func isLoopback(_ host: String) -> Bool {
        ["127.0.0.1", "::1", "localhost"].contains(host)
    }

    /// Refuses settings by which a demo would be reached from another machine.
    func checkDemo() throws(StartError) {
        guard isOnLoopback, !isBehindProxy, trustedProxies.isEmpty else {
            throw .demoBeyondLoopback(host: isOnLoopback ? "\(host) behind a proxy" : host)
        }
        for address in [telephony.plain, telephony.tls].compactMap(\.self)
        where !Self.isLoopback(address.host) {
            throw .demoBeyondLoopback(host: address.host)
        }
    }

    /// Refuses settings that would give data away.
    func check() throws(StartError) {
        // First: the way out of the next one leads a demo nowhere.
        if isDemo { try checkDemo() }
        guard tls != nil || isBehindProxy || isOnLoopback else {
            throw .plainHTTPBeyondLoopback(host: host)
        }
        for proxy in trustedProxies where NetworkRange(proxy) == nil { throw .proxyUnusable(proxy) }
        if let metricsAddress, metricsAddress.port != 0,
            metricsAddress == Address(host: host, port: port)
        {
            throw .sameAddress("\(host):\(port)")
        }
        for network in cameras.networkTexts where NetworkRange(network) == nil {
            throw .cameraNetworkUnusable(network)
        }
        guard telephony.tls == nil || tls != nil else { throw .telephonyWithoutCertificate }
        try site.check()
        try push.check()
    }
}

/// Where a proxy tells whom it brings.
public enum ProxyHeader: String, Sendable, Hashable, CaseIterable {
    case forwardedFor = "x-forwarded-for"
    /// RFC 7239.
    case forwarded
}

/// When policies act; recorded as `policy.enabled` where commands need them too.
public struct PolicyNumbers: Sendable, Hashable {
    /// How long nothing may start in a session before it expires (ruling 35).
    public var startLimit = Duration.seconds(120)
    /// Whether callers show video unasked wherever they have a session (ruling 35).
    public var callersFilmAnytime = false
    /// After how much silence a live stream counts as interrupted.
    public var streamSilence = Duration.seconds(5)
    /// After how much silence an interrupted stream is stopped.
    public var streamEnd = Duration.seconds(600)
    /// How many sessions an operator may have open while all are text alone; `nil` for what was set before, or one.
    public var textSessions: Int?
    /// How long each operator in turn is asked to take a text that waits; zero leaves it in the queue.
    public var textAssignment = Duration.zero

    public init() {}
}
