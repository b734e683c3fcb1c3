// SPDX-License-Identifier: Apache-2.0
import Events

/// What the log says of one file of video, gathered over all its events.
struct MediaFile {
    let name: String
    /// Whom the video shows.
    var person: PersonID?
    var chunks: [Chunk] = []
    var final: (position: UInt64, bytes: Int, sha256: SHA256Digest)?

    /// A range whose digest is in the log.
    struct Chunk {
        let position: UInt64
        let number: Int
        let offset: Int
        let length: Int
        let sha256: SHA256Digest
    }

    /// All files, by name.
    static func all(_ facts: [MediaFact]) -> [MediaFile] {
        var files: [String: MediaFile] = [:]
        for fact in facts {
            var file = files[fact.file] ?? MediaFile(name: fact.file)
            switch fact.claim {
            case .started(let person): file.person = person
            case .chunk(let number, let offset, let length, let sha256):
                file.chunks.append(
                    Chunk(
                        position: fact.position,
                        number: number,
                        offset: offset,
                        length: length,
                        sha256: sha256
                    )
                )
            case .finalized(let bytes, let sha256):
                file.final = (fact.position, bytes, sha256)
            }
            files[fact.file] = file
        }
        return files.values.sorted { $0.name < $1.name }
    }

    /// Bytes of the file that the log knows.
    var loggedBytes: Int {
        max(chunks.map { $0.offset + $0.length }.max() ?? 0, final?.bytes ?? 0)
    }

    /// Whether the name leads nowhere but below the media folder.
    var isInside: Bool {
        !name.hasPrefix("/") && !name.split(separator: "/").contains("..")
    }
}
