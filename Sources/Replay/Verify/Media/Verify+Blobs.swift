// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation

extension Verify {
    /// Holds the pictures of chats against the digests in the log; as those are of the sealed files, no key is needed.
    mutating func checkBlobs(_ facts: [BlobFact]) {
        guard !facts.isEmpty else { return }
        let start = ContinuousClock.now
        guard FileManager.default.fileExists(atPath: folder.appending(path: "blobs").path) else {
            add(
                .note,
                "blobs",
                "the folder of pictures is not here: \(facts.count) were not checked"
            )
            return
        }
        let erased = Dictionary(
            report.erased.map { ($0.person, $0.position) },
            uniquingKeysWith: { first, _ in first }
        )
        var gone = 0
        for fact in facts where !checkBlob(fact, erasedBy: erased["\(fact.person)"]) { gone += 1 }
        var words = "\(facts.count) pictures"
        if gone > 0 { words += ", \(gone) of them erased or damaged" }
        report.add("blobs", words, since: start)
    }

    /// Tells whether the file is there and right.
    private mutating func checkBlob(_ fact: BlobFact, erasedBy position: UInt64?) -> Bool {
        let digits = fact.digest.text
        let place = "blobs/\(digits.prefix(2))/\(digits)"
        // Beside a live gateway a file may be on its way from `new` to its place.
        let places = [place, "blobs/new/\(digits)", place]
        let data = places.lazy.compactMap { [folder] in
            FileManager.default.contents(atPath: folder.appending(path: $0).path)
        }.first
        guard let data else {
            if let position {
                add(
                    .note,
                    place,
                    "it was deleted: person \(fact.person) was erased by position \(position)"
                )
            } else {
                addBlob(fact, place, "it is missing")
            }
            return false
        }
        guard data.count == fact.bytes else {
            addBlob(
                fact,
                place,
                "it has \(data.count) bytes of the \(fact.bytes) that the log knows"
            )
            return false
        }
        guard SHA256Digest(of: data) == fact.digest else {
            addBlob(fact, place, "its bytes are not what was stored")
            return false
        }
        return true
    }

    private mutating func addBlob(_ blob: BlobFact, _ place: String, _ fact: String) {
        add(
            Finding(
                .damage,
                place: place,
                position: blob.position,
                fact,
                advice: "restore the file from a backup"
            )
        )
    }
}
