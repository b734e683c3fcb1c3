// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import Projections
import Synchronization

/// A projector that copies its file, as a crash would leave it, each time before it applies an event.
final class CrashCamera: Projector {
    private let projector: any Projector
    private let folder: URL
    private let taken = Mutex<[URL]>([])

    init(_ projector: any Projector, folder: URL) {
        self.projector = projector
        self.folder = folder
    }

    /// The file that is being written.
    var file: URL { folder.appending(path: "rows.sqlite") }
    /// The images, in order.
    var images: [URL] { taken.withLock { $0 } }

    var identity: ProjectorIdentity { projector.identity }
    var tables: [Table] { projector.tables }
    var searchTables: [SearchTable] { projector.searchTables }
    var handlers: Handlers { projector.handlers }
    var kinds: Set<Kind> { projector.kinds }

    func apply(_ event: RecordedEvent, to rows: RowWriter) {
        projector.apply(event, to: rows)
        taken.withLock { images in
            let image = folder.appending(path: "image-\(images.count).sqlite")
            // The shared-memory file is rebuilt from the write-ahead log, so a crash image needs only these.
            for suffix in ["", "-wal", "-journal"] where exists(file.path + suffix) {
                do {
                    try FileManager.default.copyItem(
                        atPath: file.path + suffix,
                        toPath: image.path + suffix
                    )
                } catch {
                    preconditionFailure("no image of \(file.path) could be taken: \(error)")
                }
            }
            images.append(image)
        }
    }

    private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
}
