// SPDX-License-Identifier: Apache-2.0
import Events

/// What the log says of one file of video, gathered over all its events.
struct MediaFile {
    let name: String
    /// Whose file it is.
    let stream: Subject
    /// Whom the video shows.
    var person: PersonID?
    var chunks: [Chunk] = []
    /// What the log has of a camera's footage.
    var minutes: [Minute] = []
    /// Where the log says that it was removed.
    var expired: UInt64?
    /// The chunks whose every frame could be decoded when they arrived.
    private var whole: [ClosedRange<Int>] = []
    var final: (position: UInt64, bytes: Int, sha256: SHA256Digest)?

    /// A range whose digest is in the log.
    struct Chunk {
        let position: UInt64
        let number: Int
        let offset: Int
        let length: Int
        let sha256: SHA256Digest
    }

    /// Some clusters of footage, and a digest over theirs.
    struct Minute {
        let position: UInt64
        let offset: Int
        let length: Int
        let clusters: Int
        let digest: SHA256Digest
    }

    /// All files, by name.
    static func all(_ facts: [MediaFact]) -> [MediaFile] {
        var files: [String: MediaFile] = [:]
        var names: [Subject: String] = [:]
        for fact in facts {
            if !fact.file.isEmpty { names[fact.stream] = fact.file }
            // A look at what never started is of no file.
            guard let name = fact.file.isEmpty ? names[fact.stream] : fact.file else { continue }
            // In place: a copy of a file for each of its chunks would cost their square.
            files[name, default: MediaFile(name: name, stream: fact.stream)].add(fact)
        }
        return files.values.sorted { $0.name < $1.name }
    }

    private init(name: String, stream: Subject) {
        (self.name, self.stream) = (name, stream)
    }

    private mutating func add(_ fact: MediaFact) {
        switch fact.claim {
        case .started(let person): self.person = person
        case .chunk(let number, let offset, let length, let sha256):
            chunks.append(
                Chunk(
                    position: fact.position,
                    number: number,
                    offset: offset,
                    length: length,
                    sha256: sha256
                )
            )
        case .finalized(let bytes, let sha256): final = (fact.position, bytes, sha256)
        case .minute(let offset, let length, let clusters, let digest):
            minutes.append(
                Minute(
                    position: fact.position,
                    offset: offset,
                    length: length,
                    clusters: clusters,
                    digest: digest
                )
            )
        case .expired: expired = fact.position
        case .inspected(let chunks, let isWhole): if isWhole { whole.append(chunks) }
        }
    }

    /// Whether the log says that every frame of a chunk could be decoded when it arrived.
    func wasDecodable(_ chunk: Chunk) -> Bool {
        whole.contains { $0.contains(chunk.number) }
    }

    /// Bytes of the file that the log knows.
    var loggedBytes: Int {
        max(
            chunks.map { $0.offset + $0.length }.max() ?? 0,
            minutes.map { $0.offset + $0.length }.max() ?? 0,
            final?.bytes ?? 0
        )
    }

    /// Clusters that the log knows.
    var clusters: Int { chunks.count + minutes.reduce(0) { $0 + $1.clusters } }

    /// The first event that says something of its bytes.
    var firstPosition: UInt64? { chunks.first?.position ?? minutes.first?.position }

    /// Whether the name leads nowhere but below the media folder.
    var isInside: Bool { CaseFile.isInside(name) }
}
