// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import GRDB
import Logging
import Projections
import Synchronization

extension Ledger {
    /// Opens a ledger's folder, or makes it: keys, log, accounts and read models.
    ///
    /// People whom the log calls erased, and no hold keeps, have their keys destroyed again, in case a backup brought
    /// them back; not so in a log that nobody vouches for, nor, unless it is told to, of whom a new origin found erased and
    /// not yet gone. Nothing runs yet; ``Gateway`` runs the services.
    ///
    /// - Parameters:
    ///   - configuration: What is opened, and how.
    ///   - disarms: Whether rows of accounts are taken away that somebody wrote who has no key; else they stay, and open nothing.
    ///   - logger: Hears what somebody is to see to.
    /// - Returns: The ledger, of which nothing runs yet.
    /// - Throws: ``StartError``, `SealingError`, `EventLogError`, or what opening a database throws.
    static func open(
        _ configuration: GatewayConfiguration,
        disarms: Bool = true,
        logger: Logger
    ) throws -> Ledger {
        let folder = LedgerFolder(root: configuration.folder)
        let place = configuration.masterKey ?? .standard(for: configuration.folder)
        // What may not be looked at is there, and would be taken for no ledger.
        try folder.checkAccess()
        try folder.checkBeginning(isFirst: configuration.isFirst, masterKey: place)
        try folder.checkRoom()
        try folder.make()
        defer { FolderOwner.handOver(folder.root) }
        let masterKey = try place.key(for: folder)
        let signing = try SigningIdentity.open(
            folder,
            origin: configuration.origin,
            masterKey: masterKey,
            now: configuration.clock.now(),
            isDemo: configuration.isDemo
        )
        if signing.key.isDemo { try configuration.checkDemo() }
        let signer = signing.key.signer
        let keys = try openKeys(in: folder, masterKey, signing)
        let log = try EventLog.open(
            folder.root,
            configuration: LogConfiguration(
                origin: signer.name,
                keys: keys,
                signer: signer,
                memory: signing.memory(in: folder, masterKey),
                clock: configuration.clock,
                checkpointInterval: configuration.checkpointInterval
            )
        )
        let erased = try log.erasedPersons()
        if !log.isDoubted {
            try checkKeys(
                keys,
                againstEntries: log.size,
                begun: signing.key.begun,
                erased: erased
            ) { position, limit in try log.readableRun(from: position, limit: limit) }
        }
        // A crash left a new folder between its key and its identity; with entries this is a doubt.
        if signing.doubt != nil, log.readOnlyReason == nil {
            try signing.identity.write(to: folder.identity)
        }
        let pushIdentity = try PushIdentity.open(
            folder,
            masterKey: masterKey,
            contact: configuration.push.contact ?? "https://\(signer.name)"
        )
        let accounts = try accounts(in: folder, masterKey, log, configuration, logger)
        let handler = CommandHandler(
            log: log,
            budgets: ActorBudgets(capacity: configuration.limits.rememberedClients) {
                [limits = configuration.limits] in limits.budget(of: $0)
            },
            welcome: { newcomers, writes in
                try log.refuseWhenShort(of: writes, on: folder)
                try keys.create(newcomers)
            }
        )
        try meetForeignRows(of: accounts, handler, disarms: disarms, logger)
        let unvouched =
            try configuration.carriesOutErasures
            ? [] : log.erasures(before: signing.key.begun).filter { keys.key(of: $0.person) != nil }
        accounts.teller.withLock {
            $0 = teller(handler, of: log, unvouched: Set(unvouched.map(\.person)), logger)
        }
        if !log.isDoubted {
            try destroyKeys(of: erased.subtracting(unvouched.map(\.person)), keys, handler)
        }
        let readModels = try readModels(
            of: log,
            in: folder,
            keys,
            waiting: configuration.limits.readModelWait,
            logger
        )
        let folders = MarkedFolders(
            folder,
            signing.identity,
            log,
            keys,
            reserve: Int64(clamping: configuration.mediaReserveBytes)
        )
        return Ledger(
            folder: folder,
            identity: signing.identity,
            isDemo: signing.key.isDemo,
            log: log,
            handler: handler,
            keys: PeoplesKeys(keys),
            recordingKeys: RecordingKeys(of: masterKey),
            begun: signing.key.begun,
            unvouchedErasures: unvouched,
            accounts: accounts,
            blobs: BlobFolder(
                path: folder.blobs,
                keys: keys,
                openedBytes: configuration.limits.pictureBytesOpened
            ) { () throws(FolderAway) in try folders.blobs.check() },
            folders: folders,
            readModels: readModels,
            strangers: StrangerRefusals(
                every: configuration.limits.strangerRefusals,
                networksMax: configuration.limits.strangerNetworks
            ),
            bells: SubjectBells(log: log),
            pushIdentity: pushIdentity,
            deliverySecrets: DeliverySecrets(of: masterKey),
            phoneBook: PhoneBook(
                log: log,
                handler: handler,
                readModels: readModels,
                keys: PeoplesKeys(keys)
            ),
            configuration: configuration,
            logger: logger
        )
    }

    private static func readModels(
        of log: EventLog,
        in folder: LedgerFolder,
        _ keys: KeyStore,
        waiting: Duration,
        _ logger: Logger
    ) throws -> ReadModels {
        let runner = ProjectionRunner(
            folder: folder.readModels,
            log: log,
            keys: keys,
            patience: waiting,
            reports: { report in
                switch report {
                case .building: break
                case .tookOver(let identity, let position):
                    logger.info(
                        "read model serves",
                        metadata: ["model": "\(identity)", "position": "\(position)"]
                    )
                case .failed(let failure):
                    logger.error("read model stands still", metadata: ["error": "\(failure)"])
                }
            }
        )
        return try ReadModels(runner)
    }

    private static func destroyKeys(
        of erased: Set<PersonID>,
        _ keys: KeyStore,
        _ handler: CommandHandler
    ) throws {
        // Of most of them nothing is left, and what holds them is not asked.
        for person in erased where !keys.isDestroyed(person) {
            guard try handler.hold(on: person) == nil else { continue }
            try keys.destroy(person)
        }
    }
}

extension EventLog {
    /// Refuses what the log would not take for want of room, or for good, before anything is stored for it elsewhere.
    fileprivate func refuseWhenShort(of writes: [Write], on folder: LedgerFolder) throws {
        if let readOnlyReason { throw readOnlyReason }
        guard let first = writes.first else { return }
        let free: Int64
        do throws(DiskRoom.Unknown) {
            free = try DiskRoom.bytes(below: folder.root.path)
        } catch {
            throw EventLogError.reserved(kind: first.fact.kind, freeBytes: nil)
        }
        guard free < Int64(LogLimits.freeBytesMin) else { return }
        throw EventLogError.reserved(kind: first.fact.kind, freeBytes: Int(clamping: free))
    }
}
