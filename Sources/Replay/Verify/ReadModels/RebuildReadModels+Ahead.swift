// SPDX-License-Identifier: Apache-2.0
public import Events
public import Foundation
import Projections

extension RebuildReadModels {
    /// Builds the read models of which this version has no file yet, also while an older one serves the folder.
    ///
    /// - Parameters:
    ///   - names: Which; all if empty.
    ///   - folder: The ledger's folder.
    ///   - keys: The keys of people, without which searched text would be lost.
    ///   - progress: Hears how many events are in.
    /// - Returns: Those that were built.
    /// - Throws: ``CannotVerify`` if keys are needed and not given.
    public static func ahead(
        _ names: [String],
        at folder: URL,
        keys: (any PersonKeys)?,
        progress: @escaping @Sendable (VerifyProgress) -> Void = { _ in }
    ) async throws -> [Rebuilt] {
        let projectors = try projectors(names)
        try checkKeys(keys, of: folder)
        let ledger = try LedgerReader.open(folder, usingIndex: false)
        defer { ledger.close() }
        let size = try ledger.size()
        var built: [Rebuilt] = []
        for projector in projectors {
            let name = "\(projector.identity)"
            let events = try await StoredReadModel.buildAhead(
                projector,
                in: folder.appending(path: "read"),
                from: EntrySource(ledger),
                keys: keys ?? NoKeys()
            ) { done in
                progress(VerifyProgress(stage: name, done: done, of: max(size, done)))
            }
            if let events { built.append(Rebuilt(name: name, events: events)) }
        }
        return built
    }
}
