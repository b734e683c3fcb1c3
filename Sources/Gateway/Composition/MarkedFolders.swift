// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation

/// The folders beside the log whose files the log names.
struct MarkedFolders: Sendable {
    let media: MarkedFolder
    /// All folders of recordings, of which ``media`` is the ledger's own.
    let volumes: LedgerVolumes
    let blobs: MarkedFolder

    /// How many named files are looked for before a folder counts as empty of them.
    private static let looksMax = 4_096

    /// - Parameters:
    ///   - folder: The ledger's.
    ///   - identity: Whose the folders must be.
    ///   - log: Which names their files.
    ///   - keys: Of people; files of whom was erased need not be there.
    ///   - reserve: Bytes that recordings leave free.
    init(
        _ folder: LedgerFolder,
        _ identity: LedgerIdentity,
        _ log: EventLog,
        _ keys: KeyStore,
        reserve: Int64
    ) {
        let mayWrite: @Sendable () -> Bool = { log.readOnlyReason == nil }
        let own = MarkedFolder(
            folder.media,
            of: folder,
            identity,
            held: log.held,
            mayWrite: mayWrite
        ) { place in
            try Self.has(log, [StreamStarted.kind]) { fact in
                guard case .stream(.started(let stream)) = fact, !keys.isDestroyed(stream.caller)
                else { return nil }
                return place.appending(path: stream.file)
            }
        }
        media = own
        volumes = LedgerVolumes(folder, own: own, floor: reserve) { place in
            // It was marked when it was added.
            MarkedFolder(place, of: folder, identity, held: log.held, mayWrite: { false }) { _ in
                false
            }
        }
        blobs = MarkedFolder(folder.blobs, of: folder, identity, held: log.held, mayWrite: mayWrite)
        { place in
            try Self.has(log, Fact.kindsOfFiles) { fact in
                guard let picture = fact.storedFile, !keys.isDestroyed(picture.person) else {
                    return nil
                }
                return BlobFolder.place(of: picture.blob, in: place)
            }
        }
    }

    /// Gives marks where none were given yet.
    func begin() { _ = (media.fault, blobs.fault) }

    /// Whether any of the files is there that events of some kinds name, or none is named; `file` gives that of an event, or
    /// `nil` for one that need not be there.
    private static func has(
        _ log: EventLog,
        _ kinds: [Kind],
        file: (Fact) -> URL?
    ) throws -> Bool {
        var missing = 0
        for kind in kinds {
            var next = LogPosition(0)
            while missing < looksMax {
                // What cannot be read names no file that anybody could look for.
                let page = try log.entriesPastDamage(of: kind, from: next)
                guard let after = page.next else { break }
                for event in page.events(of: log) {
                    guard let file = file(event.fact) else { continue }
                    if FileManager.default.fileExists(atPath: file.path) { return true }
                    missing += 1
                }
                next = after
            }
        }
        return missing == 0
    }
}
