// SPDX-License-Identifier: Apache-2.0
public import Events
public import Foundation
import Projections

/// Builds read models anew while nobody serves the ledger, or checks that a rebuild would change nothing.
public enum RebuildReadModels {
    /// One that took over.
    public struct Rebuilt: Codable, Sendable {
        public let name: String
        /// How many events it stands for.
        public let events: UInt64
    }

    /// Compares read models with a rebuild at the same position, without changing them.
    ///
    /// The log is believed: whether it is sound, ``Verify`` says.
    ///
    /// - Throws: ``CannotVerify`` if nothing was compared.
    public static func check(
        _ names: [String],
        at folder: URL,
        keys: (any PersonKeys)?,
        progress: @escaping @Sendable (VerifyProgress) -> Void = { _ in }
    ) async throws -> VerifyReport {
        var options = VerifyOptions()
        options.keys = keys
        var verify = Verify(
            folder: folder,
            options: options,
            progress: progress,
            report: VerifyReport(subject: folder.path)
        )
        let ledger = try LedgerReader.open(folder, usingIndex: false)
        verify.report.origin = ledger.origin
        verify.report.size = try ledger.size()
        ledger.close()
        await verify.checkReadModels(try projectors(names))
        guard verify.report.readModelsCompared > 0 || verify.report.verdict == .damage else {
            throw CannotVerify(
                "rebuild --check of \(folder.path) compared nothing: \(verify.report.notLookedAt.first ?? "there are no read models"); serve the ledger or run daybook rebuild"
            )
        }
        return verify.report
    }

    /// Builds read models anew, in one pass over the log; each takes over in one step when all are level with it.
    ///
    /// - Parameters:
    ///   - names: Which; all if empty.
    ///   - folder: The ledger's folder.
    ///   - keys: The keys of people, without which searched text would be lost.
    ///   - progress: Hears how many events are in.
    /// - Returns: Those that took over.
    /// - Throws: ``CannotVerify`` if somebody serves the folder, or keys are needed and not given.
    public static func run(
        _ names: [String],
        at folder: URL,
        keys: (any PersonKeys)?,
        progress: @escaping @Sendable (VerifyProgress) -> Void = { _ in }
    ) async throws -> [Rebuilt] {
        let projectors = try projectors(names)
        try checkKeys(keys, of: folder)
        let lock = try ServingLock(folder)
        defer { lock.release() }
        let ledger = try LedgerReader.open(folder, usingIndex: false)
        defer { ledger.close() }
        let size = try ledger.size()
        let stage = projectors.count == 1 ? "\(projectors[0].identity)" : "read models"
        let events = try await StoredReadModel.rebuild(
            projectors,
            in: folder.appending(path: "read"),
            from: EntrySource(ledger),
            keys: keys ?? NoKeys()
        ) { done in
            progress(VerifyProgress(stage: stage, done: done, of: size))
        }
        return projectors.map { Rebuilt(name: "\($0.identity)", events: events) }
    }

    static func checkKeys(_ keys: (any PersonKeys)?, of folder: URL) throws {
        let hasKeys = FileManager.default.fileExists(atPath: folder.appending(path: "keys").path)
        guard keys != nil || !hasKeys else {
            throw CannotVerify(
                "rebuild of \(folder.path) was not possible: the ledger has keys of people, and without the master key searched text would be lost; give --master-key"
            )
        }
    }

    /// The projectors of these names; all without any.
    static func projectors(_ names: [String]) throws -> [any Projector] {
        guard !names.isEmpty else { return allProjectors }
        return try names.map { name in
            guard let projector = allProjectors.first(where: { $0.identity.name == name }) else {
                let known = allProjectors.map(\.identity.name).joined(separator: ", ")
                throw CannotVerify("no read model is called \(name); there are \(known)")
            }
            return projector
        }
    }
}

/// Keeps a gateway away while a read model is replaced.
private final class ServingLock {
    private let descriptor: Int32

    init(_ folder: URL) throws {
        let path = folder.appending(path: "lock").path
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o640)
        guard descriptor >= 0 else {
            throw CannotVerify(
                "rebuild of \(folder.path) was not possible: \(path): \(String(cString: strerror(errno)))"
            )
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw CannotVerify(
                "rebuild of \(folder.path) was not possible: a gateway serves it; ask that one, or stop it first"
            )
        }
    }

    func release() {
        flock(descriptor, LOCK_UN)
    }

    deinit {
        close(descriptor)
    }
}
