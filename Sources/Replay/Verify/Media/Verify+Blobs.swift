// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation

extension Verify {
    /// Holds pictures, stills and photos against the digests in the log; as those are of the sealed files, no key is needed.
    mutating func checkBlobs(_ facts: [BlobFact], _ media: [MediaFact]) {
        guard options.looks(at: .blobs) else { return }
        let start = ContinuousClock.now
        let owners = Owners(media)
        var unkept = FindingList()
        var gone: Set<SHA256Digest> = []
        var kept: Set<SHA256Digest> = []
        // Any number of events may name one picture: each file is read once.
        for (digest, facts) in Dictionary(grouping: facts, by: \.digest).sorted(by: Self.inOrder) {
            guard let file = blob(digest) else { continue }
            for fact in facts {
                if case .photo(let person) = fact.use, file.bytes == nil {
                    unkept.add(missingPhoto(fact, of: person))
                    continue
                }
                kept.insert(digest)
                if !checkBlob(fact, file, owners.person(of: fact)) { gone.insert(digest) }
            }
        }
        addForeignBlobs(Set(facts.map(\.digest.text)))
        report.add(unkept)
        if unkept.missingCount > 0 {
            report.notLookedAt.append(
                "\(unkept.missingCount) photos that reports name and that are not here; whether they ever were, nothing says"
            )
        }
        guard !kept.isEmpty else { return }
        var words = "\(kept.count) pictures"
        if !gone.isEmpty { words += ", \(gone.count) of them erased or damaged" }
        report.add("blobs", words, since: start)
    }

    /// Whom files show.
    private struct Owners {
        private var streams: [Subject: PersonID] = [:]

        init(_ media: [MediaFact]) {
            for fact in media {
                if case .started(let person) = fact.claim { streams[fact.stream] = person }
            }
        }

        func person(of fact: BlobFact) -> PersonID? {
            switch fact.use {
            case .picture(let person, _): person
            case .still(let stream): streams[stream]
            // Whose picture it is that a report names, the digest does not say.
            case .photo: nil
            }
        }
    }

    /// What a report names: a digest may be of anything, so that a stranger could bring a ledger into damage by one.
    private mutating func missingPhoto(_ fact: BlobFact, of person: PersonID) -> Finding {
        let place = Self.place(fact.digest)
        if let erased = erasure(of: person) {
            return Finding(
                .note,
                place: place,
                position: fact.position,
                "the photo of a report is not here: person \(person), who reported, was erased by position \(erased)"
            )
        }
        return Finding(
            .missing,
            place: place,
            position: fact.position,
            "the report of position \(fact.position) names this photo, and it is not here; nothing says that it ever was",
            advice: "restore the file from a backup if there is one, or ask who reported"
        )
    }

    private static func place(_ digest: SHA256Digest) -> String {
        "blobs/\(digest.text.prefix(2))/\(digest.text)"
    }

    private typealias BlobFacts = Dictionary<SHA256Digest, [BlobFact]>.Element

    private static func inOrder(_ one: BlobFacts, _ other: BlobFacts) -> Bool {
        let (first, second) = (one.value.first?.position ?? 0, other.value.first?.position ?? 0)
        // A second reading tells the same: several of one event stand in the order of their names.
        return (first, one.key.text) < (second, other.key.text)
    }

    /// A file, looked at once for all who name it.
    private struct Blob {
        /// `nil` for one that is not there.
        var bytes: Int?
        /// Whether it is what its name says.
        var isWhole = false
    }

    /// A file as it is; `nil`, and noted, for one that is kept from whoever looks.
    private mutating func blob(_ digest: SHA256Digest) -> Blob? {
        let place = Self.place(digest)
        // Beside a live gateway a file may be on its way from `new` to its place.
        let places = [place, "blobs/new/\(digest.text)", place]
        for place in places {
            do {
                let bytes = try RegularFile.contents(folder.appending(path: place).path)
                return Blob(bytes: bytes.count, isWhole: SHA256Digest(of: bytes) == digest)
            } catch {
                // What is no file is missing.
                if noteKeptOut(error, place) == nil { return nil }
            }
        }
        return Blob()
    }

    /// Tells whether the file is there and right.
    private mutating func checkBlob(
        _ fact: BlobFact,
        _ file: Blob,
        _ person: PersonID?
    ) -> Bool {
        let place = Self.place(fact.digest)
        guard let bytes = file.bytes else {
            if !isUnexplained("pictures", of: person) { addBlob(fact, person, "it is missing") }
            return false
        }
        if let person, let erased = erasures[person] {
            let finding = Finding(
                .damage,
                place: place,
                position: fact.position,
                "person \(person) was erased by position \(erased) and it is still there",
                advice: remedy(forErasureAt: erased)
            )
            let path = folder.appending(path: place).path
            addRemains(finding) { FileManager.default.fileExists(atPath: path) }
            return false
        }
        if case .picture(_, let logged) = fact.use, bytes != logged {
            addBlob(fact, person, "it has \(bytes) bytes of the \(logged) that the log knows")
            return false
        }
        guard file.isWhole else {
            addBlob(fact, person, "its bytes are not what was stored")
            return false
        }
        return true
    }

    /// Names what lies there and is of no event: a crash between file and event leaves some, too.
    private mutating func addForeignBlobs(_ known: Set<String>) {
        let root = folder.appending(path: "blobs")
        for name in FolderListing.files(below: root) where !name.hasPrefix("new/") {
            let last = name.split(separator: "/").last.map(String.init) ?? name
            guard !known.contains(last) || name != "\(last.prefix(2))/\(last)" else { continue }
            add(.note, "blobs/\(name)", unnamed)
        }
    }

    private mutating func addBlob(
        _ blob: BlobFact,
        _ person: PersonID?,
        _ fact: String
    ) {
        if let person, let erased = erasure(of: person) {
            let fact = "it was deleted: person \(person) was erased by position \(erased)"
            return add(.note, Self.place(blob.digest), fact)
        }
        add(
            Finding(
                .damage,
                place: Self.place(blob.digest),
                position: blob.position,
                fact,
                advice: "restore the file from a backup"
            )
        )
    }
}

/// The files below a folder of recordings or pictures.
enum FolderListing {
    /// Paths below the folder, in order, but for the mark that tells whose it is; nothing for a folder that is not there.
    static func files(below folder: URL) -> [String] {
        let files = FileManager.default
        guard let names = files.enumerator(atPath: folder.path) else { return [] }
        return names.compactMap { $0 as? String }.filter { name in
            guard name != LedgerDescription.fileName else { return false }
            var isFolder: ObjCBool = false
            let path = folder.appending(path: name).path
            return files.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
        }.sorted()
    }
}
