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
        var gone = 0
        for fact in facts {
            if case .photo(let person) = fact.use, blob(fact.digest) == nil {
                unkept.add(missingPhoto(fact, of: person))
            } else if !checkBlob(fact, owners.person(of: fact)) {
                gone += 1
            }
        }
        addForeignBlobs(Set(facts.map(\.digest.text)))
        report.add(unkept)
        if unkept.missingCount > 0 {
            report.notLookedAt.append(
                "\(unkept.missingCount) photos that reports name and that are not here; whether they ever were, nothing says"
            )
        }
        let kept = facts.count - unkept.missingCount - unkept.noteCount
        guard kept > 0 else { return }
        var words = "\(kept) pictures"
        if gone > 0 { words += ", \(gone) of them erased or damaged" }
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

    private func blob(_ digest: SHA256Digest) -> Data? {
        let place = Self.place(digest)
        // Beside a live gateway a file may be on its way from `new` to its place.
        let places = [place, "blobs/new/\(digest.text)", place]
        return places.lazy.compactMap { [folder] in
            // What is no file is missing.
            try? RegularFile.contents(folder.appending(path: $0).path)
        }.first
    }

    /// Tells whether the file is there and right.
    private mutating func checkBlob(
        _ fact: BlobFact,
        _ person: PersonID?
    ) -> Bool {
        let place = Self.place(fact.digest)
        guard let data = blob(fact.digest) else {
            addBlob(fact, person, "it is missing")
            return false
        }
        let known = person.flatMap { person in
            report.erased.first { $0.person == "\(person)" }
        }
        if let known {
            let finding = Finding(
                .damage,
                place: place,
                position: fact.position,
                "person \(known.person) was erased by position \(known.position) and it is still there",
                advice: "start the gateway, which deletes it again; find out who restored it"
            )
            let path = folder.appending(path: place).path
            addRemains(finding) { FileManager.default.fileExists(atPath: path) }
            return false
        }
        if case .picture(_, let bytes) = fact.use, data.count != bytes {
            addBlob(fact, person, "it has \(data.count) bytes of the \(bytes) that the log knows")
            return false
        }
        guard SHA256Digest(of: data) == fact.digest else {
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
            add(.note, "blobs/\(name)", "no event names it")
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

/// The files below a folder.
enum FolderListing {
    /// Paths below the folder, in order; nothing for a folder that is not there.
    static func files(below folder: URL) -> [String] {
        let files = FileManager.default
        guard let names = files.enumerator(atPath: folder.path) else { return [] }
        return names.compactMap { $0 as? String }.filter { name in
            var isFolder: ObjCBool = false
            let path = folder.appending(path: name).path
            return files.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
        }.sorted()
    }
}
