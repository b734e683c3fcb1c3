// SPDX-License-Identifier: Apache-2.0
public import Events
public import Foundation

extension StoredReadModel {
    /// Builds a read model that has no file yet, beside a process that serves the ledger with an older version of it.
    ///
    /// Writes only files that carry this projector's version, which the older one does not look at. The next runner that
    /// has this projector finds the file finished and brings it level; only then is anybody who was erased since gone
    /// from its searched columns.
    ///
    /// - Parameters:
    ///   - projector: Whose read model.
    ///   - folder: Where the files lie (`DIR/read`).
    ///   - source: The log; it may grow.
    ///   - keys: The person keys that exist now.
    ///   - progress: Hears how many events are in.
    /// - Returns: How many events it stands for; `nil` if there is a file of this version already.
    /// - Throws: ``ProjectionError``, or what reading the log throws.
    @concurrent
    public static func buildAhead(
        _ projector: any Projector,
        in folder: URL,
        from source: EntrySource,
        keys: any PersonKeys,
        progress: @Sendable (UInt64) -> Void = { _ in }
    ) async throws -> UInt64? {
        let place = ProjectionFolder(folder, projector.identity)
        try place.make()
        guard place.current() == nil else { return nil }
        try place.discard(place.ahead)
        let file = try ProjectionFile(
            projector,
            at: place.ahead,
            mode: .building,
            origin: source.origin,
            keys: keys
        )
        var size: UInt64 = 0
        // What arrives meanwhile is taken along until little is left.
        repeat {
            size = try source.size()
            try await fill([file], from: source, through: LogPosition(size), progress)
        } while try source.size() - size > UInt64(ProjectionLimits.bulkPageEntries)
        try file.close()
        // A runner of this version may have begun meanwhile; then its own build counts.
        guard place.current() == nil else {
            try place.discard(place.ahead)
            return nil
        }
        _ = try place.adopt(place.ahead)
        return size
    }
}
