// SPDX-License-Identifier: Apache-2.0
import Events

/// What the log says about a file of the blob folder.
struct BlobFact: Sendable {
    /// What it is, which says whose it is.
    enum Use: Sendable {
        /// A picture of a chat or a report, encrypted for a person, with the length of the sealed file.
        case picture(of: PersonID, bytes: Int)
        /// A still of a recording, whose stream says whom it shows.
        case still(of: Subject)
        /// A photo of a report of somebody: whoever reports names any digest, and no file need ever have been kept here.
        case photo(of: PersonID)
    }

    /// The position of the event.
    let position: UInt64
    let digest: SHA256Digest
    let use: Use

    /// The files that an event names.
    static func all(_ fact: Fact, at position: UInt64, subject: String) -> [BlobFact] {
        if let picture = fact.storedFile {
            let use = Use.picture(of: picture.person, bytes: picture.bytes)
            return [BlobFact(position: position, digest: picture.blob, use: use)]
        }
        return switch fact {
        case .stream(.chunksInspected(let seen)):
            seen.thumbnail.map {
                [
                    BlobFact(
                        position: position,
                        digest: $0,
                        use: .still(of: Subject(unchecked: subject))
                    )
                ]
            } ?? []
        case .report(.submitted(let report)):
            report.photos.map {
                BlobFact(position: position, digest: $0, use: .photo(of: report.reporter))
            }
        default: []
        }
    }
}
