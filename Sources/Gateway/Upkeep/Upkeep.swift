// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
public import Foundation
import Logging
import Projections

/// What the command line does to a ledger while nobody serves it.
///
/// Each call takes the folder's lock, works, and closes the log with a signed checkpoint. While a gateway
/// serves the folder every call is refused: the same things are then done over HTTP.
public struct Upkeep: Sendable {
    var configuration: GatewayConfiguration
    private let logger: Logger

    /// Prepares work on a ledger's folder; nothing is opened yet.
    ///
    /// - Parameters:
    ///   - folder: The ledger's folder, which exists.
    ///   - masterKey: A file with the master key; `nil` for the standard places.
    public init(folder: URL, masterKey: URL? = nil) {
        var configuration = GatewayConfiguration(folder: folder)
        configuration.masterKey = masterKey.map(MasterKeyPlace.file)
        self.configuration = configuration
        var logger = Logger(label: "daybook")
        logger.logLevel = .error
        self.logger = logger
    }

    /// Opens the ledger, lets work be done with its read models level, and closes it.
    ///
    /// - Throws: ``UpkeepError`` when there is no ledger or somebody serves it; what the work throws.
    func work<Value: Sendable>(
        _ body: @escaping @Sendable (Ledger) async throws -> Value
    ) async throws -> Value {
        let ledger = try open()
        defer { FolderOwner.handOver(configuration.folder) }
        do {
            let value = try await withReadModels(of: ledger) { try await body(ledger) }
            await ledger.log.close()
            return value
        } catch {
            await ledger.log.close()
            throw error
        }
    }

    /// Who acts: the account of the operating system, at this machine's console.
    ///
    /// - Parameters:
    ///   - ledger: The ledger that is worked on.
    ///   - organisation: Who will own the events; `nil` for the configured one.
    /// - Returns: Its time is now, its chance fresh.
    func context(
        in ledger: Ledger,
        for organisation: OrganisationID? = nil
    ) -> CommandContext {
        ledger.context(
            actor: .console,
            organisation: organisation ?? configuration.organisation
        )
    }

    /// The same for an account or a phone: its events belong to its own organisation.
    func context(in ledger: Ledger, of organisation: String) -> CommandContext {
        context(in: ledger, for: OrganisationID(unchecked: organisation))
    }

    private func open() throws -> Ledger {
        let identity = LedgerFolder(root: configuration.folder).identity
        guard FileManager.default.fileExists(atPath: identity.path) else {
            throw UpkeepError.noLedger(configuration.folder.path)
        }
        do {
            return try Ledger.open(configuration, disarms: false, logger: logger)
        } catch EventLogError.cannotOpen(let path, let reason)
            where Doctor(configuration).isServed
        {
            throw UpkeepError.served(path, reason: reason)
        } catch StartError.served {
            throw UpkeepError.served(configuration.folder.path, reason: "it is served")
        }
    }

    private func withReadModels<Value: Sendable>(
        of ledger: Ledger,
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                try await ledger.readModels.runner.run()
                return nil
            }
            group.addTask { try await body() }
            defer { group.cancelAll() }
            while let result = try await group.next() {
                if let result { return result }
            }
            throw CancellationError()
        }
    }
}

/// Why nothing was done.
public enum UpkeepError: Error, Hashable, Sendable {
    case noLedger(String)
    case served(String, reason: String)
    case unknownUser(String)
    case notAnID(String, wanted: String)
    case unknownToken(String)
    case ofSeveralOrganisations([String])
    /// Somebody may not do that, or is not who they say.
    case refused(String)
}

extension UpkeepError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noLedger(let path):
            "there is no ledger in \(path); check --data, or make one with daybook serve"
        case .served(let path, let reason):
            "\(path) cannot be taken: \(reason); while a gateway serves it, use its HTTP interface"
        case .unknownUser(let login):
            "there is no user \(login); daybook user list names them"
        case .notAnID(let text, let wanted):
            "\(text) is no \(wanted)"
        case .ofSeveralOrganisations(let names):
            "the person appears in several organisations; name who holds with --organisation: "
                + names.joined(separator: ", ")
        case .refused(let why): why
        case .unknownToken(let id):
            "there is no token \(id) of that user; daybook token list names them"
        }
    }
}
