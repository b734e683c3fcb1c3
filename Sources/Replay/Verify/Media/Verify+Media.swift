// SPDX-License-Identifier: Apache-2.0
import Crypto
import Events
import Foundation
import Media

extension Verify {
    /// Holds the archive against the digests in the log, file by file; with `--decode` every frame is decoded, too.
    mutating func checkMedia(_ facts: [MediaFact]) async {
        guard options.looks(at: .media) else { return }
        let files = MediaFile.all(facts)
        addForeignRecordings(Dictionary(files.map { ($0.name, $0) }, uniquingKeysWith: { $1 }))
        guard !files.isEmpty else { return }
        let start = ContinuousClock.now
        let total = files.reduce(UInt64(0)) { $0.addingOrMax(UInt64($1.loggedBytes)) }
        var done: UInt64 = 0
        var frames = 0
        for file in files {
            guard file.isInside else {
                addMedia(file, file.firstPosition, "its name leads out of the media folder")
                continue
            }
            let isThere = checkFile(file)
            done = done.addingOrMax(UInt64(file.loggedBytes))
            progress(VerifyProgress(stage: "media", done: done, of: total))
            if isThere, options.decodesVideo { frames += await decode(file) }
        }
        let chunks = files.reduce(0) { $0 + $1.clusters }
        var words = "\(files.count) files, \(chunks) chunks, \(total) bytes"
        if options.decodesVideo { words += ", \(frames) frames decoded" }
        report.add("media", words, since: start)
    }

    /// Where a recording lies, on whichever volume.
    private func path(ofRecording name: String) -> String {
        volumes.path(of: name, of: folder).path
    }

    // MARK: Digests

    /// Compares one file; tells whether it can be read.
    private mutating func checkFile(_ file: MediaFile) -> Bool {
        let path = path(ofRecording: file.name)
        if let position = file.expired {
            if hasAnything(at: path) {
                add(
                    .note,
                    "media/\(file.name)",
                    "it is still there, and was removed by position \(position): the gateway removes it again"
                )
            }
            return false
        }
        let handle: FileHandle
        let size: UInt64
        do {
            handle = try RegularFile.open(path)
            size = try handle.seekToEnd()
        } catch {
            guard file.loggedBytes > 0, let fault = noteKeptOut(error, "media/\(file.name)")
            else {
                return false
            }
            if !hasAnything(at: path), isUnexplained("recordings", of: file.person) { return false }
            addMedia(file, file.firstPosition, "it is missing or cannot be read: \(fault)")
            return false
        }
        defer { _ = try? handle.close() }
        if let person = file.person, let position = erasures[person] {
            let finding = Finding(
                .damage,
                place: "media/\(file.name)",
                position: position,
                "person \(person) was erased by position \(position) and it is still there",
                advice: remedy(forErasureAt: position)
            )
            addRemains(finding) { FileManager.default.fileExists(atPath: path) }
            return false
        }
        if UInt64(file.loggedBytes) > size {
            let first = file.chunks.first { UInt64($0.offset + $0.length) > size }
            addMedia(
                file,
                first?.position,
                "it is cut off: \(size) bytes of the \(file.loggedBytes) that the log knows; chunk \(first.map { String($0.number) } ?? "–") is the first that is not whole"
            )
        }
        for chunk in file.chunks where UInt64(chunk.offset + chunk.length) <= size {
            let digest = handle.sha256(at: chunk.offset, chunk.length)
            if digest != chunk.sha256 {
                addMedia(
                    file,
                    chunk.position,
                    "chunk \(chunk.number), bytes \(chunk.offset)..<\(chunk.offset + chunk.length), is not what was archived"
                )
            }
        }
        checkMinutes(of: file, path, size)
        if file.final == nil, UInt64(file.loggedBytes) < size { checkTail(of: file, path) }
        if let final = file.final, UInt64(final.bytes) <= size {
            if UInt64(final.bytes) < size {
                addMedia(
                    file,
                    final.position,
                    "it has \(size) bytes and was finalised with \(final.bytes)"
                )
            } else if handle.sha256(at: 0, final.bytes) != final.sha256 {
                addMedia(file, final.position, "the whole file is not what was finalised")
            }
        }
        return true
    }

    /// Compares a camera's footage, minute by minute: the digest in the log is one over those of the clusters.
    private mutating func checkMinutes(of file: MediaFile, _ path: String, _ size: UInt64) {
        guard !file.minutes.isEmpty else { return }
        do {
            let reader = try RecordingReader(path: path)
            var rest = reader.chunks[...]
            for minute in file.minutes where UInt64(minute.offset + minute.length) <= size {
                let (begin, end) = (UInt64(minute.offset), UInt64(minute.offset + minute.length))
                rest = rest.drop { $0.bytes.upperBound <= begin }
                let own = rest.prefix { $0.bytes.upperBound <= end }
                var digest = SHA256()
                for chunk in own { digest.update(data: Array(try reader.sha256(chunk.bytes).utf8)) }
                let isWhole =
                    own.count == minute.clusters && own.first?.offset == begin
                    && SHA256Digest(bytes: Array(digest.finalize())) == minute.digest
                guard !isWhole else { continue }
                addMedia(
                    file,
                    minute.position,
                    "the minute in bytes \(begin)..<\(end) is not what was archived"
                )
            }
        } catch {
            addMedia(file, file.firstPosition, "its footage cannot be read: \(error)")
        }
    }

    /// Names what stands behind the last chunk of a recording that is not final: the archive's, if it carries its seal,
    /// and else anybody's; not where an event may tell of it that could not be read.
    private mutating func checkTail(of file: MediaFile, _ path: String) {
        let place = "media/\(file.name)"
        guard isLogUnderstood else {
            report.notLookedAt.append(
                "what stands behind byte \(file.loggedBytes) of \(place): an event that could not be read may tell of it"
            )
            return
        }
        guard let key = recordingKeys.flatMap({ file.key(from: $0) }) else {
            report.notLookedAt.append(
                "who wrote what stands behind byte \(file.loggedBytes) of \(place), which is in no event yet (the master key tells)"
            )
            return
        }
        do {
            let tail = try RecordingTail(
                of: path,
                seal: RecordingSeal(key: key),
                behind: file.clusters,
                end: UInt64(file.loggedBytes)
            )
            addTail(tail, of: file)
        } catch {
            add(
                .note,
                place,
                "what stands behind byte \(file.loggedBytes) cannot be read: \(error)"
            )
        }
    }

    private mutating func addTail(_ tail: RecordingTail, of file: MediaFile) {
        guard !tail.bytes.isEmpty else { return }
        guard tail.isVouchedFor else {
            return addMedia(
                file,
                file.chunks.last?.position,
                "bytes \(tail.sealedThrough)..<\(tail.bytes.upperBound) are in no event and carry no seal of this archive",
                "start the gateway, which sets them aside; an older version or a power cut left them, or somebody else wrote them"
            )
        }
        let end = tail.isTorn ? ", and at its end a torn one that is cut off" : ""
        add(
            .note,
            "media/\(file.name)",
            "bytes \(tail.bytes) are in no event yet: clusters with this archive's seal, which its next start logs\(end)"
        )
    }

    /// Those by which the archive sealed what it wrote; `nil` without the master key, or with another one.
    private var recordingKeys: RecordingKeys? {
        options.keys == nil ? nil : options.masterKey.map(RecordingKeys.init(of:))
    }

    // MARK: Pictures

    /// Decodes every frame in another process; tells how many there were.
    ///
    /// Senders may send what no decoder takes. So pictures are damaged only where the log says that they could be decoded once.
    private mutating func decode(_ file: MediaFile) async -> Int {
        let path = path(ofRecording: file.name)
        let inspection = InspectionProcess(
            executable: options.program.resolvedPath,
            arguments: options.inspector
        )
        let places: [UInt64: ChunkPlace]
        do {
            let reader = try RecordingReader(path: path)
            places = Dictionary(
                reader.chunks.map { ($0.offset, $0) },
                uniquingKeysWith: { first, _ in first }
            )
        } catch {
            addPictures(file, file.chunks.first, "its video cannot be read: \(error)")
            return 0
        }
        var frames = 0
        for chunk in file.chunks {
            guard let place = places[UInt64(chunk.offset)] else {
                addPictures(file, chunk, "chunk \(chunk.number) is no cluster of video")
                continue
            }
            let logged = LoggedChunk(place, through: 0, sha256: chunk.sha256.text)
            switch await inspection.inspect(logged, of: path) {
            case .decoded(let pictures):
                frames += pictures.frames
                guard pictures.undecodable > 0 else { continue }
                let count = pictures.undecodable
                addPictures(file, chunk, "chunk \(chunk.number): \(count) frames cannot be decoded")
            case .notDecoded(.notAsLogged):
                // That is damage whatever its pictures are, and was said.
                continue
            case .notDecoded(.noCluster):
                addPictures(file, chunk, "chunk \(chunk.number) is no cluster that can be read")
            case .notDecoded(.childDied(let status)):
                let fact = "chunk \(chunk.number) ended the decoder (\(status))"
                addPictures(file, chunk, fact)
            case .notDecoded(let reason):
                let place = "media/\(file.name)"
                report.notLookedAt.append(
                    "the pictures of chunk \(chunk.number) of \(place): \(reason)"
                )
            }
        }
        return frames
    }

    private mutating func addPictures(_ file: MediaFile, _ chunk: MediaFile.Chunk?, _ fact: String)
    {
        guard let chunk, file.wasDecodable(chunk) else {
            return add(.note, "media/\(file.name)", "\(fact); nothing says that they ever could be")
        }
        addMedia(file, chunk.position, "\(fact), and when they arrived all could be")
    }

    /// Names what lies there and is of no event; a recording that begins now is of none yet.
    private mutating func addForeignRecordings(_ known: [String: MediaFile]) {
        for name in volumes.folders(of: folder).flatMap(FolderListing.files(below:))
        where known[name] == nil {
            guard let recording = SetAside.recording(of: name), let file = known[recording] else {
                let isFootage = name.hasPrefix("cameras/")
                let still = isFootage ? ", as while an hour's first minute is recorded" : ""
                add(.note, "media/\(name)", unnamed + still)
                continue
            }
            addAside(name, of: file)
        }
    }

    /// What was set aside of a recording shows whom the recording shows, or whom somebody forged.
    private mutating func addAside(_ name: String, of file: MediaFile) {
        guard let person = file.person, let position = erasures[person] else {
            return add(
                .note,
                "media/\(name)",
                "bytes of \(file.name) that nobody vouches for, which the archive set aside"
            )
        }
        let finding = Finding(
            .damage,
            place: "media/\(name)",
            position: position,
            "person \(person) was erased by position \(position) and what was set aside of a recording is still there",
            advice: remedy(forErasureAt: position)
        )
        let path = path(ofRecording: name)
        addRemains(finding) { FileManager.default.fileExists(atPath: path) }
    }

    private mutating func addMedia(
        _ file: MediaFile,
        _ position: UInt64?,
        _ fact: String,
        _ advice: String = "restore the file from a backup or another volume"
    ) {
        if let person = file.person, let erased = erasure(of: person) {
            let fact = "it was deleted: person \(person) was erased by position \(erased)"
            return add(.note, "media/\(file.name)", fact)
        }
        add(
            Finding(
                .damage,
                place: "media/\(file.name)",
                position: position,
                fact,
                advice: advice
            )
        )
    }
}

extension MediaFile {
    /// The key that seals its clusters.
    fileprivate func key(from keys: RecordingKeys) -> [UInt8]? {
        stream.category == "camera"
            ? keys.key(ofFootage: name) : StreamID(String(stream.name)).map { keys.key(of: $0) }
    }
}

extension UInt64 {
    /// The sum, or the largest number: sizes in a log need not be those of any file.
    fileprivate func addingOrMax(_ other: UInt64) -> UInt64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
