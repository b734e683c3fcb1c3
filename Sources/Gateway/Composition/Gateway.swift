// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
public import Logging
import Media
import ServiceLifecycle
import UnixSignals

/// The gateway: HTTP and WebSockets over one ledger, with its policies and read models.
public struct Gateway: Sendable {
    /// What routes, sockets and policies share.
    let ledger: Ledger
    /// Live video: archive, inspection and their routes.
    let video: VideoParts
    /// What records and shows cameras.
    let cameras: CameraParts
    /// The web pages.
    let pages: PageFolder
    /// Reads them again, for whoever works on them; `nil` where they are read once.
    let rereadPages: (@Sendable () throws -> PageFolder)?
    /// The maps.
    let maps: MapShelf
    /// What pages use of others.
    let vendor: VendorShelf
    /// What `/metrics` shows.
    let metrics = PrometheusRegistry()
    /// Who is connected.
    let connections: ConnectionTable
    /// The certificate of TLS; `nil` for plain HTTP.
    let certificates: Certificates?
    private let logger: Logger

    /// What a gateway tells whoever started it.
    public enum Announcement: Sendable, Hashable {
        /// A start without any account made an admin; the password cannot be read again.
        case firstAdmin(login: String, password: String)
        /// A new key signs from now on; it found so many entries.
        case newOrigin(begun: UInt64)
        /// Erasures that stand in the log from before its key began, and are not carried out: nobody vouches for them.
        case unvouchedErasures([FoundErasure])
        /// Nothing is appended or signed; why, and the way out.
        case readOnly(reason: String)
        /// Requests are taken.
        case listening(url: String, port: Int)
        /// The ledger is a demo; the page on which whoever comes signs in as anybody.
        case demo(url: String)
        /// Texts by telephone are taken.
        case telephony(urls: [String])
        /// `/metrics` is shown on a listener of its own.
        case metrics(url: String)
    }

    /// Opens a ledger's folder, or makes it; nothing runs yet.
    ///
    /// - Throws: ``StartError``, `SealingError`, `EventLogError`.
    public init(_ configuration: GatewayConfiguration, logger: Logger) throws {
        let prepared = try Preparation(configuration)
        let limits = configuration.limits.connections
        try DescriptorLimit.raise(toAtLeast: limits.inAll + limits.reservedDescriptors)
        connections = ConnectionTable(limits)
        (certificates, maps) = (prepared.certificates, prepared.maps)
        ledger = try Ledger.open(configuration, logger: logger)
        for volume in configuration.volumes {
            try VolumeChanges(folder: configuration.folder).change(.add, volume)
        }
        var configuration = configuration
        configuration.site.isDemo = ledger.isDemo
        pages = ledger.isDemo ? try Preparation.pages(configuration) : prepared.pages
        rereadPages = Preparation.reread(configuration)
        if rereadPages != nil {
            logger.warning("pages are read anew for each answer (--web-reload): not for callers")
        }
        if pages.files.isEmpty {
            logger.warning(
                "there are no web pages: neither /console nor /call opens; name their folder with --web"
            )
        }
        vendor = VendorShelf(assets: configuration.assets)
        if let remedy = vendor.remedy {
            logger.warning("pages show less than they could: \(remedy)")
        }
        video = VideoParts(
            ledger: ledger,
            worker: .ownProgram,
            metrics: metrics,
            logger: logger
        )
        cameras = CameraParts(video: video, program: .ofOwnFolder)
        self.logger = logger
    }

    /// Opens a ledger's folder and serves it until the process is told to end.
    ///
    /// - Parameters:
    ///   - configuration: What to serve, and how.
    ///   - logger: For everything that the gateway writes down.
    ///   - announce: Hears of the first admin and of the port.
    /// - Throws: As ``init(_:logger:)``, or whatever ends a service early.
    public static func run(
        _ configuration: GatewayConfiguration,
        logger: Logger,
        announce: @escaping @Sendable (Announcement) async -> Void
    ) async throws {
        try LedgerFolder(root: configuration.folder).checkServer()
        // It would end the process; a service of the gateway listens to it as soon as it runs.
        signal(SIGHUP, SIG_IGN)
        let signals = EndSignals(logger)
        // It holds keys: nobody else's process looks into it.
        do { try Sandbox.hide() } catch { logger.warning("\(error)") }
        if !Sandbox.isAvailable {
            logger.warning(
                "video is decoded without a sandbox: this machine has no seccomp filters for it"
            )
        }
        if configuration.beginsNewOrigin {
            // What keeps it from its start does so before the former key's papers are put aside.
            _ = try Preparation(configuration)
            await announce(.newOrigin(begun: try NewOrigin.begin(configuration)))
        }
        let gateway = try Gateway(configuration, logger: logger)
        try await gateway.run(signals: signals, announce: announce)
    }

    /// Serves until a signal comes, or the task is cancelled; every part has ended when it returns.
    ///
    /// - Parameters:
    ///   - signals: What ends it gracefully: sockets close with 1001, feeds end, the log closes last. `nil` where the process
    ///     is not all its own: then `SIGHUP` is left alone, too.
    ///   - announce: Hears of the first admin and of the port.
    /// - Throws: What a part that could not start, or go on, ended with.
    func run(
        signals: EndSignals? = nil,
        announce: @escaping @Sendable (Announcement) async -> Void
    ) async throws {
        try await group(signals: signals, announce: announce).run()
    }

    /// The services in import order; they stop in reverse.
    func group(
        signals: EndSignals? = nil,
        announce: @escaping @Sendable (Announcement) async -> Void
    ) async throws -> ServiceGroup {
        if let reason = ledger.log.readOnlyReason {
            logger.critical("the ledger is read-only", metadata: ["reason": "\(reason)"])
            await announce(.readOnly(reason: "\(reason)"))
        } else {
            if let admin = try await ledger.ensureFirstAdmin() {
                await announce(.firstAdmin(login: admin.user.login, password: admin.password))
            }
            try await ledger.orOwe { try await ledger.enablePolicies() }
            await tellUnvouchedErasures(announce)
        }
        ledger.folders.begin()
        var services: [any Service] = [LogService(log: ledger.log)]
        services += parts
        let bound = ListenersBound(ledger.configuration.metricsAddress == nil ? 1 : 2)
        services += outside(bound, announce: announce)
        if let certificates {
            services.append(
                ledger.supervised("certificate", .toKeepHouse) { [logger] in
                    try await certificates.watch(logger)
                }
            )
        }
        if signals != nil { services.append(hangUps) }
        services.append(try server(bound, announce: announce))
        var configuration = ServiceGroupConfiguration(
            services: services.map { .init(service: $0) },
            logger: logger
        )
        // Whoever hangs on: then everything is cancelled, and what was acknowledged is on disk.
        configuration.maximumGracefulShutdownDuration = ledger.configuration.limits.ending
        let group = ServiceGroup(configuration: configuration)
        signals?.turn(to: group)
        return group
    }

    /// Whoever began a new origin decides who was erased; the log alone does not.
    private func tellUnvouchedErasures(
        _ announce: @Sendable (Announcement) async -> Void
    ) async {
        let erasures = ledger.unvouchedErasures
        guard !erasures.isEmpty else { return }
        logger.warning(
            "erasures from before a new origin are not carried out",
            metadata: [
                "erasures": .array(erasures.prefix(100).map { "\($0)" }),
                "count": "\(erasures.count)",
            ]
        )
        await announce(.unvouchedErasures(erasures))
    }

    /// Takes `SIGHUP`, which otherwise ends a process: certificates are read again at once.
    private var hangUps: any Service {
        ledger.supervised("hang-up signal", .toKeepHouse) { [certificates, logger] in
            for await _ in await UnixSignalsSequence(trapping: .sighup) {
                guard let certificates else {
                    logger.notice("SIGHUP: there is no certificate to read again")
                    continue
                }
                do throws(CertificateFault) {
                    try certificates.reload(logger, evenUnchanged: true)
                } catch {
                    // Whoever asked is answered each time; that files which changed cannot be used, who looks at them shows.
                    logger.error("SIGHUP: the certificate stays", metadata: ["error": "\(error)"])
                }
            }
        }
    }

    private func telephony(
        _ announce: @escaping @Sendable (Announcement) async -> Void
    ) -> any Service {
        let service = TelephonyService(
            ledger: ledger,
            certificates: certificates,
            metrics: metrics
        ) { await announce(.telephony(urls: $0)) }
        return ledger.supervised(TelephonyService.name, .toServe, service.run)
    }

    /// What speaks to whoever runs the gateway, rather than to its people.
    private func outside(
        _ bound: ListenersBound,
        announce: @escaping @Sendable (Announcement) async -> Void
    ) -> [any Service] {
        var services: [any Service] = []
        if ledger.configuration.telephony.isOn {
            services.append(telephony(announce))
        }
        if let manager = ServiceManager() { services.append(notices(to: manager)) }
        if let address = ledger.configuration.metricsAddress {
            let server = MetricsServer(
                host: address.host,
                port: address.port,
                limits: ledger.configuration.limits.connections
            )
            let application = server.application(
                metrics: metrics,
                readiness: Readiness(ledger: ledger),
                logger: logger
            ) { port in
                do { try await bound.arrive() } catch { return }
                await announce(.metrics(url: "http://\(address.host):\(port)/metrics"))
            }
            services.append(NamesItsAddress(application, address.host, address.port))
        }
        return services
    }

    private func notices(to manager: ServiceManager) -> ServiceManagerNotices {
        // A ledger that was read-only from the start serves its readers; a restart would not mend it.
        let wasReadOnly = ledger.log.readOnlyReason != nil
        return ServiceManagerNotices(
            manager: manager,
            isWell: { [ledger] in
                (wasReadOnly || ledger.log.readOnlyReason == nil)
                    && MachineWatch.isStorageWell(ledger.standings)
            },
            logger: logger
        )
    }

    private func server(
        _ bound: ListenersBound,
        announce: @escaping @Sendable (Announcement) async -> Void
    ) throws -> any Service {
        let configuration = ledger.configuration
        let door = GatewayDoor(
            accounts: ledger.accounts,
            limits: configuration.limits,
            metrics: metrics,
            isTLS: configuration.tls != nil,
            trusting: TrustedProxies(
                ranges: configuration.trustedProxies.compactMap(NetworkRange.init),
                header: configuration.proxyHeader
            ),
            recordingRefusalsIn: ledger
        )
        door.add(routes)
        let server = GatewayServer(
            host: configuration.host,
            port: configuration.port,
            tls: certificates,
            connections: connections,
            // What a proxy in front brings comes from many.
            uncounted: configuration.isBehindProxy ? ["127.0.0.1", "::1"] : []
        )
        let scheme = configuration.tls == nil ? "http" : "https"
        let application = try server.application(door: door, logger: logger) { [ledger] port in
            do {
                try await bound.arrive()
                try await ledger.readModels.settle(ledger.log)
            } catch {
                // Only cancellation ends here: the gateway stops before it was announced.
                return
            }
            if let manager = ServiceManager() { notices(to: manager).tell(.ready) }
            let url = "\(scheme)://\(configuration.host):\(port)"
            await announce(.listening(url: url, port: port))
            if ledger.isDemo { await announce(.demo(url: url + DemoRoutes.page)) }
        }
        let ending = EndsInTime(application, within: configuration.limits.serverEnding) {
            [connections] in
            connections.endStrangers()
        }
        return NamesItsAddress(ending, configuration.host, configuration.port)
    }
}
