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
        addForeignRecordings(Set(files.map(\.name)))
        guard !files.isEmpty else { return }
        let start = ContinuousClock.now
        let total = files.reduce(UInt64(0)) { $0.addingOrMax(UInt64($1.loggedBytes)) }
        var done: UInt64 = 0
        var frames = 0
        for file in files {
            guard file.isInside else {
                addMedia(
                    file,
                    file.chunks.first?.position,
                    "its name leads out of the media folder"
                )
                continue
            }
            let isThere = checkFile(file)
            done = done.addingOrMax(UInt64(file.loggedBytes))
            progress(VerifyProgress(stage: "media", done: done, of: total))
            if isThere, options.decodesVideo { frames += await decode(file) }
        }
        let chunks = files.reduce(0) { $0 + $1.chunks.count }
        var words = "\(files.count) files, \(chunks) chunks, \(total) bytes"
        if options.decodesVideo { words += ", \(frames) frames decoded" }
        report.add("media", words, since: start)
    }

    // MARK: Digests

    /// Compares one file; tells whether it can be read.
    private mutating func checkFile(_ file: MediaFile) -> Bool {
        let path = folder.appending(path: "media/\(file.name)").path
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
            addMedia(
                file,
                file.chunks.first?.position,
                "it is missing or cannot be read: \(fault)"
            )
            return false
        }
        defer { _ = try? handle.close() }
        if let person = file.person, let position = erasures[person] {
            let finding = Finding(
                .damage,
                place: "media/\(file.name)",
                position: position,
                "person \(person) was erased by position \(position) and it is still there",
                advice: "start the gateway, which deletes it again; find out who restored it"
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

    // MARK: Pictures

    /// Decodes every frame in another process; tells how many there were.
    ///
    /// Senders may send what no decoder takes. So pictures are damaged only where the log says that they could be decoded once.
    private mutating func decode(_ file: MediaFile) async -> Int {
        let path = folder.appending(path: "media/\(file.name)").path
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
            switch await inspection.inspect(place, of: path) {
            case .decoded(let pictures):
                frames += pictures.frames
                guard pictures.undecodable > 0 else { continue }
                let count = pictures.undecodable
                addPictures(file, chunk, "chunk \(chunk.number): \(count) frames cannot be decoded")
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
    private mutating func addForeignRecordings(_ known: Set<String>) {
        for name in FolderListing.files(below: folder.appending(path: "media"))
        where !known.contains(name) {
            add(.note, "media/\(name)", "no event names it")
        }
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

extension UInt64 {
    /// The sum, or the largest number: sizes in a log need not be those of any file.
    fileprivate func addingOrMax(_ other: UInt64) -> UInt64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
